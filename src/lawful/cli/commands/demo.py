"""`lawful demo`: a one-minute tour of lawful, on built-in data."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

from rich.console import Console

import lawful
from lawful.cli.console import make_console
from lawful.cli.demo.addresses import ADDRESSES, Task
from lawful.cli.demo.strips import before_and_after, broken_before, heading, reasons, say
from lawful.cli.demo.tour import take_tour
from lawful.cli.options.declarations import Option
from lawful.cli.work.output import make_folder

__all__ = ["demo"]


def demo(
    folder: Annotated[
        Path | None,
        Option(
            "--folder",
            "-o",
            metavar="DIR",
            help="Folder for the files of the tour; by default a new temporary one.",
        ),
    ] = None,
) -> None:
    """Show what lawful does, on built-in data.

    First addresses, with a hand-made tagger: what the rules change, which rule does it, at what price. Then citations,
    all the way from labelled references to a report: train, mine rules, decode, explain, evaluate, lint. The files stay in
    a folder, so that each step can be repeated with the command that it names.

    \b
    Examples:
      lawful demo
      lawful demo --folder tour
      NO_COLOR=1 lawful demo | less
    """  # noqa: D301 - click reads the \b
    target = Path(tempfile.mkdtemp(prefix="lawful-demo-")) if folder is None else make_folder(folder)
    console = make_console()
    console.print(
        "A small tagger scores tokens one by one. Its answers break rules that everybody knows.\n"
        "lawful finds the best answers that obey the rules, and says what that costs.\n"
    )
    _show_task(console, ADDRESSES)
    report = take_tour(console, target)
    console.print(f"The report is {report}; open it in a browser.")


def _show_task(console: Console, task: Task) -> None:
    heading(console, task.name)
    names = (
        rule.name if rule.price == "hard" else f"{rule.name} (soft, {rule.price:g})" for rule in task.rules
    )
    say(console, f"rules: {'; '.join(names)}")
    decoder = lawful.Decoder(task.rules, labels=task.labels)
    results = decoder.decode_batch([task.lattice(sentence) for sentence in task.sentences])
    for result in results:
        console.print()
        console.print(before_and_after(result))
        for line in reasons(result):
            say(console, f"  {line}")
    broken = sum(any(broken_before(result)) for result in results)
    changed = sum(len(result.changed) for result in results)
    console.print(
        f"\nWithout rules, {broken} of {len(results)} answers broke some; the rules changed {changed} tokens, "
        f"and {sum(result.status == 'optimal' for result in results)} of {len(results)} answers are proved best.\n"
    )
