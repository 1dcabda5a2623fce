"""The constituents that may be arguments of a predicate, by the argument filter of Loper (2008), Figure 5.1."""

from __future__ import annotations

from typing import NamedTuple

from lawful.corpus.trees import Tree
from lawful.tasks.srl.units import require_position

__all__ = ["PUNCTUATION", "Constituent", "filter_arguments", "require_word"]

PUNCTUATION = frozenset(("``", "''", ",", ":", ".", "-LRB-", "-RRB-", "(", ")", "#", "HYPH", "NFP"))
_PREPOSITIONS = frozenset(("IN", "TO"))
_OPENED = frozenset(("PP", "S", "NP", "ADVP"))


class Constituent(NamedTuple):
    """A node that may be an argument.

    Attributes
    ----------
    node : int
        Its index in the tree.
    inner : bool
        Whether it is inside another constituent of the list, the last one before it that is not inner.
    """

    node: int
    inner: bool


def filter_arguments(tree: Tree, predicate: int) -> list[Constituent]:
    """The nodes of a tree that may be arguments of a predicate, in the order of a depth-first walk.

    A node stays if its parent is an ancestor of the predicate, or if its grandparent is and its parent is a PP, S, NP or
    ADVP; never if it is an ancestor of the predicate, the predicate itself, punctuation or a preposition. Of nodes over the same words the
    outermost stays.

    Parameters
    ----------
    tree : Tree
    predicate : int
        The position of its word.

    Examples
    --------
    >>> tree = Tree.of([("S", 0, 5), ("NP", 0, 2), ("VP", 2, 5), ("PP", 3, 5), ("NP", 4, 5)], ["DT", "NN", "VBD", "IN", "NN"])
    >>> [(tree.nodes[found.node].label, found.inner) for found in filter_arguments(tree, 2)]
    [('NP', False), ('DT', True), ('NN', True), ('PP', False), ('NP', True)]
    """
    require_word(predicate, tree)
    leaf = tree.leaves[predicate]
    above = set(tree.ancestors(leaf))
    found: list[Constituent] = []
    seen: set[tuple[int, int]] = set()
    for index, node in enumerate(tree.nodes):  # nodes are in the order of the walk
        if index in above or index == leaf or node.parent < 0 or not _may_be_one(tree, index):
            continue
        inner = node.parent not in above
        if inner:
            parent = tree.nodes[node.parent]
            if parent.parent not in above or _plain(parent.label) not in _OPENED:
                continue
        if (node.start, node.end) not in seen:
            seen.add((node.start, node.end))
            found.append(Constituent(index, inner))
    return found


def require_word(predicate: int, tree: Tree) -> None:
    """Refuse a predicate that is outside the tree."""
    require_position("predicate", predicate, len(tree))


def _may_be_one(tree: Tree, index: int) -> bool:
    node = tree.nodes[index]
    return bool(node.children) or (node.label not in PUNCTUATION and node.label not in _PREPOSITIONS)


def _plain(label: str) -> str:
    """A label without function tags."""
    return label if label.startswith("-") else label.split("-")[0].split("=")[0]
