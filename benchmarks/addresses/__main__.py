"""Strings to fields, beside usaddress, fastaddress and probablepeople: `make bench-addresses`.

All run in one process on one core and take turns; CPU time counts, and the best turn of each. Strings are the usaddress project's
own, and names that are put together from probablepeople's lists.
"""

from __future__ import annotations

import csv
import json
import os
import random
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import fastaddress
import probablepeople
import typer
import usaddress
from rich.console import Console

from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS
from lawful.adapters import probablepeople as our_names, usaddress as our_addresses
from lawful.corpus.formats.xml_references import read_xml
from lawful.errors import MissingDataError
from lawful.tasks import TASKS

TARGETS = {"addresses": 100_000, "names": 40_000}
PAGE = """\
# Addresses and names a second

Made by `make bench-addresses` (`python -m benchmarks.addresses`): strings to fields and kind, one core, CPU time, the best of {turns}
turns in one process; the machine was {busy}. *raises*: strings for which there is no answer. *labels as usaddress*: of the strings that the
package itself parses, those that get its labels and its fields. lawful's answers hold tokens, labels, plain labels and the loss besides.

{tables}

- lawful's `decode_many` reads tokens and features, labels, checks the rules and arranges the fields in the core. Where the labels repeat,
  it finds the best ones that do not, with a proof; `fastaddress.tag_native` merges what repeats into one field.
- The rate falls with the share of strings that break the rules. Most of them are done when the best labels through each label at each
  token show that obeying would give up more than the limit; the others are searched.
- Targets, of ordinary strings: {targets}.

## The machine

{machine}
"""

progress = Console(stderr=True)


def main(
    *,
    turns: Annotated[int, typer.Option("--turns", help="Turns of each contestant.")] = 5,
    data: Annotated[
        Path | None, typer.Option("--data", help="The folder of corpora; by default LAWFUL_DATA.")
    ] = None,
    folder: Annotated[Path | None, typer.Option("--output", help="Where to write addresses-speed.*")] = None,
) -> None:
    """Measure, write."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    try:
        corpus = TASKS["usaddress"].folder(data)
    except MissingDataError as error:
        progress.print(str(error), markup=False)
        raise typer.Exit(2) from None
    busy = load()
    labelled = [_joined(sentence) for sentence in read_xml(corpus / "labeled.xml")]
    with (corpus / "unparseable.csv").open(encoding="utf-8", newline="") as file:
        unparseable = [row[0] for row in csv.reader(file)]
    addresses: dict[str, Callable[[list[str]], Iterable[Any]]] = {
        "lawful, decode_many": lambda texts: our_addresses.decode_many(texts, jobs=1),
        "fastaddress.tag": lambda texts: [_or_none(fastaddress.tag, text) for text in texts],
        "fastaddress.tag_native": lambda texts: [_or_none(fastaddress.tag_native, text) for text in texts],
        "usaddress.tag": lambda texts: [_or_none(usaddress.tag, text) for text in texts],
    }
    names: dict[str, Callable[[list[str]], Iterable[Any]]] = {
        "lawful, decode_many": lambda texts: our_names.decode_many(texts, jobs=1),
        "probablepeople.tag": lambda texts: [_or_none(probablepeople.tag, text) for text in texts],
    }
    results = {
        "turns": turns,
        "load": busy,
        "targets": TARGETS,
        "labelled addresses": _measured(addresses, labelled, usaddress, turns),
        "addresses that users could not parse": _measured(addresses, unparseable, usaddress, turns),
        "names": _measured(names, made_up_names(3000), probablepeople, turns),
        "versions": {name: version(name) for name in ("usaddress", "fastaddress", "probablepeople")},
        "machine": describe_machine(),
    }
    _write(results, folder or RESULTS)


def _joined(sentence: Any) -> str:
    return " ".join(sentence.tokens)


def _or_none(tag: Callable[[str], Any], text: str) -> Any:
    try:
        return tag(text)
    except Exception:  # noqa: BLE001 (RepeatedLabelError: there are two of them)
        return None


def made_up_names(count: int) -> list[str]:
    """People, couples and companies."""
    rng = random.Random(7)  # noqa: S311
    given = [name.title() for name in probablepeople.gender_names]
    family = [name.title() for name in rng.sample(sorted(probablepeople.ratios), 20_000)]
    ends = ["LLC", "Inc.", "& Sons", "Bank N.A.", "Company", "Holdings Corp", "Association"]

    def one() -> str:
        first, last = rng.choice(given), rng.choice(family)
        return rng.choice(
            [
                f"{first} {last}",
                f"{last}, {first} {rng.choice('ABCDEFGHJKLMNPRST')}.",
                f"Dr. {first} {rng.choice(given)} {last} Jr.",
                f"Mr. and Mrs. {first} {last}",
                f"{last} {rng.choice(family)} {rng.choice(ends)}",
            ]
        )

    return [one() for _ in range(count)]


def _measured(
    contestants: dict[str, Callable[[list[str]], Iterable[Any]]], texts: list[str], package: Any, turns: int
) -> dict[str, Any]:
    expected = [_or_none(package.tag, text) for text in texts]
    parsed = sum(answer is not None for answer in expected)
    rows: dict[str, Any] = {}
    for name, tag in contestants.items():
        progress.print(f"{name}: {len(texts)} strings")
        answers = [_arranged(answer) for answer in tag(texts)]
        same = sum(want is not None and got == want for got, want in zip(answers, expected, strict=True))
        rows[name] = {
            "raises": sum(answer is None for answer in answers),
            "same": same,
            "seconds": float("inf"),
        }
    for _ in range(turns):
        for name, tag in contestants.items():
            began = process_time()
            tag(texts)
            rows[name]["seconds"] = min(rows[name]["seconds"], process_time() - began)
    for row in rows.values():
        row["a second"] = len(texts) / row["seconds"]
    return {"strings": len(texts), "parsed by the package": parsed, "contestants": rows}


def _arranged(answer: Any) -> Any:
    return (answer.fields, answer.kind) if hasattr(answer, "fields") else answer


def _write(results: dict[str, Any], folder: Path) -> None:
    tables = []
    for title in ("labelled addresses", "addresses that users could not parse", "names"):
        found = results[title]
        own = list(found["contestants"])[-1]
        base = found["contestants"][own]["a second"]
        judge = own.split(".")[0]
        tables += [
            f"## {found['strings']:,} {title}",
            "",
            f"| | a second | of {judge} | raises | labels as {judge} |",
            "|---|---:|---:|---:|---:|",
            *(
                f"| {name} | {row['a second']:,.0f} | {row['a second'] / base:.1f} | {row['raises']} "
                f"| {row['same']} of {found['parsed by the package']} |"
                for name, row in found["contestants"].items()
            ),
            "",
        ]
    ordinary = results["labelled addresses"]["contestants"]["lawful, decode_many"]["a second"]
    names = results["names"]["contestants"]["lawful, decode_many"]["a second"]
    targets = ", ".join(
        f"{what} {target:,} a second: **{rate:,.0f}**"
        for (what, target), rate in zip(TARGETS.items(), (ordinary, names), strict=True)
    )
    machine = {**results["machine"], **results["versions"]}
    page = PAGE.format(
        turns=results["turns"],
        busy=f"busy (load {results['load']:.1f})" if results["load"] > 0.5 else "quiet",
        tables="\n".join(tables).rstrip(),
        targets=targets,
        machine="\n".join(f"- {name}: {value}" for name, value in machine.items() if name != "floor"),
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "addresses-speed.md").write_text(page)
    (folder / "addresses-speed.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
