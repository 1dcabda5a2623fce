"""`lawful lint`: check rules against labelled data, and labelled data against rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import lawful
from lawful.cli.boundary import DONE, FAILED
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Argument, Option
from lawful.cli.options.files import FeaturesOption, RuleFileOption
from lawful.cli.options.running import JsonOption
from lawful.cli.work.inputs import read_labelled, refuse_stdin_twice
from lawful.cli.work.models import open_model
from lawful.cli.work.output import check_output, open_output, print_json
from lawful.cli.work.rule_files import load_rule_file, warn_of_unseen_labels
from lawful.errors import InputError
from lawful.learning.linting import Breach, Lint, RuleLint
from lawful.rules.checking.report import Check
from lawful.rules.files import RuleFile, format_rules
from lawful.rules.files.describing import describe

__all__ = ["lint"]

MOST_SUSPICIOUS = 20


def lint(
    file: Annotated[
        str, Argument(metavar="RULES", help="Rule file (TOML), unless --rules names it; - for stdin.")
    ],
    gold: Annotated[str | None, Argument(metavar="GOLD", help="Labelled sequences; - for stdin.")] = None,
    rules: RuleFileOption = None,
    model: Annotated[
        str | None,
        Option(
            "--model",
            "-m",
            metavar="FILE",
            help="Show what each rule changes in the labels of this model, and suggest prices for this model.",
        ),
    ] = None,
    features: FeaturesOption = None,
    examples: Annotated[
        int,
        Option("--examples", metavar="N", min=0, help="Number of violations to show for each rule."),
    ] = 3,
    write_prices: Annotated[
        Path | None,
        Option(
            "--write-prices",
            metavar="FILE",
            help="Write a rule file that follows the advice: hard rules, new prices, dropped rules.",
        ),
    ] = None,
    max_states: Annotated[
        int,
        Option(
            "--max-states",
            metavar="N",
            min=1,
            help="State limit of the search for contradictions, as in `lawful check`.",
        ),
    ] = 10_000,
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Check rules against labelled data.

    For each rule, shows how often and where the gold labels break it, and whether it should be hard, soft (and at what
    price) or dropped. Also lists gold labels that look like mistakes, contradictory rules and redundant rules. With --model,
    shows what each rule makes better or worse, proposes other gold labels where the model is sure of them, and suggests prices for that
    model, which should not have been trained on GOLD. Exits with 1 if the rules contradict each other.

    \b
    Examples:
      lawful lint rules.toml gold.conll
      lawful lint dev.conll -r rules.toml --model model.lawful
      lawful lint rules.toml train.txt --columns word,pos,chunk --write-prices priced.toml
      lawful lint rules.toml gold.jsonl --json | jq '.rules[] | {rule, advice}'
    """  # noqa: D301 - click reads the \b
    if rules is not None:
        if gold is not None:
            raise InputError(f"`lawful lint` takes one rule file: leave out {file}, or --rules {rules}")
        file, gold = rules, file
    if gold is None:
        raise InputError(
            "`lawful lint` needs a rule file and labelled sequences; `lawful lint -h` shows examples"
        )
    refuse_stdin_twice(file, gold)
    if write_prices is not None:
        check_output(write_prices, gold, model, features)  # overwriting the rule file itself is allowed
    tagger = None if model is None else open_model(model, features)
    sentences = read_labelled(gold, options)
    seen = {label for sentence in sentences for label in sentence.labels or ()}
    if tagger is not None:
        seen |= set(tagger.labels)
    loaded = load_rule_file(file)
    warn_of_unseen_labels(loaded, seen)
    labels = sorted(seen.union(loaded.labels or ()))
    report = lawful.lint(
        loaded.rules,
        sentences,
        model=None if tagger is None else tagger.for_tokens(),
        labels=labels,
        examples=examples,
    )
    # Only tokens that occur: a rule file may leave no label for tokens that do not exist.
    tokens = [token for sentence in sentences for token in sentence.inputs()]
    checked = lawful.check(loaded.rules, labels, tokens=tokens, max_states=max_states)
    if write_prices is not None:
        with open_output(write_prices) as stream:
            stream.write(_with_prices(report, loaded))
    if json:
        print_json({**_as_data(report, loaded), "check": checked.to_dict()})
    elif not len(loaded.rules):
        print(f"{file} has no rules", file=sys.stderr)
    else:
        print(_as_text(report, loaded, checked))
    return DONE if checked.ok else FAILED


def _as_data(report: Lint, file: RuleFile) -> dict[str, Any]:
    data = report.to_dict()
    for rule in data["rules"]:
        rule["source"], rule["line"] = file.lines[rule["rule"]]
    return data


def _with_prices(report: Lint, file: RuleFile) -> str:
    """A rule file that follows the advice, with the reason in a comment above each rule."""
    blocks = [format_rules([], labels=list(file.labels))] if file.labels is not None else []
    for linted in report.rules:
        text = format_rules(_as_advised(linted))
        if linted.advice == "drop":
            text = "".join(f"# {line}\n" for line in text.splitlines())
        blocks.append(f"# {linted.advice}: {linted.reason}\n{text}")
    return "\n".join(blocks)


def _as_advised(linted: RuleLint) -> lawful.Rule:
    rule = linted.rule
    if linted.advice == "hard":
        return rule.hard()
    if linted.advice == "drop":
        return rule
    return rule.soft(round(linted.price, 3), per=rule.per if rule.price != "hard" else "sequence")


def _as_text(report: Lint, file: RuleFile, checked: Check) -> str:
    """One paragraph per rule, then suspicious gold labels, then what `lawful check` finds."""
    checks = (f"  {line}" for line in str(checked).splitlines())
    return "\n".join(
        [*_rule_lines(report, file), *_suspicious_lines(report), "rules checked together", *checks]
    )


def _rule_lines(report: Lint, file: RuleFile) -> Iterator[str]:
    for linted in report.rules:
        source, line = file.lines[linted.rule.name]
        advice = f"soft, at {linted.price:.2f}" if linted.advice == "soft" else linted.advice
        yield f"{linted.rule.name}  ({source}{f', line {line}' if line else ''})"
        yield f"  {describe(linted.rule)}"
        yield f"  {linted.reason}; advice: {advice}"
        if linted.effect is not None:
            yield f"  in the model's labels: {linted.effect}"
        for breach in linted.breaches:
            yield f"    {breach.place}: {breach.excerpt}"
        yield ""


def _suspicious_lines(report: Lint) -> Iterator[str]:
    if not report.suspicious:
        return
    yield "gold labels that may be mistakes" + (
        ", as the model is sure of others"
        if report.suspicious[0][1].mended
        else ": they break a rule that others keep"
    )
    for rule, breach in report.suspicious[:MOST_SUSPICIOUS]:
        yield f"  {breach.place}: {breach.excerpt}"
        yield f"    {_correction(breach) or 'this breaks'} {rule!r}"
    more = len(report.suspicious) - MOST_SUSPICIOUS
    if more > 0:
        yield f"  and {more:,} more; --json lists them all"
    yield ""


def _correction(breach: Breach) -> str:
    """What the model believes; a token's number is that in `lawful explain` and in rule files, from 0."""
    changes = ", ".join(f"token {position} {old} -> {new}" for position, old, new in breach.mended)
    return f"{changes} ({100 * (breach.probability or 0):.0f} % sure) would obey" if changes else ""
