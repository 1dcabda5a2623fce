"""`lawful train`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run
from lawful.models.features import Features, default_features, lower, suffix

SOURCE = str(Path(lawful.__file__).parents[1])


def test_the_model_is_the_library_s(made, tmp_path: Path) -> None:
    gold = lawful.read_corpus(made.gold)
    features = default_features([one.tokens for one in gold])
    mine = lawful.CRF(features, max_iterations=8).fit(
        [one.tokens for one in gold], [one.labels for one in gold]
    )
    found = lawful.load_model(made.model)
    assert (found.weights_ == mine.weights_).all()
    assert dict(found.notes_) == {
        "columns": ["token", "label"], "token": "token", "label": "label", "tokenizer": found.tokenizer.to_dict(),
    }  # fmt: skip
    assert found.tokenizer == lawful.corpus.Tokenizer("words", ("Dec.", "Feb.", "Oct.", "Sept."))


def test_iterations_are_counted_without_the_start(
    made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "m.lawful")
    assert run(["train", made.gold, "-o", out, "--kind", "crf", "--max-iterations", "1"]) == 0
    assert "weights after 1 iteration\n" in capsys.readouterr().out


def test_the_same_data_gives_the_same_file_whatever_the_jobs(made, tmp_path: Path) -> None:
    again = tmp_path / "again.lawful"
    assert run(["train", made.gold, "-o", str(again), "--max-iterations", "8", "--jobs", "2"]) == 0
    assert again.read_bytes() == Path(made.model).read_bytes()


def test_dev_scores_with_and_without_rules(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "m.lawful")
    base = ["train", made.gold, "-o", out, "--max-iterations", "8", "--dev", made.test, "--rules", made.rules]
    assert run([*base, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    dev = lawful.read_corpus(made.test)
    model, rules = lawful.load_model(made.model), lawful.read_rules(made.rules)
    X = [one.tokens for one in dev]
    assert data["dev"]["span_f1"] == lawful.evaluate(dev, model.predict(X)).micro.f1
    assert data["dev_with_rules"]["span_f1"] == lawful.evaluate(dev, model.predict(X, rules)).micro.f1
    assert (data["sequences"], data["labels"]) == (120, 13)
    assert run(base) == 0
    assert "dev, under the rules: token accuracy" in capsys.readouterr().out


def test_features_from_a_file_and_columns_by_name(tmp_path: Path) -> None:
    gold, templates, out = (tmp_path / name for name in ("gold.txt", "t.toml", "m.lawful"))
    gold.write_text("the DT x O\npound NN y B\n\nfell VB x O\n\n" * 10)
    templates.write_text('templates = ["lower", { suffix = [2, 3] }]\n')
    base = ["train", str(gold), "-o", str(out), "--columns", "word,pos,mark,tag"]
    assert run([*base, "--features", str(templates)]) == 0
    assert lawful.load_model(out).features == Features(lower(), suffix(2, 3))
    assert run([*base, "--kind", "crf"]) == 0
    model = lawful.load_model(out)
    assert "column('pos')" in repr(model.features) and "column('mark')" in repr(model.features)
    labelled, bare = tmp_path / "labelled.txt", tmp_path / "bare.txt"
    bare.write_text("the DT x\npound NN y\n\n")  # no labels: the model remembers the names of its columns
    assert run(["decode", str(bare), "-m", str(out), "-o", str(labelled)]) == 0
    assert labelled.read_text() == "the DT x O\npound NN y B\n\n"


def test_stdin_and_stdout(
    made, give_stdin: Callable[[bytes], None], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    give_stdin(Path(made.gold).read_bytes())
    assert run(["train", "-", "-o", "-", "--max-iterations", "8"]) == 0
    shown = capfdbinary.readouterr()
    assert shown.out == Path(made.model).read_bytes()
    assert b"13 labels" in shown.err


def test_an_hmm(made, tmp_path: Path) -> None:
    out = str(tmp_path / "m.lawful")
    assert run(["train", made.gold, "-o", out, "--kind", "hmm"]) == 0
    assert lawful.load_model(out).kind == "hmm"
    assert run(["decode", made.test, "-m", out, "-r", made.rules, "-o", str(tmp_path / "x")]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{gold}", "--kind", "crff"], "--kind must be one of auto, crf, hmm, blend"),
        (["{gold}", "--kind", "hmm", "--c1", "1"], "--c1 is for --kind crf"),
        (["{gold}", "--algorithm", "magic"], "algorithm must be one of"),
        (["{gold}", "--c2", "-1"], "c2 must be a number of 0 or more"),
        (["{gold}", "--label", "none"], "there are no gold labels"),
        (["{gold}", "--label", "7"], "the 7th column"),
        (["{gold}", "--features", "{rules}"], "unknown entry 'labels'"),
        (["{gold}", "--features", "{gold}"], "not TOML"),
        (["{gold}", "--dev", "none.conll"], "none.conll: cannot be opened"),
        (["/dev/null"], "has no sequences"),
    ],
)  # fmt: skip
def test_bad_input(
    made, tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m.lawful"
    assert run(["train", *(one.format(**made._asdict()) for one in arguments), "-o", str(out)]) == 2
    printed = capsys.readouterr().err
    assert message in printed and "Traceback" not in printed
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_training_leaves_no_model_and_goes_on_from_its_checkpoint(
    made, tmp_path: Path
) -> None:
    out, kept = tmp_path / "m.lawful", tmp_path / "half"
    command = [
        sys.executable,
        "-c",
        INTERRUPTED,
        "train",
        made.gold,
        "-o",
        str(out),
        "--checkpoint",
        str(kept),
    ]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=120, env=environment()
    )
    assert (done.returncode, done.stderr) == (130, "lawful: interrupted\n")
    assert not out.exists()
    assert [path.name for path in kept.iterdir()] == ["checkpoint.lawful"]
    before = lawful.load_model(kept / "checkpoint.lawful").objective_
    assert run(["train", made.gold, "-o", str(out), "--checkpoint", str(kept), "--c2", "3"]) == 2
    assert run(["train", made.gold, "-o", str(out), "--checkpoint", str(kept), "--max-iterations", "3"]) == 0
    assert lawful.load_model(out).objective_ < before
    assert not kept.exists()


# Ctrl-C after three iterations of a training that would take long.
INTERRUPTED = """
import os, signal, sys
from lawful.cli import console
from contextlib import contextmanager

@contextmanager
def showing():
    def show(progress):
        if progress.iteration == 3:
            os.kill(os.getpid(), signal.SIGINT)
    yield show

console.show_iterations = showing
from lawful.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCE}
