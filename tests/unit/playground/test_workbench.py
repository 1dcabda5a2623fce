"""The playground without HTTP: questions, answers, limits."""

from __future__ import annotations

from typing import Any

import pytest

import lawful
from lawful.errors import InputError, RuleFileError
from lawful.playground.limits import Limits
from lawful.playground.questions import read_check, read_decode
from lawful.playground.rule_sets import Kept
from lawful.playground.starter import starter_examples, starter_model, starter_rules, starter_workbench
from lawful.playground.workbench import Workbench, broken_rules
from lawful.tasks import generate_citations
from lawful.tasks.citations.rules import citation_rules

TEXT = (
    "Haroford, L. (1989). Mapping hybrid slicing. Philadelphia, PA: North-Holland. Note: preliminary version."
)


@pytest.fixture(scope="module")
def bench() -> Workbench:
    return starter_workbench()


def decode(bench: Workbench, **body: Any) -> dict[str, Any]:
    return bench.decode(read_decode({"text": TEXT, **body}, bench.limits))


def test_an_answer_is_that_of_the_decoder(bench: Workbench) -> None:
    rules = lawful.rules.files.parse_rules(starter_rules())
    tokens = list(bench.tokenizer.tokens(TEXT))
    wanted = lawful.Decoder(rules, tagger=starter_model()).decode_tokens(tokens)
    answer = decode(bench)
    assert answer["tokens"] == tokens
    assert tuple(answer["labels"]) == wanted.labels
    assert tuple(answer["plain_labels"]) == wanted.plain_labels
    assert answer["changed"] == list(wanted.changed) != []
    assert answer["loss"] == pytest.approx(wanted.loss)
    assert {one["rule"]: one["count"] for one in answer["plain_violations"]} == {
        name: count for name, count in rules.violations(wanted.plain_labels, tokens).items() if count
    }
    assert [TEXT[a:b] for a, b in answer["offsets"]] == tokens


def test_tokens_may_be_given(bench: Workbench) -> None:
    answer = bench.decode(read_decode({"tokens": ["Lee", ",", "A", "."]}, bench.limits))
    assert answer["labels"][:2] == ["author", "author"]
    assert "offsets" not in answer


def test_switching_rules_off_and_changing_prices_changes_the_answer(bench: Workbench) -> None:
    names = [rule["name"] for rule in bench.served["rules"]]
    none = decode(bench, off=names)
    assert none["labels"] == none["plain_labels"]
    assert decode(bench)["labels"] != none["labels"]
    soft = dict.fromkeys(names, 0.0)
    assert decode(bench, prices=soft)["labels"] == none["labels"]
    assert decode(bench, prices={"fields end at punctuation": "hard"})["violations"] == []


def test_the_reasons_are_those_of_explain(bench: Workbench) -> None:
    answer = decode(bench, explain=True, runners_up=2)
    data = answer["explanation"]
    lattice = starter_model().lattice(answer["tokens"])
    wanted = lawful.explain(lattice, lawful.rules.files.parse_rules(starter_rules()), runners_up=2).to_dict()
    assert data["changes"] == wanted["changes"]
    assert [one["price"] for one in data["prices"]] == pytest.approx(
        [one["price"] for one in wanted["prices"]]
    )
    assert len(data["runners_up"]) == 2


def test_a_contradiction_is_an_answer(bench: Workbench) -> None:
    text = '[[rule]]\nname = "a"\nkind = "forbid"\nlabels = "date"\n[[rule]]\nname = "b"\nkind = "at_least"\nn = 1\nlabels = "date"'
    answer = decode(bench, rules=text, explain=True)
    assert answer["status"] == "infeasible"
    assert answer["contradiction"] == {"rules": ["a", "b"], "position": None}
    assert len(answer["labels"]) == len(answer["tokens"])
    assert answer["explanation"] is None


