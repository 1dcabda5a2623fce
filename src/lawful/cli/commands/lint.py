"""`lawful lint`: what labelled data says of rules, and rules of labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import lawful
from lawful.cli.boundary import DONE, FAILED
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.decoder import FeaturesOption, open_model
from lawful.cli.options.rule_files import FileArgument, JsonOption, load_rules, tell_unseen_labels
from lawful.cli.text.lint import lint_text
from lawful.cli.work.inputs import one_stdin, read_labelled
from lawful.cli.work.output import open_output, print_json, ready_for
from lawful.learning.linting import Lint, RuleLint
from lawful.rules.files import RuleFile, format_rules

__all__ = ["lint"]


def lint(
    file: FileArgument,
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Labelled sequences; - for stdin.")],
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="FILE",
            help="Say what each rule changes in this model's labels, and price it for use beside this model.",
        ),
    ] = None,
    features: FeaturesOption = None,
    examples: Annotated[
        int, typer.Option("--examples", metavar="N", min=0, help="How many violations of a rule to show.")
    ] = 3,
    write_prices: Annotated[
        Path | None,
        typer.Option(
            "--write-prices", metavar="FILE", help="Write the rules as advised: hard, priced, or left out."
        ),
    ] = None,
    max_states: Annotated[
        int, typer.Option("--max-states", metavar="N", min=1, help="For contradictions: see `lawful check`.")
    ] = 10_000,
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Hold rules and labelled data against each other.

    For each rule: how often the gold labels break it, where, and whether it should be hard, soft (at what price) or
    dropped. Gold labels that look like slips. Contradictions between rules, and rules that do nothing. With --model,
    what each rule would make better and worse, and prices for use beside it; then GOLD should be new to the model. Exits with 1 if the rules contradict each other.

    \b
    Examples:
      lawful lint rules.toml gold.conll
      lawful lint rules.toml dev.conll --model model.lawful
      lawful lint rules.toml train.txt --columns word,pos,chunk --write-prices priced.toml
      lawful lint rules.toml gold.jsonl --json | jq '.rules[] | {rule, advice}'
    """  # noqa: D301 - click reads the \b
    one_stdin(file, gold)
    if write_prices is not None:
        ready_for(write_prices, gold, model, features)  # over its own rules is what one may want
    tagger = None if model is None else open_model(model, features)
    sentences = read_labelled(gold, options)
    seen = {name for one in sentences for name in one.labels or ()}
    if tagger is not None:
        seen |= set(tagger.labels)
    found = load_rules(file, None)
    tell_unseen_labels(found, seen)
    labels = sorted(seen.union(found.labels or ()))
    report = lawful.lint(
        found.rules,
        sentences,
        model=None if tagger is None else tagger.for_tokens(),
        labels=labels,
        examples=examples,
    )
    checked = lawful.check(found.rules, labels, max_states=max_states)
    if write_prices is not None:
        with open_output(write_prices) as stream:
            stream.write(_priced(report, found))
    if json:
        print_json({**_as_data(report, found), "check": checked.to_dict()})
    else:
        print(lint_text(report, found, checked))
    return DONE if checked.ok else FAILED


def _as_data(report: Lint, found: RuleFile) -> dict[str, Any]:
    told = report.to_dict()
    for one in told["rules"]:
        one["source"], one["line"] = found.lines[one["rule"]]
    return told


def _priced(report: Lint, found: RuleFile) -> str:
    """A rule file in which every rule is as advised, under what speaks for it."""
    blocks = [format_rules([], labels=list(found.labels))] if found.labels is not None else []
    for one in report.rules:
        text = format_rules(_as_advised(one))
        if one.advice == "drop":
            text = "".join(f"# {line}\n" for line in text.splitlines())
        blocks.append(f"# {one.advice}: {one.reason}\n{text}")
    return "\n".join(blocks)


def _as_advised(one: RuleLint) -> lawful.Rule:
    if one.advice == "hard":
        return one.rule.hard()
    if one.advice == "drop":
        return one.rule
    per = one.rule.per if one.rule.price != "hard" else "sequence"
    return one.rule.soft(round(one.price, 3), per=per)
