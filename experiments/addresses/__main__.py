"""US addresses: usaddress under its own rule, on real addresses. `make experiments-addresses` runs it.

What is already worked out lies in the folder --work and is not done again; --fresh starts anew.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from experiments.addresses.data import read_labelled, read_unparseable, require_data
from experiments.addresses.folds import cross_validate, score_methods
from experiments.addresses.page import write_results
from experiments.addresses.shipped import answers, searches
from experiments.shared.paths import RESULTS, WORK


def main() -> None:
    """Run what is missing, and write the results."""
    options = argparse.ArgumentParser(prog="python -m experiments.addresses", description=__doc__)
    options.add_argument("--data", help="the folder with the folder usaddress; by default LAWFUL_DATA")
    options.add_argument("--work", type=Path, default=WORK / "addresses")
    options.add_argument("--results", type=Path, default=RESULTS)
    options.add_argument("--fresh", action="store_true", help="start again with an empty folder --work")
    chosen = options.parse_args()
    folder = require_data(chosen.data)
    if chosen.fresh:
        shutil.rmtree(chosen.work, ignore_errors=True)
    chosen.work.mkdir(parents=True, exist_ok=True)
    labelled, unparseable = read_labelled(folder), read_unparseable(folder)
    texts = [address.text for address in labelled]

    def once(name: str, work: Callable[[], Any]) -> Any:
        kept = chosen.work / f"{name}.json"
        if not kept.exists():
            show_progress(name)
            aside = kept.with_suffix(".part")
            aside.write_text(json.dumps(work()))
            aside.rename(kept)
        return json.loads(kept.read_text())

    results = {
        "made_by": {
            "command": "make experiments-addresses",
            "usaddress": version("usaddress"),
            "crfsuite": version("python-crfsuite"),
        },
        "shipped": {
            "unparseable.csv": once("unparseable", lambda: answers(unparseable)),
            "labeled.xml": once("labelled", lambda: answers(texts)),
        },
        "cross_validation": score_methods(cross_validate(labelled, chosen.work, show_progress)),
        "searches": once("searches", lambda: searches([*unparseable, *texts], show_progress)),
    }
    for name, counts in results["shipped"].items():
        if counts["others_unchanged"] != counts["addresses"] - counts["package_raises"]:
            sys.exit(f"{name}: an address that the package parses came out changed")
        if counts["lawful_raises"]:
            sys.exit(f"{name}: {counts['lawful_raises']} addresses raise an error")
    write_results(chosen.results, results)
    show_progress(f"wrote {chosen.results / 'addresses.md'} and addresses.json")


def show_progress(line: str) -> None:
    """Print a line to stderr."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
