"""A constituency tree: phrases and, as its leaves, the parts of speech of the tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lawful.errors import InputError
from lawful.schemes.spans import Span

__all__ = ["Node", "Tree"]


class Node(NamedTuple):
    """A phrase or, without children, the part of speech of one token.

    Attributes
    ----------
    label : str
    start, end : int
        The tokens from `start` up to, but not including, `end`.
    parent : int
        The index of the phrase around it; -1 for the root.
    children : tuple of int
        Indices, from left to right.
    """

    label: str
    start: int
    end: int
    parent: int
    children: tuple[int, ...]


@dataclass(frozen=True)
class Tree:
    """The nodes of a tree, each before its children, from left to right; the first is the root.

    Every token has a leaf, and every phrase a child: nodes without children are the parts of speech.

    Examples
    --------
    >>> tree = Tree.of([("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3)], ["PRP", "VBD", "RB"])
    >>> print(tree)
    (S (NP PRP) (VP VBD RB))
    >>> tree.leaves, tree.nodes[3]
    ((2, 4, 5), Node(label='VP', start=1, end=3, parent=0, children=(4, 5)))
    """

    nodes: tuple[Node, ...]
    leaves: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        leaves = tuple(index for index, node in enumerate(self.nodes) if not node.children)
        object.__setattr__(self, "leaves", leaves)

    @staticmethod
    def of(phrases: Iterable[tuple[str, int, int]], tags: Iterable[str]) -> Tree:
        """The tree of phrases as `read_brackets` gives them: by start, and longer or outer ones first.

        Parameters
        ----------
        phrases : iterable of (label, start, end)
            The first is the root, which holds all tokens.
        tags : iterable of str
            The part of speech of each token.
        """
        tagged = list(tags)
        spans = [Span(*phrase) for phrase in phrases]
        if not spans or (spans[0].start, spans[0].end) != (0, len(tagged)):
            around = f"{spans[0].type!r} over {spans[0].start} to {spans[0].end}" if spans else "nothing"
            raise InputError(f"expected one root over all {len(tagged)} tokens, found {around}")
        nodes: list[Node] = []
        children: list[list[int]] = []
        opened: list[int] = []

        def add(label: str, start: int, end: int) -> None:
            while opened and nodes[opened[-1]].end <= start:
                opened.pop()
            parent = opened[-1] if opened else -1
            if parent >= 0:
                if end > nodes[parent].end:
                    raise InputError(f"{Span(label, start, end)} crosses {nodes[parent].label!r}")
                children[parent].append(len(nodes))
            nodes.append(Node(label, start, end, parent, ()))
            children.append([])

        waiting = iter([*spans, Span("", len(tagged), len(tagged))])
        phrase = next(waiting)
        for position, tag in enumerate(tagged):
            while phrase.start == position:
                add(*phrase)
                opened.append(len(nodes) - 1)
                phrase = next(waiting)
            add(tag, position, position + 1)
        if phrase.start < len(tagged):
            raise InputError(f"{phrase} comes too late: phrases must be ordered by start, longer ones first")
        return Tree(tuple(node._replace(children=tuple(c)) for node, c in zip(nodes, children, strict=True)))

    def __len__(self) -> int:
        return len(self.leaves)

    def __str__(self) -> str:
        texts: list[str] = []
        opened: list[Node] = []
        for node in self.nodes:
            while opened and opened[-1].end <= node.start:
                opened.pop()
                texts[-1] += ")"
            texts.append(f"({node.label}" if node.children else node.label)
            if node.children:
                opened.append(node)
        return " ".join(texts) + ")" * len(opened)

    def phrases(self) -> list[Span]:
        """All phrases, outer ones first, without the parts of speech.

        Examples
        --------
        >>> Tree.of([("S", 0, 2), ("VP", 1, 2)], ["PRP", "VBD"]).phrases()
        [Span(type='S', start=0, end=2), Span(type='VP', start=1, end=2)]
        """
        return [Span(node.label, node.start, node.end) for node in self.nodes if node.children]

    def ancestors(self, index: int) -> Iterator[int]:
        """The phrases around a node, from the innermost to the root.

        Examples
        --------
        >>> list(Tree.of([("S", 0, 2), ("VP", 1, 2)], ["PRP", "VBD"]).ancestors(3))
        [2, 0]
        """
        while (index := self.nodes[index].parent) >= 0:
            yield index

    def path(self, first: int, second: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The way from one node up to the lowest phrase around both, and from there down to the other.

        Both nodes are included, each at its end; the phrase at the top ends the way up.

        Examples
        --------
        >>> tree = Tree.of([("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)], ["PRP", "VBD"])
        >>> up, down = tree.path(tree.leaves[1], 1)
        >>> "^".join(tree.nodes[i].label for i in up), [tree.nodes[i].label for i in down]
        ('VBD^VP^S', ['NP'])
        """
        up, down = [first, *self.ancestors(first)], [second, *self.ancestors(second)]
        shared = 0
        while shared < min(len(up), len(down)) and up[-1 - shared] == down[-1 - shared]:
            shared += 1
        return tuple(up[: len(up) - shared + 1]), tuple(reversed(down[: len(down) - shared]))
