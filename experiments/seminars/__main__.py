"""Seminar announcements: fields with HMM and CRF, with and without rules. `make experiments-seminars` runs it.

A run takes one split, one model and one size of the training part. It tags the test part under rules at prices by every method, and
does the same in held-out folds of the training part, by which the method is chosen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.seminars.systems import FIELDS, METHODS, SPLITS, fit_and_score
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
CHOSEN = "chosen on held-out folds"


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
    runs = all_runs()
    if not arguments.page_only:
        use_corpus("seminar_announcements", arguments.data)
        run_all(runs, fit_and_score, journal, jobs=arguments.jobs, title="seminars")
    page = make_page(journal)
    write_page(arguments.results, "seminars", page, journal, runs)
    print(page)


def all_runs() -> list[dict[str, Any]]:
    """Every run, the quick ones first."""
    return [settings for size, model in CELLS for settings in cell(size, model)]


def cell(size: int, model: str) -> list[dict[str, Any]]:
    """The runs of a model, one per split."""
    return [{"model": model, "size": size, "split": split} for split in SPLITS]


def f1(counts: dict[str, list[int]], field: str = "all") -> tuple[float, float, float]:
    """Precision, recall and F1 of a field, or of all together, in per cent."""
    rows = [row for name, row in counts.items() if name in FIELDS and field in ("all", name)]
    right, guessed, gold = (sum(column) for column in zip(*rows, strict=True))
    return 100 * right / max(1, guessed), 100 * right / max(1, gold), 200 * right / max(1, guessed + gold)


def choose(results: Sequence[dict[str, Any]]) -> str:
    """The method with the best mean of both F1 scores in the held-out folds of training parts; of equals, the simpler one."""

    def held_out(method: str) -> float:
        return sum(f1(result["held out"][method][what])[2] for result in results for what in MEASURES)

    return max(METHODS, key=held_out)


def scores(results: Sequence[dict[str, Any]], part: str, method: str, what: str) -> list[list[float]]:
    """For each split: precision, recall, F1 of all fields, then the F1 of each field."""
    rows = []
    taken = choose(results) if method == CHOSEN else method
    for result in results:
        counts = result[part][taken][what]
        rows.append([*f1(counts), *(f1(counts, field)[2] for field in FIELDS)])
    return rows


def with_spread(rows: list[list[float]], column: int) -> str:
    """Mean and standard deviation over splits."""
    values = [row[column] for row in rows]
    return f"**{np.mean(values):.1f}** ± {np.std(values, ddof=1):.1f}"


def make_page(journal: Journal) -> str:
    """Everything as Markdown."""
    sections = [HEADING]
    results = {
        (size, model): [journal.result(settings) for settings in cell(size, model)] for size, model in CELLS
    }
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
        choices(results),
        "## Against no rules, split by split",
        AGAINST,
    ]
    sections += [against(results), PRICES, prices(results[338, "CRF"])]
    sections += ["## Announcements that nobody looked at", FRESH, fresh(results)]
    longest = max(run["longest"] for run in results[338, "CRF"])
    sections.append(f"The longest announcement has {longest} tokens.")
    return "\n\n".join(sections) + "\n"


Results = dict[tuple[int, str], list[dict[str, Any]]]


def choices(results: Results) -> str:
    """What every method did in held-out folds, and which one that chose."""
    rows = []
    for (size, model), found in results.items():
        best = choose(found)
        alone = Counter(choose([result]) for result in found)
        for method in METHODS:
            means = [np.mean(scores(found, "held out", method, what), axis=0)[2] for what in MEASURES]
            name = f"{model}, {size}, {NAMES[method]}"
            rows.append(
                [
                    f"**{name}**" if method == best else name,
                    *(f"{mean:.2f}" for mean in means),
                    f"{np.mean(means):.2f}",
                    str(alone[method]),
                ]
            )
    return table(
        ["chosen in bold", *(f"{what} F1, held out" for what in MEASURES), "mean", "best of split"], rows
    )


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
    methods = METHODS[2:5]
    names = results[0]["prices"][methods[0]]
    rows = [
        [
            name,
            *(f"{np.mean([result['prices'][method][name] for result in results]):.1f}" for method in methods),
        ]
        for name in names
    ]
    return table(["rule", *(NAMES[method].removeprefix("all rules, ") for method in methods)], rows)


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
them, up to either kind of log odds. *Chosen on held-out folds* is one of these, legal tags, or no rules at all: for each model and size of the
training part, whichever did best in five held-out folds of the training parts (the mean of both F1 scores over the five splits). One split's training part holds announcements
of another's test part; a choice of one in six, made once for all splits, can take little from that. What each split would have chosen from its own training part alone is counted below."""

FINDING = """Log odds cost the CRF more than the rules bring it, over all tokens most: its own features know most of what the rules say, and it pays again. Cross-fitted prices leave that out; with 338 announcements
they gain half a point of mentions and lose nothing in fields. With 25 announcements only legal tags gain in both, a little: all rules gain mentions and lose fields at any price, what the folds chose among them, and folds of 25 are too small to tell the methods apart.
The HMM, which sees no neighbours, gains from the rules at any price."""

CHOICE = """Held-out folds of the training parts, means over the five splits. *Best of split*: how many of the five would choose it by their own folds alone."""

AGAINST = """F1 of what was chosen, less that of no rules. Splits share announcements, so that five signs are fewer than five observations."""

PRICES = """Prices of the rules beside the CRF, 338 training announcements, as means over the splits: log odds over all tokens are several nats above those
over occasions, and both are above what a rule is worth beside a model that knows most of it."""

FRESH = """The rules were found by looking at the 115 announcements that are labelled in any of the five splits. Each split's test part has 20 to 38 of them. Without
those, of 145 announcements these are left:"""


if __name__ == "__main__":
    main()
