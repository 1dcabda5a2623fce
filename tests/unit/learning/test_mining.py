from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.labels import LabelSet
from lawful.learning.gold import labelled_sequences
from lawful.learning.mining import FAMILIES, mine
from lawful.learning.mining.evidence import Thresholds
from lawful.learning.mining.statistics import Statistics

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
    assert rule.price == pytest.approx(np.log(198.5 / 2.5), abs=1e-3)
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
    assert "# Not taken, because the model breaks them no more often" in found.to_toml()
    assert lawful.rules.files.parse_rules(found.to_toml()) == found.rules
    assert mine(gold, model=model, hard_support=1000) == found


def test_a_model_of_other_data_is_refused() -> None:
    model = lawful.HMM().fit([["x"]], [["other"]])
    with pytest.raises(lawful.InputError, match="does not know the label 'author'"):
        mine([citation(n) for n in range(80)], model=model)
