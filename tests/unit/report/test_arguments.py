"""Arguments drawn over the words of a sentence, below its tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import lawful
from lawful.corpus import Sentence
from lawful.corpus.trees import Tree
from lawful.errors import InputError
from lawful.report import SentenceView, make_report, render_report, view_proposition
from lawful.report.drawing.arguments import draw_arguments
from lawful.schemes import Span
from lawful.tasks import load_rules
from lawful.tasks.srl import Analysis, role_sequence
from lawful.tasks.srl.constituents import TREE_ROLES, constituent_sequence

WORDS = ("He", "sold", "plenty", "of", "<grain>")
TREE = Tree.of(
    [("S", 0, 5), ("NP", 0, 1), ("VP", 1, 5), ("NP", 2, 5), ("NP", 2, 3), ("PP", 3, 5), ("NP", 4, 5)],
    ["PRP", "VBD", "NN", "IN", "NN"],
)
CHUNKS = tuple(Span(kind, t, t + 1) for t, kind in enumerate(("NP", "VP", "NP", "PP", "NP")))
LAYERS = Analysis(WORDS, ("PRP", "VBD", "NN", "IN", "NN"), CHUNKS, tree=TREE)
LABELS = ("O", "A0", "A1", "A2", "A3", "A4", "A5")
TREE_LABELS = ("O", *TREE_ROLES)
SLOTS = {label: str(number) for number, label in enumerate(LABELS)}


def test_a_proposition_is_drawn_with_its_tree_and_candidates() -> None:
    view = view_proposition(LAYERS, role_sequence(LAYERS, 1, "sell"))
    assert view.verb == 1
    drawn = draw_arguments(
        view, {"before": ["A0", "O", "A1", "O", "A1"], "after": ["A0", "O", "A1", "A1", "A1"]}, SLOTS
    )
    assert drawn.count('class="bar') == 3 + 2
    assert drawn.count("<line") == len(TREE.nodes) - 1
    tree = drawn[: drawn.index('class="bar')]
    assert tree.count("<rect") == 2  # He, and plenty of grain: the verb's sisters
    assert "&lt;grain&gt;" in drawn and "<grain>" not in drawn
    assert "before: A0 He; A1 plenty; A1 &lt;grain&gt;. after: A0 He; A1 plenty of &lt;grain&gt;" in drawn


def test_arguments_inside_each_other_take_a_line_each() -> None:
    view = SentenceView(WORDS, ((0, 1), (2, 5), (4, 5)), joined=False)
    assert view.arguments(["A0", "A1", "A1"]) == [Span("A0", 0, 1), Span("A1", 2, 5), Span("A1", 4, 5)]
    one = draw_arguments(view, {"x": ["A0", "A1", "O"]}, SLOTS)
    two = draw_arguments(view, {"x": ["A0", "A1", "A2"]}, SLOTS)
    height = [int(drawn.split('height="')[1].split('"')[0]) for drawn in (one, two)]
    assert height[1] > height[0]


class Scores:
    labels = lawful.LabelSet(LABELS)

    def lattice(self, tokens: object) -> lawful.Lattice:
        scores = [
            [1.0 if label == best else 0.0 for label in LABELS] for best in ("A0", "O", "A1", "O", "A1")
        ]
        return lawful.Lattice(scores, labels=self.labels)


def test_the_report_draws_them() -> None:
    made = role_sequence(LAYERS, 1, "sell", roles=[Span("A0", 0, 1), Span("A1", 2, 5)])
    sentences, views = [made.spelled_out(), Sentence(())], [view_proposition(LAYERS, made), None]
    report = make_report(sentences, Scores(), load_rules("srl"), views=views)
    page = render_report(report)
    assert page.count('class="arguments"') == 1
    shown = report.to_dict()["shown"][0]["arguments"]
    assert shown["words"] == list(WORDS)
    assert shown["before"] == [["A0", 0, 1], ["A1", 2, 3], ["A1", 4, 5]]
    assert shown["after"] == shown["gold"] == [["A0", 0, 1], ["A1", 2, 5]]
    assert 'class="arguments"' not in render_report(make_report(sentences, Scores(), load_rules("srl")))


def test_the_report_draws_constituents_and_the_rule_that_decided() -> None:
    made = constituent_sequence(LAYERS, 1, "sell", roles=[Span("A0", 0, 1), Span("A1", 2, 5)])
    best = {0: "A0", 1: "A1", 2: "A2"}  # He, plenty of grain, plenty
    scores = [[float(label == best.get(t, "O")) for label in TREE_LABELS] for t in range(len(made))]

    class OverTree:
        labels = lawful.LabelSet(TREE_LABELS)

        def lattice(self, tokens: Sequence[Any]) -> lawful.Lattice:
            return lawful.Lattice(scores, labels=self.labels, tokens=tokens)

    rules = load_rules("srl/constituents")
    report = make_report([made.sentence], OverTree(), rules, views=[view_proposition(LAYERS, made)])
    shown = report.to_dict()["shown"][0]
    assert shown["arguments"]["before"] == [["A0", 0, 1], ["A1", 2, 5], ["A2", 2, 3]]
    assert shown["arguments"]["after"] == shown["arguments"]["gold"] == [["A0", 0, 1], ["A1", 2, 5]]
    page = render_report(report)
    drawn = page[page.index('class="arguments"') :]
    assert drawn[: drawn.index('class="bar')].count("<rect") == len(made)  # every constituent is a candidate
    assert "NO ARGUMENT INSIDE ANOTHER" in page


def test_what_does_not_fit_is_said() -> None:
    made = role_sequence(LAYERS, 1, "sell").spelled_out()
    with pytest.raises(InputError, match="there are views of 0 sentences, but more sentences"):
        make_report([made], Scores(), load_rules("srl"), views=[])
    with pytest.raises(InputError, match="sentence 1 has 5 tokens, but its view 1"):
        make_report([made], Scores(), load_rules("srl"), views=[SentenceView(("a",), ((0, 1),))])
    with pytest.raises(InputError, match="a span from 0 to 2 does not fit a sentence of 1 words"):
        SentenceView(("a",), ((0, 2),))
    with pytest.raises(InputError, match="the tree has 5 words, but the sentence has 1"):
        SentenceView(("a",), ((0, 1),), tree=TREE)
    with pytest.raises(InputError, match="the verb is at 1, but there are 1 words"):
        SentenceView(("a",), ((0, 1),), verb=1)
    with pytest.raises(InputError, match="has 1 tokens, but there are 2 labels"):
        SentenceView(("a",), ((0, 1),)).arguments(["O", "O"])
