"""The way from labelled references to a labelled corpus, its scores and a report, step by step.

Every step names the command that does the same with the files that the tour leaves behind.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

import bylaw
from bylaw.cli.demo_strips import before_and_after, broken_before, heading, reasons, say
from bylaw.cli.output import open_output
from bylaw.evaluation import compare_outputs
from bylaw.report import make_report, render_report
from bylaw.tasks import generate_citations

__all__ = ["COMMANDS", "Tour", "tour"]

LABELLED, FRESH = 120, 300
SHOWN = 6  # of the rules that were mined

# What each step is called, and the command that does it. The tests run the commands on the tour's files.
COMMANDS = {
    "train": "bylaw train labelled.conll --model hmm -o citations.bylaw",
    "mine": "bylaw mine labelled.conll --model citations.bylaw -o rules.toml",
    "decode": "bylaw decode fresh.conll --model citations.bylaw --rules rules.toml -o ruled.conll",
    "explain": "bylaw explain fresh.conll --model citations.bylaw --rules rules.toml",
    "evaluate": "bylaw evaluate fresh.conll ruled.conll",
    "lint": "bylaw lint rules.toml fresh.conll",
    "report": "bylaw report fresh.conll --model citations.bylaw --rules rules.toml -o report.html",
}


@dataclass
class Tour:
    """What the steps hand on to each other."""

    console: Console
    folder: Path
    labelled: Sequence[bylaw.Sentence]
    fresh: Sequence[bylaw.Sentence]
    rules: bylaw.Rules = field(default_factory=bylaw.Rules)
    model: bylaw.HMM = field(default_factory=bylaw.HMM)
    results: Sequence[bylaw.Decoding] = ()
    seconds: float = 0.0

    def begin(self, step: str, words: str) -> None:
        """A heading with the command, and what is done."""
        heading(self.console, step)
        self.console.print(f"[dim]$ {COMMANDS[step]}[/dim]")
        self.console.print(words)


def tour(console: Console, folder: Path) -> Path:
    """Walk through all steps; the files are left in the folder, the report among them."""
    heading(console, "citations, from labelled references to a report")
    held = Tour(console, folder, generate_citations(LABELLED, seed=1), generate_citations(FRESH, seed=2))
    bylaw.write_corpus(held.labelled, folder / "labelled.conll")
    bylaw.write_corpus(held.fresh, folder / "fresh.conll")
    first = held.labelled[0]
    say(console, f"{LABELLED} references with labels, and {FRESH} fresh ones, all made up. One of them:")
    say(console, f"  {' '.join(first.tokens)}", style="italic")
    console.print()
    for step in (_train, _mine, _decode, _explain, _evaluate, _lint, _report):
        step(held)
    say(console, f"The files of this tour are in {folder}; the commands above can be run there.")
    if shutil.which("bylaw") is None:  # made by `make`, whose environment nobody has activated
        say(console, f"(bylaw itself is {Path(sys.executable).parent / 'bylaw'}.)")
    return folder / "report.html"


def _train(held: Tour) -> None:
    held.begin("train", "A hidden Markov model learns from the labelled references.\n")
    held.model = bylaw.HMM().fit(
        [one.tokens for one in held.labelled], [one.labels or () for one in held.labelled]
    )
    held.model.save(held.folder / "citations.bylaw")
    held.console.print(f"{len(held.model.labels)} labels, {sum(map(len, held.labelled)):,} tokens.\n")


def _mine(held: Tour) -> None:
    held.begin(
        "mine",
        "Which rules do the labelled references obey? A held-out quarter of them checks each proposal.\n",
    )
    mined = bylaw.mine(held.labelled, model=held.model)
    (held.folder / "rules.toml").write_text(mined.to_toml(), encoding="utf-8")
    held.rules = mined.rules
    table = Table(box=None, padding=(0, 3, 0, 0), show_header=False)
    families = {
        one.family: one for one in reversed(mined.found) if one.family != "neighbours"
    }  # a page of pairs
    for one in list(reversed(families.values()))[:SHOWN]:
        said = bylaw.describe(one.rule).rpartition("; ")[0]
        table.add_row(Text(f"  {said}"), Text(str(one.mined), style="dim"))
    held.console.print(table)
    held.console.print(
        f"\n{len(mined.found)} rules; {len(mined.refuted)} more refuted, {len(mined.needless)} that the model keeps without them.\n"
        "Those with exceptions are soft: models of the same kind, each trained without a part of the references,\n"
        f"set their prices. In their answers to the other part: {mined.effect}.\n"
    )


def _decode(held: Tour) -> None:
    held.begin("decode", "The fresh references, without rules and with them.\n")
    decoder = bylaw.Decoder(held.rules, tagger=held.model, on_infeasible="least_bad")
    results = decoder.decode_batch([held.model.lattice(one.tokens) for one in held.fresh])
    held.results, held.seconds = results, results.seconds
    ruled = [one.with_labels(found.labels) for one, found in zip(held.fresh, held.results, strict=True)]
    bylaw.write_corpus(ruled, held.folder / "ruled.conll")
    broken = sum(any(broken_before(found)) for found in held.results)
    changed = sum(len(found.changed) for found in held.results)
    proved = sum(found.status == "optimal" for found in held.results)
    held.console.print(
        f"{broken} of {FRESH} rule-free answers broke a rule; {changed:,} tokens changed.\n"
        f"{proved} of {FRESH} answers are proved best; all of them took {held.seconds:.2f} s.\n"
    )


def _explain(held: Tour) -> None:
    held.begin("explain", "What changed, which rule did it, and what it cost.\n")
    for found in _telling(held, 2):
        held.console.print(before_and_after(found))
        for line in reasons(found, english=True):
            say(held.console, f"  {line}")
        held.console.print()


def _telling(held: Tour, count: int) -> list[bylaw.Decoding]:
    """Short references that the rules mended, by few rules and in more than one place."""
    mended = [
        found
        for found, one in zip(held.results, held.fresh, strict=True)
        if found.labels == one.labels and len(found.changed) >= 3 and found.status == "optimal"
    ]
    return sorted(mended, key=lambda found: (len(broken_before(found)) > 3, len(found.labels)))[:count]


def _evaluate(held: Tour) -> None:
    held.begin("evaluate", "Against the right labels:\n")
    gold = [one.labels or () for one in held.fresh]
    outputs = {
        "without rules": [one.plain_labels for one in held.results],
        "with rules": [one.labels for one in held.results],
    }
    table = Table(box=None, padding=(0, 3, 0, 0))
    for name in ("", "tokens right", "F1 of fields", "whole references right"):
        table.add_column(name, justify="left" if not name else "right")
    for name, labels in outputs.items():
        found = bylaw.evaluate(gold, labels)
        cells = (found.token_accuracy, found.micro.f1, found.sequence_accuracy)
        table.add_row(
            name, *(f"{100 * cell:.1f} %" for cell in cells), style="bold" if name == "with rules" else ""
        )
    held.console.print(table)
    compared = compare_outputs(gold, *outputs.values(), rounds=1000)
    held.console.print(f"\nBy chance? p = {compared.p_randomization:.3f} (approximate randomization).\n")


def _lint(held: Tour) -> None:
    held.begin("lint", "Do the fresh references agree with the rules? Those that they break most:\n")
    found = bylaw.lint(held.rules, held.fresh, examples=1)
    for one in sorted(found.rules, key=lambda one: -one.tally.broken)[:4]:
        said = bylaw.describe(one.rule).rpartition("; ")[0]
        say(held.console, f"  {one.advice:5} {said}: {one.reason}")
        breach = one.breaches[0]
        say(held.console, f"        {breach.place}: {breach.excerpt}", style="dim")
    held.console.print()


def _report(held: Tour) -> None:
    held.begin("report", "All of that, for every reference, as one HTML page that needs no network.\n")
    made = make_report(
        held.fresh, held.model, held.rules, gold=True, source="fresh.conll", model="citations.bylaw"
    )
    with open_output(held.folder / "report.html") as stream:
        stream.write(render_report(made))
