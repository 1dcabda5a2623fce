"""Seminar announcements: fields with HMM and CRF, with and without rules. `make experiments-seminars` runs it.

There are three kinds of runs. One chooses rules for a model and a size of the training part, in held-out folds of the training parts of all
splits. One tags a split's test part under what was chosen. The third compares older ways to set prices, on a split's test part and in held-out
folds of its training part.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.seminars.systems import FIELDS, METHODS, SPLITS, do_run
from experiments.shared.journal import Journal, run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus
from experiments.shared.pages import table, write_page

CELLS = ((25, "HMM"), (25, "CRF"), (338, "HMM"), (338, "CRF"))
MEASURES = {"fields": "Fields: different values of an announcement", "mentions": "Mentions"}
NAMES = {
    "none": "no rules",
    "tags": "legal tags",
    "every token": "all rules, log odds over all tokens",
    "occasions": "all rules, log odds",
    "cross-fitted": "all rules, cross-fitted",
    "cross-fitted, higher": "all rules, cross-fitted, up to log odds over all tokens",
}
CHOSEN = "rules that pay in held-out folds"


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "seminars")
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--page-only", action="store_true", help="write the page from what has been done")
    arguments = options.parse_args()
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    published = arguments.results / "seminars.json"
    if published.exists() and not arguments.fresh:
        journal.take(json.loads(published.read_text()))
    runs = [choice(size, model) for size, model in CELLS]
    runs += [settings for size, model in CELLS for settings in cell(size, model)]
    if not arguments.page_only:
        use_corpus("seminar_announcements", arguments.data)
        run_all(runs, do_run, journal, jobs=arguments.jobs, title="seminars: choice and comparison")
    tests = [settings for size, model in CELLS for settings in test_runs(journal, size, model)]
    if not arguments.page_only:
        run_all(tests, do_run, journal, jobs=arguments.jobs, title="seminars: test")
    runs += tests
    page = make_page(journal)
    write_page(arguments.results, "seminars", page, journal, runs)
    print(page)


def choice(size: int, model: str) -> dict[str, Any]:
    """The run that chooses rules."""
    return {"model": model, "size": size, "choose": "rules"}


def test_runs(journal: Journal, size: int, model: str) -> list[dict[str, Any]]:
    """The runs that read the test parts, one per split, once it is known which rules were chosen."""
    kept = journal.result(choice(size, model))["tried"][-1]["rules"]
    return [settings | {"rules": list(kept)} for settings in cell(size, model)]


def cell(size: int, model: str) -> list[dict[str, Any]]:
    """The runs that compare older methods, one per split."""
    return [{"model": model, "size": size, "split": split} for split in SPLITS]


def f1(counts: dict[str, list[int]], field: str = "all") -> tuple[float, float, float]:
    """Precision, recall and F1 of a field, or of all together, in per cent."""
    rows = [row for name, row in counts.items() if name in FIELDS and field in ("all", name)]
    right, guessed, gold = (sum(column) for column in zip(*rows, strict=True))
    return 100 * right / max(1, guessed), 100 * right / max(1, gold), 200 * right / max(1, guessed + gold)


def scores(results: Sequence[dict[str, Any]], part: str, method: str, what: str) -> list[list[float]]:
    """For each split: precision, recall, F1 of all fields, then the F1 of each field."""
    rows = []
    for result in results:
        counts = result[part][method][what]
        rows.append([*f1(counts), *(f1(counts, field)[2] for field in FIELDS)])
    return rows


def with_spread(rows: list[list[float]], column: int) -> str:
    """Mean and standard deviation over splits."""
    values = [row[column] for row in rows]
    return f"**{np.mean(values):.1f}** ± {np.std(values, ddof=1):.1f}"


def make_page(journal: Journal) -> str:
    """Everything as Markdown."""
    sections = [HEADING]
    results = {(size, model): _with_chosen(journal, size, model) for size, model in CELLS}
    choices = {(size, model): journal.result(choice(size, model)) for size, model in CELLS}
    for size in dict.fromkeys(size for size, _ in CELLS):
        for what, title in MEASURES.items():
            rows = []
            for model in (model for other, model in CELLS if other == size):
                for method in (*METHODS, CHOSEN):
                    found = scores(results[size, model], "test", method, what)
                    means = np.mean(found, axis=0)
                    rows.append(
                        [
                            f"{model}, {NAMES.get(method, method)}",
                            f"{means[0]:.1f}",
                            f"{means[1]:.1f}",
                            with_spread(found, 2),
                            *(f"{mean:.1f}" for mean in means[3:]),
                        ]
                    )
            head = ["", "precision", "recall", "F1", *(f"{field} F1" for field in FIELDS)]
            sections += [f"## {title}, {size} training announcements", table(head, rows)]
    sections += [
        FINDING,
        "## The choice",
        CHOICE,
        path(choices),
        ALONE,
        alone(choices),
        METHODS_HELD_OUT,
        methods_held_out(results),
        "## Against no rules, split by split",
        AGAINST,
    ]
    sections += [against(results), PRICES, prices(results[338, "CRF"])]
    sections += ["## Announcements that nobody looked at", FRESH, fresh(results)]
    longest = max(run["longest"] for run in results[338, "CRF"])
    sections.append(f"The longest announcement has {longest} tokens.")
    return "\n\n".join(sections) + "\n"


Results = dict[tuple[int, str], list[dict[str, Any]]]


Choices = dict[tuple[int, str], dict[str, Any]]


def _with_chosen(journal: Journal, size: int, model: str) -> list[dict[str, Any]]:
    """The older methods' results of each split, and beside them those of what was chosen."""
    results = []
    for older, chosen in zip(cell(size, model), test_runs(journal, size, model), strict=True):
        result, new = journal.result(older), journal.result(chosen)
        parts = {part: result[part] | {CHOSEN: new[part]} for part in ("test", "test, not looked at")}
        results.append(result | parts | {"prices": result["prices"] | {CHOSEN: new["prices"]}})
    return results


