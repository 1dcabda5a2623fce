"""Trees: nodes, the way between two, heads, parses in a file beside the sentences."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, strategies as st

from lawful.corpus import Sentence
from lawful.corpus.trees import (
    HeadRule,
    Node,
    Tree,
    add_parses,
    find_heads,
    read_tree,
    sentence_tree,
    write_tree,
)
from lawful.errors import CorpusError, InputError

BRACKETS = ["(S1(S(NP*", "*)", "(VP*", "(PP*", "(NP*)))", "*))"]
TAGS = ["DT", "NN", "VBD", "IN", "NNP", "."]
TREE = read_tree(BRACKETS, TAGS)


def test_nodes_know_their_phrase_and_their_children() -> None:
    assert str(TREE) == "(S1 (S (NP DT NN) (VP VBD (PP IN (NP NNP))) .))"
    assert TREE.nodes[0] == Node("S1", 0, 6, -1, (1,))
    assert [TREE.nodes[child].label for child in TREE.nodes[1].children] == ["NP", "VP", "."]
    assert [TREE.nodes[leaf].label for leaf in TREE.leaves] == TAGS
    assert len(TREE) == 6
    for index, node in enumerate(TREE.nodes):
        assert all(TREE.nodes[child].parent == index for child in node.children)
        assert list(node.children) == sorted(node.children)


def test_it_is_written_as_it_was_read() -> None:
    assert write_tree(TREE) == (tuple(BRACKETS), tuple(TAGS))
    unary = ["(S1(NP(NP(NN*))))"]
    assert write_tree(read_tree(unary, ["X"])) == (tuple(unary), ("X",))


def test_the_way_between_two_nodes() -> None:
    def names(first: int, second: int) -> tuple[str, str]:
        up, down = TREE.path(first, second)
        return "^".join(TREE.nodes[i].label for i in up), "!".join(TREE.nodes[i].label for i in down)

    verb, subject = TREE.leaves[2], TREE.nodes[1].children[0]
    assert names(verb, subject) == ("VBD^VP^S", "NP")
    assert names(verb, TREE.leaves[4]) == ("VBD^VP", "PP!NP!NNP")
    assert names(subject, verb) == ("NP^S", "VP!VBD")
    assert names(verb, verb) == ("VBD", "")
    assert names(verb, 0) == ("VBD^VP^S^S1", "")
    assert names(0, verb) == ("S1", "S!VP!VBD")
    assert list(TREE.ancestors(0)) == []


@pytest.mark.parametrize(
    ("brackets", "problem"),
    [
        (["*", "*"], "expected one root over all 2 tokens, found nothing"),
        (["(S*)", "*"], "expected one root over all 2 tokens, found 'S' over 0 to 1"),
        (["(S*)", "(S*)"], "expected one root over all 2 tokens"),
        (["(S*", "*))"], "token 1"),
        (["(S*)"], "1 brackets, but 2 parts of speech"),
    ],
)
def test_brackets_that_are_no_tree(brackets: list[str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_tree(brackets, ["A", "B"])


def test_phrases_out_of_order() -> None:
    with pytest.raises(InputError, match="crosses 'A'"):
        Tree.of([("S", 0, 3), ("A", 0, 2), ("B", 1, 3)], "xyz")
    with pytest.raises(InputError, match="comes too late"):
        Tree.of([("S", 0, 3), ("A", 2, 3), ("B", 0, 1)], "xyz")


def test_heads_by_the_table() -> None:
    def head(brackets: list[str], tags: str, words: str) -> str:
        return words.split()[find_heads(read_tree(brackets, tags.split()))[0]]

    assert head(["(NP*", "*", "*)"], "DT NN NN", "the grain market") == "market"
    assert head(["(NP(NP*", "*)", "(PP*", "(NP*)))"], "DT NN IN NN", "the price of grain") == "price"
    assert head(["(NP*", "*)"], "NNP POS", "Bush 's") == "'s"
    assert head(["(PP*", "(NP*))"], "IN NN", "of grain") == "of"
    assert head(["(VP*", "(VP*", "(NP*)))"], "AUX VBN NN", "has sold grain") == "has"
    assert head(["(S(NP*)", "(VP*))"], "PRP VBD", "he left") == "left"
    assert head(["(SBAR*", "(S(NP*)", "(VP*)))"], "IN PRP VBD", "that he left") == "that"
    assert head(["(S-ADV(NP-SBJ*)", "(VP*))"], "PRP VBG", "he leaving") == "leaving"
    assert head(["(NEW*", "*)"], "A B", "first second") == "first"
    assert head(["(-LRB-*", "*)"], "-LRB- B", "( b") == "("


def test_a_table_of_ones_own() -> None:
    rules = {"S": HeadRule("right", (frozenset({"NP"}),))}
    assert find_heads(read_tree(["(S(NP*)", "(VP*))"], ["PRP", "VBD"]), rules)[0] == 0


def test_parses_beside_sentences() -> None:
    sentences = [
        Sentence(("He", "left"), source="a.txt", lines=(1, 2)),
        Sentence(("No",), source="a.txt", lines=(4,)),
    ]
    good = "PRP (S1(NP*)\nVBD (VP*))\n\nUH (S1*)\n"
    parsed = list(add_parses(sentences, io.StringIO(good)))
    assert str(sentence_tree(parsed[0])) == "(S1 (NP PRP) (VP VBD))"
    assert [sentence.tokens for sentence in parsed] == [("He", "left"), ("No",)]
    for text, line, problem in (
        ("PRP (S1(NP*)\nVBD (VP*))\n", None, "there are 1 parses, but more sentences"),
        (good + "\nUH (S1*)\n", None, "there are 2 sentences, but more parses"),
        ("PRP (S1(NP*))\n\nUH (S1*)\n", 1, r"parse 0 has 1 tokens, but its sentence \(a.txt, line 1\) has 2"),
        ("PRP (S1(NP*)\nVBD (VP*)\n\nUH (S1*)\n", 1, "the bracket of 'S1' is never closed"),
        ("PRP (S1(NP*)\nVBD (VP*)))\n\nUH (S1*)\n", 2, "closes a bracket that was never opened"),
        ("PRP (S1(NP*)\nVBD (VP*))\n\nUH *\n", 4, "expected one root over all 1 tokens"),
        ("PRP (S1(NP*) X\nVBD (VP*))\n\nUH *\n", 1, "expected 2 columns"),
    ):
        with pytest.raises(CorpusError, match=problem) as caught:
            list(add_parses(sentences, io.StringIO(text)))
        assert caught.value.line == line


def test_a_tree_in_columns_names_its_line() -> None:
    sentence = Sentence(("a",), None, {"parse": ("(S*)",)}, source="x", lines=(9,))
    with pytest.raises(InputError, match=r"x, line 9: no column 'parse_pos' of parts of speech"):
        sentence_tree(sentence)


@st.composite
def bracketed(draw: st.DrawFn) -> list[str]:
    """The brackets of a random tree."""

    def phrase(depth: int) -> list[str]:
        cells: list[str] = []
        for _ in range(draw(st.integers(1, 3))):
            cells += phrase(depth - 1) if depth and draw(st.booleans()) else ["*"]
        cells[0] = f"({draw(st.sampled_from(['S', 'NP', 'PRP$']))}{cells[0]}"
        cells[-1] += ")"
        return cells

    return phrase(4)


@given(bracketed())
def test_trees_come_back_and_are_whole(brackets: list[str]) -> None:
    tags = [f"T{t}" for t in range(len(brackets))]
    tree = read_tree(brackets, tags)
    assert write_tree(tree) == (tuple(brackets), tuple(tags))
    for node, head in zip(tree.nodes, find_heads(tree), strict=True):
        assert node.start <= head < node.end
        if node.children:
            parts = [tree.nodes[child] for child in node.children]
            assert [part.start for part in parts] == [node.start, *(part.end for part in parts[:-1])]
            assert parts[-1].end == node.end


def test_a_very_deep_tree() -> None:
    depth = 5000
    tree = read_tree(["(S" * depth + "*" + ")" * depth], ["X"])
    assert len(str(tree)) == 4 * depth + 1
    assert len(list(tree.ancestors(tree.leaves[0]))) == depth
    assert set(find_heads(tree)) == {0}
    assert write_tree(tree)[0][0].count("(") == depth
