"""The growth page: tables and plots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "lawful"  # the same file for the same numbers
import matplotlib.pyplot as plt

__all__ = ["draw", "write_page"]

SUPERLINEAR = 1.2  # as a power of the size; over one decade that is 1.6 times

PAGE = """\
# How time and memory grow

Made by `make bench-growth` (`python -m benchmarks.growth`): one sequence at a time, one thread, each point in a process of its own. **ms** is the
least time of a decode of a prepared sequence; **first** the first decode of a new decoder, with everything that it builds; **limit** the time to
read the sequence's scores once at the speed at which this machine copies memory ({copied:.1f} GB a second, measured in the same run);
**memory** the peak of the first decode above what the process held before. The exponent is that of the last step: 1 is linear.

{sections}

## Corpus size

{stream}

## The machine

{machine}
"""

STREAM = """\
{tokens:,} generated tokens through `lawful decode`, from stdin to stdout on one core, {speed:,.0f} a second. Peak memory of the process:

| tokens | MiB |
|---:|---:|
{rows}"""


def draw(results: dict[str, Any], folder: Path) -> None:
    """One plot for each series: time over size, beside its limit."""
    for series in results["series"]:
        rows = series["rows"]
        if not rows:
            continue
        figure, axes = plt.subplots(figsize=(5, 3.2))
        sizes = [row["size"] for row in rows]
        axes.loglog(sizes, [1000 * row["seconds"] for row in rows], "o-", label="decode")
        axes.loglog(sizes, [1000 * row["first"] for row in rows], "s--", label="first decode")
        axes.loglog(
            sizes, [1000 * row["limit"] for row in rows], ":", color="gray", label="reading the scores"
        )
        axes.set_xlabel(series["along"])
        axes.set_ylabel("ms")
        memory = axes.twinx()
        memory.loglog(
            sizes, [max(row["memory"], 4096) / 2**20 for row in rows], "x-", color="tab:green", alpha=0.5
        )
        memory.set_ylabel("memory, MiB", color="tab:green")
        axes.legend(fontsize=8)
        axes.grid(alpha=0.3)
        figure.tight_layout()
        figure.savefig(folder / f"growth-{series['name']}.svg", metadata={"Date": None})
        plt.close(figure)


def write_page(results: dict[str, Any], folder: Path) -> None:
    """The page with all of it."""
    stream = results["stream"]
    page = PAGE.format(
        copied=results["copy_bytes_a_second"] / 1e9,
        sections="\n\n".join(_section(series) for series in results["series"] if series["rows"]),
        stream="Not measured in this run."
        if stream is None
        else STREAM.format(
            tokens=stream["tokens"],
            speed=stream["speed"],
            rows="\n".join(
                f"| {sample['tokens']:,} | {sample['kib'] / 1024:.0f} |" for sample in stream["memory"]
            ),
        ),
        machine="\n".join(
            f"- {name}: {value}" for name, value in results["machine"].items() if name != "floor"
        ),
    )
    (folder / "growth.md").write_text(page)


def _section(series: dict[str, Any]) -> str:
    exponent = f"The last step grows with the power {series['slope']:.2f} of the {series['along']}."
    if series["linear"] and series["slope"] > SUPERLINEAR:
        exponent += " **That is more than linear.**"
    lines = [
        f"## {series['name'].replace('-', ', ').capitalize()}",
        "",
        f"{series['about'].capitalize()}. {exponent}",
        "",
        f"![{series['name']}](growth-{series['name']}.svg)",
        "",
        f"| {series['along']} | ms | first, ms | limit, ms | times the limit | memory, MiB | rules that entered |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['size']:,} | {1000 * row['seconds']:.3f} | {1000 * row['first']:.2f} | {1000 * row['limit']:.4f} "
        f"| {row['seconds'] / row['limit']:.0f} | {row['memory'] / 2**20:.1f} | {row['entered']:.0f} |"
        for row in series["rows"]
    ]
    return "\n".join(lines)
