"""The linear program behind a lattice and its rules, for other solvers and for people."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from lawful.decoding.decoder import Decoder
from lawful.lattice import AnyLattice
from lawful.rules.given_rules import RulesLike

__all__ = ["to_lp"]


def to_lp(
    lattice: AnyLattice,
    rules: RulesLike = (),
    path: str | PathLike[str] | None = None,
) -> str:
    r"""The integer linear program that `solver="ilp"` solves, as an LP file.

    Its optimum is the score of the best labels. Variables are named after positions and labels (`x3.A.B` is 1 if
    token 2 is A and token 3 is B), constraints after the rules that they come from.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
        Graphs must be acyclic.
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
    path : path, optional
        Where to write it.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[1.0, 2.0], [0.0, 1.0]], labels=["O", "Name"])
    >>> print(lawful.decoding.to_lp(lattice, lawful.at_most(1, "Name").soft(0.7)))
    \ The best labels of 2 tokens are the best solution of this program.
    \ It has 5 variables and 3 constraints.
    Maximize
     score: x0.O + 2.0 x0.Name + x1.Name - 0.7 broken.at_most_1_Name
    Subject To
    \ every token has one label; x3.A is 1 if token 3 is A
     flow.1: x0.O + x0.Name = 1
     flow.2: - x0.O - x0.Name + x1.O + x1.Name = 0
    \ at_most(1, 'Name') (0.7 if broken)
     at_most_1_Name: x0.Name + x1.Name - broken.at_most_1_Name <= 1
    Binaries
     x0.O x0.Name x1.O x1.Name broken.at_most_1_Name
    End
    <BLANKLINE>
    """
    from lawful.solvers.ilp.text import lp_text  # few need it, and importing lawful should stay cheap

    decoder = Decoder(rules, labels=lattice.labels)
    text = lp_text(decoder._problem(lattice))
    if path is not None:
        Path(path).write_text(text, encoding="ascii")
    return text
