"""The search for encodings: one history for a seed, whatever interrupts it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

import lawful
from lawful.encodings import (
    Candidate,
    Encoded,
    Encoding,
    SearchResult,
    identity_encoding,
    scheme_encoding,
    search_encodings,
)
from lawful.errors import FileError, InputError
from lawful.models.features import Features, word

# Every third token is a B, and all words are alike: only an encoding that counts can know.
WORDS = [["x"] * 7, ["x"] * 5] * 2
LABELS = [list("AABAABA"), list("AABAA")] * 2
START = identity_encoding(["A", "B"])


def search(journal: Path | None = None, *, max_trials: int | None = 12, seed: int = 1) -> SearchResult:
    return search_encodings(
        WORDS,
        LABELS,
        held_out=(WORDS, LABELS),
        model=lawful.HMM(),
        start=START,
        max_trials=max_trials,
        seed=seed,
        journal=journal,
    )


def shape(result: SearchResult) -> list[tuple[object, ...]]:
    return [(c.number, c.parent, c.move, c.encoding, c.score) for c in result.history]


def test_a_search_finds_what_helps_and_a_seed_gives_one_history() -> None:
    found = search()
    assert found.gain > 0 and found.best.score == max(c.score or 0 for c in found.history)
    assert shape(search()) == shape(found) != shape(search(seed=2))
    line = found.ancestors()
    assert line[0].number == 0 and line[-1] == found.best
    model = Encoded(lawful.HMM(), found.encoding).fit(WORDS, LABELS)
    assert model.score(WORDS, LABELS) == found.best.score


def test_a_search_ends_when_nothing_improves() -> None:
    found = search_encodings(
        WORDS,
        LABELS,
        held_out=(WORDS, LABELS),
        model=lawful.HMM(),
        start=START,
        patience=5,
        metric=no_difference,
    )
    assert len(found.history) == 6 and found.gain == 0


def no_difference(gold: object, predicted: object) -> float:
    return 0.5


def test_a_journal_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = search()
    for trials in (1, 4, 9, 12):
        part = search(tmp_path / "journal.sqlite", max_trials=trials)
        assert shape(part) == shape(whole)[:trials]


SCRIPT = dedent(
    """
    import sys
    from pathlib import Path
    sys.path.insert(0, sys.argv[2])
    from test_search import search
    print("ready", flush=True)
    search(Path(sys.argv[1]))
    """
)


@pytest.mark.parametrize("seed", range(2))
def test_a_search_that_is_killed_loses_nothing(tmp_path: Path, seed: int) -> None:
    whole = shape(search())
    journal = tmp_path / "journal.sqlite"
    rng = np.random.default_rng(seed)
    for _ in range(3):
        command = [sys.executable, "-c", SCRIPT, str(journal), str(Path(__file__).parent)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(float(rng.uniform(0, 0.3)))
            process.send_signal(signal.SIGKILL)
    assert shape(search(journal)) == whole


def test_trials_run_side_by_side(tmp_path: Path) -> None:
    seen: list[Candidate] = []
    with ThreadPoolExecutor(2) as pool:
        found = search_encodings(
            WORDS,
            LABELS,
            held_out=(WORDS, LABELS),
            model=lawful.HMM(),
            start=START,
            max_trials=10,
            executor=pool,
            workers=3,
            journal=tmp_path / "journal.sqlite",
            on_trial=seen.append,
        )
    assert len(found.history) == len(seen) == 10 and all(c.score is not None for c in found.history)
    assert found.gain >= 0


def test_moves_may_look_at_tokens() -> None:
    words, labels = [["a", "b", "a"], ["b", "a"]], [["A", "A", "B"], ["A", "B"]]
    start = Encoding(identity_encoding(["A", "B"]).transducer, attributes=Features(word()).attributes)
    found = search_encodings(
        words,
        labels,
        held_out=(words, labels),
        model=lawful.HMM(),
        start=start,
        attributes={"word=a": 3, "word=b": 2},
        moves=["copy feature forward", "specialize feature"],
        max_trials=5,
    )
    assert all("feature" in str((candidate.move or {}).get("kind")) for candidate in found.history[1:])
    with pytest.raises(InputError, match="the start needs attributes"):
        search_encodings(
            words, labels, held_out=(words, labels), model=lawful.HMM(), start=START, attributes={"word=a": 1}
        )


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    search(tmp_path / "journal.sqlite", max_trials=1)
    with pytest.raises(InputError, match="the journal of a search over other data or with other settings"):
        search(tmp_path / "journal.sqlite", seed=5)
    (tmp_path / "no.sqlite").write_text("not a database, whatever its name says " * 40)
    with pytest.raises(FileError, match="no journal of a search"):
        search(tmp_path / "no.sqlite")
    with pytest.raises(InputError, match="beam must be"):
        search_encodings(
            [["a"]], [["A"]], held_out=([["a"]], [["A"]]), model=lawful.HMM(), start=START, beam=0
        )
    with pytest.raises(InputError, match="no encoding"):
        search_encodings(
            [["a"]],
            [["I"]],
            held_out=([["a"]], [["I"]]),
            model=lawful.HMM(),
            start=scheme_encoding("IOB1", "IO"),
        )
