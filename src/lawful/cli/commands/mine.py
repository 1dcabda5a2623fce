"""`lawful mine`: rules that labelled data obeys."""

from __future__ import annotations

import sys
from typing import Annotated

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.console import show_progress
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Option
from lawful.cli.options.files import GoldArgument
from lawful.cli.options.running import JobsOption, JsonOption, SeedOption, count_jobs, split_names
from lawful.cli.work.columns import columns_for
from lawful.cli.work.inputs import read_labelled
from lawful.cli.work.models import open_model
from lawful.cli.work.output import STDOUT, check_output, open_output, print_json
from lawful.errors import InputError
from lawful.learning.mining import FAMILIES, Mined, MinedRule
from lawful.models.base.estimator import SequenceModel
from lawful.rules.files.describing import describe
from lawful.support.styled_text import StyledRun, columns as in_columns

__all__ = ["mine"]


def mine(
    gold: GoldArgument,
    output: Annotated[
        str | None,
        Option("--output", "-o", metavar="FILE", help="Write the rules to this file; - for stdout."),
    ] = None,
    model: Annotated[
        str | None,
        Option(
            "--model",
            "-m",
            metavar="FILE",
            help="Keep only rules that pay beside this model, trained on the same data.",
        ),
    ] = None,
    families: Annotated[
        str | None,
        Option(
            "--families",
            metavar="A,B",
            help=f"Kinds of rules to look for: {', '.join(FAMILIES)}. All by default.",
        ),
    ] = None,
    held_out: Annotated[
        float,
        Option("--held-out", metavar="SHARE", help="Share of the data that only checks the proposals."),
    ] = 0.25,
    min_support: Annotated[
        int,
        Option("--min-support", metavar="N", help="Minimum number of occasions in which a rule holds."),
    ] = 20,
    max_exceptions: Annotated[
        float,
        Option("--max-exceptions", metavar="SHARE", help="Maximum share of occasions that may break a rule."),
    ] = 0.05,
    hard_support: Annotated[
        int,
        Option(
            "--hard-support",
            metavar="N",
            min=1,
            help="A rule without exceptions is hard if it holds on at least this many occasions, in at least this many sequences.",
        ),
    ] = 100,
    seed: SeedOption = 0,
    jobs: JobsOption = None,
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Propose rules that labelled data obeys.

    Looks for regularities in most of the data and checks them on the held-out rest. The proposals are written as a rule
    file with the evidence for each, to be read and edited; rules that the held-out data refutes are listed and left out.
    Rules about the label of tokens in no field (O, or --outside) are not proposed, unless they keep fields away from something.

    Without --model, a price is the log odds of obeying a rule, which suits a model that has not learned it. With --model,
    each part of the data is labelled by a model of the same kind that was trained on the others, under rules found there.
    Rules that do not make these labels better are left out; the file lists them as comments, each with its tally.

    \b
    Examples:
      lawful mine gold.conll --model model.lawful -o rules.toml
      lawful mine gold.conll --families once,order,ends
      lawful mine train.txt --columns word,pos,chunk --max-exceptions 0.01 -o rules.toml
      lawful mine gold.jsonl -o - | lawful check -
    """  # noqa: D301 - click reads the \b
    if output is not None:
        check_output(output, gold, model)
    if json and output == STDOUT:
        raise InputError("--json and -o - would both write to stdout: write the rules to a file")
    sequence_model = None if model is None else _open_model(model)
    notes = {} if sequence_model is None else sequence_model.notes_
    with show_progress("training on parts of the data") as show:
        mined = lawful.mine(
            read_labelled(
                gold, options, columns=(lambda source: columns_for(notes, source, options)) if notes else None
            ),
            model=sequence_model,
            held_out=held_out,
            min_support=min_support,
            max_exceptions=max_exceptions,
            hard_support=hard_support,
            families=None if families is None else split_names(families),
            outside=split_names(options.outside or "O"),
            seed=seed,
            jobs=count_jobs(jobs),
            on_part=show,
        )
    if output is not None:
        with open_output(output) as stream:
            stream.write(mined.to_toml())
    if json:
        print_json(mined.to_dict())
    elif output != STDOUT or sys.stderr.isatty():
        print(_as_text(mined, output), file=sys.stderr if output == STDOUT else sys.stdout)
    return DONE


def _open_model(path: str) -> SequenceModel:
    model = open_model(path).model
    if not isinstance(model, SequenceModel):
        raise InputError(
            f"{path}: lawful mine needs a model that it can train again on parts of the data. For any other model, set "
            "prices on data that it was not trained on: lawful lint RULES DEV --model FILE --write-prices PRICED"
        )
    return model


def _as_text(mined: Mined, output: str | None) -> str:
    lines = [f"looked at {mined.looked_at}"]
    if mined.found:
        judged = ("changes",) if mined.judged else ()
        head = [StyledRun(name) for name in ("price", "exceptions", "held out", *judged, "rule")]
        rows = [_row(rule) for rule in mined.found]
        lines += [
            "".join(run.text for run in line) for line in in_columns([head, *rows], right=[0], indent=0)
        ]
    elif mined.needless:
        lines.append("no rule makes the model's labels better")
    else:
        lines.append("no rules found; a lower --min-support or a higher --max-exceptions allows more")
    for rule in mined.refuted:
        lines.append(f"refuted by the held-out data ({rule.held_out}): {describe(rule.rule)}")
    if mined.needless:
        lines.append(
            f"{len(mined.needless)} more rules hold in the data but do not pay; "
            f"{'they are comments in the file' if output is not None else '-o FILE lists them as comments'}"
        )
    if mined.effect is not None:
        lines.append(f"all together, in the model's labels of sequences that it had not seen: {mined.effect}")
    if output not in (None, STDOUT):
        lines.append(f"\n{len(mined.found)} rules written to {output}; review them before you use them")
    return "\n".join(lines)


def _row(mined: MinedRule) -> list[StyledRun]:
    rule = mined.rule
    price = rule.price if isinstance(rule.price, str) else f"{rule.price:.2f}"
    return [
        StyledRun(price),
        StyledRun(f"{mined.mined.exceptions:,} in {mined.mined.occasions:,} {mined.mined.unit}"),
        StyledRun(f"{mined.held_out.exceptions:,} in {mined.held_out.occasions:,}"),
        *([] if mined.tally is None else [StyledRun(f"+{mined.tally.better} -{mined.tally.worse}")]),
        StyledRun(f"{rule.name}: {describe(rule)}"),
    ]
