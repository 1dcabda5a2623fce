"""A layered layout, from left to right by the number of steps from the start, with room for every label.

A small version of the classic method of Sugiyama. States are in columns, one for each number of steps.
Between two columns of states lies a column of labels; every arrow runs through its label there, and through a
placeholder in each further column that it crosses, so that arrows and labels make room for each other.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["Box", "Route", "lay_out", "layered"]

ROUNDS = 12
GAP = 14.0  # between boxes of a column
ROOM = 20.0  # between columns, at least


@dataclass(slots=True)
class Box:
    """A rectangle: how far it extends around its centre, and where that centre is put.

    `half` is half the width of its column, in which arrows must run straight to stay clear of other boxes.
    """

    width: float
    above: float
    below: float
    column: int = 0
    x: float = 0.0
    y: float = 0.0
    half: float = 0.0
    near: list[Box] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class Route:
    """The boxes that an arrow runs through, its two states at the ends; `label` is the one with its text.

    A `flat` arrow joins states of one column: it turns back beside its label, at the left edge of that column.
    """

    stops: tuple[Box, ...]
    label: Box
    flat: bool = False


def layered(states: int, starts: Sequence[int], arrows: Sequence[tuple[int, int]]) -> list[int]:
    """The number of steps from the start to each state; states out of reach count from the first among them.

    Examples
    --------
    >>> layered(4, [0], [(0, 1), (1, 2), (0, 2), (3, 0)])
    [0, 1, 1, 0]
    """
    following: list[list[int]] = [[] for _ in range(states)]
    for source, target in arrows:
        following[source].append(target)
    layer: dict[int, int] = {}
    for roots in (starts, *([state] for state in range(states))):
        queue = [root for root in roots if root not in layer]
        layer.update(dict.fromkeys(queue, 0))
        for state in queue:  # grows inside the loop
            for target in following[state]:
                if target not in layer:
                    layer[target] = layer[state] + 1
                    queue.append(target)
    return [layer[state] for state in range(states)]


def lay_out(
    circles: Sequence[Box], labels: Sequence[Box], starts: Sequence[int], arrows: Sequence[tuple[int, int]]
) -> list[Route]:
    """Set `x` and `y` of every box, and find the route of each arrow.

    Parameters
    ----------
    circles : S boxes, of the states
    labels : A boxes, of the arrows' texts
    starts : states
    arrows : A pairs (source, target), no loops

    Examples
    --------
    >>> states, labels = [Box(40, 20, 20) for _ in range(2)], [Box(30, 8, 8)]
    >>> (route,) = lay_out(states, labels, [0], [(0, 1)])
    >>> states[0].x < route.label.x < states[1].x, states[0].y == states[1].y
    (True, True)
    """
    for circle, layer in zip(circles, layered(len(circles), starts, arrows), strict=True):
        circle.column = 2 * layer
    routes = [_route(circles[a], circles[b], box) for (a, b), box in zip(arrows, labels, strict=True)]
    boxes = [*circles, *(stop for route in routes for stop in route.stops[1:-1])]
    columns: list[list[Box]] = [[] for _ in range(1 + max((box.column for box in boxes), default=0))]
    for box in boxes:
        columns[box.column].append(box)
    for route in routes:
        for box, following in pairwise(route.stops):
            box.near.append(following)
            following.near.append(box)
    columns = _untangle(columns)
    _set_heights(columns)
    _set_columns(columns)
    return routes


def _route(source: Box, target: Box, label: Box) -> Route:
    """Through every column in between; an arrow within a column turns in the label column to its right."""
    if source.column == target.column:
        label.column = source.column + 1
        return Route((source, label, target), label, flat=True)
    step = 1 if source.column < target.column else -1
    between = [Box(0.0, 3.0, 3.0, column) for column in range(source.column + step, target.column, step)]
    middle = len(between) // 2
    middle -= between[middle].column % 2 == 0  # labels are in the odd columns
    label.column = between[middle].column
    between[middle] = label
    return Route((source, *between, target), label)


def _untangle(columns: list[list[Box]]) -> list[list[Box]]:
    """Order each column by where its neighbours are, forth and back, and keep the order with fewest crossings."""
    best, fewest = columns, _crossings(columns)
    for turn in range(ROUNDS):
        if fewest == 0:
            break
        columns = list(columns)
        if turn % 2 == 0:
            for i in range(1, len(columns)):
                columns[i] = _follow(columns[i], columns[i - 1])
        else:
            for i in reversed(range(len(columns) - 1)):
                columns[i] = _follow(columns[i], columns[i + 1])
        crossings = _crossings(columns)
        if crossings < fewest:
            best, fewest = columns, crossings
    return best


def _follow(column: list[Box], beside: list[Box]) -> list[Box]:
    """The column in order of its neighbours' mean rank in the column beside it; a box without neighbours keeps its rank."""
    ranks = {id(box): rank for rank, box in enumerate(beside)}
    pulled = []
    for own, box in enumerate(column):
        pulling = [ranks[id(other)] for other in box.near if id(other) in ranks]
        pulled.append((sum(pulling) / len(pulling) if pulling else float(own), own))
    return [column[own] for _, own in sorted(pulled)]


