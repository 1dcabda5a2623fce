"""Searches that found no answer, or stopped at a limit."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.errors.base import InputError, LawfulError
from lawful.errors.wording import listing

__all__ = [
    "EnumerationError",
    "InfeasibleError",
    "LimitError",
    "LossError",
    "NoLabelsError",
    "ProbabilityError",
    "ProductTooLargeError",
    "UnprovedError",
]


class InfeasibleError(LawfulError):
    """No label sequence obeys all hard rules.

    Attributes
    ----------
    rules : tuple of str
        The fewest rules that contradict each other on this sequence, unless `smallest` is False. Empty if the lattice
        alone, by its -inf scores, has no path.
    position : int or None
        The first token at which every labelling so far has broken one of them; None if it takes the whole
        sequence (something is still missing at the end), or if it is not `located`.
    sequence : int or None
        The index of the sequence in a batch, from 0; the message counts from 1.
    minimal : bool
        Whether each of the rules is needed: without any one, the others can hold. False if a limit of the call
        ended the search for those that are not.
    smallest : bool
        Whether it is proved that no fewer rules contradict each other.
    located : bool
        Whether the position is known. False if a limit of the call came first.
    missing : tuple of str
        Labels that these rules name and the model lacks.

    Examples
    --------
    >>> import lawful
    >>> rules = [lawful.at_least(2, "A"), lawful.at_most(1, "A"), lawful.ends_with("B")]
    >>> try:
    ...     lawful.decode(lawful.Lattice([[1.0, 0.0]] * 3, labels=["A", "B"]), rules)
    ... except lawful.InfeasibleError as error:
    ...     print(error.rules)
    ("at_least(2, 'A')", "at_most(1, 'A')")
    """

    def __init__(
        self,
        rules: Sequence[str],
        position: int | None,
        *,
        sequence: int | None = None,
        minimal: bool = True,
        smallest: bool = True,
        located: bool = True,
        missing: Sequence[str] = (),
    ) -> None:
        self.rules, self.position, self.sequence = tuple(rules), position, sequence
        self.minimal, self.smallest, self.located = minimal, smallest, located
        self.missing = tuple(missing)
        where = " by the end of the sequence" if position is None else f" at token {position}"
        where = where if located else ""
        which = "" if sequence is None else f"sequence {sequence + 1}: "
        advice = (
            "drop one, make it soft, or pass on_infeasible='least_bad' for the answer that breaks the fewest"
        )
        if not rules:
            what = f"the lattice has no path: its -inf scores forbid every label sequence{where}"
            advice = "no rule is involved, so check the scores: a model without smoothing, or a mask"
        elif len(rules) == 1:
            what = f"no path of the lattice obeys rule {rules[0]!r}{where}"
        else:
            what = f"rules {listing(rules)} cannot all hold{where}"
        if missing:
            what += f", and the model has no label{'s' if len(missing) > 1 else ''} {listing(missing)}"
        if not minimal:
            what += " (a limit ended the search for fewer: some of them may not be needed)"
        elif not smallest:
            what += " (each of them is needed, but fewer others may contradict each other, too)"
        super().__init__(f"{which}{what}; {advice}")

    def in_sequence(self, sequence: int) -> InfeasibleError:
        """The same error about one sequence of a batch."""
        return InfeasibleError(
            self.rules,
            self.position,
            sequence=sequence,
            minimal=self.minimal,
            smallest=self.smallest,
            located=self.located,
            missing=self.missing,
        )


class ProbabilityError(InputError):
    """Every legal label sequence scores so much, or so little, that rounding hides how likely each of them is.

    Attributes
    ----------
    log_partition : float
        The log of the sum of exp(score) over all of them.

    Examples
    --------
    >>> raise ProbabilityError(-1e30)
    Traceback (most recent call last):
    lawful.errors.ProbabilityError: all label sequences that are allowed score about -1e+30, and rounding hides how likely each is; use -inf instead of large negative scores, and hard rules instead of large prices
    """

    def __init__(self, log_partition: float) -> None:
        self.log_partition = log_partition
        super().__init__(
            f"all label sequences that are allowed score about {log_partition:g}, and rounding hides how likely each "
            "is; use -inf instead of large negative scores, and hard rules instead of large prices"
        )


class LimitError(LawfulError):
    """A search reached a limit of the call before it had proved its answer.

    Attributes
    ----------
    limit, value : str, float
        The name of the limit, and its value.
    sequence : int or None
        The index of the sequence in a batch, from 0; the message counts from 1.
    default : bool
        Whether the limit is the one that holds if none is given: half of the machine's free memory.

    Examples
    --------
    >>> raise LimitError("timeout", 1.5)
    Traceback (most recent call last):
    lawful.errors.LimitError: the search reached timeout=1.5; raise the limit, or pass on_limit='bounded' for the best answer so far with its bound
    """

    def __init__(
        self, limit: str, value: float, *, sequence: int | None = None, default: bool = False
    ) -> None:
        self.limit, self.value, self.sequence, self.default = limit, value, sequence, default
        which = "" if sequence is None else f"sequence {sequence + 1}: "
        raise_it = "raise the limit"
        if default:
            raise_it = f"that is half of the memory that is free: to use more, pass {limit}=... in bytes"
        super().__init__(
            f"{which}the search reached {limit}={value:g}; {raise_it}, or pass on_limit='bounded' "
            "for the best answer so far with its bound"
        )


class NoLabelsError(LawfulError):
    """A limit ended the search before it found any labels that obey the rules, where an answer without labels is of no use.

    Attributes
    ----------
    limit : str
        The name of the limit.
    location : str
        Which sequence it was, as the message begins.

    Examples
    --------
    >>> raise NoLabelsError("timeout", "gold.conll, line 8: ")
    Traceback (most recent call last):
    lawful.errors.NoLabelsError: gold.conll, line 8: a limit ended the search before it found any labels that obey the rules: raise timeout
    """

    def __init__(self, limit: str, location: str) -> None:
        self.limit, self.location = limit, location
        super().__init__(
            f"{location}a limit ended the search before it found any labels that obey the rules: raise {limit}"
        )


class ProductTooLargeError(LimitError):
    """The product of a lattice and its rules, from which sums and n-best lists are made, exceeds a limit of the call.

    Attributes
    ----------
    limit, value : str, float
        The name of the limit, and its value.
    states : int
        The number of states of the product when the limit was reached.
    during : str
        The rule or step that made it grow past the limit.
    """

    def __init__(
        self,
        limit: str,
        value: float,
        states: int,
        during: str,
        *,
        what: str = "the product of the lattice and the rules",
        advice: str = "leave out rules with much memory",
    ) -> None:
        super().__init__(limit, value)
        self.states, self.during = states, during
        problem = f"{what} reached {states:,} states, past {limit}={value:g}"
        self.args = (f"{problem}, with {during}; raise {limit}, or {advice}",)


class EnumerationError(InputError):
    """A lattice that is too large for enumerating its label sequences."""

    def __init__(self, limit: str, value: int) -> None:
        self.limit, self.value = limit, value
        super().__init__(
            f"enumerating every label sequence would exceed {limit}={value}; take a smaller lattice, raise the "
            "limit, or compare solvers with each other"
        )


class LossError(LawfulError):
    """Obeying the rules costs more than the caller allowed.

    Attributes
    ----------
    loss, max_loss : float
        The cost, and the maximum that was allowed.
    sequence : int or None
        The index of the sequence in a batch, from 0; the message counts from 1.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[3.0, 0.0]], labels=["A", "B"])
    >>> try:
    ...     lawful.decode(lattice, lawful.forbid("A"), max_loss=1.0, on_exceed="raise")
    ... except lawful.errors.LossError as error:
    ...     print(error.loss)
    3.0
    """

    def __init__(self, loss: float, max_loss: float, *, sequence: int | None = None) -> None:
        self.loss, self.max_loss, self.sequence = loss, max_loss, sequence
        which = "" if sequence is None else f"sequence {sequence + 1}: "
        super().__init__(
            f"{which}obeying the rules costs {loss:g}, more than max_loss={max_loss:g}; raise it, or pass "
            "on_exceed='plain' to take the rule-free answer in such cases"
        )


class UnprovedError(LawfulError):
    """A solver in floating point ended without a proof, though no limit of the call was reached.

    Attributes
    ----------
    solver, reason : str

    Examples
    --------
    >>> raise UnprovedError("ilp", "HiGHS ended with 'Solve error'")
    Traceback (most recent call last):
    lawful.errors.UnprovedError: solver='ilp' has no proof: HiGHS ended with 'Solve error'; use solver='auto', or pass on_limit='bounded' for the best answer so far with its bound
    """

    def __init__(self, solver: str, reason: str) -> None:
        self.solver, self.reason = solver, reason
        super().__init__(
            f"solver={solver!r} has no proof: {reason}; use solver='auto', or pass on_limit='bounded' for the best "
            "answer so far with its bound"
        )
