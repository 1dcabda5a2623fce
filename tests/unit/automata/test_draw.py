from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from lawful.automata import (
    CountingMachine,
    Dfa,
    Nfa,
    concatenate,
    literal,
    nothing,
    star,
    symbols,
)
from lawful.automata.drawing.formats import to_dot, to_svg
from lawful.automata.drawing.picture import picture
from lawful.automata.drawing.svg import VIOLATION
from lawful.errors import MachineError

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str, colour: str | None = None) -> list[str]:
    found = ET.fromstring(svg).iter(f"{SVG}text")  # noqa: S314
    return [text.text or "" for text in found if colour in (None, text.get("fill"))]


def random_counting(seed: int, states: int = 8) -> CountingMachine:
    rng = np.random.default_rng(seed)
    violations = rng.random((states, 3)) < 0.2
    return CountingMachine(rng.integers(0, states, (states, 3)), violations, rng.random(states) < 0.2)


def test_parallel_arcs_are_one_arrow_and_violations_another() -> None:
    machine = CountingMachine.from_lists([[0, 1, 1, 1], [1, 1, 1, 1]], [[0, 0, 0, 1], [0, 0, 1, 3]], [0, 2])
    arrows = {(a.source, a.target, a.violating): a.lines for a in picture(machine, class_names="OABC").arrows}
    assert arrows == {
        (0, 0, False): ("O",),
        (0, 1, False): ("A, B",),
        (0, 1, True): ("C +1",),
        (1, 1, False): ("O, A",),
        (1, 1, True): ("B +1", "C +3"),
    }


@pytest.mark.parametrize(
    ("kept", "classes", "lines"),
    [
        (range(30), 30, ("any",)),
        (range(2, 30), 30, ("any but 0, 1",)),
        ([4], 30, ("4",)),
        ([0], 1, ("0",)),
        (range(14), 30, ("0, 1, 2, 3, 4, 5, 6,", "7, 8, 9, 10, 11,", "2 more")),
    ],
)
def test_labels_say_it_the_short_way(kept: list[int], classes: int, lines: tuple[str, ...]) -> None:
    (arrow,) = picture(symbols(kept, classes)).arrows
    assert " ".join(arrow.lines) == " ".join(lines)
    assert all(len(line) <= 22 for line in arrow.lines)


def test_dot_shows_states_arrows_and_counts() -> None:
    machine = CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 1]], [1, 0])
    dot = to_dot(machine, class_names=["O", 'say "x\\y"'], state_names=["a", "b"])
    assert '0 [label="a\\n+1"' in dot
    assert '1 [label="b", shape=doublecircle];' in dot
    assert '0 -> 1 [label="say \\"x\\\\y\\""];' in dot
    assert re.search(rf'1 -> 1 \[label="say .* \+1", color="{VIOLATION}"', dot)
    assert dot.count("->") == 1 + 4


def test_svg_escapes_every_name() -> None:
    wild = ["<script>alert(1)</script>", "a & b", '"quoted"', "bad\x00\x1b\ud800"]
    svg = to_svg(
        Dfa([[0, 1, 1, 1], [0, 1, 0, 0]], [True, False]), class_names=wild, state_names=["<i>", "]]>"]
    )
    assert "<script" not in svg
    assert "<i>" in texts(svg)
    assert any(wild[0] in text for text in texts(svg))
    assert "\x00" not in svg
    svg.encode()


def test_svg_shows_counts_in_another_colour() -> None:
    machine = CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 2]], [3, 0])
    svg = to_svg(machine, class_names=["O", "City"])
    assert sorted(texts(svg, VIOLATION)) == ["+3", "City +2"]
    rings = ET.fromstring(svg).findall(f"{SVG}ellipse")  # noqa: S314
    assert len(rings) == 3  # a double one for the state in which ending counts nothing


def test_svg_needs_nothing_from_outside() -> None:
    svg = to_svg(random_counting(0))
    assert re.findall(r"(?:href|src|url|id|class|style)\s*[=(]", svg) == []
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize("seed", range(25))
def test_svg_texts_do_not_cover_each_other_and_stay_on_the_page(seed: int) -> None:
    root = ET.fromstring(to_svg(random_counting(seed, states=2 + seed % 9)))  # noqa: S314
    left, top, width, height = map(float, root.get("viewBox", "").split())
    boxes = []
    for text in root.iter(f"{SVG}text"):
        x, y, long = float(text.get("x", "")), float(text.get("y", "")), 7.0 * len(text.text or "")
        begin = x if text.get("text-anchor") == "start" else x - long / 2
        boxes.append((begin, y - 10, begin + long, y))
    for i, (x1, y1, x2, y2) in enumerate(boxes):
        assert left <= x1 < x2 <= left + width
        assert top <= y1 < y2 <= top + height
        assert not any(x1 < v2 and u1 < x2 and y1 < w2 and w1 < y2 for u1, w1, v2, w2 in boxes[:i])


@pytest.mark.parametrize(
    "machine",
    [
        Dfa(np.zeros((1, 0)), [True]),
        Dfa([[0], [0]], [True, False]),  # state 1 is out of reach
        nothing(2),
        concatenate(star(literal(0, 2)), literal(1, 2)),
        Nfa(1, [0, 2], [1], [(0, -1, 1), (2, 0, 1)]),
    ],
)
def test_unusual_machines_can_be_drawn(machine: Dfa | Nfa) -> None:
    names = [f"state {number}" for number in range(machine.states)]
    assert set(names) <= set(texts(to_svg(machine, state_names=names)))
    assert to_dot(machine).startswith("digraph {")
    assert "nan" not in to_svg(machine)


def test_drawing_is_deterministic() -> None:
    assert to_svg(random_counting(3)) == to_svg(random_counting(3))


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(MachineError, match="one name for each class, 2 in all, got 1"):
        to_svg(Dfa([[0, 0]], [True]), class_names=["O"])
    with pytest.raises(MachineError, match="one name for each state, 1 in all, got 0"):
        to_dot(Dfa([[0, 0]], [True]), state_names=[])
    with pytest.raises(MachineError, match="unreadable"):
        to_svg(random_counting(0, states=8), limit=7)
