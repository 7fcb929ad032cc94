#!/usr/bin/env python3
"""Makes Sources/XTLite/Engine/PinyinTable.swift of Unihan's readings.

    Tools/make_pinyin.py [Unihan_Readings.txt[.bz2]] > Sources/XTLite/Engine/PinyinTable.swift

The file is in the package unicode-data, and at unicode.org. What is taken: of each character from
U+4E00 to U+9FFF and from U+3400 to U+4DBF the readings that kMandarin gives, and those of
kHanyuPinlu and of kTGHZ2013, the table of standard characters; without tones, ü written v.

A table that changes makes other words of old texts: give the tokenizer another name then.
"""
import bz2
import sys
import unicodedata

DIGITS = "".join(chr(code) for code in range(0x30, 0x7F) if chr(code) not in '"\\#')
RANGES = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF)]


def plain(reading):
    letters = []
    for letter in unicodedata.normalize("NFD", reading.lower()):
        if letter == "\u0308" and letters and letters[-1] == "u":
            letters[-1] = "v"
        elif "a" <= letter <= "z":
            letters.append(letter)
    return "".join(letters)


def readings(path):
    data = open(path, "rb").read()
    if path.endswith(".bz2"):
        data = bz2.decompress(data)
    found = {}
    for line in data.decode("utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) != 3 or fields[1] not in (
            "kMandarin",
            "kHanyuPinlu",
            "kTGHZ2013",
        ):
            continue
        code = int(fields[0][2:], 16)
        if not any(low <= code <= high for low, high in RANGES):
            continue
        parts = [word.split(":")[-1] for word in fields[2].split()]
        words = [plain(word.split("(")[0]) for part in parts for word in part.split(",")]
        places = found.setdefault(code, [[], []])
        places[0 if fields[1] == "kMandarin" else 1] += [word for word in words if word]
    return {code: list(dict.fromkeys(first + more)) for code, (first, more) in found.items()}


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode/Unihan_Readings.txt.bz2"
    found = readings(path)
    syllables = sorted({word for words in found.values() for word in words})
    base = len(DIGITS)

    def number(value):
        return DIGITS[value // base] + DIGITS[value % base]

    first = []
    for low, high in RANGES:
        for code in range(low, high + 1):
            words = found.get(code)
            first.append(number(syllables.index(words[0]) + 1 if words else 0))
    more = []
    for code in sorted(found):
        for word in found[code][1:]:
            place = code - 0x4E00 if code >= 0x4E00 else code - 0x3400 + 0x5200
            more.append(
                DIGITS[place // base // base]
                + number(place % (base * base))
                + number(syllables.index(word) + 1)
            )

    def text(string):
        lines = [string[start : start + 88] for start in range(0, len(string), 88)]
        return "\n".join("    " + line + "\\#" for line in lines)[:-2]

    print("// Made by Tools/make_pinyin.py of Unihan_Readings.txt (Unicode Character Database); not to be")
    print("// changed by hand.")
    print()
    print("/// The readings of Chinese characters, without tones.")
    print("enum PinyinTable {")
    print("  /// All syllables, in order.")
    print("  static let syllables: StaticString = #\"\"\"")
    line = "   "
    lines = []
    for syllable in syllables:
        if len(line) + len(syllable) > 94:
            lines.append(line + " \\#")
            line = "   "
        line += " " + syllable
    lines.append(line)
    print("\n".join(lines))
    print("    \"\"\"#")
    print()
    print("  /// For each character from U+4E00 to U+9FFF, and then from U+3400 to U+4DBF, two digits: the")
    print("  /// number of its syllable, from 1; 0 for none.")
    print("  static let first: StaticString = #\"\"\"")
    print(text("".join(first)))
    print("    \"\"\"#")
    print()
    print("  /// Further readings: three digits for the character's place, two for the syllable.")
    print("  static let more: StaticString = #\"\"\"")
    print(text("".join(more)))
    print("    \"\"\"#")
    print("}")


main()
