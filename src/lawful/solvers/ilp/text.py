"""A linear program as an LP file, the text format of CPLEX, which people can read and most solvers can open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from lawful.solvers.ilp.program import Arrays, Floats, Ints, plain_names
from lawful.solvers.ilp.ruled_program import RuledProgram, ruled_program
from lawful.solvers.problem import Problem

__all__ = ["lp_text"]

WIDTH = 100
# Readers take these for numbers or for headings, however they go on.
RISKY = re.compile(
    r"e\d|inf|nan|\d|(bin(ary|aries)?|bounds?|end|free|gen(eral|erals)?|max(imi[sz]e|imum)?|min(imi[sz]e|imum)?"
    r"|s_?t|s_?o_?s\d?|semi(_continuous)?|subject(_to)?|such(_that)?)$",
    re.IGNORECASE,
)


def lp_text(problem: Problem) -> str:
    r"""The linear program of a problem.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> print(lp_text(Problem(Lattice([[1.0, 0.5], [0.0, 2.0]], labels=["A", "B"]))))
    \ The best labels of 2 tokens are the best solution of this program.
    \ It has 4 variables and 2 constraints. Without rules it needs no integer variables.
    Maximize
     score: x0.A + 0.5 x0.B + 2.0 x1.B
    Subject To
    \ every token has one label; x3.A is 1 if token 3 is A
     flow.1: x0.A + x0.B = 1
     flow.2: - x0.A - x0.B + x1.A + x1.B = 0
    End
    <BLANKLINE>
    """
    model = ruled_program(problem)
    arrays = model.program.arrays()
    names = model.program.column_names() or ["nothing"]
    lines = [*_introduction(problem, model), "Maximize"]
    lines += _folded("score: ", _terms(arrays.cost, np.arange(len(arrays.cost)), names))
    lines += ["Subject To", *_constraints(model, arrays, names)]
    if not model.pure:
        lines += ["Binaries", *_folded("", [names[i] for i in np.flatnonzero(arrays.binary)])]
    return "\n".join([*lines, "End", ""])


def _introduction(problem: Problem, model: RuledProgram) -> Iterator[str]:
    lattice, program = problem.lattice, model.program
    what = "a graph" if lattice.length is None else f"{lattice.length} tokens"
    yield f"\\ The best labels of {what} are the best solution of this program."
    kind = " Without rules it needs no integer variables." if model.pure else ""
    yield f"\\ It has {program.columns} variables and {program.rows} constraints.{kind}"
    for label, plain in zip(lattice.labels, plain_names(lattice.labels), strict=True):
        if label != plain:
            yield _comment(f"Label {label!r} is written {plain}.")
    if lattice.tokens is not None:
        yield from (_comment(f"Token {t} is {token!r}.") for t, token in enumerate(lattice.tokens))


def _constraints(model: RuledProgram, arrays: Arrays, names: Sequence[str]) -> Iterator[str]:
    sections = model.program.sections
    ends = [*(section.first for section in sections[1:]), model.program.rows]
    for (first, name, comment), end in zip(sections, ends, strict=True):
        yield _comment(comment)
        name = f"rule_{name}" if RISKY.match(name) else name
        for row in range(first, end):
            here = slice(arrays.starts[row], arrays.starts[row + 1])
            own = name if end == first + 1 else f"{name}.{row - first + 1}"
            terms = _terms(arrays.values[here], arrays.columns[here].astype(np.intp), names)
            yield from _folded(f"{own}: ", [*terms, _bound(arrays, row)])


def _bound(arrays: Arrays, row: int) -> str:
    lower, upper = arrays.row_lower[row], arrays.row_upper[row]
    if lower == upper:
        return f"= {upper:.17g}"
    return f"<= {upper:.17g}" if np.isfinite(upper) else f">= {lower:.17g}"


def _terms(values: Floats, columns: Ints, names: Sequence[str]) -> list[str]:
    """What is added up, with signs; a sum of nothing is still said."""
    terms = []
    for value, column in zip(values.tolist(), columns.tolist(), strict=True):
        if value:
            size = "" if abs(value) == 1 else f"{abs(value)!r} "
            terms.append(f"{'-' if value < 0 else '+'} {size}{names[column]}")
    if not terms:
        return [f"0 {names[0]}"]
    return [terms[0].removeprefix("+ "), *terms[1:]]


def _folded(start: str, words: Iterable[str]) -> list[str]:
    """Words after a start, in lines of a length that every reader takes."""
    lines = [f" {start}"]
    for word in words:
        if len(lines[-1]) + len(word) > WIDTH and lines[-1].strip():
            lines.append("   ")
        lines[-1] += f"{word} "
    return [line.rstrip() for line in lines]


def _comment(text: str) -> str:
    """One line, in ASCII."""
    return "\\ " + " ".join(text.split()).encode("ascii", "backslashreplace").decode()[:WIDTH]
