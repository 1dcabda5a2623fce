"""Trees from a column of brackets, and back: `(S(NP*)`, `(VP*))`."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.corpus.formats.brackets import column_spans, read_brackets, write_brackets
from lawful.corpus.sentence import Sentence
from lawful.corpus.trees.tree import Tree
from lawful.errors import CorpusError, InputError

__all__ = ["read_tree", "sentence_tree", "write_tree"]


def read_tree(brackets: Sequence[str], tags: Sequence[str]) -> Tree:
    """The tree of a column of brackets and the parts of speech.

    Examples
    --------
    >>> print(read_tree(["(S(NP*)", "(VP*", "*))"], ["PRP", "VBD", "RB"]))
    (S (NP PRP) (VP VBD RB))
    """
    if len(brackets) != len(tags):
        raise InputError(f"{len(brackets)} brackets, but {len(tags)} parts of speech")
    return Tree.of(read_brackets(brackets), tags)


def write_tree(tree: Tree) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The brackets and the parts of speech of a tree, as `read_tree` read them.

    Examples
    --------
    >>> write_tree(read_tree(["(S(NP*)", "(VP*))"], ["PRP", "VBD"]))
    (('(S(NP*)', '(VP*))'), ('PRP', 'VBD'))
    """
    tags = tuple(tree.nodes[leaf].label for leaf in tree.leaves)
    return write_brackets(tree.phrases(), len(tags)), tags


def sentence_tree(sentence: Sentence, *, parse: str = "parse", pos: str = "parse_pos") -> Tree:
    """The tree in two columns of a sentence; an error names the file and the line.

    Parameters
    ----------
    sentence : Sentence
    parse, pos : str
        The columns of brackets and of parts of speech.

    Examples
    --------
    >>> columns = {"parse": ("(S(NP*)", "(VP*))"), "pos": ("PRP", "VBD")}
    >>> print(sentence_tree(Sentence(("He", "left"), None, columns), pos="pos"))
    (S (NP PRP) (VP VBD))
    """
    phrases = column_spans(sentence, parse)
    if pos not in sentence.columns:
        raise InputError(f"{sentence.location()}no column {pos!r} of parts of speech for the tree")
    try:
        return Tree.of(phrases, sentence.columns[pos])
    except InputError as error:
        line = sentence.lines[0] if sentence.lines else None
        raise CorpusError(sentence.source or "the text", line, f"column {parse!r}: {error}") from None
