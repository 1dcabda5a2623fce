"""What `lawful lint` prints."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.learning.linting import Breach, Lint, RuleLint
from lawful.rules.checking.report import Check
from lawful.rules.files import RuleFile
from lawful.rules.files.describing import describe

__all__ = ["lint_text"]

MOST_SUSPICIOUS = 20


def lint_text(report: Lint, found: RuleFile, checked: Check) -> str:
    """The report as text: a paragraph a rule, suspicious labels, what the rules say of each other."""
    return "\n".join(
        [*_rules(report, found), *_suspicious(report), "the rules among themselves", *_checked(checked)]
    )


def _rules(report: Lint, found: RuleFile) -> Iterator[str]:
    for one in report.rules:
        source, line = found.lines[one.rule.name]
        yield f"{one.rule.name}  ({source}{f', line {line}' if line else ''})"
        yield f"  {describe(one.rule)}"
        yield f"  {one.reason}; advice: {_advice(one)}"
        if one.effect is not None:
            yield f"  in the model's labels: {one.effect}"
        for breach in one.breaches:
            yield f"    {breach.place}: {breach.excerpt}"
        yield ""


def _advice(one: RuleLint) -> str:
    return f"soft, at {one.price:.2f}" if one.advice == "soft" else one.advice


def _suspicious(report: Lint) -> Iterator[str]:
    if not report.suspicious:
        return
    yield "gold labels that may be slips"
    for rule, breach in report.suspicious[:MOST_SUSPICIOUS]:
        yield f"  {breach.place}: {breach.excerpt}"
        yield f"    {_mending(breach)} would keep {rule!r}"
    more = len(report.suspicious) - MOST_SUSPICIOUS
    if more > 0:
        yield f"  and {more:,} more; --json has them all"
    yield ""


def _mending(breach: Breach) -> str:
    return ", ".join(f"token {position} {old} -> {new}" for position, old, new in breach.mended)


def _checked(checked: Check) -> Iterator[str]:
    for line in str(checked).splitlines():
        yield f"  {line}"
