"""Draws the pictures of the background pages: `python docs/pictures.py` writes docs/pictures/*.svg anew.

Nothing in them is made up: numbers and paths come from decoding, machines from the rules. A test draws them again and
compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise, product
from pathlib import Path

import lawful
from lawful.automata import synchronize
from lawful.automata.drawing.formats import to_svg
from lawful.encodings import Encoding, domain_of, history_encoding, scheme_encoding
from lawful.encodings.moves.kinds import CopyTagForward
from lawful.rules.languages.pictures import rule_machine

__all__ = ["LABELS", "LATTICE", "ONCE", "draw_all", "potential_bound"]

FOLDER = Path(__file__).parent / "pictures"
INK, FAINT, GOOD, BAD, PAPER = "#1f2937", "#cbd5e1", "#0f766e", "#c2410c", "#ffffff"
FONT = "ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"

LABELS = lawful.LabelSet(["O", "Street", "City"])
TOKENS = ["Elm", "Road", "Bath", "Lane"]
SCORES = [[1.0, 2.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.5, 1.5], [0.0, 1.5, 1.0]]
LATTICE = lawful.Lattice(SCORES, labels=LABELS, tokens=TOKENS)
ONCE = lawful.at_most_segments(1, "Street").named("one street")
SHORT = lawful.at_most(1, "City").named("one word of city")
FIRST = lawful.starts_with("O", "Street").named("no city first")


def draw_all() -> dict[str, str]:
    """Every picture, by its file name."""
    return {
        "lattice.svg": draw_lattice(),
        "machine.svg": draw_machine(),
        "product.svg": draw_product(),
        "rounds.svg": draw_rounds(),
        "potentials.svg": draw_potentials(),
        "ioe1.svg": to_svg(scheme_encoding("IOB1", "IOE1").transducer),
        "ioe1-in-time.svg": to_svg(synchronize(scheme_encoding("IOB1", "IOE1").transducer)),
        "second-order.svg": to_svg(history_encoding(["A", "B"], 2).transducer),
        "moves.svg": to_svg(remembering().transducer),
    }


def remembering() -> Encoding:
    """IOB2 after one move: the state inside a chunk remembers whether it was entered with a B."""
    chunks = scheme_encoding("IOB1", "IOB2")
    return CopyTagForward(1, "B", fresh=False).apply(chunks, domain_of(chunks))


def draw_lattice() -> str:
    """The trellis, its scores, and the best path without rules."""
    best = lawful.decode(LATTICE)
    path = [LABELS.index(label) for label in best.labels]
    shapes = [*_words(TOKENS, 110, 24), *_rows(list(LABELS))]
    for t, (a, b) in product(range(len(TOKENS) - 1), product(range(3), range(3))):
        if (path[t], path[t + 1]) != (a, b):
            shapes.append(_line(*_at(t, a), *_at(t + 1, b), FAINT))
    shapes += [_line(*_at(t, a), *_at(t + 1, b), GOOD, 3) for t, (a, b) in enumerate(pairwise(path))]
    for t, k in product(range(len(TOKENS)), range(3)):
        shapes.append(_disc(*_at(t, k), f"{SCORES[t][k]:g}", GOOD if path[t] == k else INK))
    shapes.append(_text(110, 240, f"best path: {best.score:g}", GOOD, anchor="start"))
    return _svg(110 + 130 * 3 + 60, 256, shapes)


def draw_machine() -> str:
    """The automaton of "one street", as `lawful rules --svg` draws it."""
    drawn = rule_machine(ONCE, LABELS)
    return to_svg(drawn.machine, class_names=drawn.class_names)


def draw_product() -> str:
    """The same trellis, with each label split by the state of the rule that was broken."""
    drawn = rule_machine(ONCE, LABELS)
    delta, violations = drawn.machine.delta, drawn.machine.violations
    street = next(number for number, name in enumerate(drawn.class_names) if name == "Street")
    classes = [street if label == "Street" else 1 - street for label in LABELS]
    names = {(0, "O"): "O, no street yet", (0, "City"): "City, no street yet", (1, "Street"): "Street"}
    names |= {(2, "O"): "O, street over", (2, "City"): "City, street over"}
    rows = list(names)
    best = lawful.decode(LATTICE, ONCE)
    state, path = 0, []
    for label in best.labels:
        state = int(delta[state, classes[LABELS.index(label)]])
        path.append((state, label))
    steps = {
        (here, there)
        for here, there in product(rows, rows)
        for read in [classes[LABELS.index(there[1])]]
        if delta[here[0], read] == there[0] and not violations[here[0], read]
    }
    reached = [{row for row in rows if row[0] == delta[0, classes[LABELS.index(row[1])]]}]
    for _ in TOKENS[1:]:
        reached.append({there for here, there in steps if here in reached[-1]})
    shapes = [*_words(TOKENS, 190, 24), *_rows(list(names.values()))]
    for t, (here, there) in product(range(len(TOKENS) - 1), sorted(steps)):
        if here in reached[t] and (path[t], path[t + 1]) != (here, there):
            shapes.append(_line(*_at(t, rows.index(here), 190), *_at(t + 1, rows.index(there), 190), FAINT))
    for t, (here, there) in enumerate(pairwise(path)):
        shapes.append(_line(*_at(t, rows.index(here), 190), *_at(t + 1, rows.index(there), 190), GOOD, 3))
    for t, row in product(range(len(TOKENS)), rows):
        if row in reached[t]:
            colour = GOOD if path[t] == row else INK
            shapes.append(
                _disc(*_at(t, rows.index(row), 190), f"{SCORES[t][LABELS.index(row[1])]:g}", colour)
            )
    shapes.append(_text(190, 360, f"best path that keeps the rule: {best.score:g}", GOOD, anchor="start"))
    return _svg(190 + 130 * 3 + 60, 376, shapes)


def draw_rounds() -> str:
    """The bound of each round, until nothing is broken."""
    rules = lawful.Rules(ONCE, SHORT, FIRST)
    held: list[lawful.Rule] = []
    shapes = [_line(60, 30, 60, 210, INK), _text(60, 20, "score", INK)]
    number = 0
    while True:
        found = lawful.decode(LATTICE, held)
        broken = [rule for rule in rules if rule.violations(found.labels, TOKENS)]
        x, y = 160 + 190 * number, 200 - 90 * (found.score - 5.5)
        colour = BAD if broken else GOOD
        shapes += [_line(60, y, x + 60, y, FAINT), _line(x - 60, y, x + 60, y, colour, 4)]
        shapes.append(_text(52, y + 4, f"{found.score:g}", colour, anchor="end"))
        shapes.append(_text(x, y - 10, " ".join(found.labels), INK, size=12))
        what = f"breaks: {', '.join(rule.name for rule in broken)}" if broken else "breaks nothing: optimal"
        shapes.append(_text(x, y + 20, what, colour, size=12))
        shapes.append(
            _text(
                x,
                236,
                f"round {number + 1}: {', '.join(rule.name for rule in held) or 'no rules'}",
                INK,
                size=12,
            )
        )
        if not broken:
            return _svg(x + 100, 252, shapes)
        held += broken
        number += 1


def draw_potentials() -> str:
    """The bound as a function of one potential: a valley whose floor is the score of the best legal path."""
    best = lawful.decode(LATTICE, ONCE).score
    steps = [number / 20 for number in range(-70, 21)]
    points = [(value, potential_bound(value)) for value in steps]

    def place(value: float, score: float) -> tuple[float, float]:
        return 500 + 120 * value, 230 - 60 * (score - 5.5)

    floor = [place(value, score) for value, score in points if abs(score - best) < 1e-9]
    shapes = [
        _line(*place(-3.5, 5.5), *place(1.0, 5.5), INK),
        _line(*place(0, 5.5), *place(0, 9.2), FAINT),
        _line(*place(-3.5, best), *place(1.0, best), FAINT),
        _polyline([place(*one) for one in points], INK),
        _line(*floor[0], *floor[-1], GOOD, 5),
        _text(80, place(0, best)[1] + 18, f"best path that keeps the rule: {best:g}", GOOD, anchor="start"),
        _text(
            place(0, 0)[0] + 8,
            place(0, potential_bound(0))[1] + 18,
            f"without potential: {potential_bound(0):g}",
            BAD,
            anchor="start",
            size=12,
        ),
        _text(350, 266, "potential of the state “the street is over”", INK),
        _text(84, 24, "bound", INK, anchor="start"),
    ]
    shapes += [_text(place(value, 0)[0], 246, f"{value:g}", INK, size=11) for value in (-3, -2, -1, 0, 1)]
    return _svg(660, 280, shapes)


def potential_bound(over: float) -> float:
    """The best score of the plain trellis when `over` is added on leaving a street, and taken off at the end.

    State by state that changes no score. Here the states are forgotten: at the end the bound takes whichever of "no
    street yet" and "over" is better, so it never falls below the best legal score.
    """
    street = LABELS.index("Street")
    best = float("-inf")
    for path in product(range(len(LABELS)), repeat=len(TOKENS)):
        score = sum(SCORES[t][k] for t, k in enumerate(path))
        score += over * sum(a == street != b for a, b in pairwise(path))
        score += max(0.0, -over) if path[-1] != street else 0.0
        best = max(best, score)
    return best


def _at(t: int, row: int, left: float = 110) -> tuple[float, float]:
    return left + 130 * t, 70 + 60 * row


def _words(words: Sequence[str], left: float, y: float) -> list[str]:
    return [_text(left + 130 * t, y, word, INK, weight="bold") for t, word in enumerate(words)]


def _rows(names: Sequence[str]) -> list[str]:
    return [_text(14, 74 + 60 * row, name, INK, anchor="start") for row, name in enumerate(names)]


def _disc(x: float, y: float, text: str, colour: str) -> str:
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="18" fill="{PAPER}" stroke="{colour}" stroke-width="2"/>'
    return ring + _text(x, y + 4, text, colour, size=12)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="{width:g}"/>'
    )


def _polyline(points: Iterable[tuple[float, float]], colour: str) -> str:
    listed = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{listed}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _text(
    x: float,
    y: float,
    text: str,
    colour: str,
    *,
    anchor: str = "middle",
    size: float = 14,
    weight: str = "normal",
) -> str:
    style = f'text-anchor="{anchor}" font-size="{size:g}" font-weight="{weight}" fill="{colour}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>'


def _svg(width: float, height: float, shapes: Iterable[str]) -> str:
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" font-family="{FONT}">'
    return "\n".join([opening, *shapes, "</svg>", ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in draw_all().items():
        (FOLDER / name).write_text(picture)
