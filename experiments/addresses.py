"""US addresses: usaddress under its own rule, on real addresses. `make experiments-addresses` runs it.

What is already worked out lies in the folder --work and is not done again; --fresh starts anew.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from address_data import read_labelled, read_unparseable, require_data
from address_folds import cross_validate, score_methods
from address_page import write_results
from address_shipped import answers, searches

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Run what is missing, and write the results."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--data", default=os.environ.get("LAWFUL_DATA"), help="the folder that holds usaddress/"
    )
    options.add_argument("--work", type=Path, default=ROOT / "build" / "experiments" / "addresses")
    options.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    options.add_argument("--fresh", action="store_true", help="forget what --work holds")
    chosen = options.parse_args()
    folder = require_data(chosen.data)
    if chosen.fresh:
        shutil.rmtree(chosen.work, ignore_errors=True)
    chosen.work.mkdir(parents=True, exist_ok=True)
    labelled, unparseable = read_labelled(folder), read_unparseable(folder)
    texts = [one.text for one in labelled]

    def once(name: str, work: Callable[[], Any]) -> Any:
        kept = chosen.work / f"{name}.json"
        if not kept.exists():
            told(name)
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
        "cross_validation": score_methods(cross_validate(labelled, chosen.work, told)),
        "searches": once("searches", lambda: searches([*unparseable, *texts], told)),
    }
    for name, one in results["shipped"].items():
        if one["others_unchanged"] != one["addresses"] - one["package_raises"]:
            sys.exit(f"{name}: an address that the package parses came out changed")
        if one["lawful_raises"]:
            sys.exit(f"{name}: {one['lawful_raises']} addresses raise an error")
    write_results(chosen.results, results)
    told(f"wrote {chosen.results / 'addresses.md'} and addresses.json")


def told(line: str) -> None:
    """Show progress."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
