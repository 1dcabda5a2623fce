"""`lawful decode --cluster`: a real cluster of two worker processes, one of which is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

from lawful.cli.main import run
from lawful.cli.work.running import cluster, processes


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Any]:
    """A real cluster: a scheduler here, two worker processes, each with a nanny that starts a dead one anew."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=None,
        worker_dashboard_address=None, silence_logs=50,
    ) as found:  # fmt: skip
        yield found


@pytest.mark.filterwarnings("default")  # those of another project
def test_a_cluster_that_loses_a_worker_gives_the_same(
    made, two_workers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large, here, there = tmp_path / "large.jsonl", tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    large.write_text(Path(made.jsonl).read_text() * 6)
    base = ["decode", str(large), "-m", made.model, "-r", made.rules, "--batch-tokens", "150"]
    assert run([*base, "-o", str(here), "--jobs", "1"]) == 0

    victim = next(iter(two_workers.workers.values())).pid
    taken: list[int] = []
    in_order = processes.in_order

    def killing(submit: Any, parts: Any, width: int) -> Iterator[Any]:
        for done in in_order(submit, parts, width):
            taken.append(len(done[0]))
            if len(taken) == 4:
                os.kill(victim, signal.SIGKILL)
            yield done

    monkeypatch.setattr(cluster, "in_order", killing)
    address = two_workers.scheduler_address
    assert run([*base, "-o", str(there), "--cluster", address]) == 0
    assert there.read_text() == here.read_text()
    assert len(taken) > 30
    assert victim not in {one.pid for one in two_workers.workers.values()}


@pytest.mark.filterwarnings("default")
def test_an_error_on_the_cluster_is_told_as_here(
    made, two_workers: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "clash.toml"
    rules.write_text('[[rule]]\nname = "none"\nkind = "forbid"\nlabels = ["title", "author", "editor"]\n'
                     '[[rule]]\nname = "some"\nkind = "at_least"\nn = 1\nlabels = "title"\n')  # fmt: skip
    base = ["decode", made.test, "-m", made.model, "-r", str(rules), "-o", str(tmp_path / "out")]
    assert run([*base, "--cluster", two_workers.scheduler_address]) == 1
    assert f"{made.test}, line 1: rules 'none', 'some' cannot all hold" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
