from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lawful
from lawful.labels import LabelSet
from lawful.learning.gold import labelled_sequences
from lawful.learning.linting.model_effects import Effect, effect_on
from lawful.learning.mining import FAMILIES, mine
from lawful.learning.mining.evidence import Thresholds
from lawful.learning.mining.selection import HeldOut, _Answers, select_rules
from lawful.learning.mining.statistics import Statistics
from lawful.rules.compiled_rules import CompiledRules
from lawful.testing import random_label_set, random_lattice, random_rules

WORDS = ["a", "b", ",", ".", "1999", "12", "J.", "May", "x@y.org"]


def random_gold(seed: int, sequences: int, labels: list[str]) -> list[tuple[list[str], list[str]]]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 9, sequences)
    return [(rng.choice(WORDS, n).tolist(), np.sort(rng.choice(labels, n)).tolist()) for n in lengths]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("labels", [["A", "B", "C"], ["B-X", "I-X", "O"]])
def test_the_evidence_is_what_the_rules_say_themselves(family: str, labels: list[str]) -> None:
    """An exception is a sequence that breaks the rule, or a violation, by the rule's own counting."""
    gold = labelled_sequences([*random_gold(1, 60, labels), (["a", "b"], [labels[-1], labels[0]])])
    seen = Statistics(gold, LabelSet(labels))
    for proposal in FAMILIES[family](seen, Thresholds(support=1, exceptions=0.3)):
        counts = [proposal.rule.violations(one.labels, one.tokens) for one in gold]
        expected = sum(counts) if proposal.per == "violation" else sum(count > 0 for count in counts)
        assert proposal.measure(seen).exceptions == expected, proposal.rule
        assert family == "apart" or proposal.measure(seen).occasions >= expected


def codes(found: object) -> set[str]:
    return {one.rule.code() for one in found}  # type: ignore[attr-defined]


def citation(number: int) -> tuple[list[str], list[str]]:
    return (
        ["Ann", "Lee", ",", "On", "Tags", ".", "May", str(1900 + number)],
        ["author", "author", "author", "title", "title", "title", "date", "date"],
    )


def test_what_was_put_into_the_data_is_found_again() -> None:
    found = mine([citation(n) for n in range(80)])
    assert {
        "at_most_segments(1, 'title')",
        "starts_with('author')",
        "ends_with('date')",
        "before('author', 'title')",
        "before('title', 'date')",
        "when(token.is_in([',', 'ann', 'lee'], lower=True)).then('author')",
        "change_only_after(token.matches('[^\\\\w\\\\s]+'))",
        "segment_length('date', max=2)",
    } <= codes(found.found)
    assert "before('title', 'author')" not in codes(found.found)
    assert not found.refuted


def test_a_rule_that_only_the_held_out_part_breaks_is_reported_as_refuted() -> None:
    gold = [citation(n) for n in range(100)]
    held_out = set(np.random.default_rng(0).permutation(100)[:25].tolist())
    for place in held_out:
        gold[place] = (gold[place][0], [*gold[place][1][:-1], "title"])
    found = mine(gold)
    assert "at_most_segments(1, 'title')" in codes(found.refuted)
    assert "at_most_segments(1, 'title')" not in {rule.code() for rule in found.rules}
    assert "# Not taken" in found.to_toml()


def test_exceptions_make_a_rule_soft_at_its_log_odds() -> None:
    gold = [citation(n) for n in range(200)]
    for place in (3, 50):
        gold[place] = (gold[place][0], [*gold[place][1][:-1], "title"])
    rule = next(one.rule for one in mine(gold).found if one.rule.code() == "at_most_segments(1, 'title')")
    assert rule.price == pytest.approx(np.log(198.5 / 2.5), abs=5e-3)
    assert rule.per == "sequence"


def test_the_rule_file_reads_back_as_the_rules() -> None:
    found = mine([citation(n) for n in range(40)])
    assert lawful.rules.files.parse_rules(found.to_toml()) == found.rules


def test_the_strictest_scheme_is_found() -> None:
    gold = [(["a", "b", "c", "d"], ["B-X", "E-X", "O", "S-Y"]), (["a", "b", "c"], ["B-Y", "I-Y", "E-Y"])] * 30
    assert codes(mine(gold, families=["scheme"]).found) == {"valid_tags('IOBES')"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"held_out": 0}, "held_out"),
        ({"min_support": 0}, "min_support"),
        ({"max_exceptions": 0.5}, "max_exceptions"),
        ({"families": ["onse"]}, "onse"),
    ],
)
def test_options_are_checked(options: dict[str, object], says: str) -> None:
    with pytest.raises(lawful.InputError, match=says):
        mine([citation(n) for n in range(9)], **options)  # type: ignore[arg-type]


