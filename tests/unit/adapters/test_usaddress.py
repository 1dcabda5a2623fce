"""usaddress under rules: its own answers where it has one, the best legal ones where it raises an error."""

from __future__ import annotations

import csv
import math
import os
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
import pytest
import usaddress as package

import lawful
from lawful.adapters import usaddress
from lawful.errors import InputError, LossError, MissingExtraError

LABELS = package.TAGGER.labels()
FEW = ["AddressNumber", "StreetName", "StreetNamePostType", "IntersectionSeparator", "PlaceName", "USPSBoxID"]
MAPPINGS: list[dict[str, Any]] = [
    {},
    {
        "StreetName": "address1",
        "StreetNamePostType": "address1",
        "AddressNumber": "address1",
        "PlaceName": "city",
    },
    {"SecondStreetName": "StreetName", "PlaceName": "", "USPSBoxID": None},
    {
        "PlaceName": "StreetName",
        "SecondStreetName": "SecondStreetNamePostType",
        "IntersectionSeparator": "and",
    },
]


def theirs(monkeypatch: pytest.MonkeyPatch, labels: Sequence[str], mapping: dict[str, str]) -> Any:
    """What the package makes of these labels; None if it raises."""
    tokens = [f"{place}," for place in range(len(labels))]
    monkeypatch.setattr(package, "parse", lambda text: list(zip(tokens, labels, strict=True)))
    try:
        return package.tag("", tag_mapping=mapping)
    except package.RepeatedLabelError:
        return None


def breaks(rules: Iterable[Any], labels: Sequence[str], sequences: np.ndarray) -> np.ndarray:
    """Which rows (N, T) of label numbers break one of the rules, all rows at once."""
    broken = np.zeros(len(sequences), dtype=bool)
    for rule in rules:
        numbers = dict(rule.classes)
        classes = np.array([numbers[label] for label in labels])
        state = np.zeros(len(sequences), dtype=np.int64)
        for column in classes[sequences].T:
            broken |= rule.machine.violations[state, column] > 0
            state = rule.machine.delta[state, column].astype(np.int64)
        broken |= rule.machine.final[state] > 0
    return broken


@pytest.mark.parametrize("mapping", MAPPINGS, ids=["none", "README", "odd", "clashing"])
@pytest.mark.parametrize(("labels", "longest"), [(LABELS, 3), (FEW, 5)], ids=["all labels", "few labels"])
def test_the_rules_are_broken_exactly_where_the_package_raises(
    monkeypatch: pytest.MonkeyPatch, mapping: dict[str, Any], labels: list[str], longest: int
) -> None:
    rules = usaddress.rules(labels, mapping)
    arrange = usaddress.parser(mapping).arrange
    raised = 0
    for length in range(1, longest + 1):
        rows = np.array(list(product(range(len(labels)), repeat=length)))
        for row, broken in zip(rows, breaks(rules, labels, rows), strict=True):
            sequence = [labels[k] for k in row]
            expected = theirs(monkeypatch, sequence, mapping)
            assert broken == (expected is None), sequence
            tokens = [f"{place}," for place in range(length)]
            for merge in (False, True):
                fields, kind = arrange(tokens, sequence, merge=merge)
                if expected is not None:
                    assert (fields, kind) == expected
                    assert list(fields) == list(expected[0])
                joined = " ".join(fields.values()).replace(",", "").split()
                assert sorted(map(int, joined)) == list(range(length))  # no token is lost
            raised += broken
    assert raised > 0


def test_without_intersections_and_mapping_the_rule_is_one_segment_a_label() -> None:
    labels = ["AddressNumber", "StreetName", "PlaceName"]
    for rule in usaddress.rules(labels):
        if rule.name != "one SecondStreetName":
            label = rule.name.removeprefix("one ")
            simple = lawful.at_most_segments(1, label)
            for sequence in product(labels, repeat=5):
                assert rule.violations(sequence) == simple.violations(sequence)


def made_up_addresses(count: int) -> list[str]:
    """Addresses, intersections, boxes and strings that hold two of them."""
    rng = np.random.default_rng(5)

    def pick(*options: str) -> str:
        return options[int(rng.integers(len(options)))]

    def street() -> str:
        name = pick(
            "Main", "5th", "Martin Luther King", "Elm", "Route 37", "Ave H", "Oak Hill", "County Road 12"
        )
        return f"{pick('', 'N ', 'South ', 'NW ')}{name} {pick('St', 'Ave.', 'Blvd', 'road', '', 'Dr E')}"

    def place() -> str:
        city = pick("Chicago", "Toms River", "San Francisco", "Ft Payne", "St Paul")
        return f"{pick('', ', ')}{city}{pick(', ', ' ')}{pick('IL', 'nj', 'Calif.', '')} {rng.integers(10000, 99999)}"

    def one() -> str:
        kind = rng.integers(5)
        if kind == 0:
            return f"{street()} {pick('&', 'and', '@')} {street()}{place()}"
        if kind == 1:
            return f"{pick('PO Box', 'P.O. box')} {rng.integers(9999)}{place()}"
        unit = pick("", " apt 4", " #12", " Suite 100, 2nd floor", " c/o Ann Lee")
        return f"{rng.integers(1, 9999)} {street()}{unit}{place()}"

    return [one() if rng.random() < 0.7 else f"{one()} {one()}" for _ in range(count)]


