"""Votes between models in several encodings: Loper (2008), Tables 6.1 to 6.4. `make experiments-voting` runs it.

The models are trained once and kept in files. Weights are chosen on the last tenth of the training data, by models that have not
seen it; then the test data is read, once. Every run is kept in a journal when it ends. --fresh starts the journal anew.
"""

from __future__ import annotations

import json

from experiments.shared.journal import Journal, key_of, run_all
from experiments.shared.options import experiment_options, open_journal, use_corpus
from experiments.voting.page import make_page
from experiments.voting.voters import TASKS_OF_VOTES
from experiments.voting.votes import EXPERIMENTS, test_run, weights_run, work

METHODS = ("log-linear", "linear")


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "voting")
    options.add_argument("--data", help="the folder of corpora; by default LAWFUL_DATA")
    options.add_argument("--page-only", action="store_true", help="write the page from what has been done")
    options.add_argument("--only", nargs="+", choices=EXPERIMENTS, default=list(EXPERIMENTS))
    options.set_defaults(jobs=1)
    arguments = options.parse_args()
    for name in arguments.only:
        use_corpus(TASKS_OF_VOTES[EXPERIMENTS[name][0]].corpus, arguments.data)
    journal = open_journal(arguments.journal, fresh=arguments.fresh)
    published = arguments.results / "voting.json"
    if published.exists() and not arguments.fresh:
        journal.take(json.loads(published.read_text()))
    if not arguments.page_only:
        choosing = [weights_run(name, method) for name in arguments.only for method in METHODS]
        run_all(choosing, work, journal, jobs=arguments.jobs, title="held out")
        testing = [test_run(name, chosen_weights(journal, name)) for name in arguments.only]
        run_all(testing, work, journal, jobs=arguments.jobs, title="test")
    write(arguments.results, journal)


def chosen_weights(journal: Journal, name: str) -> dict[str, list[float]]:
    """The weights of each method, from the journal."""
    return {method: journal.result(weights_run(name, method))["weights"] for method in METHODS}


def write(results: object, journal: Journal) -> None:
    """The page and its data, of the experiments that are done."""
    from pathlib import Path

    folder = Path(str(results))
    done = {}
    runs = []
    for name in EXPERIMENTS:
        if all(journal.find(weights_run(name, method)) for method in METHODS):
            settings = test_run(name, chosen_weights(journal, name))
            if journal.find(settings) is not None:
                done[name] = (
                    journal.result(settings),
                    {m: journal.result(weights_run(name, m)) for m in METHODS},
                )
                runs += [*(weights_run(name, method) for method in METHODS), settings]
    (folder / "voting.md").write_text(make_page(done))
    kept = [{"settings": settings, "result": journal.result(settings)} for settings in runs]
    (folder / "voting.json").write_text(json.dumps(kept, indent=1) + "\n")


__all__ = ["chosen_weights", "key_of", "main"]

if __name__ == "__main__":
    main()
