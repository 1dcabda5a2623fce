"""The search for encodings: one history for a seed, whatever interrupts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import distributed
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
from lawful.encodings.search.encodable import Labelled
from lawful.encodings.search.trial import Trial
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


KILLED = 20

# One process that imports everything, and then forks, kills and waits.
SCRIPT = dedent(
    """
    import os, random, signal, sys, time
    from pathlib import Path
    sys.path.insert(0, sys.argv[2])
    from test_search import search
    started = time.perf_counter()
    search(max_trials=40)
    longest = (time.perf_counter() - started) / 8
    moments = random.Random(int(sys.argv[3]))
    running = 0
    for _ in range(int(sys.argv[4])):
        child = os.fork()
        if not child:
            search(Path(sys.argv[1]), max_trials=40)
            os._exit(0)
        time.sleep(moments.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        running += os.WIFSIGNALED(os.waitpid(child, 0)[1])
    print(running)
    """
)


@pytest.mark.parametrize("seed", range(2))
def test_a_search_that_is_killed_at_20_moments_loses_nothing(tmp_path: Path, seed: int) -> None:
    journal = tmp_path / "journal.sqlite"
    command = [
        sys.executable, "-c", SCRIPT, str(journal), str(Path(__file__).parent), str(seed), str(KILLED),
    ]  # fmt: skip
    killed = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert killed > KILLED // 3  # the others came to their end before
    assert shape(search(journal, max_trials=40)) == shape(search(max_trials=40))


@pytest.mark.filterwarnings("default")  # those of another project
def test_a_cluster_that_loses_a_worker_loses_no_trial(tmp_path: Path) -> None:
    """A real cluster: a scheduler here, two worker processes, each with a nanny that starts a dead one anew."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=None,
            worker_dashboard_address=None, silence_logs=50,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        victim = next(iter(cluster.workers.values())).pid
        seen: list[int] = []

        def kill(candidate: Candidate) -> None:
            seen.append(candidate.number)
            if len(seen) == 4:
                os.kill(victim, signal.SIGKILL)

        found = search_encodings(
            WORDS, LABELS, held_out=(WORDS, LABELS), model=lawful.HMM(), start=START, max_trials=16,
            executor=client.get_executor(), workers=4, journal=tmp_path / "journal.sqlite", on_trial=kill,
        )  # fmt: skip
        assert victim not in [worker.pid for worker in cluster.workers.values()]
    assert sorted(seen) == list(range(16))
    data = Labelled(WORDS, LABELS)
    for candidate in found.history:  # each has the score that it has here
        assert candidate.score == Trial(lawful.HMM(), data, data).score(candidate.encoding)[0]


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
