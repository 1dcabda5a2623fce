"""What is known of a sentence before its roles: parts of speech, chunks, clauses, entities, a parse."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawful.corpus import Sentence, column_spans
from lawful.corpus.trees import Tree, find_heads, sentence_tree
from lawful.errors import InputError
from lawful.schemes import Span, find_spans

__all__ = ["Analysis", "analyse", "base_phrases"]


@dataclass(frozen=True)
class Analysis:
    """The layers of a sentence from which candidates and features are made, once for all its verbs.

    Attributes
    ----------
    words, pos : tuple of str
    chunks : tuple of Span
        They do not overlap, and need not hold every word.
    clauses : tuple of Span
        Nested, outer ones first.
    entities : tuple of Span
    tree : Tree or None
    clause_of : tuple of int
        The index of the innermost clause around each word; -1 for none.
    heads : tuple of int
        The position of the head word of each node of the tree.
    """

    words: tuple[str, ...]
    pos: tuple[str, ...]
    chunks: tuple[Span, ...]
    clauses: tuple[Span, ...] = ()
    entities: tuple[Span, ...] = ()
    tree: Tree | None = None
    clause_of: tuple[int, ...] = field(init=False, repr=False)
    heads: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        clause_of = [-1] * len(self.words)
        for index, clause in enumerate(self.clauses):  # inner ones come later
            clause_of[clause.start : clause.end] = [index] * (clause.end - clause.start)
        object.__setattr__(self, "clause_of", tuple(clause_of))
        object.__setattr__(self, "heads", () if self.tree is None else find_heads(self.tree))


def analyse(
    sentence: Sentence,
    *,
    pos: str = "pos",
    chunks: str | None = "chunk",
    clauses: str | None = None,
    entities: str | None = None,
    parse: str | None = None,
    parse_pos: str = "parse_pos",
) -> Analysis:
    """The layers of a sentence, by the names of their columns.

    Parameters
    ----------
    sentence : Sentence
    pos, chunks, clauses, entities, parse, parse_pos : str or None
        None for a layer that there is not. Chunks may be brackets, or tags (IOB1 or IOB2); without a column of chunks the
        lowest phrases of the parse take their place.

    Examples
    --------
    >>> columns = {"pos": ("PRP", "VBD"), "chunk": ("B-NP", "B-VP"), "clause": ("(S*", "*S)")}
    >>> analyse(Sentence(("He", "left"), None, columns), clauses="clause").chunks
    (Span(type='NP', start=0, end=1), Span(type='VP', start=1, end=2))
    """
    tree = None if parse is None else sentence_tree(sentence, parse=parse, pos=parse_pos)
    if pos not in sentence.columns:
        known = ", ".join(sentence.columns) or "none"
        raise InputError(
            f"{sentence.location()}no column {pos!r} of parts of speech; the columns are {known}"
        )
    lowest = [] if tree is None else base_phrases(tree)
    return Analysis(
        sentence.tokens,
        sentence.columns[pos],
        tuple(lowest if chunks is None else _chunks(sentence, chunks)),
        () if clauses is None else tuple(column_spans(sentence, clauses)),
        () if entities is None else tuple(column_spans(sentence, entities)),
        tree,
    )


def _chunks(sentence: Sentence, name: str) -> list[Span]:
    column = sentence.columns.get(name, ())
    if not column or "*" in column[0]:
        return column_spans(sentence, name)
    try:
        return find_spans(column, "IOB2")
    except InputError as error:
        raise InputError(f"{sentence.location()}column {name!r}: {error}") from None


def base_phrases(tree: Tree) -> list[Span]:
    """The lowest phrases of a tree, as chunks: neighbouring words right below the same phrase.

    Examples
    --------
    >>> tree = Tree.of([("S", 0, 4), ("NP", 0, 2), ("VP", 2, 4), ("NP", 3, 4)], ["DT", "NN", "VBD", "PRP"])
    >>> [tuple(chunk) for chunk in base_phrases(tree)]
    [('NP', 0, 2), ('VP', 2, 3), ('NP', 3, 4)]
    """
    found: list[Span] = []
    last = -1
    for position, leaf in enumerate(tree.leaves):
        parent = tree.nodes[leaf].parent
        if parent == last:
            found[-1] = found[-1]._replace(end=position + 1)
        else:
            found.append(Span(tree.nodes[parent].label, position, position + 1))
        last = parent
    return found
