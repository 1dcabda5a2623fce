"""The curves of a drawing: arrows from state to state, loops, arrowheads."""

from __future__ import annotations

import math
from typing import NamedTuple

from lawful.automata.drawing.layout import Route

__all__ = ["Cubic", "Ellipse", "arrowhead", "entry", "loop", "path", "through"]

HEAD = 9.0  # the length of an arrowhead
STEEPEST = math.radians(55)  # arrows leave and enter at the sides, where no loop stands,
CLEAR = 32.0  # and rise or fall no more than this before they are out of their state's column

Point = tuple[float, float]


class Cubic(NamedTuple):
    """One cubic Bézier segment: its ends and the two points that shape it."""

    start: Point
    leave: Point
    arrive: Point
    end: Point


class Ellipse(NamedTuple):
    """The outline of a state."""

    x: float
    y: float
    rx: float
    ry: float

    def at(self, angle: float, out: float = 0.0) -> Point:
        """The point of the outline at an angle, or farther `out`."""
        return self.x + (self.rx + out) * math.cos(angle), self.y + (self.ry + out) * math.sin(angle)


def through(route: Route, source: Ellipse, target: Ellipse) -> list[Cubic]:
    """The curve of a route: straight across every column, smooth between them, with a gap for the label.

    Examples
    --------
    >>> from lawful.automata.drawing.layout import Box, lay_out
    >>> boxes, labels = [Box(40, 20, 20) for _ in range(2)], [Box(30, 8, 8)]
    >>> (route,) = lay_out(boxes, labels, [0], [(0, 1)])
    >>> curve = through(route, *(Ellipse(box.x, box.y, 20, 20) for box in boxes))
    >>> curve[0].start == (boxes[0].x + 20, boxes[0].y)
    True
    """
    if route.flat:
        turn = (route.label.x - route.label.half, route.label.y)
        down = math.copysign(1.0, target.y - source.y)
        middle = [(turn, (0.0, down), turn)]
    else:
        ahead = math.copysign(1.0, target.x - source.x)
        middle = []
        for stop in route.stops[1:-1]:
            before, after = (stop.x - ahead * stop.half, stop.y), (stop.x + ahead * stop.half, stop.y)
            middle.append((before, (ahead, 0.0), after))
    spot, gate, heading = _port(source, route.stops[0].half, middle[0][0])
    curve = [_straight(spot, gate)]
    for stop, (before, direction, after) in zip(route.stops[1:-1], middle, strict=True):
        curve.append(_smooth(gate, heading, before, direction))
        if before != after:
            pause = direction[0] * (stop.width / 2 if stop is route.label else 0.0)
            curve.append(_straight(before, (stop.x - pause, stop.y)))
            curve.append(_straight((stop.x + pause, stop.y), after))
        gate, heading = after, direction
    spot, last_gate, outward = _port(target, route.stops[-1].half, middle[-1][2])
    curve.append(_smooth(gate, heading, last_gate, (-outward[0], -outward[1])))
    curve.append(_straight(last_gate, spot))
    return curve


def loop(shape: Ellipse, side: int, reach: float) -> list[Cubic]:
    """A loop over a state (side -1) or under it (1).

    Examples
    --------
    >>> (curve,) = loop(Ellipse(0, 0, 20, 20), -1, 30)
    >>> curve.start[0] < 0 < curve.end[0], curve.leave[1] < -20
    (True, True)
    """
    lean = 0.42
    start = shape.at(side * (math.pi / 2 + lean))
    end = shape.at(side * (math.pi / 2 - lean))
    height = shape.y + side * (shape.ry + 1.25 * reach)
    return [Cubic(start, (shape.x - 26, height), (shape.x + 26, height), end)]


def entry(shape: Ellipse, length: float) -> list[Cubic]:
    """The short arrow that points at a start.

    Examples
    --------
    >>> entry(Ellipse(0, 0, 20, 20), 30)[0].end
    (-20, 0)
    """
    tip = (shape.x - shape.rx, shape.y)
    return [_straight((tip[0] - length, tip[1]), tip)]


def path(curve: list[Cubic]) -> str:
    """The curve as SVG path data, up to the base of its arrowhead.

    Examples
    --------
    >>> path(entry(Ellipse(50, 0, 20, 20), 30))
    'M0.0 0.0C10.0 0.0 20.0 0.0 21.0 0.0'
    """
    *most, last = curve
    ux, uy = _unit(last.arrive, last.end)
    base = (last.end[0] - HEAD * ux, last.end[1] - HEAD * uy)
    parts = []
    spot: Point | None = None
    for segment in (*most, last._replace(end=base)):
        if segment.start != spot:
            parts.append(f"M{_show(segment.start)}")
        parts.append(f"C{_show(segment.leave)} {_show(segment.arrive)} {_show(segment.end)}")
        spot = segment.end
    return "".join(parts)


def arrowhead(curve: list[Cubic]) -> str:
    """The arrowhead at the end of a curve, as SVG path data.

    Examples
    --------
    >>> arrowhead(entry(Ellipse(50, 0, 20, 20), 30))
    'M30.0 0.0L21.0 3.6L21.0 -3.6Z'
    """
    tip = curve[-1].end
    ux, uy = _unit(curve[-1].arrive, tip)
    x, y, w = tip[0] - HEAD * ux, tip[1] - HEAD * uy, 0.4 * HEAD
    return f"M{_show(tip)}L{_show((x - w * uy, y + w * ux))}L{_show((x + w * uy, y - w * ux))}Z"


def _port(shape: Ellipse, half: float, towards: Point) -> tuple[Point, Point, Point]:
    """Where an arrow to or from a point meets a state, where it crosses the edge of the column, and its heading.

    The two points lie at least an arrowhead apart, so that the arrowhead is straight.
    """
    across, down = towards[0] - shape.x, towards[1] - shape.y
    side = math.copysign(1.0, across)
    most = min(STEEPEST, math.atan2(CLEAR, half))
    angle = most * math.sin(math.atan2(down, abs(across)))  # not cut off, so that different arrows stay apart
    heading = (side * math.cos(angle), math.sin(angle))
    rim = 1 / math.hypot(heading[0] / shape.rx, heading[1] / shape.ry)
    edge = max(half / math.cos(angle), rim + HEAD)
    spot, gate = ((shape.x + out * heading[0], shape.y + out * heading[1]) for out in (rim, edge))
    return spot, gate, heading


def _smooth(start: Point, leaving: Point, end: Point, arriving: Point) -> Cubic:
    reach = 0.4 * math.dist(start, end)
    leave = (start[0] + reach * leaving[0], start[1] + reach * leaving[1])
    arrive = (end[0] - reach * arriving[0], end[1] - reach * arriving[1])
    return Cubic(start, leave, arrive, end)


def _straight(start: Point, end: Point) -> Cubic:
    third = ((end[0] - start[0]) / 3, (end[1] - start[1]) / 3)
    return Cubic(
        start, (start[0] + third[0], start[1] + third[1]), (end[0] - third[0], end[1] - third[1]), end
    )


def _unit(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _show(point: Point) -> str:
    return f"{point[0] + 0.0:.1f} {point[1] + 0.0:.1f}"
