"""All that the playground can do, without HTTP: data in, data out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from lawful.decoding import Decoding
from lawful.errors import InfeasibleError, LawfulError, RuleError, RuleFileError, RuleProblem
from lawful.lattice import Lattice, Tagger
from lawful.playground.limits import Limits
from lawful.playground.questions import CheckQuestion, DecodeQuestion
from lawful.playground.rule_sets import RuleSet, RuleSets
from lawful.report.drawing.colours import assign_slots
from lawful.report.drawing.machines import draw_rule
from lawful.report.rule_table import meaning
from lawful.report.showing import explain_quietly
from lawful.rules.files import RuleFile
from lawful.rules.rule import Rule
from lawful.support.styled_text import finite

__all__ = ["Workbench"]

QUICK_TOKENS = 200
QUICK_SECONDS = 0.03


class Workbench:
    """A model, its rules and some examples: answers the questions of the page.

    Parameters
    ----------
    tagger : Tagger
    text : str
        The rule file that the page starts with.
    file : RuleFile
        What it says.
    examples : sequence of mappings with `name` and `text`
    limits : Limits

    Examples
    --------
    >>> from lawful.playground.starter import starter_workbench
    >>> from lawful.playground.questions import read_decode
    >>> bench = starter_workbench()
    >>> answer = bench.decode(read_decode({"text": "Lee, A. (1999). On rules. Notes: none."}, bench.limits))
    >>> answer["labels"][0], answer["status"]
    ('author', 'optimal')
    """

    def __init__(
        self,
        tagger: Tagger,
        text: str,
        file: RuleFile,
        *,
        examples: Sequence[dict[str, str]] = (),
        model: str = "",
        limits: Limits | None = None,
    ) -> None:
        self.tagger, self.examples, self.model = tagger, list(examples), model
        self.limits = limits or Limits()
        self.sets = RuleSets(text, file, tagger, self.limits)

    @cached_property
    def served(self) -> dict[str, Any]:
        """What the page starts with: the rule file, its rules, the labels and their colours."""
        return {
            "model": self.model,
            "text": self.sets.text,
            "labels": list(self.tagger.labels),
            "colours": assign_slots(self.tagger.labels),
            "rules": self._rules(self.sets.served),
        }

    def is_quick(self, question: DecodeQuestion) -> bool:
        """Whether an answer takes about a millisecond: a short text, and rules that are compiled and were quick."""
        if question.explain or len(question.tokens) > QUICK_TOKENS:
            return False
        held = self.sets.known(question.choice)
        return held is not None and held.quick

    def decode(self, question: DecodeQuestion) -> dict[str, Any]:
        """Label tokens with and without rules; with the reasons, if they are asked for."""
        started = time.perf_counter()
        held = self.sets.choose(question.choice)
        answer: dict[str, Any] = {"tokens": list(question.tokens)}
        if question.offsets is not None:
            answer["offsets"] = [list(one) for one in question.offsets]
        if not question.tokens:
            held.decoder  # noqa: B018 - rules that cannot be compiled are told even now
            return {**answer, **_NOTHING, "seconds": time.perf_counter() - started}
        decoder, breaches = held.decoder, held.breaches
        begun = time.perf_counter()
        lattice = self.tagger.lattice(list(question.tokens))
        prepared = decoder.prepare([lattice])[0] if isinstance(lattice, Lattice) else None
        found = decoder.decode(lattice if prepared is None else prepared)
        labels, plain = found.labels, found.plain_labels
        binding = None if prepared is None else prepared.rules
        violations = breaches.find(labels, question.tokens, binding)
        before = violations if plain == labels else breaches.find(plain, question.tokens, binding)
        held.quick = time.perf_counter() - begun < QUICK_SECONDS and found.status == "optimal"
        answer |= {
            "labels": list(labels),
            "plain_labels": list(plain),
            "changed": list(found.changed),
            "score": finite(found.score),
            "plain_score": finite(found.plain.score),
            "loss": finite(found.loss),
            "status": found.status,
            "violations": violations,
            "plain_violations": before,
            "contradiction": self._contradiction(held, found),
            "explanation": self._explanation(found, question) if question.explain else None,
        }
        return {**answer, "seconds": time.perf_counter() - started}

    def check(self, question: CheckQuestion) -> dict[str, Any]:
        """What a rule text says, or what is wrong with it; with drawings and findings if they are asked for."""
        try:
            held = self.sets.choose(question.choice)
            held.decoder  # noqa: B018 - rules that cannot be compiled are told here
        except RuleFileError as error:
            return _wrong([one._asdict() for one in error.problems])
        except RuleError as error:
            name = str(getattr(error, "rule", ""))
            line = self.sets.file(question.choice.text).lines.get(name, ("", None))[1]
            return _wrong([RuleProblem("rules", line, None, None, None, str(error))._asdict()])
        drawings = {
            rule.name: draw_rule(rule, self.tagger.labels)
            for rule in held.file.rules
            if rule.name in question.draw
        }
        return {
            "ok": True,
            "problems": [],
            "rules": self._rules(held.file),
            "drawings": {name: {"svg": svg, "size": told} for name, (svg, told) in drawings.items()},
            "findings": held.findings if question.analyse else None,
        }

    def _rules(self, file: RuleFile) -> list[dict[str, Any]]:
        return [_rule(rule, file.lines[rule.name][1]) for rule in file.rules]

    def _contradiction(self, held: RuleSet, found: Decoding) -> dict[str, Any] | None:
        if found.status != "infeasible":
            return None
        try:
            held.strict.decode(found.lattice)
        except InfeasibleError as error:
            return {"rules": list(error.rules), "position": error.position}
        except LawfulError:
            pass
        return {"rules": [], "position": None}

    def _explanation(self, found: Decoding, question: DecodeQuestion) -> dict[str, Any] | None:
        why = explain_quietly(found, runners_up=question.runners_up, timeout=self.limits.explaining)
        if why is None:
            return None
        told = why.to_dict()
        return {key: told[key] for key in ("changes", "prices", "broken", "runners_up")}


_NOTHING: dict[str, Any] = {
    "labels": [], "plain_labels": [], "changed": [], "score": 0.0, "plain_score": 0.0, "loss": 0.0, "status": "optimal",
    "violations": [], "plain_violations": [], "contradiction": None, "explanation": None,
}  # fmt: skip


def _wrong(problems: list[dict[str, Any]]) -> dict[str, Any]:
    return {"ok": False, "problems": problems, "rules": [], "drawings": {}, "findings": None}


def _rule(rule: Rule, line: int | None) -> dict[str, Any]:
    return {"name": rule.name, "meaning": meaning(rule), "price": rule.price, "per": rule.per, "line": line}
