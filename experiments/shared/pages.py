"""The pages that experiments write: Markdown for people, and a JSON file with every run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.shared.journal import Journal

__all__ = ["table", "write_page"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_page(
    folder: Path, name: str, page: str, journal: Journal, runs: Iterable[Mapping[str, Any]]
) -> None:
    """Write `name.md`, and `name.json` with the settings and the result of each run."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(page)
    kept = [{"settings": settings, "result": journal.result(settings)} for settings in runs]
    (folder / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n")
