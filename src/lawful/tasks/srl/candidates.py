"""Argument candidates: the constituents that the pruning of Xue & Palmer (2004) leaves."""

from __future__ import annotations

from lawful.corpus.trees import Tree
from lawful.schemes import Span

__all__ = ["candidate_nodes", "candidate_spans"]

_WITH_CHILDREN = ("PP",)
_COORDINATION = ("CC", "CONJP")
_PUNCTUATION = frozenset(("``", "''", ",", ":", ".", "-LRB-", "-RRB-", "(", ")", "#"))


def candidate_nodes(tree: Tree, verb: int, *, open_clauses: bool = False) -> list[int]:
    """The nodes of a tree that may be arguments of a verb, in the order of the tree.

    On the way from the verb to the root all sisters are candidates, and so are the children of a sister that is a
    prepositional phrase. Sisters that are coordinated with the node on the way are not: of two phrases of one category
    with a conjunction beside them, each has arguments of its own.

    Parameters
    ----------
    tree : Tree
    verb : int
        The position of the verb.
    open_clauses : bool
        Whether a clause right beside the verb that begins with a noun phrase gives way to its children: in "named [him
        chairman]" each of them is an argument. Not in the paper.

    Examples
    --------
    >>> tree = Tree.of([("S", 0, 5), ("NP", 0, 1), ("VP", 1, 5), ("PP", 3, 5), ("NP", 4, 5)], ["PRP", "VBD", "RB", "IN", "NN"])
    >>> [tree.nodes[index].label for index in candidate_nodes(tree, 1)]
    ['NP', 'RB', 'PP', 'IN', 'NP']
    """
    found: set[int] = set()
    here = leaf = tree.leaves[verb]
    for parent in tree.ancestors(here):
        sisters = tree.nodes[parent].children
        coordinated = any(tree.nodes[sister].label in _COORDINATION for sister in sisters)
        for sister in sisters:
            if sister == here or (coordinated and _alike(tree, sister, here)):
                continue
            if open_clauses and here == leaf and _begins_with_noun_phrase(tree, sister):
                found.update(tree.nodes[sister].children)
                continue
            found.add(sister)
            if tree.nodes[sister].label in _WITH_CHILDREN:
                found.update(tree.nodes[sister].children)
        here = parent
    return sorted(found)


def _alike(tree: Tree, sister: int, here: int) -> bool:
    return tree.nodes[sister].label == tree.nodes[here].label


def _begins_with_noun_phrase(tree: Tree, sister: int) -> bool:
    node = tree.nodes[sister]
    return node.label == "S" and bool(node.children) and tree.nodes[node.children[0]].label == "NP"


def candidate_spans(tree: Tree, verb: int, *, open_clauses: bool = False, trim: bool = False) -> list[Span]:
    """The candidates of a verb as spans of words, each once, with the label of the outermost node over them.

    Parameters
    ----------
    tree : Tree
    verb : int
        The position of the verb.
    open_clauses : bool
        See `candidate_nodes`.
    trim : bool
        Whether quotation marks and other punctuation at either end of a candidate are left out: parsers attach them here and
        there, and roles are labelled without them. Not in the paper.

    Examples
    --------
    >>> tree = Tree.of([("S", 0, 4), ("NP", 0, 2), ("VP", 2, 4)], ["PRP", ",", "VBD", "NN"])
    >>> [tuple(span) for span in candidate_spans(tree, 2)]
    [('NP', 0, 2), ('NN', 3, 4)]
    >>> [tuple(span) for span in candidate_spans(tree, 2, trim=True)]
    [('NP', 0, 1), ('NN', 3, 4)]
    """
    found: dict[tuple[int, int], Span] = {}
    for index in candidate_nodes(tree, verb, open_clauses=open_clauses):
        node = tree.nodes[index]
        start, end = _trimmed(tree, node.start, node.end) if trim else (node.start, node.end)
        if start < end:
            found.setdefault((start, end), Span(node.label, start, end))
    return list(found.values())


def _trimmed(tree: Tree, start: int, end: int) -> tuple[int, int]:
    def is_punctuation(word: int) -> bool:
        return tree.nodes[tree.leaves[word]].label in _PUNCTUATION

    while start < end and is_punctuation(start):
        start += 1
    while start < end and is_punctuation(end - 1):
        end -= 1
    return start, end
