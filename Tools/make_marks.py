#!/usr/bin/env python3
"""Makes Sources/XTLite/Search/WordMarks.swift of the Unicode Character Database that Python has.

    Tools/make_marks.py > Sources/XTLite/Search/WordMarks.swift

What is taken: the marks (Mn and Mc) that words are written with. Left out are those that are set on
letters of any script, which SQLite treats by itself, variation selectors, and signs of music and of
sign languages.

A table that changes is another declaration, so that every index of words in every file is made anew.
"""
import sys
import unicodedata

VERSION = "14.0.0"
LEFT_OUT = [
    (0x0300, 0x036F),
    (0x180B, 0x180F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE00, 0xFE2F),
    (0x1BC9D, 0x1BC9E),
    (0x1CF00, 0x1DAFF),
    (0xE0100, 0xE01EF),
]


def main():
    if unicodedata.unidata_version != VERSION:
        sys.exit(f"Python's tables are of Unicode {unicodedata.unidata_version}, not {VERSION}")
    ranges = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) not in ("Mn", "Mc"):
            continue
        if any(low <= code <= high for low, high in LEFT_OUT):
            continue
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    words = [f"{low:X}" if low == high else f"{low:X}-{high:X}" for low, high in ranges]
    lines = ["   "]
    for word in words:
        if len(lines[-1]) + len(word) > 94:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += " " + word
    print("// Made by Tools/make_marks.py of the Unicode Character Database 14; not to be changed by hand.")
    print()
    print("/// The vowel signs and other marks that words of many scripts are written with.")
    print("enum WordMarks {")
    print("  /// From one code point to another, or one alone, as hexadecimal numbers, in order.")
    print("  static let ranges: StaticString = \"\"\"")
    print("\n".join(lines))
    print("    \"\"\"")
    print("}")


main()