def path(choices: Choices) -> str:
    """What was tried, from no rules and all rules to those that were left."""
    rows = []
    for (size, model), chosen in choices.items():
        none, *tried = chosen["tried"]
        steps = ["no rules", "all rules", *(f"without {name}" for name in chosen["dropped"])]
        for number, (step, each) in enumerate(zip(steps, [none, *tried], strict=False)):
            last = number == len(chosen["tried"]) - 1
            gains = [value - plain for value, plain in zip(each["f1"], none["f1"], strict=True)]
            rows.append(
                [
                    f"**{model}, {size}, {step}**" if last else f"{model}, {size}, {step}",
                    *(f"{value:.2f}" for value in each["f1"]),
                    *(f"{gain:+.2f}" for gain in gains),
                ]
            )
        rows.append([f"left: {', '.join(tried[-1]['rules']) or 'no rule'}", "", "", "", ""])
    head = [f"{what} F1" for what in MEASURES] + [f"{what}, to no rules" for what in MEASURES]
    return table(["one rule after another goes", *head], rows)


def alone(choices: Choices) -> str:
    """What each split would have chosen by itself."""
    rows = []
    for (size, model), chosen in choices.items():
        for split, one in enumerate(chosen["alone"]):
            rows.append(
                [
                    f"{model}, {size}, split {split}",
                    ", ".join(one["kept"]) or "no rule",
                    *(f"{gain:+.2f}" for part in ("own folds", "folds of others") for gain in one[part]),
                ]
            )
        gains = [[*one["own folds"], *one["folds of others"]] for one in chosen["alone"]]
        means = np.mean(gains, axis=0)
        rows.append([f"**{model}, {size}, mean**", "", *(f"**{gain:+.2f}**" for gain in means)])
    head = [f"{what}, {part}" for part in ("its own folds", "folds of the others") for what in MEASURES]
    return table(["F1, to no rules", "rules", *head], rows)


def methods_held_out(results: Results) -> str:
    """What the older methods did in held-out folds."""
    rows = []
    for (size, model), found in results.items():
        for method in METHODS:
            means = [np.mean(scores(found, "held out", method, what), axis=0)[2] for what in MEASURES]
            rows.append([f"{model}, {size}, {NAMES[method]}", *(f"{mean:.2f}" for mean in means)])
    return table(["", *(f"{what} F1, held out" for what in MEASURES)], rows)


def against(results: Results) -> str:
    """The difference between what was chosen and no rules, in each split."""
    rows = []
    for (size, model), found in results.items():
        for what in MEASURES:
            chosen, none = (scores(found, "test", method, what) for method in (CHOSEN, "none"))
            gains = [ours[2] - theirs[2] for ours, theirs in zip(chosen, none, strict=True)]
            rows.append(
                [
                    f"{model}, {size}, {what}",
                    *(f"{gain:+.1f}" for gain in gains),
                    f"**{np.mean(gains):+.2f}**",
                ]
            )
    return table(["F1", *(f"split {split}" for split in SPLITS), "mean"], rows)


def prices(results: Sequence[dict[str, Any]]) -> str:
    """The prices of each rule, as means over splits."""
    methods = (*METHODS[2:5], CHOSEN)

    def mean(method: str, name: str) -> str:
        known = [result["prices"][method] for result in results]
        return f"{np.mean([of[name] for of in known]):.1f}" if name in known[0] else "out"

    rows = [[name, *(mean(method, name) for method in methods)] for name in results[0]["prices"][methods[0]]]
    head = (NAMES.get(method, method).removeprefix("all rules, ") for method in methods)
    return table(["rule", *head], rows)


