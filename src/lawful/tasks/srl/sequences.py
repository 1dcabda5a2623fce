"""A proposition as a sequence: the heads of its units, their labels, and the context that the rules ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from lawful.corpus import Sentence
from lawful.schemes import Span
from lawful.tasks.srl.allowed_roles import disallowed_roles
from lawful.tasks.srl.analysis import Analysis
from lawful.tasks.srl.candidates import candidate_spans
from lawful.tasks.srl.units import CORE_ROLES, Units, cut_units

__all__ = ["RoleSequence", "role_sequence"]


@dataclass(frozen=True)
class RoleSequence:
    """One proposition, to be labelled.

    Attributes
    ----------
    sentence : Sentence
        Tokens are the heads of the units, with the columns `pos` and `chunk`; labels are core roles and O. The context has
        `verb` (the unit of the verb), `candidates` (spans of two or more units that must get one label each),
        `disallowed` (roles that the verb cannot have), `lemma`, and `predicate` (the position of the verb's word).
    units : Units
        The words of each token, to project labels back.
    texts : tuple of str
        All words of each unit.
    candidates : tuple of Span
        All argument candidates as spans of words, also those of one unit.
    """

    sentence: Sentence
    units: Units
    texts: tuple[str, ...]
    candidates: tuple[Span, ...] = ()

    def spelled_out(self) -> Sentence:
        """The same sequence with all words of each unit as its tokens, to show to people: in a report, or in an explanation."""
        return replace(self.sentence, tokens=self.texts)


def role_sequence(
    analysis: Analysis,
    verb: int,
    lemma: str,
    *,
    roles: Iterable[Span] | None = None,
    allowed: Mapping[str, Collection[str]] | None = None,
    keep: Collection[str] = CORE_ROLES,
    open_clauses: bool = False,
    trim: bool = False,
) -> RoleSequence:
    """The sequence of a proposition.

    Parameters
    ----------
    analysis : Analysis
        Without a tree there are no candidates.
    verb : int
        The position of the verb's word.
    lemma : str
    roles : iterable of Span, optional
        The labelled roles, as spans of words; without them the sequence has no labels.
    allowed : mapping of lemma to roles, optional
        What each verb can have; a verb that it does not know can have all.
    keep : collection of str
        The roles to label; all others are O.
    open_clauses, trim : bool
        Other candidates than the paper's: see `candidate_spans`.

    Examples
    --------
    >>> from lawful.corpus.trees import Tree
    >>> tree = Tree.of([("S", 0, 5), ("NP", 0, 1), ("VP", 1, 5), ("NP", 2, 5)], ["PRP", "VBD", "DT", "NN", "NN"])
    >>> chunks = [Span("NP", 0, 1), Span("VP", 1, 2), Span("NP", 2, 4), Span("NP", 4, 5)]
    >>> words = ("He", "left", "the", "room", "yesterday")
    >>> layers = Analysis(words, ("PRP", "VBD", "DT", "NN", "NN"), tuple(chunks), tree=tree)
    >>> made = role_sequence(layers, 1, "leave", roles=[Span("A0", 0, 1), Span("A1", 2, 4)], allowed={"leave": ["A0", "A1", "A2"]})
    >>> made.sentence.tokens, made.sentence.labels
    (('He', 'left', 'room', 'yesterday'), ('A0', 'O', 'A1', 'O'))
    >>> made.spelled_out().tokens
    ('He', 'left', 'the room', 'yesterday')
    >>> made.sentence.context["candidates"], made.sentence.context["disallowed"]
    ([(2, 4)], ['A3', 'A4', 'A5'])
    """
    units = cut_units(analysis.chunks, len(analysis.words), verb)
    tree = analysis.tree
    spans = [] if tree is None else candidate_spans(tree, verb, open_clauses=open_clauses, trim=trim)
    projected = units.project((span.start, span.end) for span in spans)
    context = {
        "verb": units.verb,
        "candidates": [span for span in projected if span[1] - span[0] > 1],
        "disallowed": disallowed_roles(lemma, allowed or {}),
        "lemma": lemma,
        "predicate": verb,
    }
    heads = units.heads
    sentence = Sentence(
        tuple(analysis.words[head] for head in heads),
        None if roles is None else units.label(roles, tuple(keep)),
        {
            "pos": tuple(analysis.pos[head] for head in heads),
            "chunk": tuple(span.type for span in units.spans),
        },
        context,
    )
    texts = tuple(" ".join(analysis.words[span.start : span.end]) for span in units.spans)
    return RoleSequence(sentence, units, texts, tuple(spans))
