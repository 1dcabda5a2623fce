"""`lawful report`: one HTML file that shows what the rules did to a corpus."""

from __future__ import annotations

from typing import Annotated

import typer

from lawful.cli.console import track
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.decoder import FeaturesOption, ModelOption, open_model, rules_for
from lawful.cli.options.rule_files import JsonOption
from lawful.cli.work.inputs import one_stdin, open_input
from lawful.cli.work.layout_notes import columns_for
from lawful.cli.work.output import STDOUT, open_output, print_json, ready_for
from lawful.report import make_report, render_report

__all__ = ["report"]


def report(
    model: ModelOption,
    rules: Annotated[str, typer.Option("--rules", "-r", metavar="FILE", help="A rule file.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The corpus; - for stdin.")] = "-",
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write; report.html if not given; - for stdout."
        ),
    ] = "",
    gold: Annotated[
        bool | None,
        typer.Option(
            "--gold/--no-gold", help="Whether the labels in FILE are the right ones; if it has any, yes."
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help="Sequences to show.")] = 30,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="At most this long for one sequence.")
    ] = 20.0,
    json: JsonOption = False,
    features: FeaturesOption = None,
    *,
    options: CorpusOptions,
) -> None:
    """Write an HTML page that shows what the rules did to a corpus.

    Before and after of the most telling sequences, which rule did what and whether that helped, the rules with
    their prices and automata, and scores if FILE has the right labels. The page is one file, and needs no network.
    With --json, the same as data.

    \b
    Examples:
      lawful report gold.conll --model citations.lawful --rules rules.toml -o report.html
      lawful report new.jsonl -m citations.lawful -r rules.toml --no-gold --limit 100
      lawful report gold.conll -m citations.lawful -r rules.toml --json | jq .rules
    """  # noqa: D301 - click reads the \b
    one_stdin(file, rules)
    target = output or (STDOUT if json else "report.html")
    ready_for(target, file, model, rules, features)
    tagger = open_model(model, features)
    held = rules_for(rules, tagger)
    corpus = open_input(file, options, columns=lambda source: columns_for(tagger.notes, source, options))
    found = make_report(
        track(corpus, "labelling"),
        tagger.model,
        held,
        score=tagger.lattices,
        gold=gold,
        limit=limit,
        timeout=timeout,
        source=corpus.name,
        model=f"{model} ({type(tagger.model).__name__})",
    )
    if json:
        print_json(found.to_dict(), target)
        return
    page = render_report(found)
    with open_output(target) as stream:
        stream.write(page)
    if target != STDOUT:
        print(f"{target}: {found.changed_sequences:,} of {found.sequences:,} sequences changed by the rules")