def test_labels_must_be_there() -> None:
    with pytest.raises(lawful.InputError, match="no labels"):
        mine([lawful.Sentence(("a",))])
    with pytest.raises(lawful.InputError, match="2 tokens, but 1 labels"):
        mine([(["a", "b"], ["X"])])
    with pytest.raises(lawful.InputError, match="at least 2"):
        mine([])


def test_one_family_may_be_named_alone() -> None:
    gold = random_gold(3, 60, ["A", "B"])
    assert mine(gold, families="order") == mine(gold, families=["order"])
    with pytest.raises(lawful.InputError, match="did you mean 'order'"):
        mine(gold, families="orders")


@pytest.mark.parametrize("seed", range(3))
def test_no_pair_of_labels_is_overlooked(seed: int) -> None:
    """Every rule about two labels that has the support and few enough exceptions is proposed."""
    labels = list("ABCDE")
    rng = np.random.default_rng(seed)
    gold = labelled_sequences(
        [
            (["w"] * n, np.sort(rng.choice(labels[: rng.integers(2, 6)], n)).tolist())
            for n in rng.integers(1, 9, 80).tolist()
        ]
    )
    gold += labelled_sequences([(["w", "w"], [labels[1], labels[0]])] * 2)
    seen, thresholds = Statistics(gold, LabelSet(labels)), Thresholds(support=10, exceptions=0.1)
    expected = set()
    for a in labels:
        for b in labels:
            both = [one.labels for one in gold if a in one.labels and b in one.labels]
            broken = sum(lawful.before(a, b).violations(one) > 0 for one in both)
            if a != b and len(both) >= 10 and broken / len(both) <= 0.1:
                expected.add(lawful.before(a, b).code())
    found = {
        one.rule.code() for one in FAMILIES["order"](seen, thresholds) if one.measure(seen).meets(thresholds)
    }
    assert found == expected and expected


def test_a_bound_that_few_segments_reach_is_never_hard() -> None:
    """All titles but one are short: the next long one may be longer still."""
    gold = [(["x", "y", "z"] + ["w"] * 7, ["title", "title", "date"] + ["O"] * 7) for _ in range(200)]
    mined_in = int(np.random.default_rng(0).permutation(200)[-1])  # the held-out ones come first
    gold[mined_in] = (gold[mined_in][0], ["title", "title", "title"] + ["O"] * 7)
    found = {one.rule.code(): one.rule for one in mine(gold, families="lengths").found}
    assert found["segment_length('date', max=1)"].price == "hard"
    assert found["segment_length('title', max=3)"].price != "hard"


def test_what_is_in_no_field_has_no_rules_of_its_own() -> None:
    gold = [(["so", "in", town, "!"], ["O", "O", "City", "O"]) for town in ("Bonn", "Rome", "Oslo") * 40]
    about = {one.rule.name for one in mine(gold).found}
    assert {"one City", "always City", "punctuation: O", "words of City"} <= about
    named = {"always O", "starts with O", "ends with O", "words of O"}
    assert not named & about
    assert named <= {one.rule.name for one in mine(gold, outside=()).found}
    other = [(tokens, ["-" if label == "O" else label for label in labels]) for tokens, labels in gold]
    assert {one.rule.name for one in mine(other, outside="-").found} == {
        name.replace(": O", ": -") for name in about
    }


def test_beside_a_model_rules_that_it_knows_are_needless() -> None:
    rng = np.random.default_rng(3)
    gold = []
    for number in range(120):
        tokens, labels = citation(number)
        tokens = [*tokens[:3], *rng.choice(WORDS, 2).tolist(), *tokens[5:]]
        gold.append((tokens, labels))
    model = lawful.HMM().fit(*map(list, zip(*gold, strict=True)))
    found = mine(gold, model=model, hard_support=1000)
    alone = mine(gold, hard_support=1000)
    assert {one.rule.name for one in (*found.found, *found.needless)} == {
        one.rule.name for one in alone.found
    }
    assert len(found.needless) > len(found.found)
    assert found.effect is not None and found.effect.worse <= found.effect.better
    assert "# Not taken, because they did not pay" in found.to_toml()
    assert lawful.rules.files.parse_rules(found.to_toml()) == found.rules
    assert mine(gold, model=model, hard_support=1000) == found


