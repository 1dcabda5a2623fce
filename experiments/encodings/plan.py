"""Which runs there are, in the order in which they are done: searches first, then what they found is scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from experiments.encodings import paper

__all__ = [
    "HAND_WAYS",
    "HMMS",
    "HMM_STARTS",
    "STEPS",
    "TASKS",
    "WAYS",
    "WEAK",
    "crf_search",
    "crf_searches",
    "finalists",
    "hand_crafted_scores",
    "hmm_scores",
    "hmm_search",
    "hmm_searches",
    "learned",
    "learned_scores",
    "rankings",
    "searched_encodings",
    "searches",
    "smoothing_of",
    "smoothing_run",
    "step_costs",
    "trained_by",
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
# The size of the searches, by where they start: what ended on a fifth of a core in an hour. `--trials` multiplies it.
SEARCHES: dict[str, Settings] = {
    "np": {
        "every": 2,
        "beam": 5,
        "moves": MOVES,
        "starts": {"canonical": 40, "order 2, subset features": 20, "IOBES": 20},
    },
    "bio": {
        "every": 3,
        "beam": 4,
        "moves": MOVES,
        "by frequency": True,
        "starts": {"canonical": 40, "IOBES": 60},
    },
    "pos": {"every": 2, "beam": 4, "moves": MOVES, "by frequency": True, "starts": {"canonical": 80}},
}
# What HMMs add to all counts of emissions is chosen for the canonical encoding on held-out data among these.
SMOOTHING = {
    "word and pos": [10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.001],
    "all": [100.0, 30.0, 10.0, 3.0, 1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6],
}
WEAK = "all, smoothed as much as in the paper"
# Features, back-off and trials. The weak one takes what comes closest to the dissertation's score of the canonical encoding.
HMMS = {
    "word and pos": ("word and pos", False, 500),
    "all": ("all", False, 250),
    WEAK: ("all", False, 120),
    "back-off": ("all", True, 60),
}
# More searches, that begin where one would begin by hand, and their trials.
HMM_STARTS = {
    "all": {"IOBES, order 2": 100},
    WEAK: {"IOBES, order 2": 100},
}
# Encodings are ranked by one model over all tags that was trained for a few epochs, on a part of the data.
RANKING = {"algorithm": "averaged_perceptron", "max_iterations": 5}
# So many encodings of a search are trained both ways, from the canonical one or, late, from where a search from there came to.
STEPS = {("np", False): 10, ("np", True): 5, ("bio", False): 1}
RANKED = 20  # of so many encodings of a search it is asked whether other rankings would have put them in the same order

# So many of each search are trained fully.
LEADERS = {"np": 4, "bio": 3, "pos": 4}

# How finalists are trained, on all data: binary models by codes, one model over all tags, and one CRF. Codes take a model for each tag:
# where there are dozens of tags they are left out.
CODES, PERCEPTRON, CRF = "codes", "one model, averaged perceptron", "one CRF"
WAYS = {"np": (CODES, PERCEPTRON, CRF), "bio": (PERCEPTRON, CRF), "pos": (PERCEPTRON, CRF)}
HAND_WAYS = (PERCEPTRON, CRF)  # in which the hand-crafted encoding is trained
_QUICK = {"algorithm": "averaged_perceptron", "max_iterations": 6}
# CRFs learn by stochastic gradient descent: L-BFGS takes ten times as long, and is no better on held-out data. Where there are
# several penalties c2, each encoding gets the one that is best there.
EPOCHS = {"np": 20, "bio": 15, "pos": 10}
PENALTIES = {"np": [0.1, 0.03], "bio": [1.0], "pos": [0.1]}


def trained_by(task: str, way: str) -> Settings:
    """How finalists of a task are trained in one of the ways."""
    if way != CRF:
        return {"way": "codes" if way == CODES else "one model", "options": _QUICK}
    options = {"algorithm": "sgd", "max_iterations": EPOCHS[task]}
    return {"way": "one model", "options": options, "penalties": PENALTIES[task]}


def smoothing_run(features: str) -> Settings:
    """Choose what an HMM adds to all counts."""
    return {"run": "smoothing", "features": features, "values": SMOOTHING[features]}


def smoothing_of(name: str, find: Find) -> float | None:
    """What the HMM adds to all counts; None if it has not been chosen yet."""
    found = find(smoothing_run(HMMS[name][0]))
    if found is None:
        return None
    scores = found["held"]
    if name == WEAK:
        return float(min(scores, key=lambda value: abs(scores[value] - paper.HMMS["all"][0][0])))
    return float(max(scores, key=lambda value: scores[value]))


def hmm_search(name: str, find: Find, times: float = 1.0, begin: str = "canonical") -> Settings | None:
    """A search with HMMs from an encoding; None if their smoothing has not been chosen yet."""
    features, backoff, size = HMMS[name]
    if begin != "canonical":
        size = HMM_STARTS[name][begin]
    smoothing = smoothing_of(name, find)
    if smoothing is None:
        return None
    trials = round(size * times)
    return {
        "run": "search",
        "task": "np",
        "model": "hmm",
        "start": begin,
        "features": features,
        "smoothing": smoothing,
        "backoff": backoff,
        "every": 1,
        "beam": 15,
        "patience": trials,
        "trials": trials,
        "seed": 0,
        "moves": None,
        "milestones": sorted({min(size, trials) for size in (20, 100, trials)})
        if begin == "canonical"
        else [trials],
    }


def hmm_searches(name: str, find: Find, times: float = 1.0) -> dict[str, Settings]:
    """The searches with HMMs, by where they begin; none if their smoothing has not been chosen yet."""
    begun = {
        begin: hmm_search(name, find, times, begin) for begin in ("canonical", *HMM_STARTS.get(name, {}))
    }
    return {begin: search for begin, search in begun.items() if search is not None}


def crf_search(task: str, begin: str = "canonical", times: float = 1.0) -> Settings:
    """A search with CRFs from an encoding."""
    size = SEARCHES[task]
    trials = round(size["starts"][begin] * times)
    return {
        "run": "search",
        "task": task,
        "model": "all tags",
        "start": begin,
        "ranking": RANKING,
        "seed": 0,
        **{name: value for name, value in size.items() if name != "starts"},
        "patience": trials,
        "trials": trials,
        "milestones": [trials],
    }


def crf_searches(task: str, times: float = 1.0) -> list[Settings]:
    """The searches of a task, from the canonical encoding first."""
    return [crf_search(task, begin, times) for begin in SEARCHES[task]["starts"]]


def searches(find: Find, times: float = 1.0) -> list[Settings]:
    """All searches."""
    hmms = [search for name in HMMS for search in hmm_searches(name, find, times).values()]
    return [*hmms, *(search for task in TASKS for search in crf_searches(task, times))]


def finalists(task: str, find: Find, times: float = 1.0) -> Settings | None:
    """The best few of the searches for a task, each to be trained on all training data but what is held out."""
    leaders = _leaders(task, find, times)
    if not leaders:
        return None
    return {
        "run": "finalists",
        "task": task,
        "training": trained_by(task, PERCEPTRON),
        "encodings": [leader["encoding"] for leader in leaders],
    }


def _leaders(task: str, find: Find, times: float) -> list[Result]:
    found = [find(search) for search in crf_searches(task, times)]
    return [
        {**leader, "start": begin}
        for begin, search in zip(SEARCHES[task]["starts"], found, strict=True)
        if search is not None
        for leader in search["top"][: LEADERS[task]]
    ]


def learned(task: str, find: Find, times: float = 1.0) -> Result | None:
    """What was chosen among the finalists, as its search described it; None if they have not been trained yet."""
    settings = finalists(task, find, times)
    chosen = find(settings) if settings else None
    return None if chosen is None else _leaders(task, find, times)[chosen["best"]]


def searched_encodings(task: str, find: Find, count: int = 5) -> list[Result]:
    """Encodings that were found in different searches, as data: the best finalist of each search, then the best of the others."""
    settings = finalists(task, find)
    chosen = find(settings) if settings else None
    if chosen is None:
        return []
    leaders = _leaders(task, find, 1.0)
    ranked = sorted(range(len(leaders)), key=lambda number: -chosen["held"][number])
    begun = [leaders[number]["start"] for number in ranked]
    first = [number for place, number in enumerate(ranked) if begun[place] not in begun[:place]]
    rest = [number for number in ranked if number not in first]
    return [leaders[number]["encoding"] for number in (first + rest)[:count]]


def rankings(task: str, find: Find, times: float = 1.0) -> Settings | None:
    """Whether two ways to rank encodings agree with training them fully: on encodings from all over a search, good and bad."""
    found = find(crf_search(task, times=times))
    if found is None or "sample" not in found:  # which the page's file has not
        return None
    ranked = {"ranking": RANKING}
    return {
        "run": "rankings",
        "task": task,
        "every": SEARCHES[task]["every"],
        "rankings": {"all tags": {"model": "all tags", **ranked}, "codes": {"model": "codes", **ranked}},
        "training": trained_by(task, PERCEPTRON),
        "encodings": found["sample"][:RANKED],
    }


def hmm_scores(name: str, find: Find, times: float = 1.0) -> Settings | None:
    """The HMM in the encodings that searches found, on test data; None if the one from the canonical encoding is not done."""
    begun = hmm_searches(name, find, times)
    found = {begin: done for begin, search in begun.items() if (done := find(search)) is not None}
    if "canonical" not in found:
        return None
    training = {
        "way": "hmm",
        **{key: begun["canonical"][key] for key in ("features", "smoothing", "backoff")},
    }
    by_hand = ("IOB2, order 2",) if name in HMM_STARTS else ()
    encodings: Settings = {by: by for by in ("canonical", "order 2", *by_hand)}
    encodings |= {begin: begin for begin in found if begin != "canonical"}
    for begin, search in found.items():
        for trials, best in search["best"].items():
            after = f"after {trials}" if begin == "canonical" else f"after {trials} from {begin}"
            encodings[after] = best["encoding"]
    return {
        "run": "scores",
        "task": "np",
        "training": training,
        "encodings": encodings,
        "only held": False,
    }


def learned_scores(task: str, way: str, find: Find, times: float = 1.0) -> Settings | None:
    """What a search found, trained in one of the ways, beside the canonical encoding and what one would have taken by hand."""
    best = learned(task, find, times)
    if best is None:
        return None
    by_hand = {
        "np": ("order 2, subset features",),
        "bio": ("IOBES",),
        "pos": (),
    }
    references = {name: name for name in by_hand[task]}
    return {
        "run": "scores",
        "task": task,
        "training": trained_by(task, way),
        "encodings": {"canonical": "canonical", **references, "learned": best["encoding"]},
        "only held": False,
    }


def hand_crafted_scores(way: str) -> Settings:
    """Tables 4.1 and 4.2."""
    names = ("canonical", "hand-crafted", "hand-crafted, subset features")
    return {
        "run": "scores",
        "task": "np",
        "training": trained_by("np", way),
        "encodings": {name: name for name in names},
        "only held": False,
    }


def step_costs(task: str, find: Find, times: float = 1.0, *, late: bool = False) -> Settings | None:
    """The first steps of a search by codes, each also trained as one CRF over all tags; None if it is late and none has been run yet."""
    begin: Any = "canonical"
    if late:
        found = find(crf_search(task, times=times))
        if found is None:
            return None
        begin = next(iter(found["best"].values()))["encoding"]
    return {
        "run": "step",
        "task": task,
        "start": begin,
        "every": 10,
        "steps": STEPS[task, late],
        "dense": task == "np" and not late,  # elsewhere it would take gigabytes, or minutes
        "ranking": RANKING,
        "moves": MOVES,
        "by frequency": SEARCHES[task].get("by frequency", False),
        "beam": SEARCHES[task]["beam"],
        "seed": 0,
    }
