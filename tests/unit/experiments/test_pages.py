"""The pages of results say what their JSON files say: each is written again from its file, and must be the same text."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "docs" / "results"


@pytest.fixture(autouse=True)
def experiments_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


def journal_of(runs: list, folder: Path):
    journal = importlib.import_module("experiments.shared.journal").Journal(folder / "runs.jsonl")
    journal.take(runs)
    return journal


@pytest.mark.parametrize("name", ["ads", "mined-rules", "seminars"])
def test_a_page_is_written_from_its_runs(name: str, tmp_path: Path) -> None:
    module: ModuleType = importlib.import_module(f"experiments.{name.replace('-', '_')}.__main__")
    runs = json.loads((RESULTS / f"{name}.json").read_text())
    assert module.make_page(journal_of(runs, tmp_path)) == (RESULTS / f"{name}.md").read_text()


def test_the_page_of_citations_is_written_from_its_runs(tmp_path: Path) -> None:
    main = importlib.import_module("experiments.citations.__main__")
    published = json.loads((RESULTS / "citations.json").read_text())
    book = main.Book(journal_of(published["runs"], tmp_path).find)
    plan = main.plan_of(published["chosen"])
    assert sorted(path.stem for path in (RESULTS / "citations").glob("*.svg")) == sorted(main.FIGURES)
    page = main.write_page(book, plan, published["chosen"], main.FIGURES)
    assert page == (RESULTS / "citations.md").read_text()


def test_the_choices_of_citations_follow_from_the_runs_on_dev(tmp_path: Path) -> None:
    main = importlib.import_module("experiments.citations.__main__")
    published = json.loads((RESULTS / "citations.json").read_text())
    journal = journal_of(published["runs"], tmp_path)
    chosen = main.choose(journal, main.Book(journal.find), jobs=0)
    assert json.loads(json.dumps(chosen)) == published["chosen"]


def test_no_run_of_citations_is_missing_or_superfluous() -> None:
    main = importlib.import_module("experiments.citations.__main__")
    published = json.loads((RESULTS / "citations.json").read_text())
    plan = main.plan_of(published["chosen"])
    needed = {main.key_of(settings) for settings in (*main.choosing_runs(), *plan.all_runs())}
    assert {main.key_of(run["settings"]) for run in published["runs"]} == needed
