"""HMMs on citations with and without rules: Table 3 and part of Tables 4 and 6 of Chang, Ratinov & Roth (2012).

    python experiments/citations_hmm.py --data DATA              # on the development set
    python experiments/citations_hmm.py --data DATA --split test # once, at the end

Smoothing, the reading of unknown words, and gamma were chosen on train and dev. Every run is kept in the JSON file
beside the page, and not done again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

import bylaw
from bylaw.learning import HardEM, learn_prices
from bylaw.models.predictor import Predictor
from bylaw.rules.ruleset import Rules
from bylaw.tasks.citation_rules import CITATION_FIELDS, citation_rules, citation_ties
from bylaw.tasks.citations import CITATIONS

RESULTS = Path(__file__).parent.parent / "docs" / "results"
SIZES = (5, 10, 20, 300)
DRAWS = 5
GAMMA = 0.5  # the paper's 0.9 is there too, under its own name
ROUNDS = 5
LENIENT = {"on_infeasible": "least_bad"}

Labelled = tuple[list[list[str]], list[list[str]]]

PAPER = {  # Tables 3, 4 and 6: test accuracy in per cent
    "HMM": {5: 58.48, 10: 63.37, 20: 70.78, 300: 86.69},
    "HMM + punctuation": {5: 63.68, 10: 66.88, 20: 77.52, 300: 93.35},
    "HMM-CCM": {5: 71.64, 10: 75.44, 20: 81.15, 300: 93.92},
    "semi-HMM": {5: 64.55, 10: 69.86, 20: 75.35, 300: 87.89},
    "semi-HMM-CCM": {5: 77.65, 10: 81.51, 20: 85.11, 300: 94.32},
    "semi-HMM-CCM hard": {5: 78.18, 10: 81.11, 20: 85.16, 300: 92.80},
}

progress = Console(stderr=True)


# --- data ---------------------------------------------------------------------------------------------------


def read_split(split: str, data: Path | None) -> Labelled:
    """The tokens and labels of a split."""
    sentences = CITATIONS.load(split, data)
    return [list(one.tokens) for one in sentences], [list(one.labels or ()) for one in sentences]


@dataclass(frozen=True)
class Citations:
    """The corpus: labelled splits, and the pool."""

    train: Labelled
    dev: Labelled
    pool: list[list[str]]
    data: Path | None

    @classmethod
    def read(cls, data: Path | None) -> Citations:
        """From the folder of corpora."""
        pool, _ = read_split("unlabelled", data)
        return cls(read_split("train", data), read_split("dev", data), pool, data)

    def judged(self, split: str) -> Labelled:
        """What systems are judged on; the test set is not read before somebody asks for it."""
        return self.dev if split == "dev" else read_split(split, self.data)


def draw(train: Labelled, size: int, seed: int) -> Labelled:
    """Labelled references drawn from the training set, without replacement; all of them if that many are asked for."""
    X, y = train
    if size >= len(X):
        return train
    chosen = np.random.default_rng([size, seed]).choice(len(X), size, replace=False)
    return [X[place] for place in chosen], [y[place] for place in chosen]


# --- systems ------------------------------------------------------------------------------------------------


def base_model() -> bylaw.HMM:
    """The HMM of all systems here."""
    return bylaw.HMM(label_names=CITATION_FIELDS)


def textbook_model() -> bylaw.HMM:
    """Add-alpha smoothing, at its best on dev, and nothing learned about unknown words."""
    emission = bylaw.Emission(unknown=None)
    return bylaw.HMM(emissions=[emission], rare=0, emission_smoothing=0.6, label_names=CITATION_FIELDS)


def priced_rules(labelled: Labelled, names: Iterable[str] | None = None) -> Rules:
    """The twelve rules, or some of them, at the prices that labelled data gives."""
    rules = citation_rules()
    chosen = rules if names is None else Rules(rules[name] for name in names)
    return learn_prices(chosen, zip(*labelled, strict=True), ties=citation_ties())


@dataclass(frozen=True)
class Fitted:
    """A tagger and the rules under which it answers."""

    tagger: Predictor
    rules: Rules

    def accuracy(self, labelled: Labelled) -> float:
        """In per cent of tokens."""
        return 100 * self.tagger.score(*labelled, rules=self.rules, **LENIENT)


def supervised(
    rules: Callable[[Labelled], Rules], model: Callable[[], bylaw.HMM] = base_model
) -> Callable[[Labelled, Any], Fitted]:
    """The HMM, fitted to the labelled data; rules come in only when it answers."""
    return lambda labelled, _: Fitted(model().fit(*labelled), rules(labelled))


def codl(rules: Rules, gamma: float) -> Callable[[Labelled, Any], Fitted]:
    """Constraint-driven learning from labelled data and the pool."""

    def fit(labelled: Labelled, pool: Sequence[list[str]]) -> Fitted:
        learner = bylaw.CoDL(base_model(), rules, gamma=gamma, rounds=ROUNDS, ties=citation_ties())
        learner.fit(*labelled, unlabelled=pool)
        return Fitted(learner, learner.rules_)

    return fit


def hard_em(labelled: Labelled, pool: Sequence[list[str]]) -> Fitted:
    """Hard EM: CoDL without rules."""
    learner = HardEM(base_model(), gamma=0.9, rounds=ROUNDS).fit(*labelled, unlabelled=pool)
    return Fitted(learner, Rules())


def em(labelled: Labelled, pool: Sequence[list[str]]) -> Fitted:
    """EM, with the paper's weight of the supervised model."""
    learner = bylaw.EM(base_model(), gamma=0.9, rounds=ROUNDS).fit(*labelled, unlabelled=pool)
    return Fitted(learner, Rules())


