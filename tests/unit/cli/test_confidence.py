"""`decode` with probabilities and further answers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run


def test_json_has_probabilities_and_further_answers(made, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decode", made.jsonl, "-m", made.model, "-r", made.rules, "--json", "--nbest", "3"]) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[0])
    decoding = record["decoding"]
    assert len(decoding["probabilities"]) == len(record["labels"])
    assert all(0 <= one <= 1 for one in decoding["probabilities"])
    assert [field["type"] for field in decoding["fields"]] == [
        span.type for span in lawful.schemes.find_spans(record["labels"])
    ]
    assert decoding["probability_method"] in ("exact", "sampled", "model")
    scores = [one["score"] for one in decoding["nbest"]]
    assert len(scores) == 3 and scores == sorted(scores, reverse=True)
    assert decoding["nbest"][0]["labels"] == record["labels"]
    assert run(["decode", made.jsonl, "-m", made.model, "--json", "--no-confidence"]) == 0
    assert "probabilities" not in json.loads(capsys.readouterr().out.splitlines()[0])["decoding"]


def test_a_column_of_probabilities_is_the_model_s_without_rules(made, tmp_path: Path) -> None:
    out = tmp_path / "out.conll"
    assert run(["decode", made.test, "-m", made.model, "--confidence-column", "-o", str(out)]) == 0
    rows = lawful.read_corpus(out, columns="token,probability,gold,label")
    model, gold = lawful.load_model(made.model), lawful.read_corpus(made.test)
    found = model.predict_marginals(gold[:1])[0]
    first = rows[0]
    wanted = [found[t, list(model.labels).index(label)] for t, label in enumerate(first.labels or ())]
    assert [float(value) for value in first.columns["probability"]] == pytest.approx(wanted, abs=1e-4)


def test_fields_have_their_probability(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["decode", made.jsonl, "-m", made.model, "-r", made.rules, "--to", "fields", "--confidence"]
    assert run(arguments) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[0])
    assert all(0 <= field["probability"] <= 1 for fields in record["fields"].values() for field in fields)
    assert run([*arguments, "-o", str(tmp_path / "f.csv")]) == 0
    row = next(csv.DictReader(io.StringIO((tmp_path / "f.csv").read_text())))
    assert float(row["title_probability"].split(" | ")[0]) == record["fields"]["title"][0]["probability"]


@pytest.mark.parametrize(
    ("more", "said"), [(["--nbest", "2"], "pass --json too"), (["--confidence"], "pass --confidence-column")]
)
def test_options_that_do_not_go_together(
    made, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["decode", made.test, "-m", made.model, *more]) == 2
    assert said in capsys.readouterr().err
