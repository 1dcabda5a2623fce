"""The features of Loper (2008), Figures 5.3 and 5.4: for finding arguments among constituents, and for naming them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lawful.corpus.trees import Tree
from lawful.errors import InputError
from lawful.tasks.srl.analysis import Analysis
from lawful.tasks.srl.constituents.filtering import Constituent, require_word
from lawful.tasks.srl.features import BE, HAVE

__all__ = ["classification_features", "identification_features"]

_NONE = "<none>"
_FAR = 10  # distances above are one


class _Predicates(NamedTuple):
    """What is seen of one constituent and its predicate: the predicates of Figure 5.4."""

    verb: str
    head: str
    head_pos: str
    category: str
    path: str
    projected_path: str
    side: str
    voice: str
    subcategorisation: str
    first: str
    last: str
    preposition: str
    word_distance: str
    tree_distance: str
    left: str
    parent: str


def identification_features(
    analysis: Analysis, predicate: int, lemma: str, constituents: Sequence[Constituent]
) -> list[list[str]]:
    """The attributes by which arguments are told from other constituents (Figure 5.3, left), for each constituent.

    Words are lower-cased where the thesis has stems; no sense of the predicate is used.

    Examples
    --------
    >>> from lawful.tasks.srl.constituents import filter_arguments
    >>> tree = Tree.of([("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("NP", 2, 3)], ["PRP", "VBD", "NN"])
    >>> layers = Analysis(("He", "sold", "grain"), ("PRP", "VBD", "NN"), (), tree=tree)
    >>> identification_features(layers, 1, "sell", filter_arguments(tree, 1))[0][:4]
    ['bias', 'head=he', 'headpos=PRP', 'path=NP^S!VP!VBD']
    """
    return [
        [
            "bias",
            *_shared(seen),
            f"wdist={seen.word_distance}",
        ]
        for seen in _see(analysis, predicate, lemma, constituents)
    ]


def classification_features(
    analysis: Analysis, predicate: int, lemma: str, constituents: Sequence[Constituent]
) -> list[list[str]]:
    """The attributes by which an argument's role is told (Figure 5.3, right), for each constituent.

    Examples
    --------
    >>> from lawful.tasks.srl.constituents import filter_arguments
    >>> tree = Tree.of([("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("NP", 2, 3)], ["PRP", "VBD", "NN"])
    >>> layers = Analysis(("He", "sold", "grain"), ("PRP", "VBD", "NN"), (), tree=tree)
    >>> "voice+pos+cat=active+before+NP" in classification_features(layers, 1, "sell", filter_arguments(tree, 1))[0]
    True
    """
    return [
        [
            "bias",
            *_shared(seen),
            f"verb={seen.verb}",
            f"first={seen.first}",
            f"last={seen.last}",
            f"left+parent={seen.left}+{seen.parent}",
            f"left+parent+cat={seen.left}+{seen.parent}+{seen.category}",
            f"voice={seen.voice}",
            f"subcat={seen.subcategorisation}",
            f"cat={seen.category}",
            f"pos={seen.side}",
            f"voice+pos+cat={seen.voice}+{seen.side}+{seen.category}",
        ]
        for seen in _see(analysis, predicate, lemma, constituents)
    ]


def _shared(seen: _Predicates) -> list[str]:
    """What both lists of Figure 5.3 have."""
    return [
        f"head={seen.head}",
        f"headpos={seen.head_pos}",
        f"path={seen.path}",
        f"prjpath={seen.projected_path}",
        f"tdist={seen.tree_distance}",
        f"verb+head={seen.verb}+{seen.head}",
        f"verb+path={seen.verb}+{seen.path}",
        f"verb+prep+head={seen.verb}+{seen.preposition}+{seen.head}",
        f"prep+head={seen.preposition}+{seen.head}",
        f"verb+prep={seen.verb}+{seen.preposition}",
        f"verb+cat={seen.verb}+{seen.category}",
    ]


def _see(
    analysis: Analysis, predicate: int, lemma: str, constituents: Sequence[Constituent]
) -> list[_Predicates]:
    tree = analysis.tree
    if tree is None:
        raise InputError("features of constituents need a tree: give analyse() the column of the parse")
    require_word(predicate, tree)
    leaf = tree.leaves[predicate]
    around = tree.nodes[tree.nodes[leaf].parent]
    expansion = f"{around.label}>{'-'.join(tree.nodes[child].label for child in around.children)}"
    voice = "passive" if _is_passive(analysis, predicate) else "active"
    return [_see_one(analysis, tree, one.node, predicate, lemma, voice, expansion) for one in constituents]


def _see_one(
    analysis: Analysis, tree: Tree, index: int, predicate: int, lemma: str, voice: str, expansion: str
) -> _Predicates:
    node, head, leaf = tree.nodes[index], analysis.heads[index], tree.leaves[predicate]
    words = [word.lower() for word in analysis.words[node.start : node.end]]
    path, steps = _path(tree, index, leaf)
    projection = index
    while (parent := tree.nodes[projection].parent) >= 0 and analysis.heads[parent] == head:
        projection = parent
    sisters = tree.nodes[node.parent].children if node.parent >= 0 else (index,)
    place = sisters.index(index)
    before = node.end <= predicate
    apart = predicate - node.end if before else node.start - predicate - 1
    return _Predicates(
        verb=lemma,
        head=analysis.words[head].lower(),
        head_pos=analysis.pos[head],
        category=node.label,
        path=path,
        projected_path=_path(tree, projection, leaf)[0],
        side="before" if before else "after",
        voice=voice,
        subcategorisation=expansion,
        first=words[0],
        last=words[-1],
        preposition=_preposition(analysis, tree, index),
        word_distance=str(min(_FAR, max(0, apart))),
        tree_distance=str(min(_FAR, steps)),
        left=tree.nodes[sisters[place - 1]].label if place else _NONE,
        parent=tree.nodes[node.parent].label if node.parent >= 0 else _NONE,
    )


def _path(tree: Tree, index: int, leaf: int) -> tuple[str, int]:
    up, down = tree.path(index, leaf)
    text = "^".join(tree.nodes[one].label for one in up) + "".join(
        f"!{tree.nodes[one].label}" for one in down
    )
    return text, len(up) + len(down) - 1


def _preposition(analysis: Analysis, tree: Tree, index: int) -> str:
    """The first word of a prepositional phrase that is a preposition."""
    if not tree.nodes[index].label.startswith("PP"):
        return _NONE
    for child in tree.nodes[index].children:
        node = tree.nodes[child]
        if not node.children and node.label in ("IN", "TO"):
            return analysis.words[node.start].lower()
    return _NONE


def _is_passive(analysis: Analysis, predicate: int) -> bool:
    """Whether the predicate is a past participle without a form of have right before it, adverbs aside."""
    if analysis.pos[predicate] != "VBN":
        return False
    for word, pos in zip(
        reversed(analysis.words[:predicate]), reversed(analysis.pos[:predicate]), strict=True
    ):
        if word.lower() in BE:
            return True
        if word.lower() in HAVE:
            return False
        if not pos.startswith("RB"):
            break
    return True
