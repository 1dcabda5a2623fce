"""A column of words or features is not a column of labels, and says so before anybody learns from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lawful
from lawful.cli.main import run
from lawful.cli.work.inputs import refuse_implausible_labels
from lawful.errors import InputError

Shown = pytest.CaptureFixture[str]


def tagged(labels: int, tokens: int, *, seed: int = 0) -> list[lawful.Sentence]:
    """Tags as they come in nature: a few often, many rarely, each at least once."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, labels + 1)
    drawn = np.append(np.arange(labels), rng.choice(labels, max(0, tokens - labels), p=shares / shares.sum()))
    names = tuple(f"T{number}" for number in drawn.tolist())
    return [lawful.Sentence(names[at : at + 25], names[at : at + 25]) for at in range(0, len(names), 25)]


@pytest.mark.parametrize(
    ("labels", "tokens"),
    [
        (2, 2),
        (90, 100),
        (45, 1_000),
        (300, 5_000),
        (400, 3_000),
        (700, 20_000),
        (1_500, 40_000),
        (4_000, 200_000),
    ],
)
def test_tag_sets_of_real_corpora_pass(labels: int, tokens: int) -> None:
    refuse_implausible_labels(tagged(labels, tokens), "gold.conll")


@pytest.mark.parametrize(
    ("labels", "tokens"),
    [(150, 200), (8_073, 10_803), (3_000, 10_803), (19_122, 211_727), (6_000, 300_000)],
)
def test_words_and_features_do_not(labels: int, tokens: int) -> None:
    with pytest.raises(InputError, match=f"gold.conll: {labels:,} different labels on {tokens:,} tokens"):
        refuse_implausible_labels(tagged(labels, tokens), "gold.conll")


@pytest.fixture
def features_last(tmp_path: Path) -> Path:
    """token, label, features, as the citations come."""
    path = tmp_path / "features.txt"
    rows = (f"w{n}\t{'AB'[n % 2]}\tw{n}|{n + 1}|x" + ("\n" if n % 10 == 9 else "") for n in range(600))
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("command", [["mine"], ["train", "-o", "model.lawful"], ["lint", "{rules}"]])
def test_commands_refuse_it_at_once_and_say_what_to_do(
    command: list[str],
    features_last: Path,
    made,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Shown,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*(one.format(rules=made.rules) for one in command), str(features_last)]) == 2
    message = capsys.readouterr().err
    assert f"{features_last}: 600 different labels on 600 tokens ('w0|1|x', 'w1|2|x'," in message
    assert "column 3, the last of 3" in message and "--label COLUMN" in message
    assert not (tmp_path / "model.lawful").exists()


def test_who_names_the_column_is_trusted(features_last: Path, capsys: Shown) -> None:
    assert run(["mine", str(features_last), "--label", "2"]) == 0
    assert run(["mine", str(features_last), "--label", "3", "--families", "once"]) == 0
    assert run(["mine", str(features_last), "--columns", "word,field,features"]) == 2
    assert "column 3 (features), the last of 3" in capsys.readouterr().err
    assert run(["mine", str(features_last), "--columns", "word,field,features", "--label", "field"]) == 0
