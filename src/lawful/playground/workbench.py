"""Everything that the playground can do, without HTTP: data in, data out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.decoding import Decoder, Decoding
from lawful.errors import InfeasibleError, LawfulError, RuleError, RuleFileError, RuleProblem
from lawful.lattice import AnyLattice, Tagger
from lawful.playground.limits import Limits
from lawful.playground.questions import CheckQuestion, DecodeQuestion, RuleChoice, SaveQuestion
from lawful.playground.rule_sets import RuleSet, RuleSets
from lawful.report.drawing.colours import assign_slots
from lawful.report.drawing.machines import draw_rule
from lawful.report.rule_table import meaning, titles
from lawful.report.shown_sequences import explain_quietly, vote_quietly
from lawful.rules.bound_rules import BoundRules
from lawful.rules.files import RuleFile
from lawful.rules.rule import Rule
from lawful.support.styled_text import finite
from lawful.voting import Ensemble

__all__ = ["Workbench", "broken_rules"]

LIKELIEST = 5  # labels of a token whose probabilities are told
LEAST_SHOWN = 0.0005


class Workbench:
    """A model, its rules and some examples: answers the questions of the page.

    Parameters
    ----------
    tagger : Tagger
    text : str
        The rule file that the page starts with.
    file : RuleFile
        The rules in it.
    examples : sequence of mappings with `name` and `text`
        Those of a corpus have its `tokens` too, and `gold` labels.
    limits : Limits

    Attributes
    ----------
    tokenizer : Tokenizer
        That of the tagger, which cuts the texts that are typed.

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
        examples: Sequence[Mapping[str, Any]] = (),
        model: str = "",
        limits: Limits | None = None,
    ) -> None:
        self.tagger, self.model = tagger, model
        self.examples = [dict(example) for example in examples]
        self.limits = limits or Limits()
        self.tokenizer: Tokenizer = getattr(tagger, "tokenizer", None) or Tokenizer()
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

    def decode(self, question: DecodeQuestion) -> dict[str, Any]:
        """Label tokens with and without rules; on request, with the reasons."""
        started = time.perf_counter()
        rule_set = self.sets.choose(question.choice)
        decoder = rule_set.decoder
        answer: dict[str, Any] = {"tokens": list(question.tokens)}
        if question.offsets is not None:
            answer["offsets"] = [list(offset) for offset in question.offsets]
        if not question.tokens:
            return {**answer, **_EMPTY, "seconds": time.perf_counter() - started}
        prepared = decoder.prepare([self.tagger.lattice(list(question.tokens))])[0]
        decoding = decoder.decode(prepared)
        labels, plain = decoding.labels, decoding.plain_labels
        violations = broken_rules(prepared.rules, labels)
        plain_violations = violations if plain == labels else broken_rules(prepared.rules, plain)
        answer |= {
            "labels": list(labels),
            "plain_labels": list(plain),
            "changed": list(decoding.changed),
            "score": finite(decoding.score),
            "plain_score": finite(decoding.plain.score),
            "loss": finite(decoding.loss),
            "status": decoding.status,
            "violations": violations,
            "plain_violations": plain_violations,
            "contradiction": self._contradiction(rule_set, decoding),
            "explanation": self._explanation(decoding, question) if question.explain else None,
            "probabilities": self._probabilities(rule_set, decoding) if question.probabilities else None,
            "vote": self._vote(decoding, question),
        }
        return {**answer, "seconds": time.perf_counter() - started}

    def check_for_saving(self, question: SaveQuestion) -> dict[str, Any]:
        """The rules in a text that is to be saved; `RuleFileError` if there are none."""
        rule_set = self.sets.choose(RuleChoice(question.text))
        rule_set.decoder  # noqa: B018 - compiles the rules, which may raise RuleError
        return {"text": question.text, "was": question.was, "rules": self._rules(rule_set.file)}

    def check(self, question: CheckQuestion) -> dict[str, Any]:
        """The rules in a text, or what is wrong with it; on request, with drawings and findings."""
        try:
            rule_set = self.sets.choose(question.choice)
            rule_set.decoder  # noqa: B018 - compiles the rules, which may raise RuleError
        except RuleFileError as error:
            return _wrong([problem._asdict() for problem in error.problems])
        except RuleError as error:
            name = str(getattr(error, "rule", ""))
            line = self.sets.file(question.choice.text).lines.get(name, ("", None))[1]
            return _wrong([RuleProblem("rules", line, None, None, None, str(error))._asdict()])
        drawings = {
            rule.name: draw_rule(rule, self.tagger.labels)
            for rule in rule_set.file.rules
            if rule.name in question.draw
        }
        return {
            "ok": True,
            "problems": [],
            "rules": self._rules(rule_set.file),
            "drawings": {name: {"svg": svg, "size": size} for name, (svg, size) in drawings.items()},
            "findings": rule_set.findings if question.analyse else None,
        }

    def _rules(self, file: RuleFile) -> list[dict[str, Any]]:
        return [_rule(rule, file.lines[rule.name][1]) for rule in file.rules]

    def _contradiction(self, rule_set: RuleSet, decoding: Decoding) -> dict[str, Any] | None:
        if decoding.status != "infeasible":
            return None
        try:
            rule_set.strict.decode(decoding.lattice)
        except InfeasibleError as error:
            return {"rules": list(error.rules), "position": error.position}
        except LawfulError:
            pass
        return {"rules": [], "position": None}

    def _explanation(self, decoding: Decoding, question: DecodeQuestion) -> dict[str, Any] | None:
        explanation = explain_quietly(
            decoding, runners_up=question.runners_up, timeout=self.limits.explaining
        )
        if explanation is None:
            return None
        data = explanation.to_dict()
        return {key: data[key] for key in ("changes", "prices", "broken", "runners_up")}

    def _probabilities(self, rule_set: RuleSet, decoding: Decoding) -> dict[str, Any]:
        """The likeliest labels of each token, by the model alone and under the rules; None where that takes too long."""
        lattice = decoding.lattice
        return {
            "plain": _likeliest(rule_set.unruled, lattice),
            "ruled": _likeliest(rule_set.strict, lattice) if decoding.status != "infeasible" else None,
        }

    def _vote(self, decoding: Decoding, question: DecodeQuestion) -> dict[str, Any] | None:
        """For an ensemble: what each tagger wanted, who won, and at what price."""
        if not question.explain or not isinstance(self.tagger, Ensemble):
            return None
        told = vote_quietly(self.tagger, decoding, list(question.tokens))
        if told is None:
            return None
        data = told.to_dict()
        return {key: data[key] for key in ("headline", "winners", "disputed", "taggers")}


