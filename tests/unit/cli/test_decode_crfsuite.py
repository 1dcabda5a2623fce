"""`lawful decode` and `lint` with a model of CRFsuite's."""

from __future__ import annotations

import json
from pathlib import Path

import pycrfsuite
import pytest

import lawful
from lawful.cli.main import run
from lawful.models.features import Features, lower, shape, suffix

FEATURES = Features(lower(), suffix(3), shape())
TEMPLATES = 'templates = ["lower", { suffix = 3 }, "shape"]\n'


@pytest.fixture(scope="module")
def crfsuite(made, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("crfsuite") / "old.crfsuite")
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params({"max_iterations": 10})
    for one in lawful.read_corpus(made.gold):
        trainer.append(FEATURES.attributes(one.tokens), one.labels)
    trainer.train(path)
    return path


def test_templates_from_a_file_give_crfsuite_s_own_labels(made, crfsuite: str, tmp_path: Path) -> None:
    templates, out = tmp_path / "t.toml", tmp_path / "out.conll"
    templates.write_text(TEMPLATES)
    assert run(["decode", made.test, "-m", crfsuite, "--features", str(templates), "-o", str(out)]) == 0
    tagger = pycrfsuite.Tagger()
    tagger.open(crfsuite)
    wanted = [tagger.tag(FEATURES.attributes(one.tokens)) for one in lawful.read_corpus(made.test)]
    assert [list(one.labels or ()) for one in lawful.read_corpus(out)] == wanted
    assert run(["lint", made.rules, made.test, "-m", crfsuite, "--features", str(templates)]) == 0


def test_attributes_may_come_with_the_input(made, crfsuite: str, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.conll"
    sentences = lawful.read_corpus(made.test)
    records = [{"tokens": one.tokens, "items": FEATURES.attributes(one.tokens)} for one in sentences]
    source.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert run(["decode", str(source), "-m", crfsuite, "-r", made.rules, "-o", str(out)]) == 0
    rules, tagger = lawful.read_rules(made.rules), lawful.from_crfsuite(crfsuite)
    for one, found in zip(sentences, lawful.read_corpus(out), strict=True):
        lattice = tagger.lattice(FEATURES.attributes(one.tokens), tokens=one.tokens)
        assert found.labels == lawful.decode(lattice, rules).labels


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"tokens": ["a"]}', "was trained on attributes"),
        ('{"tokens": ["a"], "items": []}', "1 tokens, but 0 items"),
        ('{"tokens": ["a"], "items": [7]}', "an item must be a list of attributes"),
    ],
)
def test_bad_items(
    crfsuite: str, tmp_path: Path, line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(line + "\n")
    assert run(["decode", str(source), "-m", crfsuite]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"lawful: {source}, line 1: ") and message in printed


def test_a_damaged_model(crfsuite: str, made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half = tmp_path / "half.crfsuite"
    half.write_bytes(Path(crfsuite).read_bytes()[:500])
    assert run(["decode", made.test, "-m", str(half)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_crfsuite_votes_beside_a_model_of_ours(
    made, crfsuite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`lawful vote` had no --features, which its own message asked for."""
    templates, hmm = tmp_path / "t.toml", str(tmp_path / "hmm.lawful")
    templates.write_text(TEMPLATES)
    gold = lawful.read_corpus(made.gold)
    lawful.HMM().fit([one.tokens for one in gold], [one.labels for one in gold]).save(hmm)
    arguments = ["vote", made.test, "-m", hmm, "-m", crfsuite, "--rules", made.rules]
    assert run(arguments) == 2
    assert "--features FILE.toml" in capsys.readouterr().err
    for method in ("log-linear", "linear", "local"):
        out = tmp_path / f"{method}.conll"
        assert run([*arguments, "--features", str(templates), "--method", method, "-o", str(out)]) == 0
        rules = lawful.read_rules(made.rules)
        for one in lawful.read_corpus(out):
            assert one.labels is not None
            found = rules.violations(one.labels, one.tokens)
            assert not any(found[rule.name] for rule in rules if rule.price == "hard")
    capsys.readouterr()
    assert run(["vote", made.test, "-m", hmm, "-m", hmm, "--features", str(templates)]) == 2
    assert "already contain their features" in capsys.readouterr().err
    assert run(["vote", made.test, made.test, "--features", str(templates)]) == 2
    assert "--features are for models" in capsys.readouterr().err
