"""What somebody gets who installs the wheel and has nothing else: `make wheel` and `make wheels` run this outside the repository.

smoke.py WHEEL [PYTHON]     # a wheel, and the Python of a fresh environment in which it is installed: this one if not given
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
NEEDED = (
    "lawful/py.typed",
    "lawful/_core.pyi",
    "lawful/report/assets/report.css",
    "lawful/playground/static/index.html",
    "lawful/playground/static/main.js",
    "lawful/playground/starter_data/rules.toml",
    "lawful/tasks/citations/rules.toml",
    "lawful/tasks/citations/words.toml",
)
CORPUS = """
import lawful
from lawful.tasks import generate_citations
sentences = generate_citations(150, seed=11)
lawful.write_corpus(sentences[:120], "gold.conll")
lawful.write_corpus(sentences[120:], "test.conll")
print(lawful.__file__, lawful.CRF.__name__, lawful.read_rules.__name__)
"""
RULES = "from importlib.resources import files; print(files('lawful.tasks') / 'citations' / 'rules.toml')"


def check_contents(wheel: Path) -> None:
    """All data files are in it; no tests, benchmarks or paths of this machine are."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        rooms = {name.split("/")[0] for name in names}
        assert len(rooms) == 2 and "lawful" in rooms, rooms  # the package, and what is said of it
        assert [name for name in NEEDED if name not in names] == []
        assert any(name.endswith("licenses/LICENSE") for name in names)
        here = str(README.parent).encode()
        assert [name for name in names if here in archive.read(name)] == []
    print(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size / 1e6:.1f} MB")


def run(*command: str, folder: Path) -> str:
    """What a command prints; it must succeed, without a word on stderr."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment())
    assert (done.returncode, done.stderr) == (0, ""), (command, done.returncode, done.stdout, done.stderr)
    print(
        "ok",
        " ".join(
            Path(word).name if number == 0 else " ".join(word.split())[:60]
            for number, word in enumerate(command)
        ),
    )
    return done.stdout


def environment() -> dict[str, str]:
    """Nothing of the repository."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LAWFUL_DATA")}


def check_commands(python: str, folder: Path) -> None:
    """The library, the five commands of the README, the rule files of the package, the demo."""
    lawful = str(Path(python).parent / "lawful")
    where = run(python, "-c", CORPUS, folder=folder)
    assert str(README.parent / "src") not in where, where
    assert re.fullmatch(r"lawful \d+\.\d+\.\d+\n", run(lawful, "--version", folder=folder))
    section = (
        README.read_text(encoding="utf-8").split("## From a labelled file to a report")[1].split("\n## ")[0]
    )
    lines = [line.split() for line in section.splitlines() if line.startswith("    lawful ")]
    assert len(lines) == 5
    for _, *words in lines:
        run(lawful, *words, folder=folder)
    assert "<html" in (folder / "report.html").read_text(encoding="utf-8")
    rules = run(python, "-c", RULES, folder=folder).strip()
    assert "  The label" in run(lawful, "rules", rules, "--plain", folder=folder)
    assert json.loads(run(lawful, "rules", "--schema", folder=folder))["$schema"]
    assert "The report is" in run(lawful, "demo", "--folder", "tour", folder=folder)


def check_server(python: str, folder: Path) -> None:
    """The playground answers, and ends with Ctrl-C."""
    command = [str(Path(python).parent / "lawful"), "serve", "--no-open"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())
            assert found is not None
            connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
            connection.request("GET", "/")
            page = connection.getresponse()
            assert page.status == 200 and b"<html" in page.read()
            connection.request(
                "POST", "/decode", '{"tokens": ["J", ".", "Smith"]}', {"content-type": "application/json"}
            )
            answer = connection.getresponse()
            assert answer.status == 200 and len(json.load(answer)["labels"]) == 3
            connection.close()
            server.send_signal(signal.SIGINT)
            _, told = server.communicate(timeout=60)
            assert (server.returncode, told) == (0, ""), (server.returncode, told)
        finally:
            server.kill()
    print("ok lawful serve")


if __name__ == "__main__":
    wheel, python = Path(sys.argv[1]).resolve(), (*sys.argv[2:], sys.executable)[0]
    python = os.path.abspath(python)  # noqa: PTH100 - a venv's link stays
    check_contents(wheel)
    with tempfile.TemporaryDirectory() as name:
        check_commands(python, Path(name))
        check_server(python, Path(name))
