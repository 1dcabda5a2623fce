"""Apartment ads that lawful makes itself: the rules of Table 2. `make experiments-ads` runs it; it needs no data.

The corpus of the paper could not be had. The generated ads have its fields and its marks, but they are easier: what the page shows is
that the rules and the learners do their work on them, not how good they would be on the paper's corpus.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.ads.systems import DRAWS, POOL, SIZES, SYSTEMS, TEST, fit_and_score
from experiments.shared.journal import Journal, run_all
from experiments.shared.options import experiment_options, open_journal
from experiments.shared.pages import table, write_page


def main() -> None:
    """Run what is missing, and write the results."""
    options = experiment_options(__doc__, "ads")
    chosen = options.parse_args()
    journal = open_journal(chosen.journal, fresh=chosen.fresh)
    runs = [settings for name in SYSTEMS for size in SIZES for settings in cell(name, size)]
    run_all(runs, fit_and_score, journal, jobs=chosen.jobs, title="ads")
    page = make_page(journal)
    write_page(chosen.results, "ads", page, journal, runs)
    print(page)


def cell(name: str, size: int) -> list[dict[str, Any]]:
    """The runs of a system, one per training set."""
    return [{**SYSTEMS[name], "size": size, "draw": draw} for draw in range(DRAWS)]


def make_page(journal: Journal) -> str:
    """Everything as Markdown."""
    rows = []
    for name in SYSTEMS:
        row = [name]
        for size in SIZES:
            values = [journal.result(settings)["test"] for settings in cell(name, size)]
            row.append(f"{np.mean(values):.2f} ± {np.std(values, ddof=1):.1f}")
        rows.append(row)
    return f"{HEADING}\n\n{table(['test accuracy, %', *(f'{size} labelled' for size in SIZES)], rows)}\n"


HEADING = f"""# Ads that lawful makes itself, under the rules of Table 2

`make experiments-ads` writes this page and `ads.json`. The ads corpus of Chang, Ratinov & Roth (2012) could not be had; these are
`generate_ads`, which are easier, so the numbers are not comparable with the paper's, and its Table 8, Figure 2, the right of Figure 3 and Figure 4b stay undone. Mean ± standard deviation of {DRAWS}
training sets, {POOL} unlabelled ads, {TEST} test ads."""


if __name__ == "__main__":
    main()
