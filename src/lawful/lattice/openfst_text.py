"""OpenFst's text format, which AT&T began: one arc or final state per line.

An arc is `source target label [cost]`, or `source target input output [cost]` in a transducer; a final state is
`state [cost]`. The source of the first line is the start. Costs are negated logs: lower is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal, TextIO

from lawful.errors import AttFormatError, FileError, GraphError
from lawful.labels import LabelSet
from lawful.lattice.graph import GraphLattice

__all__ = ["read_att", "read_symbols", "write_att"]

EPSILON = "<eps>"


def read_att(
    source: str | Path | TextIO,
    *,
    labels: LabelSet | Iterable[str] | None = None,
    symbols: str | Path | TextIO | Mapping[int, str] | None = None,
    transducer: bool = False,
    side: Literal["input", "output"] | None = None,
    negate: bool = True,
    epsilon: str = EPSILON,
    max_bytes: int = 1 << 30,
) -> GraphLattice:
    r"""Read a graph from OpenFst text.

    Parameters
    ----------
    source : path or open text file
    labels : LabelSet or iterable of str, optional
        The label set; what the file or the symbol table holds, in its order, if not given.
    symbols : path, open text file or mapping from number to name, optional
        A symbol table. Then the file holds numbers, and 0 is epsilon; otherwise it holds names.
    transducer : bool
        Whether arcs have an input and an output label. They must be equal, unless `side` chooses one.
    side : "input" or "output", optional
    negate : bool
        Whether weights are costs (score = -cost). False: they are scores.
    epsilon : str
        The name that spells nothing.
    max_bytes : int
        Longer files are refused.

    Examples
    --------
    >>> import io
    >>> graph = read_att(io.StringIO("0 1 O 0.5\n0 1 Name 1.5\n1\n"))
    >>> graph.core.best_path().score, graph.labels
    (-0.5, LabelSet(['O', 'Name']))
    """
    table = None if symbols is None else symbols if isinstance(symbols, Mapping) else read_symbols(symbols)
    arcs: list[tuple[int, int, str | None, float]] = []
    finals: dict[int, float] = {}
    start: int | None = None
    for line in read_lines(source, max_bytes):
        first = line.state(0)
        start = first if start is None else start
        if len(line.fields) <= 2:
            finals[first] = line.score(1, negate=negate)
            continue
        field, weight_at = line.label(transducer=transducer, side=side)
        name = field if table is None else line.symbol(field, table)
        score = line.score(weight_at, negate=negate)
        arcs.append((first, line.state(1), None if name == epsilon else name, score))
    if start is None:
        raise AttFormatError(name_of(source), 1, "the file is empty")
    if labels is None:
        in_file = [label for _, _, label, _ in arcs]
        names = in_file if table is None else [table[number] for number in sorted(table) if number != 0]
        labels = dict.fromkeys(name for name in names if name is not None and name != epsilon)
    used = {start, *(state for arc in arcs for state in arc[:2])}
    finals = {state: score for state, score in finals.items() if state in used}
    return GraphLattice.from_arcs(arcs, labels=labels, start=start, finals=finals or {start: float("-inf")})


def write_att(
    graph: GraphLattice, target: str | Path | TextIO, *, negate: bool = True, epsilon: str = EPSILON
) -> None:
    r"""Write a graph as an OpenFst text acceptor with label names.

    Examples
    --------
    >>> import io
    >>> graph = GraphLattice.from_arcs([(0, 1, "O", -0.5)], labels=["O"], finals=[1])
    >>> write_att(graph, text := io.StringIO())
    >>> text.getvalue().splitlines()
    ['0\t1\tO\t0.5', '1\t0.0']
    """
    for label in graph.labels:
        if not label or label == epsilon or label.split() != [label]:
            raise GraphError(f"label {label!r} cannot be written: the format separates fields by blanks")
    sign = -1.0 if negate else 1.0
    names = (*graph.labels, epsilon)  # label -1 is epsilon

    def shown(score: float) -> str:
        weight = sign * score + 0.0  # no negative zero
        return repr(weight).replace("inf", "Infinity")

    arcs = [
        (source, f"{graph.states[source]}\t{graph.states[to]}\t{names[label]}\t{shown(weight)}")
        for source, to, label, weight in zip(*(column.tolist() for column in graph.arcs), strict=True)
    ]
    ends = [
        (state, f"{graph.states[state]}\t{shown(score)}")
        for state, score in enumerate(graph.final.tolist())
        if score > float("-inf")
    ]
    if all(state != graph.start for state, _ in arcs + ends):
        ends.append((graph.start, f"{graph.states[graph.start]}\t{shown(float('-inf'))}"))
    # The start must come first; everything else keeps its order.
    lines = sorted(arcs + ends, key=lambda line: line[0] != graph.start)
    with opened(target, "w") as file:
        file.writelines(f"{text}\n" for _, text in lines)


# --- lines -----------------------------------------------------------------------------------------------------


def read_symbols(source: str | Path | TextIO, *, max_bytes: int = 1 << 28) -> dict[int, str]:
    r"""Read an OpenFst symbol table: `name number` a line.

    Examples
    --------
    >>> import io
    >>> read_symbols(io.StringIO("<eps> 0\nO 1\n"))
    {0: '<eps>', 1: 'O'}
    """
    table: dict[int, str] = {}
    for line in read_lines(source, max_bytes):
        if len(line.fields) != 2:
            raise line.error(f"expected 'name number', got {len(line.fields)} fields")
        number = line.state(1)
        if number in table:
            raise line.error(f"number {number} stands for {table[number]!r} already")
        table[number] = line.fields[0]
    return table


class Line:
    """One line of the file, which knows where it stands."""

    def __init__(self, source: str, number: int, fields: list[str]) -> None:
        self.source, self.number, self.fields = source, number, fields

    def error(self, message: str) -> AttFormatError:
        """What is wrong with this line."""
        return AttFormatError(self.source, self.number, message)

    def state(self, at: int) -> int:
        """A field that holds a number >= 0."""
        if not (self.fields[at].isascii() and self.fields[at].isdigit()):
            raise self.error(f"expected a number >= 0, got {self.fields[at]!r}")
        return int(self.fields[at])

    def label(self, *, transducer: bool, side: str | None) -> tuple[str, int]:
        """The label of an arc, and where its weight stands."""
        least = 4 if transducer else 3
        if len(self.fields) not in (least, least + 1):
            hint = (
                "" if transducer or len(self.fields) != 5 else "; pass transducer=True for two labels an arc"
            )
            raise self.error(f"an arc has {least} or {least + 1} fields, got {len(self.fields)}{hint}")
        if not transducer:
            return self.fields[2], 3
        read, written = self.fields[2:4]
        if read != written and side is None:
            raise self.error(f"input {read!r} differs from output {written!r}; choose one with side='output'")
        return (read if side == "input" else written), 4

    def symbol(self, number: str, table: Mapping[int, str]) -> str | None:
        """The name of a number in the symbol table; None for 0, which is always epsilon."""
        if number == "0":
            return None
        if not number.isdigit() or int(number) not in table:
            raise self.error(f"{number!r} is not a number of the symbol table")
        return table[int(number)]

    def score(self, at: int, *, negate: bool) -> float:
        """The weight as a score; 0 if the line has none."""
        if at >= len(self.fields):
            return 0.0
        try:
            weight = float(self.fields[at])
        except ValueError:
            raise self.error(f"expected a weight, got {self.fields[at]!r}") from None
        score = -weight if negate else weight
        if not score < float("inf"):
            raise self.error(f"weight {self.fields[at]} is no {'cost' if negate else 'score'}")
        return score


def read_lines(source: str | Path | TextIO, max_bytes: int) -> Iterator[Line]:
    """The lines that are not blank."""
    name, size, number = name_of(source), 0, 0
    with opened(source, "r") as file:
        try:
            # readline with a size: a file without line ends must not fill the memory.
            while text := file.readline(max_bytes + 1):
                number += 1
                size += len(text)
                if size > max_bytes:
                    raise AttFormatError(name, number, f"the file is longer than max_bytes={max_bytes}")
                if fields := text.split():
                    yield Line(name, number, fields)
        except UnicodeDecodeError:
            raise AttFormatError(name, number + 1, "the file is not UTF-8 text") from None


def opened(file: str | Path | TextIO, mode: Literal["r", "w"]) -> AbstractContextManager[TextIO]:
    """The file at a path, or an open one, which stays open."""
    if isinstance(file, str | Path):
        try:
            return Path(file).open(mode, encoding="utf-8")
        except OSError as error:
            raise FileError.of(file, "opened" if mode == "r" else "written", error) from error
    return nullcontext(file)


def name_of(file: str | Path | TextIO) -> str:
    """What to call a file in an error message."""
    return str(file) if isinstance(file, str | Path) else str(getattr(file, "name", "the text"))
