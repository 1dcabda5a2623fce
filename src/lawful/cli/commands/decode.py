"""`lawful decode`: label a corpus under rules."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Annotated, Any

import typer

from lawful.cli.boundary import DONE
from lawful.cli.console import track
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.decoder import (
    FeaturesOption,
    JobsOption,
    MaxLossOption,
    MaxStatesOption,
    ModelOption,
    OnExceedOption,
    OnInfeasibleOption,
    OnLimitOption,
    RulesOption,
    SolverOption,
    TimeoutOption,
    chosen,
    count_jobs,
    rules_for,
)
from lawful.cli.work.collecting import collecting_seldom
from lawful.cli.work.inputs import one_stdin, open_input
from lawful.cli.work.labelled_output import Labelling
from lawful.cli.work.layout_notes import columns_for
from lawful.cli.work.parts import MOST_TOKENS, PartDecoder, Work, cut_into_parts
from lawful.cli.work.spreading import Done, decode_here
from lawful.cli.work.tagging import ModelFile, SentenceTagger
from lawful.corpus import Sentence, write_corpus
from lawful.corpus.registry import DEFAULT_FORMAT, FORMATS, format_by_name
from lawful.rules.ruleset import Rules

__all__ = ["decode"]


def decode(
    model: ModelOption,
    file: Annotated[str, typer.Argument(metavar="FILE", help="What to label; - for stdin.")] = "-",
    rules: RulesOption = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write; - for stdout.")
    ] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help="columns, jsonl, csv or parquet; as the input if not given."
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Write JSONL, with score, loss, changes and violations.")
    ] = False,
    label_column: Annotated[
        str | None,
        typer.Option(
            "--label-column", metavar="add|replace", help="Keep the labels that are there, or replace them."
        ),
    ] = None,
    explain_column: Annotated[
        bool,
        typer.Option("--explain-column", help="Add a column: the label that the rules changed, or _."),
    ] = False,
    jobs: JobsOption = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Let a Dask cluster do it: its scheduler's address."
        ),
    ] = None,
    features: FeaturesOption = None,
    max_loss: MaxLossOption = None,
    on_exceed: OnExceedOption = None,
    on_infeasible: OnInfeasibleOption = None,
    on_limit: OnLimitOption = None,
    timeout: TimeoutOption = None,
    max_states: MaxStatesOption = None,
    solver: SolverOption = None,
    part_tokens: Annotated[
        int, typer.Option("--part-tokens", metavar="N", min=1, help="How many tokens to decode at a time.")
    ] = MOST_TOKENS,
    *,
    options: CorpusOptions,
) -> int:
    """Label a file with a model, under rules.

    Reads, labels and writes a part at a time, in order: a file of any size needs little memory. The output is laid out as
    the input, with the labels in a column of their own; it appears when it is complete.

    \b
    Examples:
      lawful decode test.conll --model model.lawful --rules rules.toml -o labelled.conll
      lawful decode test.conll -m model.lawful -r rules.toml --label-column replace > labelled.conll
      cat big.jsonl | lawful decode -m model.lawful -r rules.toml --json | jq .decoding.loss
      lawful decode big.parquet -m model.lawful -o out.parquet --cluster tcp://scheduler:8786
      lawful decode items.jsonl -m old.crfsuite -r rules.toml --on-infeasible least-bad

    \b
    Scores of your own model need only the labels, and a table with each sequence:
      echo '{"labels": ["O", "City"]}' > labels.json
      echo '{"tokens": ["in", "Bonn"], "scores": [[2.0, 0.1], [0.3, 1.5]]}' | lawful decode -m labels.json
    """  # noqa: D301 - click reads the \b
    one_stdin(file, rules)
    cores = count_jobs(jobs)
    source = ModelFile.read(model, features)
    tagger = SentenceTagger(source, jobs=cores)
    held = rules_for(rules, tagger)
    corpus = open_input(file, options, columns=lambda source: columns_for(tagger.notes, source, options))
    limits = chosen(
        solver=solver,
        timeout=timeout,
        max_states=max_states,
        on_limit=on_limit,
        on_infeasible=on_infeasible,
        max_loss=max_loss,
        on_exceed=on_exceed,
    )
    work = Work(source, _written(held), limits, json or explain_column)
    decoder = PartDecoder(work, jobs=cores, tagger=tagger, rules=held)
    labelling = Labelling(
        label_column or ("replace" if corpus.format == "conllu" else "add"),
        explain_column=explain_column,
        details=json,
    )
    parts = cut_into_parts(corpus, most_tokens=part_tokens)
    if cluster is None:
        done = decode_here(parts, decoder, work, jobs=cores)
    else:
        from lawful.cli.work.cluster import decode_on_cluster

        done = decode_on_cluster(parts, work, address=cluster)
    told = Told()
    kind = "jsonl" if json else to or format_by_name(output) or _as_read(corpus.format)
    with collecting_seldom():
        write_corpus(told.sentences(track(done, "decoding"), labelling), output, kind)
    told.print()
    return DONE


class Told:
    """The answers as they pass, and what must be said of them at the end."""

    def __init__(self) -> None:
        self.infeasible = self.bounded = 0

    def sentences(self, done: Iterable[Done], labelling: Labelling) -> Iterator[Sentence]:
        """The labelled sentences, one after another."""
        for part, answers in done:
            self.infeasible += answers.infeasible
            self.bounded += answers.bounded
            details: Iterable[dict[str, Any] | None] = answers.details or repeat(None)
            yield from map(labelling.label, part, answers.labels, details)

    def print(self) -> None:
        """On stderr, if there is anything to say."""
        if self.infeasible:
            print(
                f"lawful: no labels of {self.infeasible:,} sequences keep the hard rules; the least bad were taken",
                file=sys.stderr,
            )
        if self.bounded:
            print(
                f"lawful: at a limit, {self.bounded:,} sequences got labels not proved best", file=sys.stderr
            )


def _written(rules: Rules) -> str | None:
    if not rules:
        return None
    from lawful.rules.files import format_rules  # who has no rules need not wait for it

    return format_rules(rules)


def _as_read(format: str) -> str:
    return DEFAULT_FORMAT if FORMATS[format].write is None else format
