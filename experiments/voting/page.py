"""The page of the experiment, with the thesis's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.shared.pages import table
from experiments.voting.votes import EXPERIMENTS

__all__ = ["make_page"]

HEADING = """# Votes between models in several encodings

Written by `make experiments-voting` (Loper 2008, chapter 6), with `LAWFUL_DATA` naming the folder of the corpora. Every model is a
linear-chain CRF with the features of the thesis, trained on the labels of the corpus in one encoding (`lawful.encodings`). Weights are
the combination of .25, .5, .75 and 1 that is best on the last tenth of the training data, which the models that choose it have not
seen. *local*: each token takes the label that most models give it. p: paired bootstrap against the best single model, 1,000 rounds.
Paths: the ways into a label that the exact linear vote keeps, by dominance alone as in the thesis, a mean of the sentences' means, on
every tenth sentence; and the same with completion bounds, as `lawful.vote` does it, on all."""

TITLES = {
    "standard": ("Table 6.1: five chunk schemes, noun phrases", "trained on all training data"),
    "orders": ("Table 6.2: first and second order, noun phrases", "trained on all training data"),
    "all": (
        "Five schemes and the second order, noun phrases (beside Table 6.3, which has learned encodings)",
        "trained on all training data; weights from .25 and 1",
    ),
    "bio": (
        "Five chunk schemes, bio-entities of JNLPBA (beside Table 6.4, which has learned encodings)",
        "trained on nine tenths of the training data, the same models that the weights were chosen with",
    ),
}
PAPER: dict[str, dict[str, float]] = {
    "standard": {
        "IOB1": 93.7,
        "IOB2": 93.8,
        "IOE1": 93.7,
        "IOE2": 93.7,
        "IOBES": 93.9,
        "local": 94.1,
        "linear": 94.2,
        "log-linear": 94.3,
    },
    "orders": {"IOB1": 93.7, "order 2": 94.3, "local": 94.1, "linear": 94.3, "log-linear": 94.3},
    "all": {"linear": 94.9, "log-linear": 95.0},
    "bio": {"linear": 70.4, "log-linear": 70.4},
}
PATHS = {"standard": (47, 582), "orders": (12, 187), "all": (56, 1018), "bio": (32, 1426)}
ROWS = ("local", "linear, equal weights", "log-linear, equal weights", "linear", "log-linear")


def make_page(done: Mapping[str, tuple[dict[str, Any], Mapping[str, dict[str, Any]]]]) -> str:
    """Everything that has been run, as Markdown."""
    sections = [HEADING]
    for name, (result, chosen) in done.items():
        title, how = TITLES[name]
        sections += [f"## {title}", f"{result['sentences']:,} test sentences; {how}.", _scores(name, result)]
        sections.append(_notes(name, result, chosen))
    return "\n\n".join(sections) + "\n"


def _scores(name: str, result: dict[str, Any]) -> str:
    best = result["scores"][result["best single"]][2]
    rows = []
    for output in (*EXPERIMENTS[name][1], *ROWS):
        precision, recall, f1 = result["scores"][output]
        test = result["significance"].get(output)
        rows.append(
            [
                output,
                *(f"{100 * number:.2f}" for number in (precision, recall, f1)),
                f"{100 * (f1 - best):+.2f}" if test else "",
                f"{test['p_bootstrap']:.3f}" if test else "",
                f"{PAPER[name][output]:.1f}" if output in PAPER[name] else "",
            ]
        )
    return table(["", "precision", "recall", "F1", "over the best single", "p", "thesis"], rows)


def _notes(name: str, result: dict[str, Any], chosen: Mapping[str, dict[str, Any]]) -> str:
    paths = result["paths"]
    mean, most = PATHS[name]
    weights = "; ".join(
        f"{method} {' '.join(f'{weight:.2f}' for weight in run['weights'])} (F1 {100 * run['f1']:.2f} on {run['sentences']:,} "
        f"held-out sentences, of {run['tried']:,} tried)"
        for method, run in chosen.items()
    )
    proved = "every sentence proved" if not paths["unproved"] else f"{paths['unproved']} sentences not proved"
    return (
        f"Weights, in the order of the table: {weights}. Exact linear vote: {proved}; paths a label, on {paths['sentences']:,} sentences: {paths['mean']:.1f} on average and "
        f"{paths['most']:,} at most (thesis: {mean}, {most:,}); with bounds, on all of them: {paths['mean with bounds']:.1f} and "
        f"{paths['most with bounds']:,}."
    )
