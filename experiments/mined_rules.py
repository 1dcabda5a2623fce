"""The README's five commands on four corpora: no rules, mined rules at log odds, and priced beside the model.

`make experiments-mined` runs it on the corpora in LAWFUL_DATA; the ads it makes itself. The page says what was chosen on which data.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lawful
from citation_page import table
from journal import Journal, run_all
from lawful.corpus import Sentence
from lawful.models.features import default_features
from lawful.tasks import TASKS, generate_ads, load

ROOT = Path(__file__).parents[1]
CORPORA = {
    "citations": "300 references",
    "conll2000 800": "CoNLL-2000, the first 800 sentences",
    "conll2000 3000": "CoNLL-2000, the first 3,000 sentences",
    "seminars 0": "seminars, split 0, 150 announcements",
    "seminars 1": "seminars, split 1, 150 announcements",
    "ads 50": "50 generated ads",
    "ads 100": "100 generated ads",
    "ads 300": "300 generated ads",
}
MODELS = ("CRF", "HMM")


def read(name: str) -> tuple[list[Sentence], list[Sentence]]:
    """The training and the test part of a corpus."""
    kind, _, which = name.partition(" ")
    if kind == "citations":
        return load("citations", "train"), load("citations", "test")
    if kind == "conll2000":
        return load("conll2000", "train")[: int(which)], load("conll2000", "test")
    if kind == "seminars":
        parts = [
            load("seminar_announcements", f"{part}.{which}") for part in ("labelled", "unlabelled", "test")
        ]
        return [*parts[0], *parts[1]][:150], parts[2]
    return generate_ads(int(which), seed=1), generate_ads(500, seed=5)


def inputs(sentences: Sequence[Sentence]) -> list[Sequence[Any]]:
    """What models see, as on the command line."""
    return [one.rows() if one.columns else one.tokens for one in sentences]


def run(settings: dict[str, Any]) -> dict[str, Any]:
    """Train, mine both ways, score on test."""
    train, test = read(settings["corpus"])
    crf = settings["model"] == "CRF"
    model: Any = lawful.CRF(default_features(inputs(train)), jobs=1) if crf else lawful.HMM()
    started = time.perf_counter()
    model.fit(inputs(train), [one.labels or () for one in train])
    trained = time.perf_counter()
    alone = lawful.mine(train)
    mined = time.perf_counter()
    beside = lawful.mine(train, model=model)
    told: dict[str, Any] = {
        "sequences": len(test),
        "rules": [0, len(alone.found), len(beside.found)],
        "train_seconds": round(trained - started, 1),
        "mine_seconds": [round(mined - trained, 1), round(time.perf_counter() - mined, 1)],
        "promised": beside.effect.to_dict() if beside.effect else None,
    }
    for name, rules in (("none", None), ("log odds", alone.rules), ("beside", beside.rules)):
        found = lawful.evaluate(test, model.predict(inputs(test), rules, on_infeasible="least_bad", jobs=1))
        told[name] = {
            "f1": round(100 * found.micro.f1, 3),
            "tokens": round(100 * found.token_accuracy, 3),
            "whole": round(100 * found.sequence_accuracy, 3),
        }
    return told


def main() -> None:
    """Run what is missing, and write the results."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", default=os.environ.get("LAWFUL_DATA"), help="the folder of corpora")
    options.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    options.add_argument("--journal", type=Path, default=ROOT / "build" / "experiments" / "mined-rules.jsonl")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options.add_argument("--fresh", action="store_true", help="forget the journal")
    given = options.parse_args()
    try:
        os.environ["LAWFUL_DATA"] = str(TASKS["conll2000"].folder(given.data).parent)
    except lawful.InputError as error:
        raise SystemExit(str(error)) from None
    if given.fresh:
        given.journal.unlink(missing_ok=True)
    journal = Journal(given.journal)
    runs = [{"corpus": corpus, "model": model} for corpus in CORPORA for model in MODELS]
    run_all(runs, run, journal, jobs=given.jobs, title="mined rules")
    rows = []
    for one in runs:
        result = journal.result(one)
        cells = [
            f"{result[name]['f1']:.1f} / {result[name]['tokens']:.1f}"
            for name in ("none", "log odds", "beside")
        ]
        rules = f"{result['rules'][1]} / {result['rules'][2]}"
        seconds = f"{result['train_seconds']:.1f} / {result['mine_seconds'][1]:.1f}"
        rows.append([CORPORA[one["corpus"]], one["model"], *cells, rules, seconds])
    head = ["training data", "model", "no rules", "log odds", "beside the model", "rules", "seconds"]
    page = f"{HEADING}\n\n{table(head, rows)}\n\n{READING}\n"
    given.results.mkdir(parents=True, exist_ok=True)
    (given.results / "mined-rules.md").write_text(page)
    kept = [{"settings": one, "result": journal.result(one)} for one in runs]
    (given.results / "mined-rules.json").write_text(json.dumps(kept, indent=1) + "\n")
    print(page)


HEADING = """# Mined rules, alone and beside a model

`make experiments-mined` writes this page and `mined-rules.json`. Each row trains the default model of `lawful train` and mines rules in the same data:
at the log odds of keeping each (`lawful mine gold`), and at prices fitted beside the model (`lawful mine gold --model model`). Scores are on the test
part: F1 of spans / token accuracy, in per cent. *rules*: how many are kept, at log odds / beside the model.
*seconds*: training the model / mining beside it, on a busy machine."""

READING = """At log odds, every rule is paid for as if the model knew nothing of it and there were no other rules. An HMM knows little, and gains much; a CRF with
spelling and neighbours knows most of it, and pays again. Beside the model, a rule costs what the model's own mistakes on held-out parts say
(`lawful.estimate_prices` with method "likelihood"), at most its log odds; rules that the model keeps as well without them are left out.

What was chosen on which data: the penalty of that method on other parts (citations' dev, later training sentences of CoNLL-2000, other seminars of split 0, ads
of another seed). That log odds bound a price was decided after early trials, which had also been scored on the test parts of citations, CoNLL-2000 and split 0, and
on ads of a seed that is not used here. Split 1 and the test ads of this page were looked at by nobody before."""


if __name__ == "__main__":
    main()
