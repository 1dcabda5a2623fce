"""A proposition as a sequence of constituents: what may be an argument, its labels, and what the rules have to know."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lawful.corpus import Sentence
from lawful.errors import InputError
from lawful.schemes import Span
from lawful.tasks.srl.allowed_roles import disallowed_roles
from lawful.tasks.srl.analysis import Analysis
from lawful.tasks.srl.constituents.filtering import Constituent, filter_arguments
from lawful.tasks.srl.units import CORE_ROLES, OUTSIDE

__all__ = ["MODIFIERS", "TREE_ROLES", "ConstituentSequence", "constituent_sequence"]

_KINDS = ("ADV", "CAU", "DIR", "DIS", "EXT", "LOC", "MNR", "MOD", "NEG", "PNC", "PRD", "REC", "TMP")
MODIFIERS = tuple(f"AM-{kind}" for kind in _KINDS)
TREE_ROLES = (*CORE_ROLES, *MODIFIERS)
"""The roles of Loper (2008), Figure 5.2."""


@dataclass(frozen=True)
class ConstituentSequence:
    """One proposition over the constituents of its tree.

    Attributes
    ----------
    sentence : Sentence
        A token for each constituent: its words. The columns are `category` and `level` ("outer", or "inner" for one that is inside the
        last outer one before it); labels are roles and O. The context has `disallowed` (roles that the predicate cannot have),
        `lemma`, `predicate` (the position of its word) and `after` (the first constituent after it).
    constituents : tuple of Constituent
    spans : tuple of (start, end)
        The words of each constituent.
    """

    sentence: Sentence
    constituents: tuple[Constituent, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.spans)

    def unlabel(self, labels: Sequence[str]) -> list[Span]:
        """The arguments that labels describe, as spans of words.

        Examples
        --------
        >>> from lawful.corpus.trees import Tree
        >>> tree = Tree.of([("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("NP", 2, 3)], ["PRP", "VBD", "NN"])
        >>> made = constituent_sequence(Analysis(("He", "sold", "grain"), ("PRP", "VBD", "NN"), (), tree=tree), 1, "sell")
        >>> made.unlabel(["A0", "A1"])
        [Span(type='A0', start=0, end=1), Span(type='A1', start=2, end=3)]
        """
        if len(labels) != len(self.spans):
            raise InputError(f"{len(self.spans)} constituents, but {len(labels)} labels")
        return [
            Span(label, start, end)
            for label, (start, end) in zip(labels, self.spans, strict=True)
            if label != OUTSIDE
        ]


def constituent_sequence(
    analysis: Analysis,
    predicate: int,
    lemma: str,
    *,
    roles: Iterable[Span] | None = None,
    allowed: Mapping[str, Collection[str]] | None = None,
    keep: Collection[str] = TREE_ROLES,
) -> ConstituentSequence:
    """The sequence of a proposition over the constituents that `filter_arguments` leaves.

    Parameters
    ----------
    analysis : Analysis
        With a tree.
    predicate : int
        The position of its word.
    lemma : str
    roles : iterable of Span, optional
        The labelled roles, as spans of words. An argument that is no constituent of the sequence cannot be described: it has no label.
    allowed : mapping of lemma to roles, optional
        What each predicate can have; one that it does not know can have all.
    keep : collection of str
        The roles to label; all others are O.

    Examples
    --------
    >>> from lawful.corpus.trees import Tree
    >>> tree = Tree.of([("S", 0, 4), ("NP", 0, 1), ("VP", 1, 4), ("PP", 2, 4), ("NP", 3, 4)], ["PRP", "VBD", "TO", "NN"])
    >>> layers = Analysis(("He", "went", "to", "town"), ("PRP", "VBD", "TO", "NN"), (), tree=tree)
    >>> made = constituent_sequence(layers, 1, "go", roles=[Span("A1", 0, 1), Span("A4", 2, 4)])
    >>> made.sentence.tokens, made.sentence.labels, made.sentence.columns["level"]
    (('He', 'to town', 'town'), ('A1', 'A4', 'O'), ('outer', 'outer', 'inner'))
    """
    tree = analysis.tree
    if tree is None:
        raise InputError("constituents need a tree: give analyse() the column of the parse")
    if len(tree) != len(analysis.words):
        raise InputError(f"the tree has {len(tree)} words, but the sentence {len(analysis.words)}")
    found = tuple(filter_arguments(tree, predicate))
    spans = tuple((tree.nodes[one.node].start, tree.nodes[one.node].end) for one in found)
    labels = None
    if roles is not None:
        of_span = {(role.start, role.end): role.type for role in roles if role.type in keep}
        labels = tuple(of_span.get(span, OUTSIDE) for span in spans)
    after = next((index for index, (start, _) in enumerate(spans) if start > predicate), len(spans))
    sentence = Sentence(
        tuple(" ".join(analysis.words[start:end]) for start, end in spans),
        labels,
        {
            "category": tuple(tree.nodes[one.node].label for one in found),
            "level": tuple("inner" if one.inner else "outer" for one in found),
        },
        {
            "disallowed": disallowed_roles(lemma, allowed or {}),
            "lemma": lemma,
            "predicate": predicate,
            "after": after,
        },
    )
    return ConstituentSequence(sentence, found, spans)