def fresh(results: Results) -> str:
    """The main rows again, without the test announcements that the rules were found in."""
    rows = []
    for (size, model), found in results.items():
        for method in ("none", CHOSEN):
            rows.append(
                [
                    f"{model}, {size}, {NAMES.get(method, method)}",
                    *(
                        with_spread(scores(found, "test, not looked at", method, what), 2)
                        for what in MEASURES
                    ),
                ]
            )
    counted = ", ".join(str(result["not looked at"]) for result in results[338, "CRF"])
    return table([f"{counted} announcements", *(f"{what} F1" for what in MEASURES)], rows)


HEADING = """# Seminar announcements, with and without rules

`make experiments-seminars` writes this page and `seminars.json`. Means over the corpus's five splits, ± their standard deviation; each tests on 145 announcements,
and trains on 25, or on those and the 313 that it calls unlabelled. The splits are drawn from the same 485 announcements, so that they are not independent, and the
deviation understates what other announcements would give. The rules are `load_rules("seminars")`: [the file](../../src/lawful/tasks/seminars/rules.toml) says what they are and how they
were found. All numbers in per cent. CRF and HMM have the settings that they always had here (c2 0.3, 60 iterations); nothing but prices was tuned.

Prices come from the training part alone, by four methods: log odds of keeping a rule, over all tokens (Eq. 13 of Chang, Ratinov & Roth 2012) or over the
occasions on which it could be broken; and cross-fitted, `estimate_prices(rules, gold, tagger=model, folds=5)`, where models that have not seen an announcement say what a rule is worth beside
them, up to either kind of log odds.

*Rules that pay in held-out folds* are chosen by one method for all models and sizes, `choose_together` of `lawful.learning`, which is `choose_rules(rules, gold, tagger=model, folds=5)` for several
training sets: from all rules, one after another goes that does not pay beside the model and the others. Folds of the training parts say so, whose announcements neither the model nor the
prices have seen: with a rule that stays, F1 of fields and F1 of mentions are both no lower than without it, and their mean is higher by more than its chance deviation. What is left has cross-fitted
prices. The choice is made once for each model and size, by the folds of all five splits together; [below](#the-choice) is why.

How often the test parts were read: by earlier versions of this page, for no rules, legal tags and all rules (the rows of these are from those runs, older than today's code); and once
for the rules that pay, after method and rules were settled. The earlier rows were known when the method was made. One split's training part holds announcements of another's test part, so that a
choice by all splits has seen labels of test announcements (with 338, of nearly all of them), though no model or price has. With 25, the last table leaves all of these out."""

FINDING = """Rules that pay are below no rules nowhere: with 25 announcements the CRF gains 0.2 in fields and in mentions, with 338 it gains 0.2 and 0.4, the HMM 5 to 7. Log odds cost the CRF more than
all rules bring it, over all tokens most: its own features know most of what the rules say, and it pays again. Cross-fitted prices leave that out, but even so all rules trade fields for mentions
with 25 announcements (-0.5 and +0.7): SameTime finds more mentions, some of them with a word too few, and a value that is cut otherwise counts as another field. All rules at cross-fitted prices
are also above what was chosen in mentions with 338 (88.5, and 67.0 with the HMM): the folds have it that SameName takes fields from both models, and on test it takes few."""

CHOICE = """F1 in held-out folds of the training parts, means over the five splits, as one rule after another goes. The criterion was written down before the test parts were read for it."""

ALONE = """What each split would have kept by its own folds alone, and what that would have done in the folds of the other four, which is why the choice is made for all splits together: with 25
announcements one announcement decides, and what a split gains by its own folds the CRF does not gain elsewhere."""

METHODS_HELD_OUT = """What the other methods did in the same folds, in the older runs. (All rules with cross-fitted prices are in the first table again, as today's code prices them: the HMM with 25
announcements differs, in one split.)"""

AGAINST = """F1 under the rules that pay, less that of no rules, on test. Splits share announcements, so that five signs are fewer than five observations."""

PRICES = """Prices of the rules beside the CRF, 338 training announcements, as means over the splits: log odds over all tokens are several nats above those
over occasions, and both are above what a rule is worth beside a model that knows most of it."""

FRESH = """The rules were found by looking at the 115 announcements that are labelled in any of the five splits. Each split's test part has 20 to 38 of them. Without
those, of 145 announcements these are left:"""


if __name__ == "__main__":
    main()
