"""Searches that found no answer, or stopped at a limit."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Self

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
    "SearchError",
    "UnprovedError",
]


class SearchError(LawfulError):
    """The base of errors of one search: nothing was found, or it ended before it was proved.

    Attributes
    ----------
    sequence : int or None
        The index of the sequence in a batch, from 0; the message counts from 1.
    """

    sequence: int | None = None
    _call = "pass"  # how the caller passes the option that the message advises

    def _message(self) -> str:
        """The message without the number of the sequence."""
        raise NotImplementedError

    def _worded(self) -> str:
        which = "" if self.sequence is None else f"sequence {self.sequence + 1}: "
        return which + self._message()

    def in_sequence(self, sequence: int) -> Self:
        """The same error about one sequence of a batch.

        Examples
        --------
        >>> raise LossError(2.5, 1.0).in_sequence(3)
        Traceback (most recent call last):
        lawful.errors.LossError: sequence 4: obeying the rules costs 2.5, more than max_loss=1; raise it, or pass on_exceed='plain' to take the rule-free answer in such cases
        """
        return self._changed(sequence=sequence)

    def advising(self, call: str) -> Self:
        """The same error for a caller who cannot simply pass the option that it advises: `call` is what comes before it.

        Examples
        --------
        >>> raise LossError(2.5, 1.0).advising("call `decode` with")
        Traceback (most recent call last):
        lawful.errors.LossError: obeying the rules costs 2.5, more than max_loss=1; raise it, or call `decode` with on_exceed='plain' to take the rule-free answer in such cases
        """
        return self._changed(_call=call)

    def _changed(self, **fields: object) -> Self:
        other = copy.copy(self)
        vars(other).update(fields)
        if hasattr(self, "__notes__"):
            other.__notes__ = [*self.__notes__]  # not the same list
        other.args = (other._worded(),)
        return other


class InfeasibleError(SearchError):
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
    reason : str
        What to say in place of the usual words, where no rule is involved and more is known of the scores.

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
        reason: str = "",
    ) -> None:
        self.rules, self.position, self.sequence = tuple(rules), position, sequence
        self.minimal, self.smallest, self.located = minimal, smallest, located
        self.missing, self.reason = tuple(missing), reason
        super().__init__(self._worded())

    def _message(self) -> str:
        if self.reason:
            return self.reason
        rules, missing = self.rules, self.missing
        where = " by the end of the sequence" if self.position is None else f" at token {self.position}"
        where = where if self.located else ""
        advice = f"drop one, make it soft, or {self._call} on_infeasible='least_bad' for the answer that breaks the fewest"
        if not rules:
            what = f"the lattice has no path: its -inf scores forbid every label sequence{where}"
            advice = "no rule is involved, so check the scores: a model without smoothing, or a mask"
        elif len(rules) == 1:
            what = f"no path of the lattice obeys rule {rules[0]!r}{where}"
        else:
            what = f"rules {listing(rules)} cannot all hold{where}"
        if missing:
            what += f", and the model has no label{'s' if len(missing) > 1 else ''} {listing(missing)}"
        if not self.minimal:
            what += " (a limit ended the search for fewer: some of them may not be needed)"
        elif not self.smallest:
            what += " (each of them is needed, but fewer others may contradict each other, too)"
        return f"{what}; {advice}"


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


class LimitError(SearchError):
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
        super().__init__(self._worded())

    def _message(self) -> str:
        raise_it = "raise the limit"
        if self.default:
            raise_it = f"that is half of the memory that is free: to use more, pass {self.limit}=... in bytes"
        return (
            f"the search reached {self.limit}={self.value:g}; {raise_it}, or {self._call} on_limit='bounded' "
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
        self.states, self.during, self._what, self._advice = states, during, what, advice
        super().__init__(limit, value)

    def _message(self) -> str:
        problem = f"{self._what} reached {self.states:,} states, past {self.limit}={self.value:g}"
        return f"{problem}, with {self.during}; raise {self.limit}, or {self._advice}"


class EnumerationError(InputError):
    """A lattice that is too large for enumerating its label sequences."""

    def __init__(self, limit: str, value: int) -> None:
        self.limit, self.value = limit, value
        super().__init__(
            f"enumerating every label sequence would exceed {limit}={value}; take a smaller lattice, raise the "
            "limit, or compare solvers with each other"
        )


class LossError(SearchError):
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
        super().__init__(self._worded())

    def _message(self) -> str:
        return (
            f"obeying the rules costs {self.loss:g}, more than max_loss={self.max_loss:g}; raise it, or {self._call} "
            "on_exceed='plain' to take the rule-free answer in such cases"
        )


class UnprovedError(SearchError):
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
        super().__init__(self._worded())

    def _message(self) -> str:
        return (
            f"solver={self.solver!r} has no proof: {self.reason}; use solver='auto', or {self._call} on_limit='bounded' for "
            "the best answer so far with its bound"
        )
