"""`bylaw demo`: the main job at once, on data that the project made itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

import bylaw
from bylaw.cli.console import make_console
from bylaw.cli.demo_corpus import ADDRESSES, CITATIONS, Task

__all__ = ["demo"]

COLOURS = ("cyan", "green", "magenta", "yellow", "blue")


def demo() -> None:
    """Show the main job on embedded data: citations and addresses.

    Decodes them with and without rules: what changed, which rule did it, at what price.

    \b
    Examples:
      bylaw demo
      NO_COLOR=1 bylaw demo | less
    """  # noqa: D301 - click reads the \b
    console = make_console()
    console.print(
        "A small tagger scores tokens one by one. Its answers break rules that everybody knows.\n"
        "bylaw finds the best answers that keep them, and says what that costs.\n"
    )
    for task in (CITATIONS, ADDRESSES):
        _show_task(console, task)


def _show_task(console: Console, task: Task) -> None:
    console.rule(f"[bold]{task.name}[/bold]")
    said = (
        rule.name if rule.price == "hard" else f"{rule.name} (soft, {rule.price:g})" for rule in task.rules
    )
    console.print(f"rules: {'; '.join(said)}")
    decoder = bylaw.Decoder(task.rules, labels=task.labels)
    results = decoder.decode_batch([task.lattice(sentence) for sentence in task.sentences])
    for result in results:
        console.print()
        console.print(_before_and_after(result))
        for line in _reasons(result):
            console.print(f"  {line}")
    broken = sum(any(_broken_by_plain(result)) for result in results)
    changed = sum(len(result.changed) for result in results)
    console.print(
        f"\n{broken} of {len(results)} rule-free answers broke rules; with them {changed} tokens changed, "
        f"and {sum(result.status == 'optimal' for result in results)} of {len(results)} answers are proved best.\n"
    )


def _segments(result: bylaw.Decoding, labels: Sequence[str], *, mark: bool) -> Text:
    """Tokens by segments, each after its label; changed tokens stand out."""
    tokens = result.lattice.tokens or ()
    colour = {label: COLOURS[k % len(COLOURS)] for k, label in enumerate(result.lattice.labels)}
    line = Text()
    for t, label in enumerate(labels):
        if t == 0 or labels[t - 1] != label:
            line.append("  " if t else "").append(label, style=f"bold {colour[label]}").append(":")
        changed = mark and t in result.changed
        line.append(" ")
        line.append(
            f"*{tokens[t]}*" if changed else str(tokens[t]), style=f"bold {colour[label]}" if changed else ""
        )
    return line


def _before_and_after(result: bylaw.Decoding) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    table.add_row("before", _segments(result, result.plain_labels, mark=False))
    table.add_row("after", _segments(result, result.labels, mark=True))
    return table


def _reasons(result: bylaw.Decoding) -> Iterator[str]:
    """What the rule-free answer broke, which rules made each change, and what dropping one of them would regain."""
    yield f"broken before: {', '.join(_broken_by_plain(result)) or 'nothing'}"
    if not result.changed:
        return
    yield f"gave up {result.loss:.2f} of score for {len(result.changed)} tokens (marked *); proved best"
    why = bylaw.explain(result, runners_up=0)
    for change in why.changes:
        tokens = " ".join(map(str, (result.lattice.tokens or ())[change.start : change.end]))
        sets = " or ".join(" and ".join(one) for one in change.because)
        yield f"  '{tokens}' became {'/'.join(dict.fromkeys(change.after))} because of: {sets}"
    for one in why.prices:
        if one.price > 0:
            yield f"  dropping '{one.rule}' would regain {one.price:.2f}"


def _broken_by_plain(result: bylaw.Decoding) -> tuple[str, ...]:
    counts = result.rules.violations(result.plain_labels, result.lattice.tokens, result.lattice.context)
    return tuple(name for name, count in counts.items() if count)
