"""The page about few sequences: what mined rules do to the model that `lawful train` makes of 20 and of 50."""

from __future__ import annotations

from typing import Any

from experiments.shared.journal import Journal
from experiments.shared.pages import table

__all__ = ["few_runs", "make_few_page"]

CORPORA = {
    "citations": "references",
    "usaddress": "addresses",
    "conll2000 3000": "chunks",
    "jnlpba 3000": "bio-entities",
    "ads 300": "generated ads",
    "seminars 1": "seminars",
}
FEW = (20, 50)
DRAWS = 3


def few_runs() -> list[dict[str, Any]]:
    """Some draws of each size from each corpus."""
    return [
        {"corpus": corpus, "sequences": few, "draw": draw}
        for corpus in CORPORA
        for few in FEW
        for draw in range(DRAWS)
    ]


def make_few_page(journal: Journal) -> str:
    """Everything as Markdown."""
    rows = []
    gains: dict[tuple[int, str], list[float]] = {}
    for settings in few_runs():
        result = journal.result(settings)
        scores = {name: result[name] for name in ("none", "log odds", "beside")}
        for name in ("log odds", "beside"):
            gain = scores[name]["f1"] - scores["none"]["f1"]
            gains.setdefault((settings["sequences"], name), []).append(gain)
        rows.append(
            [
                CORPORA[settings["corpus"]],
                str(settings["sequences"]),
                result["model"],
                *(f"{score['f1']:.1f} / {score['tokens']:.1f}" for score in scores.values()),
                f"{result['rules'][1]} / {result['rules'][2]}",
                f"{result['train_seconds']:.1f} / {result['mine_seconds'][1]:.1f}",
            ]
        )
    summary = [
        [
            str(few),
            {"log odds": "log odds", "beside": "beside the model"}[name],
            f"{sum(of_runs) / len(of_runs):+.2f}",
            f"{min(of_runs):+.2f}",
            f"{sum(gain < 0 for gain in of_runs)} of {len(of_runs)}",
        ]
        for (few, name), of_runs in sorted(gains.items())
    ]
    told = table(["sequences", "rules", "F1 added, on average", "at worst", "runs that lost"], summary)
    head = ["corpus", "sequences", "model", "no rules", "log odds", "beside the model", "rules", "seconds"]
    return f"{HEADING}\n\n{told}\n\n{table(head, rows)}\n\n{READING}\n"


HEADING = """# Mined rules from 20 and 50 sequences

`make experiments-mined` writes this page and `mined-few.json`. Each row draws sequences at random from training data, trains the model that `lawful train` makes of
them (a CRF, an HMM or a blend, chosen by folds), and mines rules in the same sequences: at the log odds of keeping each (`lawful mine gold`), and keeping
only those that pay beside the model (`lawful mine gold --model model`). Scores are on the test part (its first 500 sequences at most): F1 of spans / token
accuracy, in per cent. *rules*: how many are kept, at log odds / beside the model. *seconds*: training and choosing the model / mining beside it, on a busy machine."""

READING = """Beside the model, each part of the sequences is labelled by a model that was fitted to the others, under rules that were mined and priced there. A rule that does not
make these labels better is left out, and so are all of them if they do not pay together: from so few sequences, often nothing is left.

How much a rule must gain was chosen on other draws of 20 and 50 from training data, scored on citations' dev, on other training sentences of CoNLL-2000
and JNLPBA, on other addresses and on ads of other seeds. The test parts of addresses and JNLPBA had not been used for anything about mining before."""