def test_a_model_of_other_data_is_refused() -> None:
    model = lawful.HMM().fit([["x"]], [["other"]])
    with pytest.raises(lawful.InputError, match="does not know the label 'author'"):
        mine([citation(n) for n in range(80)], model=model)


def test_nothing_is_hard_from_few_sequences() -> None:
    """However many tokens they have."""
    gold = [(["w"] * 20 + [","], ["title"] * 20 + ["date"]) for _ in range(40)]
    assert mine(gold).found and all(one.rule.price != "hard" for one in mine(gold).found)
    assert any(one.rule.price == "hard" for one in mine(gold * 3).found)


def test_rules_have_names_in_words_and_years_a_shape() -> None:
    gold = [citation(number % 100) for number in range(200)]
    found = {one.rule.name: one.rule.code() for one in mine(gold).found}
    assert found["one title"] == "at_most_segments(1, 'title')"
    assert found["author before date"] == "before('author', 'date')"
    assert found["no date right before author or title"] == "not_followed_by('date', ['author', 'title'])"
    assert found["date of at most two tokens"] == "segment_length('date', max=2)"
    assert found["digits: date"] == "when(token.matches('\\\\d+')).then('date')"
    assert "four digits: date" not in found  # the wider shape says it
    assert not any(character.isdigit() for character in found["words of date"])


def test_labels_may_be_called_what_a_rule_is_called() -> None:
    labels = ["a", "a before b", "b", "c"]
    gold = [(list("wxyz"), ["a", "a before b", "b", "c"])] * 30
    found = mine([(tokens, names) for tokens, names in gold])
    assert len(found.rules) == len(found.found) and set(found.labels) == set(labels)