def real_addresses() -> list[str]:
    data = os.environ.get("LAWFUL_DATA")
    if not data:
        pytest.skip("LAWFUL_DATA names no folder of corpora; `make experiments-addresses` checks the same")
    with (Path(data) / "usaddress" / "unparseable.csv").open(newline="") as file:
        return [row[0] for row in csv.reader(file) if row]


def assert_answers_are_kept(texts: list[str]) -> None:
    raised = 0
    for text, found in zip(texts, usaddress.decode_many(texts), strict=True):
        plain = package.parse(text)
        assert list(found.plain_labels) == [label for _, label in plain]
        assert found.tokens == tuple(token for token, _ in plain)
        try:
            expected = package.tag(text)
        except package.RepeatedLabelError:
            raised += 1
            assert found.loss > 0
            assert found.fell_back == (found.loss > 3)
            assert bool(found.changed) != found.fell_back
        else:
            assert (found.fields, found.kind) == expected
            assert (found.loss, found.changed, found.fell_back) == (0.0, (), False)
    assert raised > len(texts) / 20


def test_what_the_package_parses_comes_out_unchanged() -> None:
    assert_answers_are_kept(made_up_addresses(400))


def test_what_the_package_parses_comes_out_unchanged_on_real_addresses() -> None:
    assert_answers_are_kept(real_addresses())


def test_the_lattice_is_that_of_the_shipped_model() -> None:
    tagger = usaddress.parser().tagger
    judge = pycrfsuite.Tagger()
    judge.open(package.MODEL_PATH)
    for text in made_up_addresses(100):
        items = package.tokens2features(package.tokenize(text))
        lattice = tagger.lattice(items)
        labels = judge.tag(items)
        expected = math.log(judge.probability(labels))
        assert lawful.lattice.path_score(lattice, labels) - lawful.decoding.log_partition(
            lattice
        ) == pytest.approx(expected, abs=1e-9)


TWO = "100 Main St Chicago IL 60601 200 Oak Ave Springfield IL 62701"


def test_beyond_max_loss_the_plain_labels_are_kept_apart_or_merged() -> None:
    with pytest.raises(package.RepeatedLabelError):
        package.tag(TWO)
    apart = usaddress.decode(TWO)
    merged = usaddress.decode(TWO, on_exceed="merge")
    assert apart.fell_back
    assert apart.loss > 3
    assert apart.labels == apart.plain_labels == merged.labels
    assert apart.pairs == package.parse(TWO)
    assert (apart.fields["AddressNumber"], apart.fields["AddressNumber (2)"]) == ("100", "200")
    assert merged.fields["AddressNumber"] == "100 200"
    assert {name.split(" (")[0] for name in apart.fields} == set(merged.fields)
    assert usaddress.tag(TWO, on_exceed="merge") == (merged.fields, merged.kind)
    with pytest.raises(LossError) as caught:
        usaddress.tag(TWO, on_exceed="raise")
    assert caught.value.loss == pytest.approx(apart.loss)


def test_none_obeys_always_and_0_never_pays() -> None:
    obeying = usaddress.decode(TWO, max_loss=None)
    assert not obeying.fell_back
    assert obeying.changed
    assert not any("(" in name for name in obeying.fields)
    assert obeying.decoding is not None
    assert obeying.decoding.status == "optimal"
    assert sum(obeying.decoding.violations.values()) == 0
    assert usaddress.decode(TWO, max_loss=0.0).labels == obeying.plain_labels
    assert "2" in str(lawful.explain(obeying.decoding.lattice, usaddress.rules(LABELS)))


def test_what_obeying_would_cost_is_exact_though_nobody_searched_for_it() -> None:
    twice = "123 Main St Springfield IL 62701 123 Main St Springfield IL 62701"
    texts = [twice, "101 S Main St", twice.lower()]
    for parsed, obeying in zip(
        usaddress.decode_many(texts), usaddress.decode_many(texts, max_loss=None), strict=True
    ):
        assert parsed.loss == pytest.approx(obeying.loss, abs=1e-9)
        assert parsed.fell_back == (obeying.loss > usaddress.MAX_LOSS)
        assert parsed.labels == (parsed.plain_labels if parsed.fell_back else obeying.labels)
        assert parsed.decoding is not None and parsed.decoding.labels == obeying.labels
        assert pickle.loads(pickle.dumps(parsed)).loss == parsed.loss  # noqa: S301


