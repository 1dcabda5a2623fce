"""Every kind of model on real corpora: citations (token accuracy) and CoNLL-2000 chunks (F1).

    python -m experiments.model_kinds --data DATA

The settings stand below; c2 was chosen on the development references. What the JSON file beside the page already holds is
not done again; --fresh starts anew.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lawful
from experiments.shared.paths import RESULTS
from lawful.models.features import Features, at, bias, column, join, kinds, lower, shape, suffix, window, word
from lawful.models.semi_crf import segments
from lawful.tasks import load
from lawful.tasks.citations.rules import citation_rules

NAME = "models-kinds"

REFERENCE = Features(
    bias(),
    window(lower(), -1, 1),
    shape(),
    suffix(2, 3),
    kinds("has_digit", "is_punctuation", "initial_cap", "is_initial"),
)
ENDS = segments.last(kinds("is_punctuation", both=True), lower(), at(1, lower()))
LENGTHS = segments.length(buckets=[1, 2, 3, 4, 5, 7, 9, 12, 16, 24, 40])
CHUNK = Features(
    bias(),
    window(word(), -2, 2),
    window(column("pos"), -2, 2),
    join(at(-1, word()), word()),
    join(word(), at(1, word())),
    join(at(-1, column("pos")), column("pos")),
    join(column("pos"), at(1, column("pos"))),
)
CHUNK_ENDS = (
    segments.first(word(), column("pos"), at(-1, column("pos"))),
    segments.last(word(), column("pos"), at(1, column("pos"))),
)
Model = lawful.models.SequenceModel

CITATIONS: dict[str, Callable[[], Model]] = {
    "HMM": lambda: lawful.HMM(emission_smoothing=0.05),
    "MaxEnt": lambda: lawful.MaxEnt(REFERENCE, c2=0.1),
    "Perceptron": lambda: lawful.models.Perceptron(REFERENCE),
    "Perceptron, last weights": lambda: lawful.models.Perceptron(REFERENCE, averaging="last"),
    "Perceptron, margin": lambda: lawful.models.Perceptron(REFERENCE, margin=5.0),
    "Perceptron, voted": lambda: lawful.models.Perceptron(REFERENCE, averaging="voted"),
    "Perceptron, one against all": lambda: lawful.models.Perceptron(REFERENCE, multiclass="one_vs_all"),
    "Winnow": lambda: lawful.models.Winnow(REFERENCE),
    "Winnow, positive, one against all": lambda: lawful.models.Winnow(
        REFERENCE, balanced=False, multiclass="one_vs_all"
    ),
    "Winnow, voted": lambda: lawful.models.Winnow(REFERENCE, averaging="voted"),
    "MEMM": lambda: lawful.MEMM(REFERENCE, c2=0.1),
    "Structured perceptron": lambda: lawful.StructuredPerceptron(REFERENCE),
    "Structured perceptron, voted": lambda: lawful.StructuredPerceptron(REFERENCE, averaging="voted"),
    "CRF": lambda: lawful.CRF(REFERENCE, c2=0.1),
    "Semi-CRF": lambda: lawful.SemiCRF(REFERENCE, segments.SegmentFeatures(ENDS), c2=0.1, max_iterations=100),
    "Semi-CRF with lengths": lambda: lawful.SemiCRF(
        REFERENCE, segments.SegmentFeatures(ENDS, LENGTHS), c2=0.1, max_iterations=100
    ),
}
CHUNKS: dict[str, Callable[[], Model]] = {
    "HMM": lambda: lawful.HMM(emissions=["pos", "text"], emission_smoothing=0.05),
    "MaxEnt": lambda: lawful.MaxEnt(CHUNK, c2=0.1, max_iterations=60),
    "Perceptron": lambda: lawful.models.Perceptron(CHUNK),
    "Winnow": lambda: lawful.models.Winnow(CHUNK),
    "MEMM": lambda: lawful.MEMM(CHUNK, c2=0.1, max_iterations=60),
    "Structured perceptron": lambda: lawful.StructuredPerceptron(CHUNK),
    "CRF": lambda: lawful.CRF(CHUNK, c2=0.1, max_iterations=60),
    "Semi-CRF with lengths": lambda: lawful.SemiCRF(
        CHUNK,
        segments.SegmentFeatures(segments.length(cap=8), *CHUNK_ENDS),
        scheme="IOB2",
        c2=0.1,
        max_iterations=60,
    ),
}


def two_rules() -> lawful.Rules:
    """Each field once, and changes only after punctuation."""
    return lawful.Rules(
        rule for rule in citation_rules(price="hard") if rule.name.startswith(("AppearsOnce", "Punctuation"))
    )


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and how many seconds that took."""
    began = time.perf_counter()
    return work(), round(time.perf_counter() - began, 2)


