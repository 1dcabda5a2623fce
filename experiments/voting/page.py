"""The page of the experiment, with the thesis's numbers beside ours."""

from __future__ import annotations

from typing import Any

from experiments.encodings.data import CORPORA
from experiments.shared.pages import table
from experiments.voting.voters import EPOCHS, MANY_TAGS, PENALTIES, SHARES, member_run
from experiments.voting.votes import (
    ERRORS,
    EXPERIMENTS,
    REPORTED,
    Find,
    errors_run,
    members_of,
    searches_of,
    test_run,
    weights_run,
)

__all__ = ["make_page"]

Run = dict[str, Any]

HEADING = """# Votes between models in several encodings

Written by `make experiments-voting` (Loper 2008, chapter 6), with `LAWFUL_DATA` naming the folder of the corpora. Every model is a
linear-chain CRF with the features of the thesis, trained on the labels of the corpus in one encoding (`lawful.encodings`) by {np} epochs
of stochastic gradient descent ({bio} on JNLPBA). Held out is every tenth training sentence. There each model's penalty is chosen ({penalties}),
and so are weights, by models that have not seen it; test data are read by models that were trained on all training data (but for Table 6.4). Each run on this page read them once, but earlier versions of it had read them before: for Tables 6.1 and 6.2 with models
trained by L-BFGS, and twice for Table 6.1 with features of pairs, where between the search for weights by coordinates was mended. Table 6.1 with features of single tags was run when those results were known; both are shown. No penalty and no weight was chosen on test data.
Table 6.5, votes on trees, is in [roles-trees.md](roles-trees.md). Numbers of the thesis are precision / recall / F1.

*grid*: the combination of .25, .5, .75 and 1 that is best on held-out data, as in the thesis; *coordinates*: from equal weights
or the best model alone, one weight is changed at a time, also to 0 and .1, as long as that helps. *local*: each token takes the label that most models give it. p: paired bootstrap against the single model that is
best on test data, 10,000 rounds, and 95 % of what they give. Paths: the ways into a label that the exact linear vote keeps, by dominance alone as in the thesis, a mean of the
sentences' means, on a part of the sentences; and the same with completion bounds, as `lawful.vote` does it, on all."""

