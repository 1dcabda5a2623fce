"""`lawful mine`: rules that labelled data obeys."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.console import count_off
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.decoder import SeedOption, open_model
from lawful.cli.options.rule_files import JsonOption
from lawful.cli.work.inputs import read_labelled
from lawful.cli.work.layout_notes import columns_for
from lawful.cli.work.output import STDOUT, open_output, print_json, ready_for
from lawful.errors import InputError
from lawful.learning.mining import FAMILIES, Mined, MinedRule
from lawful.models.base.estimator import SequenceModel
from lawful.rules.files.describing import describe
from lawful.support.styled_text import StyledRun, columns as in_columns

__all__ = ["mine"]


def mine(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Labelled sequences; - for stdin.")],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write a rule file; - for stdout.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="FILE", help="Price the rules for this model, trained on the same data."
        ),
    ] = None,
    families: Annotated[
        str | None,
        typer.Option("--families", metavar="A,B", help=f"Look for these only: {', '.join(FAMILIES)}."),
    ] = None,
    held_out: Annotated[
        float, typer.Option("--held-out", metavar="SHARE", help="The part that only checks what is found.")
    ] = 0.25,
    min_support: Annotated[
        int, typer.Option("--min-support", metavar="N", help="How many occasions speak for a rule, at least.")
    ] = 20,
    max_exceptions: Annotated[
        float, typer.Option("--max-exceptions", metavar="SHARE", help="How many may speak against it.")
    ] = 0.05,
    hard_support: Annotated[
        int,
        typer.Option(
            "--hard-support", metavar="N", min=1, help="A rule without exception is hard from here on."
        ),
    ] = 100,
    seed: SeedOption = 0,
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Propose rules that labelled data obeys.

    Looks for regularities in one part of the data and asks the other part about them. What is found is written as a
    rule file with its evidence, to be read and edited; what the other part refutes is named, and left out.

    Without --model, a price is the log odds of keeping a rule: right for a model that knows nothing of it. With --model, models
    of its kind are trained on parts of the data; their mistakes in the rest decide what each rule is worth, and which
    rules the model does not need.

    \b
    Examples:
      lawful mine gold.conll --model model.lawful -o rules.toml
      lawful mine gold.conll --families once,order,ends
      lawful mine train.txt --columns word,pos,chunk --max-exceptions 0.01 -o rules.toml
      lawful mine gold.jsonl -o - | lawful check -
    """  # noqa: D301 - click reads the \b
    if output is not None:
        ready_for(output, gold, model)
    if json and output == STDOUT:
        raise InputError("--json and -o - both want stdout: give the rules a file")
    beside = None if model is None else _open_model(model)
    notes = {} if beside is None else beside.notes_
    wanted = None if families is None else [name.strip() for name in families.split(",") if name.strip()]
    with count_off("training on parts of the data") as tell:
        found = lawful.mine(
            read_labelled(
                gold, options, columns=(lambda source: columns_for(notes, source, options)) if notes else None
            ),
            model=beside,
            held_out=held_out,
            min_support=min_support,
            max_exceptions=max_exceptions,
            hard_support=hard_support,
            families=wanted,
            seed=seed,
            on_part=tell,
        )
    if output is not None:
        with open_output(output) as stream:
            stream.write(found.to_toml())
    stream_of_table = sys.stderr if output == STDOUT else sys.stdout
    if json:
        print_json(found.to_dict())
    elif output != STDOUT or sys.stderr.isatty():
        print(_told(found, output), file=stream_of_table)
    return DONE


def _open_model(path: str) -> SequenceModel:
    found = open_model(path).model
    if not isinstance(found, SequenceModel):
        raise InputError(
            f"{path}: rules are mined beside a model that lawful can train again on parts of the data; for any other, price "
            "them by data that it was not trained on: lawful lint RULES DEV --model FILE --write-prices PRICED"
        )
    return found


def _told(found: Mined, output: str | None) -> str:
    lines = []
    if found.found:
        head = [StyledRun(name) for name in ("family", "price", "exceptions", "held out", "rule")]
        rows = [_row(one) for one in found.found]
        lines += [
            "".join(span.text for span in line) for line in in_columns([head, *rows], right=[1], indent=0)
        ]
    else:
        lines.append("no rules found; --min-support and --max-exceptions say how sure to be")
    for one in found.refuted:
        lines.append(f"refuted by the held-out part ({one.held_out}): {describe(one.rule)}")
    if found.needless:
        lines.append(
            f"the model needs no rule for {len(found.needless)} more: it breaks them no more often than the data does"
        )
    if found.effect is not None:
        lines.append(f"in the model's labels of held-out sequences: {found.effect}")
    if output not in (None, STDOUT):
        lines.append(f"\n{len(found.found)} rules in {output}; read them before you trust them")
    return "\n".join(lines)


def _row(one: MinedRule) -> list[StyledRun]:
    price = one.rule.price if isinstance(one.rule.price, str) else f"{one.rule.price:.2f}"
    return [
        StyledRun(one.family),
        StyledRun(price),
        StyledRun(f"{one.mined.exceptions:,} in {one.mined.occasions:,} {one.mined.unit}"),
        StyledRun(f"{one.held_out.exceptions:,} in {one.held_out.occasions:,}"),
        StyledRun(describe(one.rule)),
    ]
