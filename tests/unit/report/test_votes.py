"""A report on an ensemble shows what each tagger wanted."""

from __future__ import annotations

import lawful
from lawful.corpus import Sentence
from lawful.report import make_report, render_report

X = [["the", "cat", "ran"], ["dogs", "ran"]] * 3
Y = [["I", "I", "O"], ["I", "O"]] * 3


def test_cards_show_what_each_tagger_wanted() -> None:
    models = [lawful.HMM().fit(X, Y), lawful.CRF().fit(X, Y)]
    ensemble = lawful.Ensemble(models, names=["<first>", "second"])
    sentences = [Sentence(tuple(tokens), tuple(labels)) for tokens, labels in zip(X[:2], Y[:2], strict=True)]
    report = make_report(sentences, ensemble, lawful.at_most(1, "I"))
    assert [name for name, _ in report.shown[0].voters] == ["<first>", "second"]
    assert {labels for _, labels in report.shown[0].voters} == {("I", "I", "O")}
    page = render_report(report)
    assert "Votes of 2 taggers: a compromise" in page
    assert "Votes of 2 taggers: wanted by &lt;first&gt; and second" in page
    plain = render_report(make_report(sentences, models[0], lawful.at_most(1, "I")))
    assert "Votes of" not in plain