class Held:
    """Held-out sequences whose labels obey rules, and noisy scores for them."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        labels = LabelSet(["A", "B", "C"])
        self.rules = lawful.Rules(
            lawful.at_most_segments(1, "A").soft(2.0),
            lawful.before("A", "B").soft(2.0),
            lawful.not_followed_by("B", "C").soft(2.0, per="violation"),
            lawful.when(lawful.token.is_in(["x"])).then("C").soft(2.0, per="violation"),
        )
        self.lattices, gold = [], []
        for length in rng.integers(2, 7, 40).tolist():
            tokens, scores = rng.choice(["x", "y"], length).tolist(), rng.normal(size=(length, 3))
            right = lawful.decode(lawful.Lattice(scores, labels=labels, tokens=tokens), self.rules).labels
            gold.append((tokens, list(right)))
            noisy = scores + 0.7 * rng.normal(size=(length, 3))
            self.lattices.append(lawful.Lattice(noisy, labels=labels, tokens=tokens))
        prices = rng.uniform(0.2, 3.0, 4).tolist()
        answers = [
            {f"q{rule}": (rule, prices[rule]) for rule in range(4) if part or rule != 1} for part in (0, 1)
        ]
        self.held_out = HeldOut(
            labelled_sequences(gold),
            self.lattices,
            CompiledRules(self.rules, labels),
            [answers[index % 2] for index in range(40)],
        )

    def labels(self, index: int, questions: list[str]) -> tuple[str, ...]:
        rules = [
            self.rules[rule].soft(price, per=self.rules[rule].per)
            for question, (rule, price) in self.held_out.answers[index].items()
            if question in questions
        ]
        return tuple(lawful.decode(self.lattices[index], rules).labels)


@pytest.mark.parametrize("seed", range(6))
def test_what_a_rule_changes_is_what_decoding_without_it_changes(seed: int) -> None:
    """Each tally, against plain decoding of all sequences with and without the rule."""
    held = Held(seed)
    questions = [f"q{rule}" for rule in range(4)]
    selected = select_rules(held.held_out, questions)
    gold = held.held_out.gold

    def tally(some: list[str], others: list[str]) -> Effect:
        effect = Effect()
        for index, one in enumerate(gold):
            effect += effect_on(
                one.labels, held.labels(index, others), held.labels(index, some), scheme="flat"
            )
        return effect

    left = list(questions)
    for question in selected.tallies:  # in the order in which they were asked
        rest = [other for other in left if other != question]
        assert selected.tallies[question] == tally(left, rest)
        left = left if question in selected.kept else rest
    assert selected.kept and sorted(left) == sorted(selected.kept)
    assert selected.effect == tally(left, [])


def test_words_are_asked_about_once_for_all_parts_of_the_data() -> None:
    asked: list[str] = []
    test = lawful.token.test(lambda word: asked.append(word) or word.isdigit())
    gold = labelled_sequences([(["a", "1999", "a"], ["X", "Y", "X"]), (["1999", "b"], ["Y", "X"])])
    whole = Statistics(gold, LabelSet(["X", "Y"]))
    first, second = whole.of(gold[:1]), whole.of(gold[1:])
    assert first.passing(test).tolist() == [False, True, False]
    assert second.passing(test).tolist() == [True, False]
    assert whole.passing(test).tolist() == [False, True, False, True, False]
    assert asked == ["a", "1999", "b"]
    assert second.words == ["1999", "b"] and second.word_ids.tolist() == [0, 1]


def test_rules_that_only_look_good_where_they_were_found_do_not_pay() -> None:
    """Noise: with labels at random, whatever regularity few sequences show does not help with others."""
    rng = np.random.default_rng(5)
    gold = [(rng.choice(WORDS, 8).tolist(), rng.choice(["A", "B"], 8).tolist()) for _ in range(30)]
    model = lawful.HMM().fit(*map(list, zip(*gold, strict=True)))
    found = mine(gold, model=model, min_support=3, max_exceptions=0.3)
    assert found.needless and not found.found and found.effect == Effect()
    assert all(one.tally is not None for one in found.needless)
    assert f"looked at {found.looked_at}" and found.judged == found.sequences == 30


def test_the_number_of_threads_changes_nothing() -> None:
    gold = [citation(number) for number in range(60)]
    X, Y = map(list, zip(*gold, strict=True))
    model = lawful.CRF(max_iterations=5).fit(X, Y)
    assert mine(gold, model=model, jobs=1) == mine(gold, model=model, jobs=2)
    with pytest.raises(lawful.InputError, match="jobs"):
        mine(gold, model=model, jobs=0)


def test_answers_under_the_rules_that_are_needed_are_those_under_all() -> None:
    """Rules are added, and dropped one after another, without decoding where they do not matter: compared with decoding."""
    changed = hopeless = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        labels = random_label_set(rng, size=3)
        rules = lawful.Rules(
            rule.soft(1.0, per="sequence" if rng.random() < 0.5 else "violation", name=f"rule {number}")
            for number, rule in enumerate(random_rules(rng, labels, 6, depth=0))
        )
        seen = [random_lattice(rng, labels=labels, length=int(n)) for n in rng.integers(1, 7, size=4)]
        lattices = [
            lawful.Lattice(
                rng.normal(size=(one.length, 3)), labels=labels, tokens=one.tokens, context=one.context
            )
            for one in seen
        ]
        gold = [(one.tokens, list(rng.choice(list(labels), one.length)), one.context) for one in lattices]
        prices = np.where(rng.random(6) < 0.3, np.inf, rng.uniform(0.1, 3.0, size=6))
        answers = {rule.name: (number, float(prices[number])) for number, rule in enumerate(rules)}
        working = _Answers(
            HeldOut(labelled_sequences(gold), lattices, CompiledRules(rules, labels), [answers] * 4), None
        )
        working.use(list(answers))
        decoded = decode_all(rules, lattices, prices)
        assert [answer.labels for answer in working.answers] == decoded.labels
        for number in rng.permutation(6).tolist():
            name, fewer = rules[number].name, prices.copy()
            fewer[number] = 0.0
            trial, decoded = working.without(name), decode_all(rules, lattices, fewer)
            found = [
                trial.without[index].labels if index in trial.without else answer.labels
                for index, answer in enumerate(working.answers)
            ]
            assert found == decoded.labels
            hopeless += decoded.statuses.count("infeasible")
            changed += sum(one.labels != new for one, new in zip(working.answers, found, strict=True))
            if rng.random() < 0.5:
                working.drop(name, trial)
                prices = fewer
    assert changed > 50
    assert hopeless > 50


def decode_all(
    rules: lawful.Rules, lattices: list[lawful.Lattice], prices: np.ndarray
) -> lawful.decoding.Decodings:
    """Under all rules at some prices; one of 0 is not in force."""
    decoder = lawful.Decoder(rules, labels=lattices[0].labels, on_infeasible="least_bad")
    return decoder.decode_batch(
        decoder.tie(one, decoder.bind(one.length, one.tokens, one.context).at_prices(prices.tolist()))
        for one in lattices
    )


@pytest.mark.parametrize("gold", [[["a"]], [(["a"],)], ["a b"], [("a", "b")], "a", None])
def test_what_is_no_labelled_data_is_told(gold: Any) -> None:
    with pytest.raises(lawful.errors.InputError, match=r"a pair of tokens and labels|or zip\(X, y\)"):
        lawful.mine(gold)
