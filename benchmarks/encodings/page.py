"""The page of `make bench-encodings`, and its numbers as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.encodings.votes import SCHEMES

__all__ = ["write_page"]

MOST_RATIO, MOST_TIMES = 1.3, 6.0


def write_page(results: dict[str, Any], folder: Path) -> str:
    """Write encoded.md and encoded.json; returns the page."""
    page = _page(results)
    (folder / "encoded.md").write_text(page, encoding="utf-8")
    (folder / "encoded.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return page


def _page(results: dict[str, Any]) -> str:
    agreement, vote = results["agreement"], results["vote"]
    subdividing = [row["ratio"] for row in results["decode"] if not row["delayed"] and not row["looks"]]
    lines = [
        "# Decoding through output encodings",
        "",
        "Written by `make bench-encodings` together with [encoded.json](encoded.json). Corpora and problems are generated.",
        "",
        "## The same answers as enumeration",
        "",
        (
            f"On {agreement['problems']:,} random small problems ({agreement['encodings']:,} encodings: schemes, histories, conditions on "
            f"tokens, and {agreement['random']:,} made by random moves; up to three random rules) the best labels, the four best and the sum "
            "over all labels are those that enumerating all canonical label sequences gives, both as a trellis and as a graph. "
            f"In {agreement['contradictory']:,} of them nothing is legal, which both say. Disagreements: 0."
        ),
        "",
        "## Time",
        "",
        (
            f"A CRF over {results['sentences']:,} sentences of 20 to 23 tokens, one thread, microseconds of CPU time per sentence: scoring and "
            "decoding tags without the encoding, labels through it, and labels through it under six rules about labels. Medians of "
            f"{results['repeats']} turns, taken one after the other."
        ),
        "",
        "| encoding | labels | tags | tags only | labels | ratio | under rules |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {row['encoding']} | {row['labels']} | {row['tags']} | {row['us_tags']:.1f} | {row['us_labels']:.1f} "
            f"| {row['ratio']:.2f} | {row['us_ruled']:.1f} |"
            for row in results["decode"]
        ),
        "",
        (
            f"Encodings that only subdivide labels may take {MOST_RATIO} times the time of their own tags: the largest ratio here is "
            f"{max(subdividing):.2f}, {_within(max(subdividing), MOST_RATIO)} that. Where one looks at tokens, the core looks for just the "
            "attributes that it names."
        ),
        "",
        "## Votes",
        "",
        (
            f"A log-linear vote of five such models, in {', '.join(SCHEMES)}: they meet in a trellis of {vote['columns']} columns, which the "
            f"compiled engine decodes. Scoring and decoding take {vote['us_five']:.0f} microseconds a sentence, {vote['ratio']:.1f} times the "
            f"{vote['us_one']:.0f} of the first model alone ({_within(vote['ratio'], MOST_TIMES)} the {MOST_TIMES:g} times that were to be "
            f"reached); under a rule about labels {vote['us_ruled']:.0f}. By merged graphs, which give the same answers, {vote['us_graphs']:,.0f}."
        ),
        "",
        "## Converting",
        "",
        "Seconds of CPU time for a million labels in sentences, there and back.",
        "",
        "| encoding | labels | encode | decode |",
        "|---|---|---|---|",
        *(
            f"| {row['encoding']} | {row['labels']:,} | {row['encode']:.2f} | {row['decode']:.2f} |"
            for row in results["convert"]
        ),
        "",
        f"Measured on {results['machine']}; the load of the machine was {results['load']:.1f}.",
        "",
    ]
    return "\n".join(lines)


def _within(value: float, most: float) -> str:
    return "within" if value <= most else "beyond"
