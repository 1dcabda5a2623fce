"""The head word of each phrase, by a table like that of Collins (1999), Appendix A."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lawful.corpus.trees.tree import Tree

__all__ = ["HEAD_RULES", "HeadRule", "find_heads"]


class HeadRule(NamedTuple):
    """Where to look for the head of a phrase.

    Attributes
    ----------
    side : "left" or "right"
        Where the search begins; also the child that is taken if no other is found.
    groups : tuple of sets of str
        One group after the other is searched for; the first child with one of its labels is the head.
    """

    side: str
    groups: tuple[frozenset[str], ...]


def _rule(side: str, labels: str) -> HeadRule:
    """Each label is a group of its own; labels joined by | are one group."""
    return HeadRule(side, tuple(frozenset(group.split("|")) for group in labels.split()))


# "AUX" and "AUXG" are what Charniak's parser calls forms of be, do and have.
HEAD_RULES: Mapping[str, HeadRule] = {
    "ADJP": _rule("left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": _rule("right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": _rule("right", "CC RB IN"),
    "LST": _rule("right", "LS :"),
    "NAC": _rule("left", "NN|NNS NNP|NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "NP": _rule("right", "POS|NN|NNP|NNPS|NNS|NX|JJR|PRP|EX NP $|ADJP|PRN CD JJ|JJS|RB|QP"),
    "NX": _rule("right", "POS|NN|NNP|NNPS|NNS|NX|JJR NP $|ADJP|PRN CD JJ|JJS|RB|QP"),
    "PP": _rule("right", "IN|TO VBG VBN RP FW"),
    "PRT": _rule("right", "RP"),
    "QP": _rule("left", "$ IN NNS NN JJ RB DT CD QP JJR JJS"),
    "RRC": _rule("right", "VP NP ADVP ADJP PP"),
    "S": _rule("left", "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": _rule("left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": _rule("left", "SQ S SINV SBARQ FRAG"),
    "SINV": _rule("left", "VBZ|VBD|VBP|VB|MD|AUX VP S SINV ADJP NP"),
    "SQ": _rule("left", "VBZ|VBD|VBP|VB|MD|AUX VP SQ"),
    "VP": _rule("left", "TO VBD VBN MD VBZ VB VBG VBP AUX|AUXG VP ADJP NN NNS NP"),
    "WHADJP": _rule("left", "CC WRB JJ ADJP"),
    "WHADVP": _rule("right", "CC WRB"),
    "WHNP": _rule("left", "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": _rule("right", "IN TO FW"),
}
_OTHERWISE = HeadRule("left", ())


def find_heads(tree: Tree, rules: Mapping[str, HeadRule] = HEAD_RULES) -> tuple[int, ...]:
    """The position of the head word of each node of a tree.

    Parameters
    ----------
    tree : Tree
    rules : mapping of label to HeadRule
        A phrase without a rule has the head of its first child. Function tags (`NP-SBJ`) are ignored.

    Examples
    --------
    >>> tree = Tree.of([("S", 0, 4), ("NP", 0, 2), ("VP", 2, 4)], ["DT", "NN", "VBD", "RB"])
    >>> find_heads(tree)
    (2, 1, 0, 1, 2, 2, 3)
    """
    heads = [node.start for node in tree.nodes]
    for index in reversed(range(len(tree.nodes))):  # children have higher numbers than their phrase
        node = tree.nodes[index]
        if node.children:
            labels = [tree.nodes[child].label for child in node.children]
            rule = rules.get(_plain(node.label), _OTHERWISE)
            heads[index] = heads[node.children[_choose(labels, rule)]]
    return tuple(heads)


def _choose(labels: Sequence[str], rule: HeadRule) -> int:
    order = range(len(labels)) if rule.side == "left" else range(len(labels) - 1, -1, -1)
    for group in rule.groups:
        for position in order:
            if labels[position] in group or _plain(labels[position]) in group:
                return position
    return order[0]


def _plain(label: str) -> str:
    """A label without function tags; brackets (`-LRB-`) stay."""
    return label if label.startswith("-") else label.split("-")[0].split("=")[0]