def on_citations(make: Callable[[], Model], data: str | None) -> dict[str, Any]:
    """Accuracy on dev and test, and on test under two rules."""
    splits = {split: load("citations", split, data) for split in ("train", "dev", "test")}
    X = {split: [list(sentence.tokens) for sentence in sentences] for split, sentences in splits.items()}
    y = {
        split: [list(sentence.labels or ()) for sentence in sentences] for split, sentences in splits.items()
    }
    model = make()
    _, seconds = timed(lambda: model.fit(X["train"], y["train"]))
    dev = model.score(X["dev"], y["dev"])
    test, tagging = timed(lambda: model.score(X["test"], y["test"]))
    ruled, decoding = timed(lambda: model.score(X["test"], y["test"], two_rules(), on_infeasible="least_bad"))
    scores = {
        "dev": round(100 * dev, 2),
        "test": round(100 * test, 2),
        "test with rules": round(100 * ruled, 2),
    }
    return {**scores, "fit seconds": seconds, "tag seconds": tagging, "tag with rules seconds": decoding}


def on_chunks(make: Callable[[], Model], data: str | None) -> dict[str, Any]:
    """F1 on the test sentences, and of noun phrases alone; as predicted, and under the scheme's rule."""
    train, test = load("conll2000", "train", data), load("conll2000", "test", data)
    rows = {"train": train, "test": test}
    X = {
        split: [
            [
                {"text": token, "pos": pos}
                for token, pos in zip(sentence.tokens, sentence.columns["pos"], strict=True)
            ]
            for sentence in sentences
        ]
        for split, sentences in rows.items()
    }
    model = make()
    _, seconds = timed(lambda: model.fit(X["train"], [list(sentence.labels or ()) for sentence in train]))
    gold = [list(sentence.labels or ()) for sentence in test]
    predicted, tagging = timed(lambda: model.predict(X["test"]))
    legal, decoding = timed(lambda: model.predict(X["test"], lawful.valid_tags("IOB2")))
    plain, ruled = (lawful.evaluate(gold, answers, scheme="IOB2") for answers in (predicted, legal))
    return {
        "F1": round(100 * plain.micro.f1, 2),
        "F1 of NP": round(100 * plain.spans["NP"].f1, 2),
        "F1, legal labels only": round(100 * ruled.micro.f1, 2),
        "fit seconds": seconds,
        "tag seconds": tagging,
        "tag with rules seconds": decoding,
    }


RUNS: dict[str, tuple[dict[str, Callable[[], Model]], Callable[..., dict[str, Any]]]] = {
    "citations": (CITATIONS, on_citations),
    "conll2000": (CHUNKS, on_chunks),
}
ABOUT = {
    "citations": "300 training references, 100 each for dev and test. Token accuracy in per cent, as the model says, and under two hard\n"
    "rules that no model was trained with: each field once, and changes only after punctuation.",
    "conll2000": "8,936 training sentences, 2,012 for the test. F1 of all chunks in per cent; L-BFGS stops after 60 iterations.",
}


def page(results: dict[str, Any]) -> str:
    """The results as Markdown."""
    lines = ["# Every kind of model on real corpora", ""]
    lines += [
        "Written by `python -m experiments.model_kinds` (`make experiments-models`). Settings are in that file and, as code, in"
    ]
    lines += [
        f"`{NAME}.json`. Seconds are wall time on {results['machine']}, and only comparable inside one table.",
        "",
    ]
    for corpus, about in ABOUT.items():
        runs = results["runs"].get(corpus, {})
        if not runs:
            continue
        names = [name for name in next(iter(runs.values())) if name != "model"]
        lines += [
            f"## {corpus}",
            "",
            about,
            "",
            f"| model | {' | '.join(names)} |",
            "|---" * (len(names) + 1) + "|",
        ]
        lines += [
            f"| {kind} | {' | '.join(f'{scores[name]:.2f}' for name in names)} |"
            for kind, scores in runs.items()
        ]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Run what is missing, and write the page."""
    options = argparse.ArgumentParser(prog="python -m experiments.model_kinds", description=__doc__)
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--results", type=Path, default=RESULTS)
    options.add_argument("--fresh", action="store_true", help="run everything again")
    options.add_argument("--only", choices=list(RUNS), help="run only this corpus")
    chosen = options.parse_args()
    path = chosen.results / f"{NAME}.json"
    results: dict[str, Any] = {"command": "make experiments-models", "runs": {}}
    if path.exists() and not chosen.fresh:
        results = json.loads(path.read_text())
    results["machine"] = f"{os.cpu_count()} cores, shared with other work"
    for corpus, (makers, run) in RUNS.items():
        if chosen.only not in (None, corpus):
            continue
        done = results["runs"].setdefault(corpus, {})
        for name, make in makers.items():
            if name in done:
                continue
            print(f"{corpus}: {name} ...", file=sys.stderr, flush=True)
            done[name] = {"model": repr(make()), **run(make, chosen.data)}
            print(f"  {dict(list(done[name].items())[1:])}", file=sys.stderr, flush=True)
            results["runs"][corpus] = {known: done[known] for known in makers if known in done}
            path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            (chosen.results / f"{NAME}.md").write_text(page(results))


if __name__ == "__main__":
    main()
