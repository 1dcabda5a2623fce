"""Labels with the arguments before them: the augmented tags of Loper (2008), section 5.6, as an encoding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from lawful.automata.transducers.transducer import Ending, Transducer, TransducerArc
from lawful.encodings.encoding import Attributes, Encoding
from lawful.encodings.symbols import FeatureSymbol
from lawful.errors import InputError
from lawful.support.numbers import check_count
from lawful.tasks.srl.units import CORE_ROLES

__all__ = ["PREDICATE", "History", "HistoryTags", "history_tags"]

PREDICATE = "PRED"
"""Stands in a history where the predicate was passed."""

History = tuple[str, ...]
AFTER = "after predicate"


@dataclass(frozen=True)
class HistoryTags:
    """Tags that are a label and a history: which core arguments came before, in order, and whether the predicate did.

    Histories that are not among the kept ones are replaced by the closest kept one: neighbouring repetitions of an argument
    count once, then arguments are left out, the highest number first.

    Attributes
    ----------
    labels : tuple of str
    histories : tuple of histories
        The kept ones. Always among them: nothing, and the predicate alone.

    Examples
    --------
    >>> tags = HistoryTags(("O", "A0", "A1", "A2"), ((), ("PRED",), ("A0",), ("A0", "PRED"), ("A0", "PRED", "A1")))
    >>> tags.histories_of(["A0", "O", "A1", "A2", "O"], after=2)
    [(), ('A0',), ('A0', 'PRED'), ('A0', 'PRED', 'A1'), ('A0', 'PRED', 'A1')]
    >>> tags.tag("A1", ("A0", "PRED"))
    'A0+PRED:A1'
    """

    labels: tuple[str, ...]
    histories: tuple[History, ...]

    def __post_init__(self) -> None:
        missing = [history for history in ((), (PREDICATE,)) if history not in self.histories]
        object.__setattr__(self, "histories", (*missing, *self.histories))

    def closest(self, history: Sequence[str]) -> History:
        """The kept history that is closest."""
        left = [item for item, _ in groupby(history)]
        while tuple(left) not in self.histories:
            arguments = [item for item in left if item != PREDICATE]
            if not arguments:
                return (PREDICATE,) if left else ()
            last = max(arguments)
            left = [item for item, _ in groupby(item for item in left if item != last)]
        return tuple(left)

    def step(self, history: History, label: str) -> History:
        """The history after a label."""
        return self.closest((*history, label)) if label in CORE_ROLES else history

    def passed(self, history: History) -> History:
        """The history once the predicate stands behind it too."""
        return history if PREDICATE in history else self.closest((*history, PREDICATE))

    def histories_of(self, labels: Sequence[str], after: int) -> list[History]:
        """The history before each label; `after` is the position of the first token after the predicate."""
        found: list[History] = []
        history: History = ()
        for position, label in enumerate(labels):
            if position == after:
                history = self.passed(history)
            found.append(history)
            history = self.step(history, label)
        return found

    def tag(self, label: str, history: History) -> str:
        """The tag of a label after a history."""
        return f"{'+'.join(history)}:{label}"

    def tags(self) -> list[str]:
        """All tags: each label with each history."""
        return [self.tag(label, history) for history in self.histories for label in self.labels]

    def encode(self, labels: Sequence[str], after: int) -> list[str]:
        """The tags of labels.

        Examples
        --------
        >>> HistoryTags(("O", "A0"), (("A0",), ("A0", "PRED"))).encode(["A0", "O", "O"], after=2)
        [':A0', 'A0:O', 'A0+PRED:O']
        """
        return [
            self.tag(label, history)
            for label, history in zip(labels, self.histories_of(labels, after), strict=True)
        ]

    def groups(self) -> dict[str, list[str]]:
        """The groups of tags that share features: those with one label, and those with one label and one last argument (Eq. 5.10, 5.11)."""
        found: dict[str, list[str]] = {}
        for history in self.histories:
            last = next((item for item in reversed(history) if item != PREDICATE), "<none>")
            for label in self.labels:
                for name in (f"*:{label}", f"*{last}:{label}"):
                    found.setdefault(name, []).append(self.tag(label, history))
        return found

    def transitions(self) -> list[tuple[str, str]]:
        """The pairs of tags that can stand side by side: all others contradict each other's history."""
        found: dict[tuple[str, str], None] = {}
        for history in self.histories:
            for label in self.labels:
                following = self.step(history, label)
                for reached in (following, self.passed(following)):
                    for other in self.labels:
                        found[self.tag(label, history), self.tag(other, reached)] = None
        return list(found)

    def encoding(self, attribute: str = AFTER, attributes: Attributes | None = None) -> Encoding:
        """The same as an `Encoding`, for `Encoded` models. It knows the first token after the predicate by an attribute.

        Parameters
        ----------
        attribute : str
            What the first token after the predicate has, and no other.
        attributes : function of tokens, optional
            The attributes of each token; tokens that are lists of attributes need none.

        Examples
        --------
        >>> encoding = HistoryTags(("O", "A0"), (("A0",), ("A0", "PRED"))).encoding()
        >>> encoding.encode(["A0", "O", "O"], [[], [], ["after predicate"]])
        (':A0', 'A0:O', 'A0+PRED:O')
        """
        ordered = sorted(self.histories, key=len)  # the start, where nothing was seen, is state 0
        number = {history: index for index, history in enumerate(ordered)}
        arcs = []
        for state, index in number.items():
            for label in self.labels:
                for here, before in ((False, state), (True, self.passed(state))):
                    symbol = FeatureSymbol.of(label, [attribute] if here else (), () if here else [attribute])
                    following = number[self.step(before, label)]
                    arcs.append(TransducerArc(index, symbol, following, (self.tag(label, before),)))
        return Encoding(
            Transducer(arcs, [Ending(index) for index in number.values()]),
            labels=self.labels,
            name=f"{len(self.histories)} histories",
            attributes=attributes,
        )


def history_tags(
    labels: Sequence[str], propositions: Iterable[tuple[Sequence[str], int]], *, most: int = 20
) -> HistoryTags:
    """The tags of labels with the most frequent histories of labelled propositions.

    Parameters
    ----------
    labels : sequence of str
    propositions : iterable of (labels, after)
        `after` is the position of the first token after the predicate.
    most : int
        How many histories to keep.

    Examples
    --------
    >>> found = history_tags(["O", "A0", "A1"], [(["A0", "A1"], 1), (["A0", "O"], 1), (["A1"], 1)], most=2)
    >>> found.histories
    (('PRED',), (), ('A0', 'PRED'))
    """
    check_count("most", most, least=1)
    counted: Counter[History] = Counter()
    for of_proposition, after in propositions:
        history: list[str] = [PREDICATE] if after == 0 else []
        for position, label in enumerate(of_proposition):
            if label not in labels:
                raise InputError(f"the label {label!r} is not one of {list(labels)}")
            counted[tuple(history)] += 1
            history += [label] if label in CORE_ROLES else []
            history += [PREDICATE] if position + 1 == after else []
    return HistoryTags(tuple(labels), tuple(history for history, _ in counted.most_common(most)))
