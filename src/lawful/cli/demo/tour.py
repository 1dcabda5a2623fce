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

import lawful
from lawful.cli.demo.strips import before_and_after, broken_before, heading, reasons, say
from lawful.cli.work.output import open_output
from lawful.evaluation import compare_outputs
from lawful.report import make_report, render_report
from lawful.tasks import generate_citations

__all__ = ["COMMANDS", "Tour", "tour"]

LABELLED, FRESH = 120, 300
SHOWN = 6  # of the rules that were mined

# What each step is called, and the commands that do it. The tests run the commands on the tour's files.
COMMANDS = {
    "train": ("lawful train labelled.conll --model hmm -o citations.lawful",),
    "mine": ("lawful mine labelled.conll --model citations.lawful -o rules.toml",),
    "decode": (
        "lawful decode fresh.conll --model citations.lawful -o plain.conll",
        "lawful decode fresh.conll --model citations.lawful --rules rules.toml -o ruled.conll",
    ),
    "explain": ("lawful explain fresh.conll --model citations.lawful --rules rules.toml",),
    "evaluate": ("lawful evaluate fresh.conll plain.conll --compare ruled.conll",),
    "lint": ("lawful lint rules.toml fresh.conll",),
    "report": ("lawful report fresh.conll --model citations.lawful --rules rules.toml -o report.html",),
}


@dataclass
class Tour:
    """What the steps hand on to each other."""

    console: Console
    folder: Path
    labelled: Sequence[lawful.Sentence]
    fresh: Sequence[lawful.Sentence]
    rules: lawful.Rules = field(default_factory=lawful.Rules)
    model: lawful.HMM = field(default_factory=lawful.HMM)
    results: Sequence[lawful.Decoding] = ()
    seconds: float = 0.0

    def outputs(self) -> dict[str, list[Sequence[str]]]:
        """The labels without rules and with them, by the names of their files."""
        return {
            "plain.conll": [one.plain_labels for one in self.results],
            "ruled.conll": [one.labels for one in self.results],
        }

    def begin(self, step: str, words: str) -> None:
        """A heading with the commands, and what is done."""
        heading(self.console, step)
        for command in COMMANDS[step]:
            self.console.print(f"[dim]$ {command}[/dim]")
        self.console.print(words)


def tour(console: Console, folder: Path) -> Path:
    """Walk through all steps; the files are left in the folder, the report among them."""
    heading(console, "citations, from labelled references to a report")
    held = Tour(console, folder, generate_citations(LABELLED, seed=1), generate_citations(FRESH, seed=2))
    lawful.write_corpus(held.labelled, folder / "labelled.conll")
    lawful.write_corpus(held.fresh, folder / "fresh.conll")
    first = held.labelled[0]
    say(console, f"{LABELLED} references with labels, and {FRESH} fresh ones, all made up. One of them:")
    say(console, f"  {' '.join(first.tokens)}", style="italic")
    console.print()
    for step in (_train, _mine, _decode, _explain, _evaluate, _lint, _report):
        step(held)
    say(
        console,
        f"The files of this tour are in {folder}; the commands above can be run there, and tell more.",
    )
    if shutil.which("lawful") is None:  # made by `make`, whose environment nobody has activated
        say(console, f"(lawful itself is {Path(sys.executable).parent / 'lawful'}.)")
    return folder / "report.html"


def _train(held: Tour) -> None:
    held.begin("train", "A hidden Markov model learns from the labelled references.\n")
    held.model = lawful.HMM().fit(
        [one.tokens for one in held.labelled], [one.labels or () for one in held.labelled]
    )
    held.model.save(held.folder / "citations.lawful")
    held.console.print(f"{len(held.model.labels)} labels, {sum(map(len, held.labelled)):,} tokens.\n")


def _mine(held: Tour) -> None:
    held.begin(
        "mine",
        "Which rules do the labelled references obey? A held-out quarter of them checks each proposal.\n",
    )
    mined = lawful.mine(held.labelled, model=held.model)
    with open_output(held.folder / "rules.toml") as stream:
        stream.write(mined.to_toml())
    held.rules = mined.rules
    table = Table(box=None, padding=(0, 3, 0, 0), show_header=False)
    families = {
        one.family: one for one in reversed(mined.found) if one.family != "neighbours"
    }  # a page of pairs
    for one in list(reversed(families.values()))[:SHOWN]:
        said = lawful.describe(one.rule).rpartition("; ")[0]
        table.add_row(Text(f"  {said}"), Text(str(one.mined), style="dim"))
    held.console.print(table)
    held.console.print(
        f"\n{len(mined.found)} rules; {len(mined.refuted)} more refuted, {len(mined.needless)} that the model keeps without them.\n"
        "Those with exceptions are soft: models of the same kind, each trained without a part of the references,\n"
        f"set their prices. In their answers to the other part: {mined.effect}.\n"
    )


def _decode(held: Tour) -> None:
    held.begin("decode", "The fresh references, without rules and with them.\n")
    decoder = lawful.Decoder(held.rules, tagger=held.model, on_infeasible="least_bad")
    results = decoder.decode_batch([held.model.lattice(one.tokens) for one in held.fresh])
    held.results, held.seconds = results, results.seconds
    for name, labels in held.outputs().items():
        labelled = [one.with_labels(found) for one, found in zip(held.fresh, labels, strict=True)]
        lawful.write_corpus(labelled, held.folder / name)
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


def _telling(held: Tour, count: int) -> list[lawful.Decoding]:
    """Short references that the rules mended, by few rules and in more than one place."""
    mended = [
        found
        for found, one in zip(held.results, held.fresh, strict=True)
        if found.labels == one.labels and len(found.changed) >= 3 and found.status == "optimal"
    ]
    return sorted(mended, key=lambda found: (len(broken_before(found)) > 3, len(found.labels)))[:count]


def _evaluate(held: Tour) -> None:
    held.begin(
        "evaluate", "The answers without rules against the right labels, and then: are the rules worth it?\n"
    )
    outputs = held.outputs()
    say(held.console, f"{lawful.evaluate(held.fresh, outputs['plain.conll'])}\n")
    say(held.console, "plain.conll against ruled.conll")
    say(held.console, f"{compare_outputs(held.fresh, *outputs.values())}\n")


def _lint(held: Tour) -> None:
    held.begin("lint", "Do the fresh references agree with the rules? Those that they break most:\n")
    found = lawful.lint(held.rules, held.fresh, examples=1)
    for one in sorted(found.rules, key=lambda one: -one.tally.broken)[:4]:
        said = lawful.describe(one.rule).rpartition("; ")[0]
        say(held.console, f"  {one.advice:5} {said}: {one.reason}")
        breach = one.breaches[0]
        say(held.console, f"        {breach.place}: {breach.excerpt}", style="dim")
    held.console.print()


def _report(held: Tour) -> None:
    held.begin("report", "All of that, for every reference, as one HTML page that needs no network.\n")
    made = make_report(
        held.fresh, held.model, held.rules, gold=True, source="fresh.conll", model="citations.lawful"
    )
    with open_output(held.folder / "report.html") as stream:
        stream.write(render_report(made))