def _crossings(columns: list[list[Box]]) -> int:
    total = 0
    for left, right in pairwise(columns):
        ranks = {id(box): rank for rank, box in enumerate(right)}
        passed: list[int] = []
        for box in left:
            ends = sorted(ranks[id(other)] for other in box.near if id(other) in ranks)
            total += sum(len(passed) - bisect_left(passed, end + 1) for end in ends)
            for end in ends:
                insort(passed, end)
    return total


def _set_heights(columns: list[list[Box]]) -> None:
    """Move every box towards its neighbours' mean height, as far as the others in its column allow."""
    for column in columns:
        _stack(column, [0.0] * len(column))
    settled: list[float] = []
    for turn in range(2 * ROUNDS):
        if turn % 2 == 0:  # the next two turns are like the last two if those moved nothing
            heights = [box.y for column in columns for box in column]
            if heights == settled:
                return
            settled = heights
        for column in columns if turn % 2 == 0 else reversed(columns):
            wishes = [
                sum(other.y for other in box.near) / len(box.near) if box.near else box.y for box in column
            ]
            _stack(column, wishes)


def _stack(column: list[Box], wishes: list[float]) -> None:
    """The heights nearest to the wishes, in least squares, that keep the boxes apart and in order.

    Measured from where a tight stack would put it, each box wishes for an offset, and offsets may not decrease:
    neighbours that disagree move together, at the mean of their wishes.
    """
    tight = 0.0
    offsets: list[float] = []
    pools: list[tuple[float, int]] = []  # (sum of wishes, number of boxes)
    for i, (box, wish) in enumerate(zip(column, wishes, strict=True)):
        tight += (column[i - 1].below + GAP + box.above) if i else 0.0
        offsets.append(tight)
        pool = (wish - tight, 1)
        while pools and pools[-1][0] / pools[-1][1] >= pool[0] / pool[1]:
            total, size = pools.pop()
            pool = (total + pool[0], size + pool[1])
        pools.append(pool)
    means = [total / size for total, size in pools for _ in range(size)]
    for box, offset, mean in zip(column, offsets, means, strict=True):
        box.y = offset + mean


def _set_columns(columns: list[list[Box]]) -> None:
    """As near as the widest boxes allow, and farther apart where arrows would be steep."""
    x = 0.0
    for i, column in enumerate(columns):
        half = max((box.width for box in column), default=0.0) / 2
        if i:
            rise = [abs(box.y - other.y) for box in column for other in box.near if other.column == i - 1]
            x += half + min(max(ROOM, 0.3 * max(rise, default=0.0)), 4 * ROOM)
        for box in column:
            box.x, box.half = x, half
        x += half
