"""Which runs there are, in the order in which they are done: searches first, then what they found is scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "HMMS",
    "TASKS",
    "WAYS",
    "crf_search",
    "finalists",
    "hand_crafted_scores",
    "hmm_scores",
    "hmm_search",
    "learned",
    "learned_scores",
    "searches",
    "step_costs",
]

Settings = dict[str, Any]
Result = dict[str, Any]
Find = Callable[[Settings], Result | None]

TASKS = ("np", "bio", "pos")
MOVES = [
    "copy tag forward",
    "copy state forward",
    "unroll loop",
    "specialize tag",
    "copy feature forward",
    "specialize feature",
]
# The size of the searches: what ended on a tenth of a core in an hour. `--trials` multiplies it.
SEARCHES: dict[str, Settings] = {
    "np": {"every": 2, "beam": 5, "trials": 100, "moves": MOVES},
    "bio": {"every": 16, "beam": 4, "trials": 80, "moves": MOVES},
    "pos": {
        "every": 6,
        "beam": 4,
        "trials": 40,
        "moves": ["unroll loop", "specialize tag", "specialize feature"],
    },
}
# Features, smoothing, back-off and trials. At 0.001 the canonical encoding does best on held-out data (at 10, 1, 0.1, 0.01 and 0.001: 88.4, 90.3, 91.5,
# 91.7 and 92.0); at 10 it does about as well as the dissertation's.
HMMS = {
    "word and pos": ("word and pos", 0.3, False, 250),
    "all": ("all", 0.001, False, 60),
    "all, smoothed as much as in the paper": ("all", 10.0, False, 60),
    "back-off": ("all", 0.001, True, 60),
}
# Encodings are ranked by binary models that were trained for a few epochs, on a part of the data.
RANKING = {"algorithm": "averaged_perceptron", "max_iterations": 5}

# So many of each search are trained fully; all that it tells where nothing is said here.
LEADERS = {"pos": 1, "bio": 1}

# How finalists are trained, on all data: binary models by codes, and one model over all tags.
WAYS: dict[str, Settings] = {
    "codes": {"way": "codes", "options": {"algorithm": "averaged_perceptron", "max_iterations": 6}},
    "one model, averaged perceptron": {
        "way": "one model",
        "options": {"algorithm": "averaged_perceptron", "max_iterations": 6},
    },
    "one CRF, L-BFGS": {"way": "one model", "options": {"c2": 0.1, "max_iterations": 120}},
}


def hmm_search(name: str, times: float = 1.0) -> Settings:
    """A search with HMMs."""
    features, smoothing, backoff, size = HMMS[name]
    trials = round(size * times)
    return {
        "run": "search",
        "task": "np",
        "model": "hmm",
        "features": features,
        "smoothing": smoothing,
        "backoff": backoff,
        "every": 1,
        "beam": 15,
        "patience": trials,
        "trials": trials,
        "seed": 0,
        "moves": None,
        "milestones": sorted({min(size, trials) for size in (20, 100, trials)}),
    }


def crf_search(task: str, times: float = 1.0, *, second_order: bool = False) -> Settings:
    """A search with CRFs by codes, from the canonical encoding or, half as long, from the second order."""
    trials = round(SEARCHES[task]["trials"] * times / (2 if second_order else 1))
    return {
        **({"start": "order 2"} if second_order else {}),
        "run": "search",
        "task": task,
        "model": "codes",
        "ranking": RANKING,
        "seed": 0,
        **SEARCHES[task],
        "patience": trials,
        "trials": trials,
        "milestones": [trials],
    }


def searches(times: float = 1.0) -> list[Settings]:
    """All searches."""
    return [
        *(hmm_search(name, times) for name in HMMS),
        *(crf_search(task, times) for task in TASKS),
        crf_search("np", times, second_order=True),
    ]


def finalists(task: str, find: Find, times: float = 1.0) -> Settings | None:
    """The best few of the searches for a task, each to be trained on all training data but what is held out."""
    leaders = _leaders(task, find, times)
    if len(leaders) < 2:
        return None  # nothing to choose from
    return {
        "run": "finalists",
        "task": task,
        "training": WAYS["one model, averaged perceptron"],
        "encodings": [leader["encoding"] for leader in leaders],
    }


def _leaders(task: str, find: Find, times: float) -> list[Result]:
    found = [find(crf_search(task, times, second_order=second)) for second in (False, True)]
    most = LEADERS.get(task)
    return [leader for search in found if search is not None for leader in search["top"][:most]]


def learned(task: str, find: Find, times: float = 1.0) -> Result | None:
    """What was chosen among the finalists, as its search described it; None if they have not been trained yet."""
    leaders = _leaders(task, find, times)
    settings = finalists(task, find, times)
    if settings is None:
        return leaders[0] if leaders else None
    chosen = find(settings)
    return None if chosen is None else leaders[chosen["best"]]


def hmm_scores(name: str, find: Find, times: float = 1.0) -> Settings | None:
    """The HMM in the encodings of a search, on test data; None if there was no search."""
    search = hmm_search(name, times)
    found = find(search)
    if found is None:
        return None
    training = {"way": "hmm", **{key: search[key] for key in ("features", "smoothing", "backoff")}}
    after = {f"after {trials}": best["encoding"] for trials, best in found["best"].items()}
    return {
        "run": "scores",
        "task": "np",
        "training": training,
        "encodings": {"canonical": "canonical", "order 2": "order 2", **after},
        "only held": False,
    }


def learned_scores(task: str, way: str, find: Find, times: float = 1.0) -> Settings | None:
    """What a search found, trained in one of the ways, beside the canonical encoding and, for chunks, the second order."""
    best = learned(task, find, times)
    if best is None:
        return None
    # Second order costs too much here where there are many labels, or where L-BFGS trains it.
    cheap = task == "np" and "c2" not in WAYS[way]["options"]
    references = {name: name for name in ("order 2", "order 2, subset features") if cheap}
    return {
        "run": "scores",
        "task": task,
        "training": WAYS[way],
        "encodings": {"canonical": "canonical", **references, "learned": best["encoding"]},
        "only held": False,
    }


def hand_crafted_scores(way: str) -> Settings:
    """Tables 4.1 and 4.2."""
    names = ("canonical", "hand-crafted", "hand-crafted, subset features")
    return {
        "run": "scores",
        "task": "np",
        "training": WAYS[way],
        "encodings": {name: name for name in names},
        "only held": False,
    }


def step_costs(task: str, find: Find, times: float = 1.0) -> Settings | None:
    """The steps that led to what a search found."""
    found = find(crf_search(task, times))
    if found is None:
        return None
    (best,) = found["best"].values()
    return {"run": "step", "task": task, "every": 10, "iterations": 20, "steps": 10, "moves": best["moves"]}
