"""No file in the repository names a folder of somebody's machine, or the host of a package registry."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Put together here, so that this file does not find itself.
FOLDERS = ["work", "home", "root", "Users", "mnt"]
HOSTS = ["pypi", "pythonhosted", "npmjs", "yarnpkg", "crates", "anaconda"]
FORBIDDEN = re.compile(
    r"(?<![\w.:/*-])/(?:" + "|".join(FOLDERS) + r")/|\b(?:" + "|".join(HOSTS) + r")\.(?:org|com|io)\b"
)


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [ROOT / name for name in sorted(filter(None, listed.stdout.split("\0")))]


def found_in(path: Path) -> list[str]:
    try:
        text = path.read_text()
    except (UnicodeDecodeError, FileNotFoundError):  # binary, or deleted but still in the index
        return []
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for number, line in enumerate(text.splitlines(), 1)
        if FORBIDDEN.search(line)
    ]


def test_no_machine_paths_and_no_registry_hosts() -> None:
    assert [line for path in tracked_files() for line in found_in(path)] == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_check_finds_folders(folder: str) -> None:
    assert FORBIDDEN.search(f"open('/{folder}/me/data.csv')")
    assert not FORBIDDEN.search(f"see docs/{folder}/page.md or https://example.net/{folder}/x")


@pytest.mark.parametrize("host", HOSTS)
def test_the_check_finds_hosts(host: str) -> None:
    assert FORBIDDEN.search(f"https://{host}.org/simple")
    assert not FORBIDDEN.search(f"{host}.organise")
