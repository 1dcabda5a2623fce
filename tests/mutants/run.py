"""How many small changes of the code that judges, limits and reports does a test notice?

`make mutants` lets mutmut change that code in a few hundred ways, one at a time, and runs the unit tests that reach the
change (`[tool.mutmut]` in pyproject.toml says which files and tests). The copies are in build/mutants, where
`mutmut browse` shows each change; the numbers go to docs/results/mutants.md and mutants.json.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

FOLDER = Path("build/mutants")
PAGE, NUMBERS = Path("docs/results/mutants.md"), Path("docs/results/mutants.json")
NOTICED = ("killed", "timeout", "segfault", "suspicious", "caught by type check")

# An editable install finds every module of lawful in src, whatever the path says, and the mutants would never be met.
START = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "_editable_skbc_lawful"]
from mutmut.__main__ import cli
cli()
"""


def main() -> int:
    """Make the mutants, run the tests, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    jobs = str(parser.parse_args().jobs)
    copy()
    code = mutmut("run", "--max-children", jobs).returncode
    if code:
        return code
    told = mutmut("results", "--all", "true", capture=True).stdout
    statuses = dict(line.strip().rsplit(": ", 1) for line in told.splitlines() if "__mutmut_" in line)
    report(statuses)
    return 0


def copy() -> None:
    """The package with its compiled core and the tests, anew."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    for folder in ("src", "tests"):
        shutil.copytree(folder, FOLDER / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy("pyproject.toml", FOLDER)
    core = importlib.util.find_spec("lawful._core")
    if core is None or core.origin is None:
        sys.exit("the compiled core is missing: run 'make setup'")
    target = FOLDER / "src/lawful" / Path(core.origin).name
    if not target.exists():
        shutil.copy(core.origin, target)


def mutmut(*arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run mutmut in the folder."""
    environment = os.environ | {"PYTHONPATH": "src"}
    return subprocess.run(
        [sys.executable, "-c", START, *arguments],
        cwd=FOLDER,
        env=environment,
        text=True,
        check=False,
        stdout=subprocess.PIPE if capture else None,
    )


def report(statuses: dict[str, str]) -> None:
    """Write the page and the numbers."""
    modules: dict[str, Counter[str]] = {}
    for mutant, status in statuses.items():
        module = mutant.split("__mutmut_")[0].rpartition(".")[0]
        modules.setdefault(module, Counter())["noticed" if status in NOTICED else status] += 1
    total = sum(modules.values(), Counter[str]())
    rows = [(name, modules[name]) for name in sorted(modules)] + [("together", total)]
    data = {name: {"mutants": counts.total(), **counts} for name, counts in rows}
    missed = sorted(mutant for mutant, status in statuses.items() if status not in NOTICED)
    NUMBERS.write_text(
        json.dumps({"modules": data, "not noticed": missed}, indent=2) + "\n", encoding="utf-8"
    )
    table = [
        f"| `{name}` | {counts.total()} | {counts['noticed']} | {counts['noticed'] / counts.total():.0%} |"
        for name, counts in rows
    ]
    PAGE.write_text(PAGE_TEXT.format(table="\n".join(table)), encoding="utf-8")
    print(f"{total['noticed']} of {total.total()} mutants were noticed; {PAGE}")


PAGE_TEXT = """# Mutants: do the tests notice?

The code that judges answers, keeps limits and turns errors into messages is changed in a few hundred small ways by
[mutmut](https://mutmut.readthedocs.io): `<` becomes `<=`, `and` becomes `or`, an argument `None`, a number another one.
A change that no test notices is a test that is missing, or a change that makes no difference.
Lines that are nothing but words of a message are left alone.

| module | mutants | noticed | |
|---|---:|---:|---:|
{table}

The names of those that were not noticed are in `mutants.json`; `mutmut show NAME` in `build/mutants` shows what was changed.

Made by `make mutants`, which runs the unit tests that `[tool.mutmut]` in `pyproject.toml` names; those that enumerate,
compare solvers or draw random problems are not among them, and would notice more.
"""

if __name__ == "__main__":
    sys.exit(main())