TITLES = {
    "standard": "Table 6.1: five chunk schemes, noun phrases",
    "standard, pairs": "Table 6.1 again, with features of pairs of tags",
    "orders": "Table 6.2: first and second order, noun phrases",
    "learned": "Table 6.3: the hand-crafted encoding and four learned ones, noun phrases",
    "all": "Tables 6.1 and 6.3 together: ten encodings, noun phrases",
    "bio": "Table 6.4: five learned encodings, bio-entities of JNLPBA",
}
ABOUT = {
    "standard": "Attributes fire for single tags, as Figure 4.3 has it.",
    "standard, pairs": "Parts of speech around the two tokens and both words fire for each pair of tags as well, as attributes can in Mallet, which the "
    "thesis used; it does not say whether they did. With them IOB1 comes close to what it had there. On held-out data no vote is better than IOBES alone: all models "
    "have the same features, and IOBES tells apart what the other four do.",
    "learned": "Features of single tags, as in the first table; subdivisions of a tag share features. Learned encodings are those of [encodings.md](encodings.md): the best finalist of each of "
    "its three searches, then the best of the others. The second is second order itself, where one search began: it found nothing better.",
    "all": "The same members as in the tables above. Weights are sought by coordinates only: a grid for ten would have a million points. The thesis has no such table.",
    "bio": "On held-out data no vote is better than its best member. Features of Figure 4.13 for single tags; subdivisions of a tag share features. Learned encodings are those of [encodings.md](encodings.md): the best finalist of each of its two "
    "searches, then the best of the others.",
}
PAPER: dict[str, dict[str, tuple[float, float, float]]] = {
    "standard": {
        "IOB1": (93.6, 93.8, 93.7),
        "IOB2": (93.7, 93.9, 93.8),
        "IOE1": (93.6, 93.8, 93.7),
        "IOE2": (93.4, 94.0, 93.7),
        "IOBES": (93.8, 94.0, 93.9),
        "local": (94.1, 94.0, 94.1),
        "linear, grid": (94.2, 94.3, 94.2),
        "log-linear, grid": (94.4, 94.3, 94.3),
    },
    "orders": {
        "IOB1": (93.6, 93.8, 93.7),
        "order 2": (94.4, 94.3, 94.3),
        "local": (94.4, 94.3, 94.1),
        "linear, grid": (94.4, 94.3, 94.3),
        "log-linear, grid": (94.4, 94.4, 94.3),
    },
    "learned": {
        "hand-crafted": (94.2, 94.2, 94.2),
        "learned 1": (94.4, 94.6, 94.5),
        "learned 2": (94.5, 94.7, 94.6),
        "learned 3": (94.6, 94.6, 94.6),
        "learned 4": (94.8, 94.3, 94.5),
        "linear, grid": (94.9, 94.8, 94.9),
        "log-linear, grid": (95.1, 94.8, 95.0),
    },
    "bio": {
        "learned 1": (73.2, 66.8, 69.9),
        "learned 2": (72.8, 67.0, 69.8),
        "learned 3": (73.4, 66.8, 70.0),
        "learned 4": (73.6, 66.9, 70.1),
        "learned 5": (71.9, 66.4, 69.1),
        "linear, grid": (73.6, 67.5, 70.4),
        "log-linear, grid": (73.5, 67.6, 70.4),
    },
}
PAPER["standard, pairs"] = PAPER["standard"]
NOT_RUN = {
    "all": "not a table of the thesis; left out for lack of time, and the votes of its parts gain nothing"
}
PATHS = {
    "standard": (47, 582),
    "standard, pairs": (47, 582),
    "orders": (12, 187),
    "learned": (56, 1018),
    "bio": (32, 1426),
}
# Over the best single model, by the log-linear vote.
TARGETS = {"standard": 0.3, "standard, pairs": 0.3, "learned": 0.4, "all": 0.4, "bio": 0.3}
EVEN = ("local", "linear, equal weights", "log-linear, equal weights")


def make_page(find: Find) -> str:
    """Everything that has been run, as Markdown."""
    penalties = {task: ", ".join(f"{penalty:g}" for penalty in given) for task, given in PENALTIES.items()}
    many = ", ".join(f"{penalty:g}" for penalty in MANY_TAGS["np"])
    said = f"c2 {penalties['np']}; {many} where there are more tags; on JNLPBA {penalties['bio']}"
    sections = [HEADING.format(**EPOCHS, penalties=said)]
    done = {}
    for name in EXPERIMENTS:
        settings = test_run(name, find)
        result = find(settings) if settings else None
        if result is not None:
            done[name] = result
    if done:
        sections.append(_summary(done, find))
    for name, result in done.items():
        about = f"{ABOUT[name]} " if name in ABOUT else ""
        sections += [f"## {TITLES[name]}", f"{about}{_sizes(name, result)}", _scores(name, result, find)]
        sections.append(_notes(name, result, find))
    missing = [
        f"- {TITLES[name]}: {NOT_RUN.get(name, 'some hours of training')}."
        for name in EXPERIMENTS
        if name not in done
    ]
    if missing:
        sections += ["## Not run here", "\n".join(missing)]
    return "\n\n".join(sections) + "\n"


def _voted(name: str) -> list[str]:
    """The votes whose weights were chosen."""
    return [f"{method}, {search}" for method, search in searches_of(name)]


def _summary(done: dict[str, Run], find: Find) -> str:
    """Targets, and what the votes with chosen weights gained over the best single model."""
    rows = []
    for name, target in TARGETS.items():
        if name not in done:
            continue
        scores, best = done[name]["scores"], done[name]["best single"]
        mean = sum(scores[member.encoding][2] for member in members_of(name)) / len(members_of(name))
        held = _held(name, find)
        chosen = max((member.encoding for member in members_of(name)), key=lambda encoding: held[encoding])
        for vote in _voted(name):
            if vote.startswith("log-linear"):
                test = done[name]["significance"][vote]
                rows.append(
                    [
                        TITLES[name],
                        vote,
                        f"{target:+.1f}",
                        f"{best}, {100 * scores[best][2]:.2f}",
                        f"{_change(test)} (p {test['p_bootstrap']:.3f})",
                        _met(test, target),
                        f"{100 * (scores[vote][2] - mean):+.2f}",
                        f"{chosen}: {100 * (scores[vote][2] - scores[chosen][2]):+.2f}",
                        f"{held[vote] - held[chosen]:+.2f}",
                    ]
                )
    head = [
        "", "vote", "target", "best on test data", "gain over it (95 %)", "", "over the mean of the members", "over the member that is best on held-out data", "there, on held-out data",
    ]  # fmt: skip
    parts = ["## What was gained", table(head, rows), _holds(done), _refused(done), _errors(done, find)]
    return "\n\n".join(part for part in parts if part)


