"""Rules about labels that a model has never seen: declared ones never occur, others are a mistake."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run
from lawful.errors import LawfulWarning, MissingLabelWarning, UnknownLabelError
from lawful.playground.limits import Limits
from lawful.playground.questions import RuleChoice
from lawful.playground.rule_sets import RuleSets
from lawful.report import make_report
from lawful.rules.files import format_rules, parse_rule_file, parse_rules

X, Y = [["Ann", "Law"], ["Bob", "On", "Law"]], [["author", "title"], ["author", "title", "title"]]
LABELS = ["author", "title", "editor"]
FILE = """\
labels = ["author", "title", "editor"]

[[rule]]
name = "one editor"
kind = "at_most_segments"
n = 1
labels = "editor"

[[rule]]
name = "names first"
kind = "starts_with"
labels = ["author", "editor"]
"""
NEEDS = """
[[rule]]
name = "edited"
kind = "at_least"
n = 1
labels = "editor"
"""


@pytest.fixture
def model() -> lawful.HMM:
    return lawful.HMM().fit(X, Y)


def lattice() -> lawful.Lattice:
    return lawful.Lattice([[0.0, 1.0], [0.0, 1.0]], labels=["author", "title"], tokens=["Ann", "Law"])


def test_a_declared_label_that_the_model_lacks_is_a_warning(model: lawful.HMM) -> None:
    rules = parse_rules(FILE)
    with pytest.warns(
        MissingLabelWarning, match=r"the model has no label 'editor' \(in rules 'one editor', 'names first'\)"
    ) as caught:
        assert model.predict(X, rules) == Y
    assert caught[0].filename == __file__  # not some line of ours
    warning = caught[0].message
    assert isinstance(warning, LawfulWarning)
    assert warning.missing == {"one editor": ("editor",), "names first": ("editor",)}  # type: ignore[attr-defined]


def test_rules_in_code_can_declare_their_labels() -> None:
    rules = lawful.Rules(lawful.starts_with("author", "editor"), labels=LABELS)
    with pytest.warns(MissingLabelWarning):
        assert lawful.decode(lattice(), rules).labels == ("author", "title")


def test_rules_that_are_equal_but_declare_other_labels_are_not_confused() -> None:
    declared = lawful.Rules(lawful.forbid("editor"), labels=LABELS)
    undeclared = lawful.Rules(lawful.forbid("editor"))
    assert declared == undeclared
    with pytest.warns(MissingLabelWarning):
        lawful.decode(lattice(), declared)
    with pytest.raises(UnknownLabelError, match="unknown label 'editor'"):
        lawful.decode(lattice(), undeclared)


def test_an_undeclared_label_stays_an_error_with_a_suggestion(model: lawful.HMM) -> None:
    with pytest.raises(lawful.errors.RuleFileError, match=r"unknown label 'editr'; did you mean 'editor'\?"):
        parse_rules(FILE.replace('labels = "editor"', 'labels = "editr"'))
    with pytest.raises(lawful.errors.RuleFileError, match=r"unknown label 'tilte'; did you mean 'title'\?"):
        parse_rules(FILE + NEEDS.replace('"editor"', '"tilte"'), labels=model.labels)
    rules = lawful.Rules(lawful.forbid("editr"), labels=LABELS)
    with pytest.raises(UnknownLabelError, match=r"did you mean 'editor'\?"):
        lawful.Decoder(rules, labels=model.labels)
    with pytest.raises(UnknownLabelError):
        lawful.Decoder(lawful.forbid("editor"), labels=model.labels)


def test_the_labels_of_a_model_may_be_named_beside_the_declared_ones(model: lawful.HMM) -> None:
    file = parse_rule_file(
        'labels = ["editor"]\n\n[[rule]]\nkind = "before"\na = "author"\nb = "editor"\n', labels=model.labels
    )
    assert file.labels == model.labels
    assert file.rules.labels == lawful.LabelSet(["editor"])


@pytest.mark.filterwarnings("ignore::lawful.errors.MissingLabelWarning")
@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (lawful.at_least(1, "editor"), "at token 0, and the model has no label 'editor'"),
        (
            lawful.when(lawful.token.is_in(["Ann"])).then("editor"),
            "at token 0, and the model has no label 'editor'",
        ),
        (lawful.label_at(0, "editor", "note"), "at token 0, and the model has no labels 'editor', 'note'"),
        (~lawful.forbid("editor"), "the model has no label 'editor'"),
    ],
)
def test_a_rule_that_needs_a_missing_label_is_infeasible_and_says_why(rule: lawful.Rule, told: str) -> None:
    decoder = lawful.Decoder(
        lawful.Rules(rule, lawful.at_most(2, "title"), labels=[*LABELS, "note"]), labels=["author", "title"]
    )
    with pytest.raises(lawful.InfeasibleError) as caught:
        decoder.decode(lattice())
    assert told in str(caught.value)
    assert caught.value.rules == (rule.name,)
    with pytest.raises(lawful.InfeasibleError) as in_batch:
        decoder.decode_batch([lattice()])
    assert told in str(in_batch.value)
    assert in_batch.value.missing == caught.value.missing


@pytest.mark.filterwarnings("ignore::lawful.errors.MissingLabelWarning")
def test_labels_in_the_context_may_be_missing_if_they_are_declared() -> None:
    rules = lawful.Rules(lawful.forbid(lawful.context("banned")), labels=LABELS)
    banned = lattice().with_context({"banned": ["title", "editor"]})
    assert lawful.decode(banned, rules).labels == ("author", "author")
    with pytest.raises(UnknownLabelError):
        lawful.decode(lattice().with_context({"banned": ["note"]}), rules)


def test_declared_labels_survive_prices_logic_and_files() -> None:
    rules = parse_rules(FILE)
    again = parse_rules(format_rules(rules))
    assert again == rules
    assert again.labels == rules.labels == lawful.LabelSet(LABELS)
    combined = lawful.Rules(rules["one editor"] & rules["names first"])
    priced = lawful.Rules(rule.soft(2.0) for rule in rules)
    assert combined.labels == priced.labels == rules.labels
    assert rules.without("one editor").labels == rules.labels


@pytest.mark.filterwarnings("ignore::lawful.errors.MissingLabelWarning")
def test_learners_explanations_reports_and_checks_take_such_rules(model: lawful.HMM) -> None:
    rules = parse_rules(FILE)
    learner = lawful.CoDL(lawful.HMM(), rules, rounds=1).fit(X, Y, unlabelled=X)
    assert learner.predict(X) == Y
    assert lawful.explain(model.lattice(X[0]), rules).decoding.labels == tuple(Y[0])
    sentences = [lawful.Sentence(tokens, labels) for tokens, labels in zip(X, Y, strict=True)]
    assert make_report(sentences, model, rules).sequences == 2
    assert lawful.evaluate(sentences, sentences, rules=rules).violations["one editor"].gold == 0
    checked = lawful.check(rules, model.labels)
    assert [missing.labels for missing in checked.missing_labels] == [("editor",), ("editor",)]
    assert "missing: 'one editor' names 'editor', which is no label here and never occurs" in str(checked)


@pytest.mark.filterwarnings("ignore::lawful.errors.MissingLabelWarning")
def test_the_playground_takes_such_rules(model: lawful.HMM) -> None:
    served = parse_rule_file("", "rules", labels=model.labels)
    chosen = RuleSets("", served, model, Limits()).choose(RuleChoice(FILE, (), ()))
    assert chosen.decoder.predict(X) == Y
    assert chosen.findings["missing_labels"][0]["labels"] == ("editor",)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_commands_report_missing_labels_on_stderr(
    model: lawful.HMM, tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    model.save(tmp_path / "m.lawful")
    (tmp_path / "rules.toml").write_text(FILE)
    (tmp_path / "in.jsonl").write_text('{"tokens": ["Ann", "Law"]}\n' * 3)
    files = [str(tmp_path / "in.jsonl"), "-m", str(tmp_path / "m.lawful"), "-r", str(tmp_path / "rules.toml")]
    assert run(["decode", *files, "--json", "--jobs", jobs, "--batch-tokens", "2"]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["labels"] for line in out.splitlines()] == [["author", "title"]] * 3
    expected = [
        f"rules.toml, line {line}: the model has no label 'editor': it never occurs" for line in (3, 9)
    ]
    lines = err.splitlines()
    assert [line.endswith(told) for line, told in zip(lines, expected, strict=True)] == [True, True]
    assert run(["explain", *files, "--all"]) == 0
    assert capsys.readouterr().err.count("has no label 'editor'") == 2
    (tmp_path / "rules.toml").write_text(FILE + NEEDS)
    assert run(["decode", *files]) == 1
    assert "obeys rule 'edited' at token 0, and the model has no label 'editor'" in capsys.readouterr().err


def test_training_with_few_sequences_takes_a_whole_rule_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [{"tokens": tokens, "labels": labels} for tokens, labels in zip(X, Y, strict=True)]
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "rules.toml").write_text(FILE)
    options = ["--kind", "hmm", "--dev", str(gold), "--rules", str(tmp_path / "rules.toml")]
    assert run(["train", str(gold), "-o", str(tmp_path / "m.lawful"), *options]) == 0
    assert "has no label 'editor'" in capsys.readouterr().err


def test_a_warning_of_a_command_is_a_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    from lawful.cli.boundary import guarded

    def work() -> int:
        warnings.warn(MissingLabelWarning({"a rule": ("B",)}), stacklevel=1)
        return 0

    assert guarded(work) == 0
    assert (
        capsys.readouterr().err == "lawful: the model has no label 'B' (in rule 'a rule'): it never occurs\n"
    )