_EMPTY: dict[str, Any] = {
    "labels": [], "plain_labels": [], "changed": [], "score": 0.0, "plain_score": 0.0, "loss": 0.0, "status": "optimal",
    "violations": [], "plain_violations": [], "contradiction": None, "explanation": None, "probabilities": None, "vote": None,
}  # fmt: skip


def broken_rules(rules: BoundRules, labels: Sequence[str]) -> list[dict[str, Any]]:
    """The rules that labels break, in order; a violation at the end of the sequence has no position.

    Examples
    --------
    >>> from lawful.decoding import Decoder
    >>> from lawful.rules import at_least, at_most
    >>> rules = Decoder([at_most(1, "A"), at_least(1, "B")], labels=["A", "B"]).bind(2)
    >>> broken_rules(rules, ["A", "A"])
    [{'rule': "at_most(1, 'A')", 'count': 1, 'positions': [1]}, {'rule': "at_least(1, 'B')", 'count': 1, 'positions': []}]
    """
    counts = rules.count(labels)
    if not counts.any():  # as for most answers: then nothing needs to be walked again
        return []
    return [
        {"rule": name, "count": count, "positions": list(positions)}
        for name, count, positions in zip(rules.names, counts.tolist(), rules.positions(labels), strict=True)
        if count
    ]


def _likeliest(decoder: Decoder, lattice: AnyLattice) -> list[list[list[Any]]] | None:
    """For each token [label, probability], the likeliest first; None if the sums are beyond the limits."""
    try:
        table = decoder.marginals(lattice).labels
    except LawfulError:
        return None
    names = list(lattice.labels)
    order = np.argsort(-table, axis=1, kind="stable")[:, :LIKELIEST]
    return [
        [[names[k], round(float(row[k]), 4)] for k in best if row[k] >= LEAST_SHOWN]
        for row, best in zip(table, order.tolist(), strict=True)
    ]


def _wrong(problems: list[dict[str, Any]]) -> dict[str, Any]:
    return {"ok": False, "problems": problems, "rules": [], "drawings": {}, "findings": None}


def _rule(rule: Rule, line: int | None) -> dict[str, Any]:
    title, more = titles(rule)
    return {
        "name": rule.name, "title": title, "more": more, "meaning": meaning(rule),
        "price": rule.price, "per": rule.per, "line": line,
    }  # fmt: skip
