"""How the demo shows an answer: its fields in colour, before and after, and the reasons below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import lawful

__all__ = ["before_and_after", "broken_before", "heading", "reasons", "say"]

COLOURS = ("cyan", "green", "magenta", "yellow", "blue", "red")


def heading(console: Console, title: str) -> None:
    """A line across the terminal with a title in it; without a terminal, the title alone.

    Examples
    --------
    >>> from lawful.cli.console import make_console
    >>> heading(make_console(), "addresses")
    == addresses ==
    """
    if console.is_terminal:
        console.rule(f"[bold]{title}[/bold]")
    else:
        console.print(f"== {title} ==")


def say(console: Console, line: str, *, style: str = "") -> None:
    """A line of plain text; on a terminal, wrapped text keeps the indent of the line.

    Examples
    --------
    >>> from lawful.cli.console import make_console
    >>> say(make_console(), "  [as it is]")
      [as it is]
    """
    indent = len(line) - len(line.lstrip())
    if console.is_terminal:
        console.print(Padding(Text(line.lstrip(), style=style), (0, 0, 0, indent), expand=False))
    else:
        console.print(Text(line, style=style))


def before_and_after(result: lawful.Decoding) -> Table:
    """The answer without rules above the answer with them; changed tokens are marked.

    Examples
    --------
    >>> lattice = lawful.Lattice([[0.0, 1.0]], labels=["O", "City"], tokens=["Rome"])
    >>> before_and_after(lawful.decode(lattice)).row_count
    2
    """
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    table.add_row("before", _fields(result, result.plain_labels, mark=False))
    table.add_row("after", _fields(result, result.labels, mark=True))
    return table


def reasons(result: lawful.Decoding) -> Iterator[str]:
    """The rules that the answer without rules broke, those behind each change, and the score that dropping one regains.

    Examples
    --------
    >>> lattice = lawful.Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["O", "City"], tokens=["Rome", "Bonn"])
    >>> print(*reasons(lawful.decode(lattice, lawful.at_most(1, "City").named("one city"))), sep="; ")
    broken before: 'one city'; gave up 1.00 of score for 1 token (marked *); proved best;   'Rome' became O because of 'one city';   dropping 'one city' alone would regain 1.00
    """
    yield f"broken before: {', '.join(map(repr, broken_before(result))) or 'nothing'}"
    if not result.changed:
        return
    tokens = "1 token" if len(result.changed) == 1 else f"{len(result.changed)} tokens"
    yield f"gave up {result.loss:.2f} of score for {tokens} (marked *); proved best"
    explanation = lawful.explain(result, runners_up=0)
    for change in explanation.changes:
        words = " ".join(map(str, (result.lattice.tokens or ())[change.start : change.end]))
        causes = " or of ".join(" and ".join(map(repr, names)) for names in change.because)
        yield f"  '{words}' became {'/'.join(dict.fromkeys(change.after))} because of {causes}"
    for rule in explanation.prices:
        if rule.price > 0:
            yield f"  dropping {rule.rule!r} alone would regain {rule.price:.2f}"


def broken_before(result: lawful.Decoding) -> tuple[str, ...]:
    """The rules that the answer without rules breaks.

    Examples
    --------
    >>> lattice = lawful.Lattice([[0.0, 1.0]], labels=["O", "City"])
    >>> broken_before(lawful.decode(lattice, lawful.forbid("City")))
    ("forbid('City')",)
    """
    counts = result.rules.violations(
        result.plain_labels, result.lattice.tokens, result.lattice.context, label_set=result.lattice.labels
    )
    return tuple(name for name, count in counts.items() if count)


def _fields(result: lawful.Decoding, labels: Sequence[str], *, mark: bool) -> Text:
    """The tokens of each field after its label; changed tokens stand out."""
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
