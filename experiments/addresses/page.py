"""The page and the file of numbers about addresses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["write_results"]

HOW = """\
Made by `{command}` (usaddress {usaddress}, python-crfsuite {crfsuite}). The data are the usaddress project's own: its
labelled addresses, and addresses that real users could not parse. [My addresses](../addresses.md) says what to make of them."""

SHIPPED = """\
The model that the package ships. *obeyed*: lawful found labels that obey at a loss of at most 3; *fell back*: obeying costs
more, so that the plain labels are kept, with what repeats a field apart. *unchanged*: of the addresses that the package does
parse, how many come out of lawful exactly as they do out of the package. *time*: `decode_many` over `usaddress.tag`, features
included, the best of five turns each in this run."""

FOLDS = """\
{addresses} labelled addresses, {tokens} tokens; ten folds; the package's features, trained as parserator trains (L-BFGS, c1 = 0.1,
c2 = 0.01). The gold labels themselves break the package's condition in {gold_breaks} addresses. The held-out answers of {failing} addresses
fail, and in {failing_gold_breaks} of those ({share:.0%}) the gold labels break it too: the rule cannot be right there. The package has no
answer for what fails. *answers*: fields and type, as `tag` returns them, that equal what the gold labels give."""

LIMITS = """\
One limit for all addresses. The limit that was best on the other nine folds, by whole addresses and then tokens: {chosen}."""

SEARCHES = """\
All {failing} addresses that fail with the shipped model. An exact search proves which legal labels are best; this is how often others
find them. An n-best list does if any of its n answers is legal. *beam*: the best beginnings by their score so far, illegal
ones left out. *lawful's beam* (`solver="beam"`) adds the best completion to each, and says when it may have missed something."""


def write_results(folder: Path, results: Mapping[str, Any]) -> None:
    """Write addresses.md and addresses.json into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "addresses.json").write_text(json.dumps(results, indent=1) + "\n")
    (folder / "addresses.md").write_text("\n\n".join(_parts(results)) + "\n")


def _parts(results: Mapping[str, Any]) -> Iterator[str]:
    yield "# Addresses"
    yield HOW.format(**results["made_by"])
    yield "## Nothing raises, and nothing else changes"
    yield SHIPPED
    rows = [
        [
            name,
            row["addresses"],
            row["package_raises"],
            row["lawful_raises"],
            f"{row['others_unchanged']} of {row['addresses'] - row['package_raises']}",
            row["obeyed"],
            row["fell_back"],
            f"{row['seconds_to_package']:.2f} x",
        ]
        for name, row in results["shipped"].items()
    ]
    yield _table(
        [
            "addresses",
            "number",
            "package raises",
            "lawful raises",
            "unchanged",
            "obeyed",
            "fell back",
            "time",
        ],
        rows,
    )
    yield "What obeying costs, where the package raises:"
    shares = list(next(iter(results["shipped"].values()))["losses"])
    yield _table(
        ["addresses", *(f"{share} cost at most" for share in shares)],
        [
            [name, *(f"{row['losses'][share]:.2f}" for share in shares)]
            for name, row in results["shipped"].items()
        ],
    )
    folds = results["cross_validation"]
    yield "## Accuracy in cross-validation"
    yield FOLDS.format(**folds, share=folds["failing_gold_breaks"] / folds["failing"])
    columns = ["method", "tokens", "addresses", f"of the {folds['failing']} failing", "answers", "no answer"]
    yield _table(columns, [_method(name, row, folds) for name, row in folds["methods"].items()])
    yield "## What may obeying cost?"
    yield LIMITS.format(chosen=", ".join(folds["chosen_max_loss"]))
    columns = ["max_loss", *columns[1:5]]
    yield _table(columns, [_method(name, row, folds)[:5] for name, row in folds["fixed_max_loss"].items()])
    yield "## Why exactness"
    searches = results["searches"]
    yield SEARCHES.format(**searches)
    yield _table(
        ["search", "finds the best legal answer", "share"],
        [[name, count, f"{count / searches['failing']:.0%}"] for name, count in searches["found"].items()],
    )


def _method(name: str, row: Mapping[str, int], folds: Mapping[str, Any]) -> list[object]:
    return [
        name,
        f"{100 * row['tokens'] / folds['tokens']:.2f} %",
        f"{row['addresses']} ({100 * row['addresses'] / folds['addresses']:.2f} %)",
        row["failing_addresses"],
        row["answers"],
        row["no_answer"],
    ]


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