def test_an_empty_text_is_no_error(bench: Workbench) -> None:
    assert bench.decode(read_decode({"text": "  "}, bench.limits))["labels"] == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "JSON object"),
        ({}, "either text or tokens"),
        ({"text": "a", "tokens": []}, "either text or tokens"),
        ({"text": 3}, "text must be a string"),
        ({"tokens": "abc"}, "list of strings"),
        ({"tokens": ["a", None]}, "a token must be a string"),
        ({"tokens": ["a"] * 11}, "at most 10 tokens, got 11"),
        ({"text": "a " * 11}, "at most 10 tokens, got 11"),
        ({"tokens": ["a" * 2000]}, "1,000 characters"),
        ({"text": "a" * 3000}, "characters"),
        ({"text": "a", "rules": 1}, "rules must be a string"),
        ({"text": "a", "rules": "#" * 200_000}, "characters"),
        ({"text": "a", "off": "one"}, "off must be a list"),
        ({"text": "a", "off": [1]}, "must be a string"),
        ({"text": "a", "prices": []}, "prices must be an object"),
        ({"text": "a", "prices": {"x": -1}}, "number from 0"),
        ({"text": "a", "prices": {"x": True}}, "number from 0"),
        ({"text": "a", "prices": {"x": float("nan")}}, "number from 0"),
        ({"text": "a", "prices": {"x": "learn"}}, "number from 0"),
        ({"text": "a", "explain": 1}, "true or false"),
        ({"text": "a", "runners_up": 11}, "0 to 10"),
        ({"text": "a", "runners_up": True}, "0 to 10"),
        ({"text": "a", "rule": ""}, "unknown field 'rule'"),
    ],
)
def test_questions_are_checked(body: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_decode(body, Limits(tokens=10))


def test_rules_that_do_not_exist_cannot_be_switched(bench: Workbench) -> None:
    with pytest.raises(InputError, match="there is no rule 'nonsense'"):
        decode(bench, off=["nonsense"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('include = ["/etc/passwd"]', "include"),
        ('[tests]\nx = { words_file = "/etc/passwd" }', "may not open other files"),
        ("[[rule]]\nkind = ", "line"),
        ('[[rule]]\nkind = "forbid"\nlabels = "titel"', "did you mean 'title'"),
        ('[[rule]]\nkind = "when"\nthen = "date"\ntest = { matches = \'(a)\\1\' }', "test"),
    ],
)
def test_a_rule_text_opens_no_file_and_runs_no_slow_pattern(
    bench: Workbench, text: str, message: str
) -> None:
    with pytest.raises(RuleFileError, match=message):
        decode(bench, rules=text)
    found = bench.check(read_check({"rules": text}, bench.limits))
    assert found["ok"] is False
    assert (
        message
        in " ".join(str(value) for problem in found["problems"] for value in problem.values()) + "line"
    )


def test_too_many_or_too_large_rules_are_refused(bench: Workbench) -> None:
    many = "".join(f'[[rule]]\nkind = "at_most"\nn = {n}\nlabels = "date"\n' for n in range(201))
    with pytest.raises(RuleFileError, match="at most 200 rules, got 201"):
        decode(bench, rules=many)
    large = '[[rule]]\nkind = "pattern"\npattern = "(author|title)* author (author|title){30}"'
    found = bench.check(read_check({"rules": f"\n\n{large}"}, bench.limits))
    assert found["ok"] is False
    assert found["problems"][0]["line"] == 3


def test_a_check_tells_rules_drawings_and_findings(bench: Workbench) -> None:
    found = bench.check(read_check({"draw": ["one title"], "analyse": True}, bench.limits))
    assert found["ok"] is True
    assert [rule["name"] for rule in found["rules"]] == [rule["name"] for rule in bench.served["rules"]]
    assert found["rules"][3]["meaning"] == "There is at most one segment of title."
    assert found["rules"][3]["line"] == 26
    assert list(found["drawings"]) == ["one title"]
    assert found["drawings"]["one title"]["svg"].startswith("<svg")
    assert found["findings"]["ok"] is True


def test_the_same_choice_is_compiled_once(bench: Workbench) -> None:
    text = starter_rules()
    one = bench.sets.choose(read_decode({"text": "", "off": ["one title"]}, bench.limits).choice)
    two = bench.sets.choose(
        read_decode({"text": "", "rules": text, "off": ["one title"]}, bench.limits).choice
    )
    assert one is two


def test_what_was_used_least_lately_is_forgotten() -> None:
    kept, made = Kept(2), []
    for key in "abacab":
        kept.get(key, lambda key=key: made.append(key) or key)  # type: ignore[misc]
    assert made == ["a", "b", "c", "b"]


def test_breaches_are_counted_as_the_rules_count_them() -> None:
    rules = citation_rules(price=1.0)
    labels = starter_model().labels
    decoder = lawful.Decoder(rules, labels=labels)
    for sentence in generate_citations(40, seed=8):
        shuffled = (sentence.labels or ())[::-1]
        found = broken_rules(decoder.bind(len(sentence), sentence.tokens), shuffled)
        wanted = rules.violations(shuffled, sentence.tokens)
        assert {one["rule"]: one["count"] for one in found} == {k: v for k, v in wanted.items() if v}
        assert all(0 <= t < len(sentence) for one in found for t in one["positions"])


def test_every_example_is_changed_by_the_rules_and_proved(bench: Workbench) -> None:
    for example in starter_examples():
        answer = decode(bench, text=example["text"])
        assert answer["changed"], example["name"]
        assert answer["status"] == "optimal"
