"""A picture of a machine, laid out and written as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from unicodedata import category, east_asian_width

from lawful.automata.drawing.curves import Ellipse, arrowhead, entry, loop, path, through
from lawful.automata.drawing.layout import Box, lay_out
from lawful.automata.drawing.picture import Circle, Picture

__all__ = ["DEAD", "VIOLATION", "render"]

INK, VIOLATION, DEAD, FILL, PAPER = "#1f2937", "#c2410c", "#7c8594", "#f1f5f9", "#ffffff"
FONT = "ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
SIZE = 13.0  # of the text
LEADING = 16.0  # from line to line
RADIUS = 20.0
LOOP = 30.0  # how far a loop stands out from its circle
MARGIN = 12.0
ENTRY = 32.0  # the length of the arrow that points at a start


def render(picture: Picture) -> str:
    """Lay a picture out and write it as SVG, with every text escaped.

    Examples
    --------
    >>> svg = render(Picture((Circle("<0>", start=True, accepting=True, dead=False, ending=0),), ()))
    >>> svg.startswith("<svg"), svg.count("&lt;0&gt;")
    (True, 1)
    """
    loops = [arrow for arrow in picture.arrows if arrow.source == arrow.target]
    others = [arrow for arrow in picture.arrows if arrow.source != arrow.target]
    circles = [Box(2 * _radius(circle), RADIUS, RADIUS) for circle in picture.circles]
    labels = [
        Box(_width(arrow.lines), _height(arrow.lines) / 2, _height(arrow.lines) / 2) for arrow in others
    ]
    for arrow in loops:
        box, reach = circles[arrow.source], LOOP + _height(arrow.lines)
        box.width = max(box.width, _width(arrow.lines))
        box.above += 0 if arrow.violating else reach
        box.below += reach if arrow.violating else 0
    starts = [number for number, circle in enumerate(picture.circles) if circle.start]
    routes = lay_out(circles, labels, starts, [(arrow.source, arrow.target) for arrow in others])
    shapes = [
        Ellipse(box.x, box.y, _radius(c), RADIUS) for box, c in zip(circles, picture.circles, strict=True)
    ]

    parts: list[str] = []
    for arrow, route in zip(others, routes, strict=True):
        colour = _colour(violating=arrow.violating, dead=picture.circles[arrow.target].dead)
        curve = through(route, shapes[arrow.source], shapes[arrow.target])
        parts += _stroke(path(curve), arrowhead(curve), colour)
        left = route.label.x - route.label.half
        x, anchor = (left + 6, "start") if route.flat else (route.label.x, "middle")
        parts += _text(arrow.lines, x, route.label.y, colour, anchor=anchor)
    for arrow in loops:
        colour = _colour(violating=arrow.violating, dead=picture.circles[arrow.target].dead)
        side = 1 if arrow.violating else -1
        curve = loop(shapes[arrow.source], side, LOOP)
        parts += _stroke(path(curve), arrowhead(curve), colour)
        shape = shapes[arrow.source]
        middle = shape.y + side * (RADIUS + LOOP + _height(arrow.lines) / 2)
        parts += _text(arrow.lines, shape.x, middle, colour)
    for number in starts:
        curve = entry(shapes[number], ENTRY)
        parts += _stroke(path(curve), arrowhead(curve), INK)
    for circle, shape in zip(picture.circles, shapes, strict=True):
        parts += _state(circle, shape)
    boxes = [*circles, *(stop for route in routes for stop in route.stops)]
    boxes += [
        Box(2 * ENTRY, 0, 0, x=shapes[number].x - shapes[number].rx, y=shapes[number].y) for number in starts
    ]
    return _page(parts, boxes or [Box(0.0, 0.0, 0.0)], len(circles))


def _page(parts: Iterable[str], boxes: list[Box], states: int) -> str:
    left = min(box.x - box.width / 2 for box in boxes) - MARGIN
    right = max(box.x + box.width / 2 for box in boxes) + MARGIN
    top = min(box.y - box.above for box in boxes) - MARGIN
    bottom = max(box.y + box.below for box in boxes) + MARGIN
    width, height = right - left, bottom - top
    area = f'width="{width:.1f}" height="{height:.1f}"'
    title = f"automaton with {states} state{'s' * (states != 1)}"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {area} viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" '
        f'role="img" aria-label="{title}" font-family="{FONT}" font-size="{SIZE:g}">'
    )
    paper = f'<rect x="{left:.1f}" y="{top:.1f}" {area} fill="{PAPER}"/>'
    return "\n".join([opening, paper, *parts, "</svg>"])


def _state(circle: Circle, shape: Ellipse) -> list[str]:
    colour = DEAD if circle.dead else INK
    ring = f'cx="{shape.x:.1f}" cy="{shape.y:.1f}" stroke="{colour}"'
    parts = [f'<ellipse {ring} rx="{shape.rx:.1f}" ry="{shape.ry:.1f}" fill="{FILL}" stroke-width="1.5"/>']
    if circle.accepting:
        parts.append(f'<ellipse {ring} rx="{shape.rx - 4:.1f}" ry="{shape.ry - 4:.1f}" fill="none"/>')
    if not circle.ending:
        return parts + _text([circle.name], shape.x, shape.y, colour)
    parts += _text([circle.name], shape.x, shape.y - 6, colour)
    return parts + _text([f"+{circle.ending}"], shape.x, shape.y + 8, VIOLATION, size=SIZE - 2)


def _stroke(line: str, head: str, colour: str) -> list[str]:
    return [
        f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="1.3"/>',
        f'<path d="{head}" fill="{colour}"/>',
    ]


def _text(
    lines: Iterable[str], x: float, y: float, colour: str, *, anchor: str = "middle", size: float = SIZE
) -> list[str]:
    """Lines of text around the height `y`."""
    lines = list(lines)
    first = y - (len(lines) - 1) * LEADING / 2 + 0.35 * size
    sized = "" if size == SIZE else f' font-size="{size:g}"'
    return [
        f'<text x="{x:.1f}" y="{first + i * LEADING:.1f}" fill="{colour}" text-anchor="{anchor}"{sized}>'
        f"{_clean(line)}</text>"
        for i, line in enumerate(lines)
    ]


def _clean(text: str) -> str:
    """Escaped, and without the control characters and lone surrogates that XML cannot contain."""
    return escape("".join("\ufffd" if category(letter) in ("Cc", "Cs") else letter for letter in text))


def _colour(*, violating: bool, dead: bool) -> str:
    if violating:
        return VIOLATION
    return DEAD if dead else INK


def _radius(circle: Circle) -> float:
    return max(RADIUS, _width([circle.name]) / 2 + (4 if circle.accepting else 0))


def _height(lines: Iterable[str]) -> float:
    return LEADING * len(list(lines)) + 2


def _width(lines: Iterable[str]) -> float:
    return 10 + max(sum(_advance(letter) for letter in line) for line in lines)


def _advance(letter: str) -> float:
    """About as wide as the letter is in the widest of the usual fonts."""
    if east_asian_width(letter) in "WF":
        return SIZE
    if letter in " ,.:;'|!ijlI()[]":
        return 0.38 * SIZE
    return SIZE * (0.92 if letter in "mwMW<>&+=%@#~" else 0.72 if letter.isupper() else 0.63)