def _change(test: Run) -> str:
    """A difference of F1, and 95 % of what resampling gives."""
    low, high = test["interval"]
    return f"{100 * test['difference']:+.2f} ({100 * low:+.2f} to {100 * high:+.2f})"


def _met(test: Run, target: float) -> str:
    if 100 * test["difference"] >= target:
        return "reached"
    if 100 * test["interval"][1] >= target:
        return "**missed**; the interval reaches it"
    return "**missed**"


def _holds(done: dict[str, Run]) -> str:
    """Whether exact linear votes ended, and how many paths they kept; and what votes gain over what their members score."""
    paths = [result["paths"] for result in done.values()]
    unproved = sum(one["unproved"] for one in paths)
    ended = "on every test sentence" if not unproved else f"on all but {unproved} test sentences"
    hardest = max(paths, key=lambda one: one["mean"])
    return (
        f"**What holds.** Exact linear votes ended {ended} of every table, with at most {hardest['mean']:.1f} paths a label on average (60 were allowed; the thesis has 12 to 56), and {max(one['most'] for one in paths):,} at most "
        "(the thesis 1,426). A vote is worth more than its members are on average, so one who does not know which encoding is best loses little by a vote of all. "
        "What a log-linear vote of five costs beside one model is in [encoded.md](encoded.md)."
    )


def _refused(done: dict[str, Run]) -> str | None:
    """That no vote gains over its best member, and what is known of the reason."""
    named = [name for name in TARGETS if name in done]
    chosen = [
        done[name]["significance"][vote] for name in named for vote in _voted(name) if vote.startswith("log")
    ]
    if not chosen:
        return None
    every = [test for name in named for vote, test in done[name]["significance"].items() if vote != "local"]
    gains = [100 * test["difference"] for test in chosen]
    reached = sum(gain >= TARGETS[name] for name in named for gain in _gains(done[name], name))
    certain = sum(test["interval"][0] > 0 for test in every)
    text = (
        f"**What does not.** {'None' if not reached else f'{reached}'} of these targets {'is' if reached < 2 else 'are'} reached. In Tables 6.1, 6.3 and 6.4 of the thesis log-linear votes are 0.4, 0.4 and 0.3 ahead of their best member; "
        f"here those with chosen weights are {min(gains):+.2f} to {max(gains):+.2f} from it on test data. Of the {len(every)} linear and log-linear votes of these tables, {'none is' if not certain else f'{certain} are'} ahead by more than chance (no interval lies above 0"
        f"{'' if not certain else ', but for those'}). Where a vote is ahead on held-out data, on which its weights were chosen, that does not carry over."
    )
    return (
        f"{text}\n\n**What is known of the reason.** In Table 6.1 the members are not equally good, as they are in the thesis (93.7 to 93.9): IOBES, whose tags tell apart what the others do, is ahead of all. "
        "The table below counts, on held-out data, what a majority of the other members would change in the best one's output: they would mend some of its mistakes, and spoil about as much of what it has right. In Table 6.4 three members are equally good, as in the thesis, "
        "and their vote gains nothing; that was not looked into. All members of a table have the same features and training data."
    )


def _gains(result: Run, name: str) -> list[float]:
    """What the log-linear votes with chosen weights gain over the best single model."""
    votes = [vote for vote in _voted(name) if vote.startswith("log-linear")]
    return [100 * result["significance"][vote]["difference"] for vote in votes]


