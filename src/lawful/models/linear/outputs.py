"""What features fire for: single labels, and groups of labels that share features."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.models.features.attribute_sequences import AttributeSequences

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["GroupFeatures", "Groups", "LabelPairs", "Outputs", "prefix_groups"]

LabelPairs = Sequence[tuple[str, str]] | None
GroupFeatures: TypeAlias = "Features | str | tuple[str, Sequence[str]] | None"

Groups = Mapping[str, Sequence[str]] | str | None

_SUBSCRIPTS = re.compile(r"[._,]\d+")


@dataclass(frozen=True)
class Outputs:
    """The outputs by name: first the labels that have features of their own, then the groups.

    A feature fires for every label of its output, so the score of a label is a sum over the outputs it belongs to.

    Examples
    --------
    >>> outputs = Outputs.of(LabelSet(["O", "I.1", "I.2"]), "prefix")
    >>> outputs.names, outputs.members
    (('O', 'I.1', 'I.2', 'I.*'), ((0,), (1,), (2,), (1, 2)))
    """

    names: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    labels: int
    """How many of the outputs are single labels, or groups that share their features; they come first."""
    steps: tuple[tuple[int, int], ...] | None = None
    """The labels that may stand side by side, ascending; None if all may."""

    @classmethod
    def of(
        cls,
        labels: LabelSet,
        groups: Groups = None,
        *,
        label_features: bool | Iterable[str] = True,
        apart: Sequence[str] | None = None,
    ) -> Outputs:
        """The outputs for the parameters `groups` and `label_features`.

        `groups` is a mapping from names to labels, or "prefix" (see `prefix_groups`); `label_features` says which labels have features
        of their own: all, none, or those that are listed. A label without any scores what its groups do, and 0 if it has no group.
        `apart` are the groups that have features of their own, all if not given; they come last.

        Examples
        --------
        >>> labels = LabelSet(["O", "A0", "A1"])
        >>> Outputs.of(labels, {"argument": ["A0", "A1"], "none": ["O"]}, label_features=["A0", "A1"]).names
        ('A0', 'A1', 'argument', 'none')
        """
        if isinstance(groups, str):
            if groups != "prefix":
                raise InputError(
                    f"groups must be a mapping from names to labels, or 'prefix', got {groups!r}"
                )
            groups = prefix_groups(labels)
        if isinstance(label_features, str):
            raise InputError(
                f"label_features must be True, False or a list of labels, got {label_features!r}"
            )
        chosen = list(labels) if label_features is True else list(label_features or ())
        own_features = sorted({labels.index(label) for label in chosen})
        names = [labels[k] for k in own_features]
        members: list[tuple[int, ...]] = [(k,) for k in own_features]
        listed = dict(groups or {})
        unknown = [name for name in apart or () if name not in listed]
        if unknown:
            raise InputError(
                f"group_features name {unknown[0]!r}, which is none of the groups {list(listed)}"
            )
        beside = [name for name in listed if apart is not None and name not in apart]
        own = len(names) + len(beside)
        for name, of in ((name, listed[name]) for name in (*beside, *(n for n in listed if n not in beside))):
            if name in names:
                raise InputError(f"group {name!r} has the name of another output: names must differ")
            if isinstance(of, str) or not len(of):
                raise InputError(f"group {name!r} must be a list of labels, got {of!r}")
            names.append(name)
            members.append(tuple(sorted({labels.index(label) for label in of})))
        if not names:
            raise InputError("without features of single labels there must be groups")
        return cls(tuple(names), tuple(members), own)

    def allowing(self, labels: LabelSet, pairs: Iterable[tuple[str, str]]) -> Outputs:
        """The same where only some labels may stand side by side. Pairs with a label that is not among `labels` count for nothing.

        Examples
        --------
        >>> labels = LabelSet(["B", "I", "O"])
        >>> Outputs.of(labels).allowing(labels, [("O", "O"), ("O", "B"), ("B", "I"), ("I", "O"), ("X", "O")]).steps
        ((0, 1), (1, 2), (2, 0), (2, 2))
        """
        known = [pair for pair in pairs if pair[0] in labels and pair[1] in labels]
        if not known:
            raise InputError(
                "allowed_transitions name no pair of the labels: sequences would have one token at most"
            )
        return replace(self, steps=tuple(sorted({(labels.index(a), labels.index(b)) for a, b in known})))

    def require_allowed(
        self, gold: npt.NDArray[np.int32], sequences: AttributeSequences, labels: LabelSet
    ) -> None:
        """Refuse labels side by side in the training data that are not allowed."""
        if self.steps is None:
            return
        allowed = np.zeros((len(labels), len(labels)), dtype=np.bool_)
        allowed[tuple(np.array(self.steps).T)] = True
        inside = np.ones(len(gold), dtype=np.bool_)
        inside[sequences.sequence_offsets[:-1]] = False
        wrong = np.flatnonzero(inside[1:] & ~allowed[gold[:-1], gold[1:]])
        if len(wrong):
            first, second = labels[int(gold[wrong[0]])], labels[int(gold[wrong[0] + 1])]
            sequence = int(np.searchsorted(sequences.sequence_offsets, wrong[0], side="right")) - 1
            raise InputError(
                f"sequence {sequence + 1} of the training data has {second!r} after {first!r}, which allowed_transitions do not allow"
            )

    def restrict(self, layout: _core.LinearLayout) -> _core.LinearLayout:
        """A layout of the core, in which only these labels may stand side by side."""
        if self.steps is None:
            return layout
        sources, targets = np.array(self.steps, dtype=np.int32).T
        try:
            return layout.with_steps(np.ascontiguousarray(sources), np.ascontiguousarray(targets))
        except ValueError as error:
            raise InputError(f"allowed_transitions: {error}") from None

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """(G + 1,): where the labels of each output start in `items`."""
        return np.cumsum([0, *map(len, self.members)], dtype=np.int64)

    @property
    def items(self) -> npt.NDArray[np.int32]:
        """The labels of all outputs, one output after another."""
        return np.array([k for members in self.members for k in members], dtype=np.int32)


def prefix_groups(labels: Iterable[str]) -> dict[str, list[str]]:
    """One group for each prefix of subdivided labels, as in section 4.4.5 of Loper (2008).

    A label is a tag with numbered subscripts behind it: `I`, `I.2`, `I.2.1` (or `I_2,1`). Labels that begin with the
    same tag and subscripts form a group. Prefixes that only one label has are left out: it has its own features.

    Examples
    --------
    >>> prefix_groups(["I.1", "I.2.1", "I.2.2", "O.1", "O.2", "B"])
    {'I.*': ['I.1', 'I.2.1', 'I.2.2'], 'I.2.*': ['I.2.1', 'I.2.2'], 'O.*': ['O.1', 'O.2']}
    """
    groups: dict[str, list[str]] = {}
    for label in labels:
        end = _first_subscript(label)
        cuts = [end, *(end + match.end() for match in _SUBSCRIPTS.finditer(label[end:]))]
        for cut in cuts:
            groups.setdefault(label[:cut] + ".*", []).append(label)
    return {name: members for name, members in groups.items() if len(members) > 1}


def _first_subscript(label: str) -> int:
    """Where the subscripts at the end of a label begin."""
    end = len(label)
    for match in reversed(list(_SUBSCRIPTS.finditer(label))):
        if match.end() != end:
            break
        end = match.start()
    return end
