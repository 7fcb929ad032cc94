"""Draws the ratios that Benchmarks prints, with those of other libraries beside them.

    chart.py OUTPUT-OF-BENCHMARKS PICTURE.svg
"""

import re
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "XTLite"
matplotlib.rcParams["font.family"] = "DejaVu Sans"

from matplotlib import pyplot, ticker  # noqa: E402

# Each library's models, beside a hand-written loop in the same process: ratios of medians, seen once
# on a Linux machine with two cores, SQLite 3.40.1.
OTHERS = {
    "GRDB, rows read by hand": {
        "W1": 4.06, "W2": 1.57, "W3": 1.26, "W4": 12.2, "W4b": 12.6, "W5": 1.21, "W6": 12.1,
        "W7": 0.90, "W8i": 1.54, "W8f": 1.02, "W9": 6.77,
    },
    "GRDB, Codable": {
        "W1": 4.67, "W2": 1.63, "W3": 3.23, "W4": 13.3, "W4b": 13.8, "W5": 1.73, "W6": 13.4,
        "W7": 0.99, "W8i": 1.75, "W8f": 1.23, "W9": 7.01,
    },
    "SQLite.swift, typed": {
        "W1": 8.82, "W2": 1.74, "W3": 6.83, "W4": 10.9, "W4b": 6.90, "W5": 3.40, "W6": 20.7,
        "W7": 0.89, "W8i": 1.69, "W8f": 1.17, "W9": 10.9,
    },
    "WCDB.swift": {"W1": 1.8, "W3": 2.7, "W4": 3.3},
}

NAMES = {
    "W1": "insert\nlist", "W2": "insert\neach", "W3": "fetch\nall", "W4": "find in\na block",
    "W4b": "find\neach", "W5": "scan", "W6": "update\nlist", "W7": "count,\nmax, sum",
    "W8i": "JSON\ninsert", "W8f": "JSON\nfetch", "W9": "read be-\nside write",
    "W10": "open large\nschema", "W11": "two\nwriters",
}

COLORS = ["#0b6e4f", "#9db4c0", "#5c6b73", "#c2a878", "#a4596b"]


def ratios(path):
    with open(path, encoding="utf-8") as output:
        lines = re.findall(r"^bench (\w+) raw=[\d.]+ xt=[\d.]+ ratio=([\d.]+)$", output.read(), re.M)
    return {name: float(ratio) for name, ratio in lines if name in NAMES}


def draw(ours, picture):
    names = [name for name in NAMES if name in ours]
    series = [("XTLite", ours), *OTHERS.items()]
    width = 0.8 / len(series)
    figure, axes = pyplot.subplots(figsize=(11, 4.6))
    for index, (label, values) in enumerate(series):
        places = [place for place, name in enumerate(names) if name in values]
        bars = axes.bar(
            [place - 0.4 + (index + 0.5) * width for place in places],
            # Bars begin at 1: above it is slower than the loop, below it faster.
            [values[names[place]] - 1 for place in places],
            width, bottom=1, color=COLORS[index], label=label)
        if index == 0:
            texts = [f"{values[names[place]]:.2f}" for place in places]
            axes.bar_label(bars, texts, fontsize=6.5, padding=2, rotation=90)
    axes.set_yscale("log")
    axes.set_ylim(0.25, 25)
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.set_yticks([0.25, 0.5, 1, 2, 5, 10, 20])
    axes.minorticks_off()
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(names)), [f"{name}\n{NAMES[name]}" for name in names], fontsize=8)
    axes.set_ylabel("time ÷ time of a hand-written loop")
    axes.set_title(
        "XTLite: medians of interleaved repetitions in one process. Others: seen once on Linux with "
        "two cores, SQLite 3.40.1.", fontsize=8)
    axes.legend(fontsize=8, ncols=len(series), frameon=False, loc="upper center")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(ratios(sys.argv[1]), sys.argv[2])
