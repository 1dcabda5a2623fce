"""Little data: what `train` chooses, learning from unlabelled texts, and cross-validation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lawful
from lawful.cli.commands.train import _about_choice
from lawful.cli.main import run
from lawful.tasks import generate_citations


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    sentences = generate_citations(90, seed=8)
    lawful.write_corpus(sentences[:15], folder / "few.conll")
    lawful.write_corpus(sentences[60:], folder / "test.conll")
    (folder / "pool.txt").write_text("".join(f"{' '.join(one.tokens)}\n" for one in sentences[15:60]))
    (folder / "rules.toml").write_text(
        '[[rule]]\nname = "author first"\nkind = "starts_with"\nlabels = ["author", "editor"]\n'
        '[[rule]]\nname = "one title"\nkind = "at_most_segments"\nn = 1\nlabels = "title"\nprice = "learn"\n'
    )
    return folder


def test_train_chooses_by_folds_and_says_what(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "m.lawful")
    arguments = ["train", str(few / "few.conll"), "-o", out, "--dev", str(few / "test.conll"), "--jobs", "1"]
    assert run(arguments) == 0
    assert "chosen by 5 folds: blend of a CRF" in capsys.readouterr().out
    assert lawful.load_model(out).kind == "blend"
    assert run([*arguments, "--json"]) == 0
    chosen = json.loads(capsys.readouterr().out)
    assert run([*arguments, "--kind", "crf", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert "tried" not in plain
    assert chosen["tried"][0]["span_f1"] >= chosen["tried"][-1]["span_f1"]
    assert chosen["dev"]["span_f1"] > plain["dev"]["span_f1"] + 0.02


def test_a_choice_is_kept_to_the_kind_that_is_asked_for(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "m.lawful")
    assert run(["train", str(few / "few.conll"), "-o", out, "--kind", "crf", "--tune", "--json"]) == 0
    tried = json.loads(capsys.readouterr().out)["tried"]
    assert {one["share"] for one in tried} == {1.0}
    assert lawful.load_model(out).kind == "crf"


def test_labels_can_be_declared(few: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "m.lawful")
    assert run(["train", str(few / "few.conll"), "-o", out, "--kind", "hmm", "--labels", "isbn,url"]) == 0
    assert {"isbn", "url", "title"} <= set(lawful.load_model(out).labels)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--kind", "tree"], "--kind must be one of auto, crf, hmm, blend"),
        (["--kind", "hmm", "--c1", "1"], "--c1 is for --kind crf"),
        (["--tune", "--c2", "1"], "--tune chooses the penalties of the CRF: leave out --c2"),
        (["--tune", "--checkpoint", "x"], "--checkpoint is for a CRF or --unlabelled, not for --tune"),
        (["--write-prices", "p.toml"], "--write-prices is for prices that are learned with --unlabelled"),
    ],
)
def test_options_that_do_not_go_together(
    few: Path, tmp_path: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["train", str(few / "few.conll"), "-o", str(tmp_path / "m.lawful"), *more]) == 2
    assert said in capsys.readouterr().err


def test_texts_without_labels_are_learned_from(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, prices, folder = tmp_path / "m.lawful", tmp_path / "priced.toml", tmp_path / "progress"
    arguments = [
        "train", str(few / "few.conll"), "--unlabelled", str(few / "pool.txt"), "--rules", str(few / "rules.toml"),
        "--labels", "editor", "--rounds", "2", "-o", str(out), "--write-prices", str(prices), "--checkpoint", str(folder),
    ]  # fmt: skip
    without = [one for one in arguments if one not in ("--labels", "editor")]
    assert run(without) == 2
    assert "declare it with --labels" in capsys.readouterr().err
    assert run(arguments) == 0
    printed = capsys.readouterr()
    assert "round 2 of 2" in printed.err
    assert "and 45 without labels" in printed.out
    assert not folder.exists()
    model = lawful.load_model(out)
    assert model.tokenizer.convention == "words"
    [learned] = [rule for rule in lawful.read_rules(prices) if rule.name == "one title"]
    assert learned.price != "learn"
    gold = lawful.read_corpus(few / "few.conll")
    pool = lawful.corpus.read_text(few / "pool.txt", tokenizer=model.tokenizer)
    learner = lawful.CoDL(
        lawful.HMM(labels=list(model.labels)), lawful.read_rules(few / "rules.toml"), rounds=2
    )
    learner.fit(gold, [one.labels or () for one in gold], unlabelled=pool)
    test = lawful.read_corpus(few / "test.conll")
    assert model.predict(test) == learner.model_.predict(test)


def test_folds_label_each_sequence_by_a_model_that_has_not_seen_it(
    few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "evaluate",
        str(few / "test.conll"),
        "--folds",
        "3",
        "--kind",
        "hmm",
        "-r",
        str(few / "rules.toml"),
    ]
    rules = few / "hard.toml"
    rules.write_text('[[rule]]\nname = "author first"\nkind = "starts_with"\nlabels = ["author", "editor"]\n')
    assert run([*arguments[:-1], str(rules), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    gold = lawful.read_corpus(few / "test.conll")
    from lawful.learning.prices.cross_fitting import parts_of

    labels = sorted({label for one in gold for label in one.labels or ()})
    wanted: list[list[str]] = [[]] * len(gold)
    for part, others in parts_of(len(gold), 3, 0):
        model = lawful.HMM(labels=labels).fit(
            [gold[i] for i in others], [gold[i].labels or () for i in others]
        )
        for index in part:
            wanted[index] = model.predict([gold[index]])[0]
    assert data["without_rules"]["token_accuracy"] == lawful.evaluate(gold, wanted).token_accuracy
    assert "comparison" in data
    assert run(["evaluate", str(few / "test.conll"), "--folds", "99"]) == 2
    assert run(["evaluate", str(few / "test.conll"), "--kind", "hmm"]) == 2


def test_a_choice_by_two_measures_tells_both() -> None:
    tried = [
        {"model": "an HMM", "share": 0.0, "span_f1": 0.6, "token_accuracy": 0.9},
        {"model": "CRF", "share": 1.0, "span_f1": 0.7, "token_accuracy": 0.75},
    ]
    told = _about_choice({"tried": tried, "folds": 5})
    assert told == "chosen by 5 folds: an HMM, span F1 60.0, token accuracy 90.0 (best CRF 70.0, 75.0)"
