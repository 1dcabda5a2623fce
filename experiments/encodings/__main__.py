"""Output encodings, chapter 4 of Loper (2008). `make experiments-encodings` runs it.

First the searches, which see held-out data only; then what they found, on test data, once. Every run is kept in a journal when
it ends, and in the page's JSON file: what is there is not done again. Each search has a journal of its own, so that it goes on where it
was, too. --fresh starts anew; --trials 10 makes searches ten times as long; --jobs runs them side by side.
"""

from __future__ import annotations

from shutil import rmtree
from typing import Any

from experiments.encodings import searches as searches_of
from experiments.encodings.costs import run_step
from experiments.encodings.data import CORPORA
from experiments.encodings.page import make_page
from experiments.encodings.plan import (
    HAND_WAYS,
    HMMS,
    SMOOTHING,
    STEPS,
    TASKS,
    WAYS,
    finalists,
    hand_crafted_scores,
    hmm_scores,
    learned_scores,
    rankings,
    searches,
    smoothing_run,
    step_costs,
)
from experiments.encodings.plots import draw_history
from experiments.encodings.published import read_published, write_published
from experiments.encodings.searches import run_search
from experiments.encodings.systems import run_finalists, run_rankings, run_scores, run_smoothing
from experiments.shared.journal import Journal, key_of, run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus

WORK = {
    "smoothing": run_smoothing,
    "search": run_search,
    "finalists": run_finalists,
    "rankings": run_rankings,
    "scores": run_scores,
    "step": run_step,
}


def work(settings: dict[str, Any]) -> dict[str, Any]:
    """Do one run."""
    return WORK[settings["run"]](settings)


def chosen(journal: Journal, times: float) -> list[dict[str, Any]]:
    """The best few of each task's searches, to be compared on held-out data, and others to judge the rankings by."""
    wanted = [
        *(finalists(task, journal.find, times) for task in TASKS),
        *(rankings(task, journal.find, times) for task in TASKS),
    ]
    return [settings for settings in wanted if settings is not None]


def finals(journal: Journal, times: float) -> list[dict[str, Any]]:
    """What is scored on test data: what the searches found, the hand-crafted encoding, and the cost of steps."""
    wanted = [
        *(learned_scores(task, way, journal.find, times) for task in TASKS for way in WAYS[task]),
        *(hmm_scores(name, journal.find, times) for name in HMMS),
        *(hand_crafted_scores(way) for way in HAND_WAYS),
        *(step_costs(task, journal.find, times, late=late) for task, late in STEPS),
    ]
    return [settings for settings in wanted if settings is not None]


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "encodings")
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--trials", type=float, default=1.0, help="times as many trials of each search")
    options.add_argument("--page-only", action="store_true", help="write the page from what has been done")
    options.add_argument(
        "--only", nargs="+", help="do only runs whose settings contain all these texts, and write no page"
    )
    options.set_defaults(jobs=1)  # a run needs some gigabytes
    arguments = options.parse_args()
    for corpus in CORPORA.values():
        use_corpus(corpus.task, arguments.data)
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    if arguments.fresh:
        rmtree(searches_of.JOURNALS, ignore_errors=True)
    published = arguments.results / "encodings.json"
    if not arguments.fresh:
        journal.take(read_published(published))

    def run(runs: list[dict[str, Any]], title: str) -> None:
        if arguments.only:
            runs = [one for one in runs if all(text in key_of(one) for text in arguments.only)]
        if not arguments.page_only:
            run_all(runs, work, journal, jobs=arguments.jobs, title=title)

    run([smoothing_run(features) for features in SMOOTHING], "smoothing")
    run(searches(journal.find, arguments.trials), "searches")
    run(chosen(journal, arguments.trials), "finalists")
    run(finals(journal, arguments.trials), "test")
    if arguments.only:
        return
    arguments.results.mkdir(parents=True, exist_ok=True)
    times = arguments.trials
    choices = [*(smoothing_run(features) for features in SMOOTHING), *searches(journal.find, times)]
    runs = [*choices, *chosen(journal, times), *finals(journal, times)]
    done = [settings for settings in runs if journal.find(settings) is not None]
    draw_history(journal.find, arguments.results / "encodings-history.svg", arguments.trials)
    page = make_page(journal.find, arguments.trials)
    (arguments.results / "encodings.md").write_text(page)
    kept = [{"settings": settings, "result": journal.result(settings)} for settings in done]
    write_published(published, kept)
    print(page)


if __name__ == "__main__":
    main()
