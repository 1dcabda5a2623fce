"""Propositions in a report: arguments drawn over the words of their sentence."""

from __future__ import annotations

from typing import Any

from lawful.report.sentence_view import SentenceView
from lawful.tasks.srl import Analysis, RoleSequence
from lawful.tasks.srl.constituents import ConstituentSequence

__all__ = ["view_proposition"]


def view_proposition(analysis: Analysis, proposition: RoleSequence | ConstituentSequence) -> SentenceView:
    """What a report draws of a proposition: its words, its tree and its candidates.

    Parameters
    ----------
    analysis : Analysis
        Of the sentence, which the proposition was made from.
    proposition : RoleSequence or ConstituentSequence
        Over chunks, or over the constituents of the tree, all of which are candidates.

    Examples
    --------
    >>> from lawful.corpus.trees import Tree
    >>> from lawful.schemes import Span
    >>> from lawful.tasks.srl import role_sequence
    >>> tree = Tree.of([("S", 0, 4), ("NP", 0, 1), ("VP", 1, 4), ("NP", 2, 4)], ["PRP", "VBD", "DT", "NN"])
    >>> chunks = (Span("NP", 0, 1), Span("VP", 1, 2), Span("NP", 2, 4))
    >>> layers = Analysis(("He", "left", "the", "room"), ("PRP", "VBD", "DT", "NN"), chunks, tree=tree)
    >>> view = view_proposition(layers, role_sequence(layers, 1, "leave"))
    >>> [tuple(span) for span in view.arguments(("A0", "O", "A1"))], view.candidates
    ([('A0', 0, 1), ('A1', 2, 4)], ((0, 1), (2, 4)))

    >>> from lawful.tasks.srl.constituents import constituent_sequence
    >>> view = view_proposition(layers, constituent_sequence(layers, 1, "leave"))
    >>> [tuple(span) for span in view.arguments(("A0", "A1", "O", "O"))], view.candidates
    ([('A0', 0, 1), ('A1', 2, 4)], ((0, 1), (2, 4), (2, 3), (3, 4)))
    """
    if isinstance(proposition, ConstituentSequence):
        predicate: Any = proposition.sentence.context["predicate"]
        return SentenceView(
            words=analysis.words,
            spans=proposition.spans,
            joined=False,
            verb=int(predicate),
            tree=analysis.tree,
            candidates=proposition.spans,
        )
    return SentenceView(
        words=analysis.words,
        spans=tuple((span.start, span.end) for span in proposition.units.spans),
        verb=proposition.units.heads[proposition.units.verb],
        tree=analysis.tree,
        candidates=tuple((span.start, span.end) for span in proposition.candidates),
    )
