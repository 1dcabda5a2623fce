"""A report on an ensemble shows what each tagger wanted, who won, and at what price."""

from __future__ import annotations

import pytest

import lawful
from lawful.corpus import Sentence
from lawful.report import make_report, render_report
from lawful.rules.ruleset import Rules
from lawful.voting import explain_vote

X = [["the", "cat", "ran"], ["dogs", "ran"]] * 3
Y = [["I", "I", "O"], ["I", "O"]] * 3
SENTENCES = [Sentence(tuple(tokens), tuple(labels)) for tokens, labels in zip(X[:2], Y[:2], strict=True)]


@pytest.fixture(scope="module")
def ensemble() -> lawful.Ensemble:
    models = [lawful.HMM().fit(X, Y), lawful.CRF().fit(X, Y)]
    return lawful.Ensemble(models, [3, 1], names=["<first>", "second"])


def test_cards_show_what_each_tagger_wanted_and_the_price(ensemble: lawful.Ensemble) -> None:
    rule = lawful.at_most(1, "I")
    report = make_report(SENTENCES, ensemble, rule)
    vote = report.shown[0].vote
    assert vote is not None
    assert [opinion.name for opinion in vote.opinions] == ["<first>", "second"]
    assert {opinion.labels for opinion in vote.opinions} == {("I", "I", "O")}
    page = render_report(report)
    assert "The rules decided: all 2 taggers wanted something else; 1 of 3 tokens disputed" in page
    assert "&lt;first&gt;" in page
    assert "<first>" not in page
    assert "its wish is forbidden, by a rule or by another tagger" in page
    assert "All 2 taggers wanted this" in page


def test_it_is_the_same_explanation_as_that_of_the_vote_itself(ensemble: lawful.Ensemble) -> None:
    rules = Rules(lawful.at_most(1, "I").soft(0.7))
    report = make_report(SENTENCES, ensemble, rules)
    for shown in report.shown:
        [vote] = ensemble.votes([list(shown.tokens)], rules)
        assert shown.vote is not None
        assert shown.vote.to_dict() == explain_vote(vote).to_dict()
        assert shown.to_dict()["vote"] == shown.vote.to_dict()


def test_other_models_have_no_votes(ensemble: lawful.Ensemble) -> None:
    report = make_report(SENTENCES, ensemble.taggers[0], lawful.at_most(1, "I"))
    assert all(shown.vote is None for shown in report.shown)
    assert "vote" not in report.to_dict()["shown"][0]
    assert "won the vote" not in render_report(report)


def test_nobody_wins_under_contradictory_rules(ensemble: lawful.Ensemble) -> None:
    report = make_report(SENTENCES, ensemble, [lawful.at_least(1, "I"), lawful.forbid("I")])
    assert report.shown[0].status == "infeasible"
    assert report.shown[0].vote is None
