"""Assertions about decoders: they find what enumeration finds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from lawful.decoding.decoder import Decoder
from lawful.errors import InfeasibleError
from lawful.lattice import AnyLattice, Lattice, path_score
from lawful.lattice.graph import as_graph
from lawful.rules import Rule, Rules
from lawful.testing.enumeration import Best, enumerate_best, penalty

__all__ = ["assert_decodes_exactly", "assert_finds", "same_score"]

TOLERANCE = 1e-9


def assert_decodes_exactly(
    lattice: AnyLattice, rules: Rules | Iterable[Rule] = (), **decoder_options: Any
) -> None:
    """Decode a small lattice under rules, and compare with the enumeration of all its label sequences.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
    rules : Rules
    **decoder_options
        Options of `lawful.Decoder`, such as `solver`.

    Raises
    ------
    AssertionError
        If the score is not the best one, if the labels do not have that score, if it is not called optimal, or
        if the decoder finds something where nothing is legal, or nothing where something is.

    Examples
    --------
    >>> from lawful.rules import at_most
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"])
    >>> assert_decodes_exactly(lattice, [at_most(1, "B")], solver="brute_force")
    """
    rules = Rules(rules)
    decoder = Decoder(rules, labels=lattice.labels, **decoder_options)
    assert_finds(decoder, lattice, enumerate_best(lattice, rules))


def assert_finds(decoder: Decoder, lattice: AnyLattice, best: Best | None) -> None:
    """Decode, and compare with a best answer that is known already; None means that nothing is legal.

    Examples
    --------
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"])
    >>> assert_finds(Decoder(Rules(), labels=lattice.labels), lattice, Best(("A", "B"), 3.0))
    """
    try:
        decoding = decoder.decode(lattice)
    except InfeasibleError as error:
        if best is None:
            return
        raise AssertionError(_failure(f"infeasible, but {best} is legal", decoder, lattice)) from error
    if best is None:
        raise AssertionError(_failure(f"got {decoding}, but nothing is legal", decoder, lattice))
    if decoding.status != "optimal":
        raise AssertionError(_failure(f"{decoding} is not called optimal", decoder, lattice))
    if not same_score(decoding.score, best.score):
        raise AssertionError(_failure(f"got {decoding}, but the best is {best}", decoder, lattice))
    labels_score = path_score(lattice, decoding.labels) - penalty(lattice, decoder.rules, decoding.labels)
    if not same_score(decoding.score, labels_score):
        raise AssertionError(
            _failure(f"got {decoding}, but these labels score {labels_score!r}", decoder, lattice)
        )


def same_score(a: float, b: float) -> bool:
    """Whether two scores differ by no more than rounding does.

    Examples
    --------
    >>> same_score(1e6, 1e6 + 1e-5), same_score(0.0, 1e-5)
    (True, False)
    """
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _failure(problem: str, decoder: Decoder, lattice: AnyLattice) -> str:
    """The message, with everything that is needed to reproduce the failure."""
    lines = [
        problem,
        f"rules: {decoder.rules!r}",
        f"tokens: {lattice.tokens!r}",
        f"context: {dict(lattice.context)!r}",
    ]
    with np.printoptions(precision=17, threshold=100_000):
        if isinstance(lattice, Lattice):
            scores = [lattice.emissions, lattice.transitions, lattice.start, lattice.end]
            names = ["emissions", "transitions", "start", "end"]
            lines += [f"{name}: {array!r}" for name, array in zip(names, scores, strict=True)]
        else:
            graph = as_graph(lattice)
            lines += [f"arcs: {graph.arcs!r}", f"start: {graph.start}", f"final: {graph.final!r}"]
    return "\n".join([*lines, f"labels: {lattice.labels!r}"])
