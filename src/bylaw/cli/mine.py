"""`bylaw mine`: rules that labelled data obeys."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import bylaw
from bylaw.cli.boundary import DONE
from bylaw.cli.corpus_options import (
    ColumnsOption,
    CommentOption,
    CorpusOptions,
    EncodingOption,
    FormatOption,
    LabelOption,
    SeparatorOption,
    SequenceOption,
    TokenOption,
)
from bylaw.cli.decoder_options import SeedOption
from bylaw.cli.inputs import read_labelled
from bylaw.cli.output import STDOUT, open_output, print_json
from bylaw.cli.rule_files import JsonOption
from bylaw.explanation.showing import Span
from bylaw.explanation.showing import columns as in_columns
from bylaw.learning.mining import FAMILIES, Mined, MinedRule

__all__ = ["mine"]


def mine(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Labelled sequences; - for stdin.")],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write a rule file; - for stdout.")
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
        typer.Option("--hard-support", metavar="N", help="A rule without exception is hard from here on."),
    ] = 100,
    seed: SeedOption = 0,
    json: JsonOption = False,
    format: FormatOption = None,
    columns: ColumnsOption = None,
    token: TokenOption = None,
    label: LabelOption = None,
    separator: SeparatorOption = None,
    comment: CommentOption = None,
    sequence: SequenceOption = None,
    encoding: EncodingOption = None,
) -> int:
    """Propose rules that labelled data obeys.

    Looks for regularities in one part of the data and asks the other part about them. What is found is written as a
    rule file with its evidence, to be read and edited; what the other part refutes is named, and left out.

    \b
    Examples:
      bylaw mine gold.conll -o rules.toml
      bylaw mine gold.conll --families once,order,ends
      bylaw mine train.txt --columns word,pos,chunk --max-exceptions 0.01 -o rules.toml
      bylaw mine gold.jsonl -o - | bylaw check -
    """  # noqa: D301 - click reads the \b
    found = bylaw.mine(
        read_labelled(gold, CorpusOptions.among(locals())),
        held_out=held_out,
        min_support=min_support,
        max_exceptions=max_exceptions,
        hard_support=hard_support,
        families=None if families is None else [name.strip() for name in families.split(",") if name.strip()],
        seed=seed,
    )
    if output is not None:
        with open_output(output) as stream:
            stream.write(found.to_toml())
    stream_of_table = sys.stderr if output == STDOUT else sys.stdout
    if json and output != STDOUT:
        print_json(found.to_dict())
    elif output != STDOUT or sys.stderr.isatty():
        print(_told(found, output), file=stream_of_table)
    return DONE


def _told(found: Mined, output: str | None) -> str:
    lines = []
    if found.found:
        head = [Span(name) for name in ("family", "price", "exceptions", "held out", "rule")]
        rows = [_row(one) for one in found.found]
        lines += [
            "".join(span.text for span in line) for line in in_columns([head, *rows], right=[1], indent=0)
        ]
    else:
        lines.append("no rules found; --min-support and --max-exceptions say how sure to be")
    for one in found.refuted:
        lines.append(f"refuted by the held-out part ({one.held_out}): {one.rule.describe()}")
    if output not in (None, STDOUT):
        lines.append(f"\n{len(found.found)} rules in {output}; read them before you trust them")
    return "\n".join(lines)


def _row(one: MinedRule) -> list[Span]:
    price = one.rule.price if isinstance(one.rule.price, str) else f"{one.rule.price:.2f}"
    return [
        Span(one.family),
        Span(price),
        Span(f"{one.mined.exceptions:,} in {one.mined.occasions:,} {one.mined.unit}"),
        Span(f"{one.held_out.exceptions:,} in {one.held_out.occasions:,}"),
        Span(one.rule.describe()),
    ]
