"""Machines as pictures: Graphviz DOT, and SVG with a layout of our own."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.automata.drawing.picture import Drawable, picture
from lawful.automata.drawing.svg import DEAD, VIOLATION, render
from lawful.errors import MachineError

__all__ = ["to_dot", "to_svg"]


def to_dot(
    machine: Drawable,
    *,
    class_names: Sequence[str] | None = None,
    state_names: Sequence[str] | None = None,
) -> str:
    """The machine as a Graphviz graph.

    Transitions that lead the same way are one arrow. A double circle is a state in which a sequence may end; for
    a counting machine, where ending counts nothing. Violations are red, with their count.

    Parameters
    ----------
    machine : CountingMachine, Dfa, Nfa or Transducer
    class_names : C names; the numbers if None. A transducer has names of its own
    state_names : S names; the numbers if None

    Examples
    --------
    >>> from lawful.automata import Dfa
    >>> print(to_dot(Dfa([[0, 1], [0, 1]], [True, False]), class_names=["O", "City"]))
    digraph {
      rankdir=LR;
      node [shape=circle];
      start0 [shape=point, style=invis];
      0 [label="0", shape=doublecircle];
      1 [label="1"];
      start0 -> 0;
      0 -> 0 [label="O"];
      0 -> 1 [label="City"];
      1 -> 0 [label="O"];
      1 -> 1 [label="City"];
    }
    """
    shown = picture(machine, class_names=class_names, state_names=state_names)
    starts = [number for number, circle in enumerate(shown.circles) if circle.start]
    lines = ["rankdir=LR;", "node [shape=circle];"]
    lines += [f"start{number} [shape=point, style=invis];" for number in starts]
    for number, circle in enumerate(shown.circles):
        name = f"{circle.name}\n+{circle.ending}" if circle.ending else circle.name
        style = f"label={_quote(name)}"
        style += ", shape=doublecircle" if circle.accepting else ""
        style += f', color="{DEAD}", fontcolor="{DEAD}"' if circle.dead else ""
        style += f', color="{VIOLATION}"' if circle.ending else ""
        lines.append(f"{number} [{style}];")
    lines += [f"start{number} -> {number};" for number in starts]
    for arrow in shown.arrows:
        text = "\n".join(arrow.lines)
        style = f"label={_quote(text)}"
        style += f', color="{VIOLATION}", fontcolor="{VIOLATION}"' if arrow.violating else ""
        lines.append(f"{arrow.source} -> {arrow.target} [{style}];")
    return "\n".join(["digraph {", *("  " + line for line in lines), "}"])


def to_svg(
    machine: Drawable,
    *,
    class_names: Sequence[str] | None = None,
    state_names: Sequence[str] | None = None,
    limit: int = 300,
) -> str:
    """The machine as an SVG picture that needs nothing else: no script, no style sheet, no font file.

    Transitions that lead the same way are one arrow. A double circle is a state in which a sequence may end; for
    a counting machine, where ending counts nothing. Violations are red, with their count; states that can no
    longer accept are grey.

    Parameters
    ----------
    machine : CountingMachine, Dfa, Nfa or Transducer
    class_names : C names; the numbers if None. A transducer has names of its own
    state_names : S names; the numbers if None
    limit : int
        More states than this raise `MachineError`.

    Examples
    --------
    >>> from lawful.automata import Dfa
    >>> to_svg(Dfa([[0, 1], [0, 1]], [True, False]), class_names=["O", "City"])[:4]
    '<svg'
    """
    if machine.states > limit:
        raise MachineError(
            f"a picture of {machine.states} states would be unreadable; minimize the machine, or raise limit={limit}"
        )
    return render(picture(machine, class_names=class_names, state_names=state_names))


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
