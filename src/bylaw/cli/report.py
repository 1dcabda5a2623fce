"""`bylaw report`: one HTML file that shows what the rules did to a corpus."""

from __future__ import annotations

from typing import Annotated

import typer

import bylaw
from bylaw.cli.console import track
from bylaw.cli.output import STDOUT, open_output, print_json
from bylaw.cli.rule_files import JsonOption, read_rules_for
from bylaw.report import make_report, render_report

__all__ = ["report"]


def report(
    input: Annotated[
        str,
        typer.Argument(metavar="INPUT", help="The corpus: CoNLL columns, JSONL, CSV, Parquet; - for stdin."),
    ],
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="FILE", help="A model that `bylaw train` saved.")
    ],
    rules: Annotated[str, typer.Option("--rules", "-r", metavar="FILE", help="A rule file.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write it; - for stdout.")
    ] = "",
    gold: Annotated[
        bool | None,
        typer.Option(
            "--gold/--no-gold", help="Whether the labels of INPUT are gold; by default if it has any."
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many sequences to show.")] = 30,
    format: Annotated[str, typer.Option("--format", help="The format of INPUT.")] = "auto",
    columns: Annotated[
        str, typer.Option("--columns", metavar="A,B,C", help="Names of the columns of INPUT, in order.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Write an HTML page that shows what the rules did to a corpus.

    Before and after of the most telling sequences, which rule did what and whether that helped, the rules with
    their prices and automata, and scores if INPUT has gold labels. The page is one file, and needs no network.
    With --json, the same as data.

    \b
    Examples:
      bylaw report gold.conll --model citations.bylaw --rules rules.toml -o report.html
      bylaw report new.jsonl -m citations.bylaw -r rules.toml --no-gold --limit 100
      bylaw report gold.conll -m citations.bylaw -r rules.toml --json | jq .rules
    """  # noqa: D301 - click reads the \b
    tagger = bylaw.load(model)
    known = read_rules_for(rules, tagger.labels)
    options = {"columns": columns} if columns else {}
    corpus = bylaw.open_corpus(input, None if format == "auto" else format, **options)
    found = make_report(
        track(corpus, "labelling"),
        tagger,
        known,
        gold=gold,
        limit=limit,
        source=corpus.name,
        model=f"{model} ({type(tagger).__name__})",
    )
    target = output or (STDOUT if json else "report.html")
    if json:
        print_json(found.to_dict(), target)
        return
    page = render_report(found)
    with open_output(target) as stream:
        stream.write(page)
    if target != STDOUT:
        print(f"{target}: {found.changed_sequences:,} of {found.sequences:,} sequences changed by the rules")