@pytest.mark.parametrize("mapping", [*MAPPINGS, {"PlaceName": "place (2)", "StateName": "place"}])
@pytest.mark.parametrize("options", [{}, {"on_exceed": "merge"}, {"max_loss": 0.0}, {"max_loss": 9.0}])
def test_answers_are_the_same_without_the_core(mapping: dict[str, str], options: dict[str, Any]) -> None:
    parser = usaddress.parser(mapping)
    slow = replace(parser, core=None)
    texts = made_up_addresses(150)
    fell_back = 0
    for found, expected in zip(
        parser.decode_many(texts, **options), slow.decode_many(texts, **options), strict=True
    ):
        assert (found, list(found.fields)) == (replace(expected, parser=parser), list(expected.fields))
        fell_back += found.fell_back
    assert fell_back > 10


def test_a_tag_mapping_is_part_of_the_rule() -> None:
    mapping = {"StreetName": "street", "PlaceName": "street", "StateName": "street"}
    text = "100 Main St Chicago IL 60601"
    with pytest.raises(package.RepeatedLabelError):
        package.tag(text, tag_mapping=mapping)
    found = usaddress.decode(text, mapping, max_loss=None)
    assert found.changed
    assert usaddress.tag(text, mapping, max_loss=None)[0].keys() == found.fields.keys()
    assert not usaddress.decode(text).changed


def test_no_tokens_no_labels() -> None:
    for text in ("", "  ,;", b""):
        assert usaddress.tag(text) == package.tag(text) == ({}, "Ambiguous")  # type: ignore[arg-type]
        assert usaddress.parse(text) == []  # type: ignore[arg-type]


def test_bytes_are_taken_as_the_package_takes_them() -> None:
    assert usaddress.tag(b"1 Main St &amp; Oak St") == package.tag(b"1 Main St &amp; Oak St")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("option", "value"),
    [("max_loss", -1), ("max_loss", math.nan), ("max_loss", "3"), ("on_exceed", "ignore")],
)
def test_options_are_checked(option: str, value: Any) -> None:
    with pytest.raises(InputError, match=option):
        usaddress.tag("1 Main St", **{option: value})


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        (["StreetName"], r"tag_mapping must be a mapping of labels to names, got \['StreetName'\]"),
        ({"StreetName": 3}, r"tag_mapping\['StreetName'\] must be a string, got 3"),
        ({"StreetName": ["street"]}, r"tag_mapping\['StreetName'\] must be a string"),
    ],
)
def test_a_tag_mapping_gives_names(mapping: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        usaddress.tag("1 Main St", mapping)
    assert usaddress.tag("1 Main St", {"StreetName": ""}) == package.tag("1 Main St", {"StreetName": ""})


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "usaddress", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[usaddress\]'"):
        usaddress.tag("1 Main St")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("1 Main St", "a list of strings"),
        (b"1 Main St", "a list of strings"),
        (None, "a list of strings"),
        (["1 Main St", None], "text 2: expected a string, got None"),
        (["1 Main St", math.nan], "text 2: expected a string, got nan"),
        ([b"\xff"], "text 1: these bytes are not UTF-8"),
    ],
)
def test_what_is_no_string_is_named(texts: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        usaddress.decode_many(texts)


def test_many_may_be_none_and_one_may_be_huge() -> None:
    assert usaddress.decode_many([]) == []
    for huge in ("1 Main St " * 3000, "(" * 2000, "a" * 100_000, "((a" * 3000):
        assert usaddress.decode(huge).pairs == package.parse(huge)


def test_jobs_are_checked_and_a_loss_in_a_batch_is_located() -> None:
    with pytest.raises(InputError, match="jobs"):
        usaddress.decode_many(["1 Main St"], jobs=0)
    with pytest.raises(LossError, match="sequence 2"):
        usaddress.decode_many(["1 Main St", TWO], on_exceed="raise")


def test_answers_can_be_sent_to_other_processes() -> None:
    for text in ("1 Main St", TWO, ""):
        found = usaddress.decode(text, {"PlaceName": "city"})
        again = pickle.loads(pickle.dumps(found))  # noqa: S301
        assert again == found
        assert (again.decoding is None) == (text == "")


def test_a_package_that_the_core_does_not_know_is_asked_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    tagger = usaddress.parser().tagger
    monkeypatch.setattr(package, "tokenize", lambda text: text.split("|"))
    other = usaddress.parser(tagger=tagger)
    assert other.core is None
    assert other.decode("1|Main|St").tokens == ("1", "Main", "St")
