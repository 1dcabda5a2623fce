"""What a report finds out, and that its page is whole, escaped and bounded."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import lawful
from lawful.corpus import Sentence
from lawful.explanation import Change
from lawful.lattice import AnyLattice
from lawful.report import Report, make_report, render_report
from lawful.report.content import ShownSequence
from lawful.report.drawing.plots import score_plot
from lawful.report.measure import score_sentences
from lawful.report.sequence_cards import sequence_card
from lawful.tasks import generate_citations
from lawful.tasks.citations.rules import citation_rules

HOSTILE = ["</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "&lt;", "\x00\x07\x1b[31m",
           "\u202eevil", "\ud800", "]]>", "<!--", "a\nb", "{{x}}", "\u2028"]  # fmt: skip


def citation_model(count: int = 60) -> lawful.HMM:
    train = generate_citations(count, seed=1)
    return lawful.HMM().fit([s.tokens for s in train], [s.labels for s in train])


@pytest.fixture(scope="module")
def model() -> lawful.HMM:
    return citation_model()


@pytest.fixture(scope="module")
def found(model: lawful.HMM) -> Report:
    rules = citation_rules(price=3.0)
    return make_report(
        generate_citations(60, seed=5), model, rules, limit=6, source="made.conll", model="HMM"
    )


class Checker(HTMLParser):
    """Every element closed in order; collects tags, attributes and text."""

    VOID = ("meta",)

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_counts_agree_with_a_count_by_hand(found: Report, model: lawful.HMM) -> None:
    rules, sentences = citation_rules(price=3.0), generate_citations(60, seed=5)
    plain = model.predict([s.tokens for s in sentences])
    ruled = model.predict([s.tokens for s in sentences], rules=rules)
    apart = [sum(a != b for a, b in zip(x, y, strict=True)) for x, y in zip(plain, ruled, strict=True)]
    assert (found.sequences, found.tokens) == (60, sum(map(len, sentences)))
    assert (found.changed_sequences, found.changed_tokens) == (sum(map(bool, apart)), sum(apart))
    assert found.before is not None
    assert found.after is not None
    assert found.before.micro == lawful.evaluate(sentences, plain).micro
    assert found.after.micro == lawful.evaluate(sentences, ruled).micro


def test_the_effect_of_a_rule_is_what_leaving_it_out_changes(found: Report, model: lawful.HMM) -> None:
    rules, sentences = citation_rules(price=3.0), generate_citations(60, seed=5)
    effect = next(one for one in found.effects if one.rule.name == "Punctuation")
    ruled = model.predict([s.tokens for s in sentences], rules=rules)
    without = model.predict([s.tokens for s in sentences], rules=rules.without("Punctuation"))
    better = worse = tokens = 0
    for mine, other, sentence in zip(ruled, without, sentences, strict=True):
        for a, b, right in zip(mine, other, sentence.labels or (), strict=True):
            tokens += a != b
            better += a != b and a == right
            worse += a != b and b == right
    assert effect.tokens == tokens > 0
    assert (effect.better, effect.worse) == (better, worse)
    assert effect.better + effect.worse + effect.neither == effect.tokens


def test_prices_add_up_with_those_of_explain(model: lawful.HMM) -> None:
    rules = citation_rules(price=3.0)
    sentences = generate_citations(8, seed=6)
    report = make_report(sentences, model, rules, limit=8)
    decoder = lawful.Decoder(rules, tagger=model)
    wanted = dict.fromkeys(rules.names, 0.0)
    for sentence in sentences:
        for one in lawful.explain(decoder.decode_tokens(sentence.tokens), runners_up=0).prices:
            wanted[one.rule] += one.price
    assert {one.rule.name: one.price for one in report.effects} == pytest.approx(wanted)


def test_the_page_is_whole_and_needs_nothing(found: Report) -> None:
    page = render_report(found)
    seen = Checker(page)
    assert {"link", "img", "iframe", "object"}.isdisjoint(seen.tags)
    assert seen.tags.count("script") == 1
    assert all(value is None or value.startswith("#") for name, value in seen.attributes if name == "href")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "url(" not in page
    assert seen.tags.count("article") == 6 + len(found.effects)
    for words in (
        "What each rule changed",
        "Before and after",
        "The 6 most interesting of 60 sequences",
        "made.conll",
    ):
        assert words in seen.text


def test_the_whole_change_has_a_significance_test(found: Report, model: lawful.HMM) -> None:
    assert found.comparison is not None
    assert found.before is not None and found.after is not None
    assert found.comparison.difference == pytest.approx(found.after.micro.f1 - found.before.micro.f1)
    assert "95 %: " in render_report(found)
    unchanged = make_report(generate_citations(5, seed=2), model, [lawful.at_least(0, "author")])
    assert unchanged.comparison is None and "95 %: " not in render_report(unchanged)


def test_cards_carry_what_a_reader_may_choose_by(found: Report) -> None:
    page = render_report(found)
    seen = Checker(page)
    losses = [float(value or "") for name, value in seen.attributes if name == "data-loss"]
    assert losses == [sequence.loss for sequence in found.shown]
    options = [value for name, value in seen.attributes if name == "value"]
    assert {"all", "worse", "better", "interest", "loss", "corpus"} <= set(options)
    chosen = {
        number for name, value in seen.attributes if name == "data-rules" for number in (value or "").split()
    }
    assert chosen and chosen <= set(options)  # every rule that decided something can be chosen


def test_long_reports_are_folded_and_draw_fewer_probabilities(model: lawful.HMM) -> None:
    report = make_report(generate_citations(210, seed=6), model, citation_rules(price=3.0), limit=210)
    short = replace(report, shown=report.shown[:30])
    assert Checker(render_report(short)).tags.count("summary") > 30
    page = render_report(report)
    assert page.count("<details open><summary><h3>No. ") == 0 < page.count("<details><summary><h3>No. ")
    assert page.count("<summary>Probabilities</summary>") == 200
    assert render_report(short).count("<details open><summary><h3>No. ") == 30


def test_a_rule_without_a_name_is_called_by_its_meaning(model: lawful.HMM) -> None:
    rules = lawful.Rules(lawful.forbid("note"), lawful.starts_with("author").named("Start"))
    page = render_report(make_report(generate_citations(5, seed=2), model, rules))
    assert "<h3>No token is labelled note.</h3>" in page and "<h3>Start</h3>" in page


def test_data_is_ready_for_json(found: Report) -> None:
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["sequences"] == 60
    assert len(data["shown"]) == 6
    assert data["rules"][0]["rule"] == "Start"


class Odd:
    """Scores that make the labels alternate."""

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels = lawful.LabelSet(labels)

    def lattice(self, tokens: list[str]) -> lawful.Lattice:
        scores = [
            [float((t + k) % len(self.labels)) for k in range(len(self.labels))] for t in range(len(tokens))
        ]
        return lawful.Lattice(scores, labels=self.labels, tokens=tokens)


def test_hostile_tokens_labels_and_names_are_only_text() -> None:
    tagger = Odd(HOSTILE)
    rules = lawful.Rules(lawful.at_most(1, label).named(f"{label} #{n}") for n, label in enumerate(HOSTILE))
    gold = tuple(reversed(HOSTILE))
    sentences = [Sentence(tuple(HOSTILE), gold, source="</title><b>x", lines=range(1, 12))]
    page = render_report(make_report(sentences, tagger, rules, source="<svg/onload=x>", model="<i>"))
    seen = Checker(page)
    assert {"img", "i"}.isdisjoint(seen.tags)
    assert seen.tags.count("script") == 1  # the page's own, and the browser is told to run no other
    body = page.partition("<script>")[2].partition("</script>")[0]
    assert base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() in page
    assert not any(name.startswith("on") for name, _ in seen.attributes)
    assert "</script><script>alert(1)</script>" in seen.text
    page.encode("utf-8")  # no lone surrogate is left
    assert not any(ord(letter) < 32 and letter != "\n" for letter in page)
    assert "\u202e" not in page


def test_contradictions_are_named_and_shown_first(model: lawful.HMM) -> None:
    sentences = generate_citations(5, seed=2)
    rules = lawful.Rules(
        lawful.when(lawful.token.is_in([sentences[3].tokens[0]])).then("note").named("first is a note"),
        lawful.starts_with("author").named("starts with the author"),
    )
    report = make_report(sentences, model, rules, limit=2)
    assert report.infeasible == 1
    assert list(report.contradictions) == [("first is a note", "starts with the author")]
    assert report.shown[0].number == 4
    assert "rules contradict each other" in render_report(report)


def test_without_gold_nothing_is_judged(model: lawful.HMM) -> None:
    bare = [s.with_labels(None) for s in generate_citations(5, seed=5)]
    report = make_report(bare, model, citation_rules(price=3.0))
    assert (report.before, report.shown[0].gold) == (None, None)
    assert "F1" not in Checker(render_report(report)).text
    with pytest.raises(lawful.InputError, match="some sequences have no labels"):
        make_report(bare, model, citation_rules(price=3.0), gold=True)
    labelled = make_report(generate_citations(5, seed=5), model, citation_rules(price=3.0), gold=False)
    assert all(one.better == one.worse == one.broken_gold == 0 for one in labelled.effects)


def test_the_page_stays_small_however_large_the_corpus(model: lawful.HMM) -> None:
    long = Sentence(tuple("word" for _ in range(5000)))
    report = make_report([long] * 3, model, lawful.at_most(10, "author"), limit=2)
    assert len(render_report(report)) < 600_000
    assert "of 5,000 tokens are shown" in render_report(report)


def test_a_change_is_told_stretch_by_stretch_and_long_sequences_are_folded() -> None:
    words = tuple(f"w{t}" for t in range(300))
    before = tuple("X" for _ in words)
    after = (*before[:150], "Y", "Z", *before[152:])
    change = Change(150, 152, ("X", "X"), ("Y", "Z"), (("rule",),))
    one = ShownSequence(1, "", words, before, after, None, 1.0, "optimal", changes=(change,))
    labels = lawful.LabelSet(["X", "Y", "Z"])
    message = Checker(sequence_card(one, labels, {"X": "1", "Y": "2", "Z": "3"})).text
    assert "“w150” X → Y, “w151” X → Z because of rule." in message
    assert message.count("… 138 tokens …") == 2  # before it, and in the strip after it
    assert "26 of 300 tokens are shown" in message
    assert "w137 " not in message


def test_many_labels_and_rules_are_folded(model: lawful.HMM) -> None:
    scores = {f"label{n}": (0.5, 0.5 + n / 200) for n in range(100)}
    drawn = score_plot(scores)
    assert drawn.count('scope="row"') == 40
    assert "label99" in drawn
    assert "label59<" not in drawn
    rules = [lawful.at_most(n % 3, "author").named(f"rule {n}").soft(0.1 + n) for n in range(59)]
    rules.append(lawful.at_most(400, "title").named("four hundred"))
    page = render_report(make_report(generate_citations(5, seed=5), model, rules))
    assert "rules that changed less" in page
    assert "36 more rules" in page
    assert "401 states: too many to draw" in page
    assert len(page) < 600_000


def test_an_empty_corpus_and_a_negative_limit_are_refused(model: lawful.HMM) -> None:
    with pytest.raises(lawful.InputError, match=r"no sequences in empty\.conll"):
        make_report([], model, [], source="empty.conll")
    with pytest.raises(lawful.InputError, match="limit"):
        make_report([], model, [], limit=-1)


def test_scores_are_asked_for_a_batch_at_a_time(model: lawful.HMM) -> None:
    sentences = generate_citations(520, seed=3)
    asked: list[int] = []

    def score(batch: Sequence[Sentence]) -> list[AnyLattice]:
        asked.append(len(batch))
        return score_sentences(model, batch)

    assert make_report(sentences, model, [], score=score, limit=1).sequences == sum(asked) == 520
    assert len(asked) > 1
    with pytest.raises(lawful.InputError, match="expected 512 lattices for sentences 1 to 512, got 520"):
        make_report(sentences, model, [], score=lambda batch: score_sentences(model, sentences))
    one = score_sentences(model, sentences[:1])
    with pytest.raises(lawful.InputError, match="expected 3 lattices for sentences 1 to 3, got 1"):
        make_report(sentences[:3], model, [], score=lambda batch: one)


@pytest.mark.parametrize("limit", [0, 3, 40])
def test_batches_of_any_size_make_the_same_report(
    model: lawful.HMM, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    sentences = generate_citations(60, seed=5)
    whole = make_report(sentences, model, citation_rules(price=3.0), limit=limit)
    monkeypatch.setattr("lawful.report.measure.BATCH", 7)
    assert make_report(sentences, model, citation_rules(price=3.0), limit=limit).to_dict() == whole.to_dict()
    assert len(whole.shown) == limit
    numbers = [sequence.number for sequence in whole.shown if not sequence.changed and not sequence.loss]
    assert numbers == sorted(numbers)  # of equals the first


def test_no_rules_is_a_report_too(model: lawful.HMM) -> None:
    report = make_report(generate_citations(3, seed=1), model, [])
    assert report.changed_sequences == 0
    Checker(render_report(report))