SYSTEMS: dict[str, Callable[[Labelled, Any], Fitted]] = {
    "HMM": supervised(lambda labelled: Rules()),
    "HMM + punctuation": supervised(lambda labelled: priced_rules(labelled, ["Punctuation"])),
    "HMM-CCM": supervised(priced_rules),
    "HMM-CCM hard": supervised(lambda labelled: citation_rules(price="hard")),
    "HMM, textbook": supervised(lambda labelled: Rules(), textbook_model),
    "HMM-CCM, textbook": supervised(priced_rules, textbook_model),
    "semi-HMM": hard_em,
    "semi-HMM (EM)": em,
    "semi-HMM-CCM": codl(citation_rules(), 0.9),
    f"semi-HMM-CCM, gamma {GAMMA}": codl(citation_rules(), GAMMA),
    "semi-HMM-CCM hard": codl(citation_rules(price="hard"), 0.9),
}


# --- runs ---------------------------------------------------------------------------------------------------


class Journal:
    """Every run, kept in a JSON file as it is done."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.exists() else {}

    def do(self, key: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The run of that name: from the file, or done now."""
        if key not in self.runs:
            self.runs[key] = work()
            aside = self.path.with_suffix(".partial")
            aside.write_text(json.dumps(self.runs, indent=1) + "\n")
            aside.replace(self.path)
        return self.runs[key]


def run(system: str, citations: Citations, split: str, size: int, seed: int) -> dict[str, Any]:
    """Fit a system to one draw, and judge it."""
    started = time.perf_counter()
    fitted = SYSTEMS[system](draw(citations.train, size, seed), citations.pool)
    accuracy = fitted.accuracy(citations.judged(split))
    return {
        "system": system,
        "size": size,
        "seed": seed,
        "accuracy": accuracy,
        "seconds": round(time.perf_counter() - started, 2),
    }


def table(runs: Iterable[dict[str, Any]], split: str) -> str:
    """Mean accuracies as Markdown, the paper's (on its test set) in brackets."""
    found: dict[tuple[str, int], list[float]] = {}
    for one in runs:
        found.setdefault((one["system"], one["size"]), []).append(one["accuracy"])
    sizes = sorted({size for _, size in found})
    lines = [
        f"| {split} accuracy, % | " + " | ".join(f"{size} labelled" for size in sizes) + " |",
        "|---" * (len(sizes) + 1) + "|",
    ]
    for system in [name for name in SYSTEMS if any((name, size) in found for size in sizes)]:
        cells = []
        for size in sizes:
            values = found.get((system, size))
            paper = PAPER.get(system, {}).get(size)
            mean = "" if not values else f"{np.mean(values):.2f}"
            cells.append(mean + (f" ({paper:.2f})" if paper and mean else ""))
        lines.append(f"| {system} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(
    *,
    data: Annotated[Path | None, typer.Option(help="The folder of corpora; BYLAW_DATA by default.")] = None,
    split: Annotated[str, typer.Option(help="What to judge on: dev, or test, once, at the end.")] = "dev",
    sizes: Annotated[str, typer.Option(help="How many labelled references, with commas between.")] = "",
    systems: Annotated[
        str, typer.Option(help="Which systems, with semicolons between; all by default.")
    ] = "",
    folder: Annotated[
        Path | None, typer.Option("--output", help="Where to write the page and the JSON.")
    ] = None,
) -> None:
    """Fit, judge, write citations_hmm.md and citations_hmm.json."""
    if split not in ("dev", "test"):
        raise typer.BadParameter("split must be dev or test")
    try:
        citations = Citations.read(data)
    except bylaw.InputError as error:
        raise SystemExit(str(error)) from None
    out = folder or RESULTS
    out.mkdir(parents=True, exist_ok=True)
    journal = Journal(out / "citations_hmm.json")
    chosen = [name.strip() for name in systems.split(";")] if systems else list(SYSTEMS)
    for size in [int(one) for one in sizes.split(",")] if sizes else SIZES:
        for system in chosen:
            for seed in range(DRAWS if size < len(citations.train[0]) else 1):
                key = f"{split} / {system} / {size} / {seed}"
                done = journal.do(key, partial(run, system, citations, split, size, seed))
                progress.print(f"[dim]{key}: {done['accuracy']:.2f} ({done['seconds']} s)")
    page = "\n\n".join(
        table((one for key, one in journal.runs.items() if key.startswith(which)), which)
        for which in ("dev", "test")
        if any(key.startswith(which) for key in journal.runs)
    )
    (out / "citations_hmm.md").write_text(f"{HEADING}\n{page}\n")
    print(page)


HEADING = f"""# HMMs on citations, with and without rules

Written by `python experiments/citations_hmm.py` (`make experiments-citations-hmm`). Token accuracy; mean of {DRAWS} draws from the 300 training
references (`numpy.random.default_rng([size, seed]).choice`, without replacement), or one run with all of them. The pool is the 1,000
unlabelled references. In brackets: Chang, Ratinov & Roth (2012) on their test set, with draws of their own.

Chosen on train and dev: smoothing (0.05 and 0.1), words seen once as models of unknown ones, and gamma {GAMMA} beside the paper's 0.9, which
"semi-HMM-CCM" has. "Textbook" is add-0.6 smoothing, the best of its kind on dev, with nothing learned about unknown words: the same rules, and
the difference that makes. "Hard" is all twelve rules hard, the least bad answer where they contradict each other.
"""


if __name__ == "__main__":
    typer.run(main)
