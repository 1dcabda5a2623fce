"""From labelled references to a labelled corpus, its scores and a report, step by step.

Every step names the command that does the same with the files of the tour.
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

__all__ = ["COMMANDS", "Tour", "take_tour"]

LABELLED, FRESH = 120, 300
SHOWN_RULES = 6

# The steps, and the commands that do the same. The tests run the commands on the files of the tour.
COMMANDS = {
    "train": ("lawful train labelled.conll --kind hmm -o citations.lawful",),
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
    """What one step leaves for the next."""

    console: Console
    folder: Path
    labelled: Sequence[lawful.Sentence]
    fresh: Sequence[lawful.Sentence]
    rules: lawful.Rules = field(default_factory=lawful.Rules)
    model: lawful.HMM = field(default_factory=lawful.HMM)
    results: Sequence[lawful.Decoding] = ()
    seconds: float = 0.0

    def outputs(self) -> dict[str, list[Sequence[str]]]:
        """The labels without and with rules, by the names of their files."""
        return {
            "plain.conll": [decoding.plain_labels for decoding in self.results],
            "ruled.conll": [decoding.labels for decoding in self.results],
        }

    def begin(self, step: str, words: str) -> None:
        """Print a heading, the commands, and what happens in this step."""
        heading(self.console, step)
        for command in COMMANDS[step]:
            self.console.print(f"[dim]$ {command}[/dim]")
        self.console.print(words)


def take_tour(console: Console, folder: Path) -> Path:
    """Go through all steps, leaving the files in the folder; returns the path of the report."""
    heading(console, "citations, from labelled references to a report")
    tour = Tour(console, folder, generate_citations(LABELLED, seed=1), generate_citations(FRESH, seed=2))
    lawful.write_corpus(tour.labelled, folder / "labelled.conll")
    lawful.write_corpus(tour.fresh, folder / "fresh.conll")
    first = tour.labelled[0]
    say(console, f"{LABELLED} references with labels, and {FRESH} new ones, all made up. One of them:")
    say(console, f"  {' '.join(first.tokens)}", style="italic")
    console.print()
    for step in (_train, _mine, _decode, _explain, _evaluate, _lint, _report):
        step(tour)
    say(
        console,
        f"The files of this tour are in {folder}; run the commands above in that folder to see more.",
    )
    if shutil.which("lawful") is None:  # run by `make`, in an environment that is not activated
        say(console, f"(The command itself is {Path(sys.executable).parent / 'lawful'}.)")
    return folder / "report.html"


def _train(tour: Tour) -> None:
    tour.begin("train", "A hidden Markov model learns from the labelled references.\n")
    tour.model = lawful.HMM().fit(
        [sentence.tokens for sentence in tour.labelled],
        [sentence.labels or () for sentence in tour.labelled],
    )
    tour.model.save(tour.folder / "citations.lawful")
    tour.console.print(f"{len(tour.model.labels)} labels, {sum(map(len, tour.labelled)):,} tokens.\n")


def _mine(tour: Tour) -> None:
    tour.begin(
        "mine",
        "Which rules do the labelled references obey? A held-out quarter of them checks each proposal.\n",
    )
    mined = lawful.mine(tour.labelled, model=tour.model)
    with open_output(tour.folder / "rules.toml") as stream:
        stream.write(mined.to_toml())
    tour.rules = mined.rules
    table = Table(box=None, padding=(0, 3, 0, 0), show_header=False)
    families = {rule.family: rule for rule in reversed(mined.found)}  # one rule of each is shown
    for rule in list(reversed(families.values()))[:SHOWN_RULES]:
        description = lawful.describe(rule.rule).rpartition("; ")[0]
        table.add_row(Text(f"  {rule.rule.name}"), Text(description), Text(str(rule.mined), style="dim"))
    tour.console.print(table)
    tour.console.print(
        f"\n{len(mined.found)} rules, one of each kind above; {len(mined.refuted)} more were refuted, {len(mined.needless)} do not pay beside the model.\n"
        "Rules with exceptions are soft. What pays, and at what price, say models of the same kind, each trained without\n"
        f"some of the references. In the labels that they give to these: {mined.effect}.\n"
    )


def _decode(tour: Tour) -> None:
    tour.begin("decode", "The new references, without and with rules.\n")
    decoder = lawful.Decoder(tour.rules, tagger=tour.model, on_infeasible="least_bad")
    results = decoder.decode_batch([tour.model.lattice(sentence.tokens) for sentence in tour.fresh])
    tour.results, tour.seconds = results, results.seconds
    for name, labels in tour.outputs().items():
        labelled = [sentence.with_labels(new) for sentence, new in zip(tour.fresh, labels, strict=True)]
        lawful.write_corpus(labelled, tour.folder / name)
    broken = sum(any(broken_before(decoding)) for decoding in tour.results)
    changed = sum(len(decoding.changed) for decoding in tour.results)
    proved = sum(decoding.status == "optimal" for decoding in tour.results)
    tour.console.print(
        f"Without rules, {broken} of {FRESH} answers broke a rule; the rules changed {changed:,} tokens.\n"
        f"{proved} of {FRESH} answers are proved best; all of them took {tour.seconds:.2f} s.\n"
    )


def _explain(tour: Tour) -> None:
    tour.begin("explain", "What changed, which rule changed it, and what it cost.\n")
    for decoding in _examples(tour, 2):
        tour.console.print(before_and_after(decoding))
        for line in reasons(decoding):
            say(tour.console, f"  {line}")
        tour.console.print()


def _examples(tour: Tour, count: int) -> list[lawful.Decoding]:
    """Short references that few rules corrected, at three tokens or more."""
    corrected = [
        decoding
        for decoding, sentence in zip(tour.results, tour.fresh, strict=True)
        if decoding.labels == sentence.labels and len(decoding.changed) >= 3 and decoding.status == "optimal"
    ]
    return sorted(corrected, key=lambda decoding: (len(broken_before(decoding)) > 3, len(decoding.labels)))[
        :count
    ]


def _evaluate(tour: Tour) -> None:
    tour.begin(
        "evaluate",
        "The answers without rules compared with the gold labels; then, do the rules make a difference?\n",
    )
    outputs = tour.outputs()
    say(tour.console, f"{lawful.evaluate(tour.fresh, outputs['plain.conll'])}\n")
    say(tour.console, "plain.conll against ruled.conll")
    say(tour.console, f"{compare_outputs(tour.fresh, *outputs.values())}\n")


def _lint(tour: Tour) -> None:
    tour.begin("lint", "Do the new references obey the rules? The rules that they break most often:\n")
    linted = lawful.lint(tour.rules, tour.fresh, examples=1)
    for rule in sorted(linted.rules, key=lambda rule: -rule.tally.broken)[:4]:
        description = lawful.describe(rule.rule).rpartition("; ")[0]
        say(tour.console, f"  {rule.advice:5} {rule.rule.name}: {description}; {rule.reason}")
        for breach in rule.breaches:
            say(tour.console, f"        {breach.place}: {breach.excerpt}", style="dim")
    tour.console.print()


def _report(tour: Tour) -> None:
    tour.begin("report", "All of this, for every reference, as one HTML page that needs no network.\n")
    report = make_report(
        tour.fresh, tour.model, tour.rules, gold=True, source="fresh.conll", model="citations.lawful"
    )
    with open_output(tour.folder / "report.html") as stream:
        stream.write(render_report(report))