def _errors(done: dict[str, Run], find: Find) -> str | None:
    """Where the best member errs on held-out data and most others do not, and the other way round."""
    rows, sums = [], []
    for name in ERRORS:
        settings = errors_run(name, find) if name in done else None
        found = find(settings) if settings else None
        if found is not None:
            mended = found["missed, not by most"] + found["wrong, not of most"]
            spoiled = found["found, not by most"] + found["wrong of most alone"]
            sums.append(
                f"mend {mended} chunks of {found['best']} and spoil {spoiled} ({TITLES[name].split(':')[0]})"
            )
            missed, held, wrong = (f"{found[what]:,}" for what in ("missed", "found", "wrong"))
            rows.append(
                [
                    TITLES[name],
                    found["best"],
                    f"{missed}: {found['missed, not by most']}",
                    f"{held}: {found['found, not by most']}",
                    f"{wrong}: {found['wrong, not of most']}",
                    f"{found['wrong of most alone']}",
                ]
            )
    if not rows:
        return None
    head = [
        "", "best member", "chunks that it misses: most others find", "chunks that it finds: most others miss", "wrong chunks of it: most others do not say",
        "wrong chunks of most others alone",
    ]  # fmt: skip
    return f"On held-out data, the majority of the others would {', '.join(sums)}:\n\n{table(head, rows)}"


def _sizes(name: str, result: Run) -> str:
    share = SHARES[EXPERIMENTS[name][0]]
    of = "all training data" if share == 1 else f"every {share}th training sentence"
    if REPORTED.get(name) == "fit":
        of = "what is not held out, which holds for votes and single models alike: training takes long here"
    about = CORPORA[EXPERIMENTS[name][0]].about
    return f"{result['sentences']:,} test sentences of {about}; trained on {of}."


def _scores(name: str, result: Run, find: Find) -> str:
    members = {member.encoding: find(member_run(member)) or {} for member in members_of(name)}
    held = _held(name, find)
    rows = []
    theirs = PAPER.get(name, {})
    for output in (*members, *EVEN, *_voted(name)):
        precision, recall, f1 = result["scores"][output]
        test = result["significance"].get(output)
        rows.append(
            [
                output,
                f"{members[output]['c2']:g}" if output in members else "",
                f"{held[output]:.2f}" if output in held else "",
                *(f"{100 * number:.2f}" for number in (precision, recall, f1)),
                _change(test) if test else "",
                f"{test['p_bootstrap']:.3f}" if test else "",
                " / ".join(f"{number:.1f}" for number in theirs[output]) if output in theirs else "",
            ]
        )
    head = [
        "",
        "c2",
        "held-out F1",
        "precision",
        "recall",
        "F1",
        "over the best single (95 %)",
        "p",
        "thesis",
    ]
    return table(head, rows)


def _held(name: str, find: Find) -> dict[str, float]:
    """The held-out F1 of each member at its penalty, and of each vote whose weights were chosen."""
    held = {member.encoding: (find(member_run(member)) or {})["f1"] for member in members_of(name)}
    for method, search in searches_of(name):
        settings = weights_run(name, method, search, find)
        found = find(settings) if settings else None
        if found is not None:
            held[f"{method}, {search}"] = 100 * found["f1"]
    return held


def _notes(name: str, result: Run, find: Find) -> str:
    paths = result["paths"]
    chosen = []
    for method, search in searches_of(name):
        settings = weights_run(name, method, search, find)
        found = find(settings) if settings else None
        if found is not None:
            weights = " ".join(f"{weight:.2f}" for weight in found["weights"])
            chosen.append(f"{method}, {search} {weights} (of {found['tried']:,} tried)")
    proved = "every sentence proved" if not paths["unproved"] else f"{paths['unproved']} sentences not proved"
    theirs = "thesis: {}, {:,}; ".format(*PATHS[name]) if name in PATHS else ""
    return (
        f"Weights, in the order of the table: {'; '.join(chosen)}. Exact linear vote: {proved}; paths a label, on {paths['sentences']:,} sentences: {paths['mean']:.1f} on average and "
        f"{paths['most']:,} at most ({theirs}with bounds, on all sentences: {paths['mean with bounds']:.1f} and "
        f"{paths['most with bounds']:,})."
    )
