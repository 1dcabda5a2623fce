"""Votes between models in several encodings: Loper (2008), Tables 6.1 to 6.4. `make experiments-voting` runs it.

First each member is trained with several penalties, and weights are chosen, all on held-out data; then the test data is read, once.
Models are kept in files, and every run in a journal when it ends. --fresh starts the journal anew.
"""

from __future__ import annotations

import json
from typing import Any

from experiments.encodings.data import CORPORA
from experiments.shared.journal import run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus
from experiments.shared.pages import write_page
from experiments.voting.page import make_page
from experiments.voting.voters import member_run
from experiments.voting.votes import (
    ERRORS,
    EXPERIMENTS,
    errors_run,
    members_of,
    searches_of,
    test_run,
    weights_run,
    work,
)

Run = dict[str, Any]


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "voting")
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--page-only", action="store_true", help="write the page from what has been done")
    options.add_argument("--only", nargs="+", choices=EXPERIMENTS, default=list(EXPERIMENTS))
    options.set_defaults(jobs=1)
    arguments = options.parse_args()
    for task in set() if arguments.page_only else {EXPERIMENTS[name][0] for name in arguments.only}:
        use_corpus(CORPORA[task].task, arguments.data)
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    published = arguments.results / "voting.json"
    if published.exists() and not arguments.fresh:
        journal.take(json.loads(published.read_text()))
    if not arguments.page_only:
        for name in arguments.only:  # one table after the other, so that what is done is done

            def run(runs: list[Run | None], title: str, name: str = name) -> None:
                wanted = [settings for settings in runs if settings is not None]
                run_all(wanted, work, journal, jobs=arguments.jobs, title=f"{name}: {title}")

            run([member_run(member) for member in members_of(name)], "members")
            run([weights_run(name, *search, journal.find) for search in searches_of(name)], "weights")
            run([test_run(name, journal.find)], "test")
            if name in ERRORS:
                run([errors_run(name, journal.find)], "errors")
    page = make_page(journal.find)
    runs = {json.dumps(settings): settings for name in EXPERIMENTS for settings in _done(name, journal.find)}
    write_page(arguments.results, "voting", page, journal, runs.values())


def _done(name: str, find: Any) -> list[Run]:
    """The runs of a table; none if it is not complete."""
    tested = test_run(name, find)
    if tested is None or find(tested) is None:
        return []
    chosen = [weights_run(name, *search, find) for search in searches_of(name)]
    errors = errors_run(name, find) if name in ERRORS else None
    if errors is not None and find(errors) is not None:
        chosen.append(errors)
    return [
        *(member_run(member) for member in members_of(name)),
        *(settings for settings in chosen if settings is not None),
        tested,
    ]


if __name__ == "__main__":
    main()
