"""The journal of experiments: runs are done once, in this process or in others, and a cut-off line is done again."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).parents[3] / "experiments" / "shared" / "journal.py"


@pytest.fixture
def journal() -> ModuleType:
    spec = importlib.util.spec_from_file_location("journal", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_runs_are_done_once_and_kept(journal: ModuleType, tmp_path: Path) -> None:
    seen = []

    def work(settings):
        seen.append(settings["n"])
        return {"square": settings["n"] ** 2}

    runs = [{"n": 2}, {"n": 3}, {"n": 2}]
    book = journal.Journal(tmp_path / "runs.jsonl")
    journal.run_all(runs, work, book, jobs=1, title="squares")
    assert seen == [2, 3]
    again = journal.Journal(tmp_path / "runs.jsonl")
    journal.run_all([*runs, {"n": 4}], work, again, jobs=1, title="squares")
    assert seen == [2, 3, 4]
    assert again.result({"n": 3}) == {"square": 9}
    assert again.find({"n": 5}) is None


def test_a_line_that_was_cut_off_is_done_again(journal: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    journal.Journal(path).add({"n": 1}, {"square": 1})
    with path.open("a") as file:
        file.write('{"settings": {"n": 2}, "resu')
    book = journal.Journal(path)
    assert list(book.done) == [journal.key_of({"n": 1})]
    book.add({"n": 2}, {"square": 4})
    assert journal.Journal(path).result({"n": 2}) == {"square": 4}


def test_published_runs_are_taken_over_and_do_not_replace_new_ones(
    journal: ModuleType, tmp_path: Path
) -> None:
    book = journal.Journal(tmp_path / "runs.jsonl")
    book.add({"n": 1}, {"square": 1})
    book.take(
        [{"settings": {"n": 1}, "result": {"square": 0}}, {"settings": {"n": 2}, "result": {"square": 4}}]
    )
    assert book.result({"n": 1}) == {"square": 1}
    assert book.result({"n": 2}) == {"square": 4}
