"""Check rules against labelled data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import Tagger
from lawful.lattice.tagger import lattices_of, require_tagger
from lawful.learning.gold import Gold, Labelled, labelled_sequences
from lawful.learning.linting.model_effects import Effect, effects_of
from lawful.learning.linting.violations import Breach, believe, excerpt, mend
from lawful.learning.prices.estimating import estimate_prices
from lawful.learning.prices.likelihood import WORTHLESS
from lawful.learning.prices.log_odds import Tally, labels_of, tally_violations
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.files.describing import describe
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["Lint", "RuleLint", "lint"]

Advice = Literal["hard", "soft", "drop"]

SMOOTHING = 0.5
ENOUGH_FOR_HARD = 100  # sequences that keep a rule without exception
RARE = 0.05  # a rule that few sequences break throws suspicion on them; one that many break, on itself
SURE = 0.9  # the probability from which on a model's other labels are proposed
MOST_MENDED = 3  # labels; a sequence that needs more than this is not a slip of the pen


@dataclass(frozen=True)
class RuleLint:
    """What labelled data says of one rule.

    Attributes
    ----------
    rule : Rule
    tally : Tally
        How often it is broken.
    breaches : tuple of Breach
        The first sequences that break it.
    price : float
        The log odds of keeping it, as `estimate_prices` would set it; for a hard rule too. With a model, what it is worth beside
        the model and the other rules, as `estimate_prices` with method "likelihood" would set it.
    advice : "hard", "soft" or "drop"
    reason : str
    effect : Effect or None
        What it would change in a model's answers, if a model was given.
    """

    rule: Rule
    tally: Tally
    breaches: tuple[Breach, ...]
    price: float
    advice: Advice
    reason: str
    effect: Effect | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "rule": self.rule.name,
            "means": describe(self.rule),
            **vars(self.tally),
            "suggested_price": self.price,
            "advice": self.advice,
            "reason": self.reason,
            "breaches": [one.to_dict() for one in self.breaches],
            "effect": None if self.effect is None else self.effect.to_dict(),
        }


@dataclass(frozen=True)
class Lint:
    """What `lint` found.

    Attributes
    ----------
    rules : tuple of RuleLint
        In the order of the rules.
    suspicious : tuple of (str, Breach)
        Breaches of rules that are rarely broken, and that a few other labels would mend, each with the rule's name: perhaps the gold
        labels are wrong there. With a model only those where it is sure of other labels that keep the rule, the surest first; without one, in
        the order of the rules, and with no other labels: any that fit the rule would be a guess.
    """

    rules: tuple[RuleLint, ...]
    suspicious: tuple[tuple[str, Breach], ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "rules": [one.to_dict() for one in self.rules],
            "suspicious": [{"rule": rule, **breach.to_dict()} for rule, breach in self.suspicious],
        }


def lint(
    rules: RulesLike,
    gold: Gold,
    *,
    model: Tagger | None = None,
    labels: LabelSet | Iterable[str] | None = None,
    examples: int = 3,
) -> Lint:
    """Check rules against labelled data: violations with examples, prices, advice, and suspicious gold labels.

    Parameters
    ----------
    rules : Rules, rule, iterable of rules, or the path of a rule file
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
    model : Tagger, optional
        Say also what each rule would change in its answers, and price the rules for use beside it. It should not have been
        fitted to `gold`: what a model has seen, it needs no rules for.
    labels : LabelSet or iterable of str, optional
        The labels that a mended sequence may use; by default the model's, or else those of the data and the rules.
    examples : int
        The most breaches to show for each rule.

    Examples
    --------
    >>> import lawful
    >>> gold = [(["Ann", "1999"], ["author", "date"])] * 99 + [(["Bob", "in", "2001"], ["author", "date", "author"])]
    >>> found = lint(lawful.at_most_segments(1, "author"), gold)
    >>> found.rules[0].advice, found.rules[0].reason
    ('soft', '1 of 100 sequences breaks it')
    >>> found.suspicious[0][1].excerpt
    'Bob/author in/date 2001/author'
    """
    if model is not None:
        require_tagger(model, "model")
    given = as_rules(rules)
    sequences = labelled_sequences(gold)
    if not sequences:
        raise InputError("linting needs labelled sequences, and there are none")
    known = _labels(labels, model, sequences, given)
    effects = {} if model is None else effects_of(given, model, sequences)
    found: list[RuleLint] = []
    suspicious: list[tuple[str, Breach]] = []
    tallies = tally_violations(given, sequences, labels=known)
    for rule in given:
        tally = tallies[rule.name]
        broken = [one for one in sequences if rule.violations(one.labels, one.tokens, one.context)]
        rare = tally.broken <= max(1, RARE * tally.sequences)
        shown = broken if rare else broken[:examples]
        breaches = tuple(_breaches(rule, known, shown, model))
        if rare:
            slips = [
                breach
                for breach, sequence in zip(breaches, shown, strict=True)
                if 0 < len(mend(rule, known, sequence)) <= MOST_MENDED
            ]
            suspicious += [(rule.name, one) for one in slips if model is None or _is_sure(one)]
        price = tally.price(per=_per(rule), smoothing=SMOOTHING)
        advice, reason = _advice(tally)
        found.append(
            RuleLint(rule, tally, breaches[:examples], price, advice, reason, effects.get(rule.name))
        )
    if model is not None:
        suspicious.sort(key=lambda pair: -(pair[1].probability or 0.0))
        found = _beside(found, model, sequences)
    return Lint(tuple(found), tuple(suspicious))


def _beside(lints: list[RuleLint], model: Tagger, gold: Sequence[Labelled]) -> list[RuleLint]:
    """The same, with prices for use beside a model, and without what it does not need."""
    asked = Rules(
        item.rule.hard() if item.advice == "hard" else item.rule.soft(item.price, per=_per(item.rule))
        for item in lints
        if item.advice != "drop"
    )
    fitted = estimate_prices(asked, gold, method="likelihood", tagger=model)
    return [item if item.advice != "soft" else _priced(item, fitted[item.rule.name]) for item in lints]


def _priced(lint_of_rule: RuleLint, fitted: Rule) -> RuleLint:
    price = float(fitted.price)
    if price >= WORTHLESS:
        return replace(lint_of_rule, price=price)
    reason = f"{lint_of_rule.reason}, and the model breaks it no more often without it"
    return replace(lint_of_rule, price=0.0, advice="drop", reason=reason)


def _labels(
    labels: LabelSet | Iterable[str] | None, model: Tagger | None, sequences: Sequence[Labelled], rules: Rules
) -> LabelSet:
    if labels is not None:
        return labels if isinstance(labels, LabelSet) else LabelSet(labels)
    seen = {label for sequence in sequences for label in sequence.labels}
    if model is not None:
        return LabelSet([*model.labels, *sorted(seen - set(model.labels))])
    return labels_of(rules, sequences)


def _is_sure(breach: Breach) -> bool:
    """Whether a model is sure of a few other labels."""
    return 0 < len(breach.mended) <= MOST_MENDED and (breach.probability or 0.0) >= SURE


def _breaches(
    rule: Rule, labels: LabelSet, broken: Sequence[Labelled], model: Tagger | None
) -> Iterable[Breach]:
    if not broken:
        return
    compiled = CompiledRules(Rules(rule), labels)
    for sequence in broken:
        [positions] = bind(compiled, len(sequence.labels), sequence.tokens, sequence.context).positions(
            sequence.labels
        )
        changes: tuple[tuple[int, str, str], ...] = ()
        probability = None
        if model is not None:
            [lattice] = lattices_of(model, [sequence.tokens], [sequence.context])
            changes, probability = believe(rule, lattice, sequence)
        yield Breach(
            sequence.place(positions[0] if positions else None),
            positions,
            excerpt(sequence, positions),
            changes,
            probability,
        )


def _per(rule: Rule) -> Literal["sequence", "violation"]:
    return "sequence" if rule.price == "hard" else rule.per


def _advice(tally: Tally) -> tuple[Advice, str]:
    if not tally.broken:
        if tally.sequences >= ENOUGH_FOR_HARD:
            return "hard", f"none of {tally.sequences:,} sequences breaks it"
        return "soft", f"none of {tally.sequences:,} sequences breaks it, but that is few"
    reason = f"{tally.broken:,} of {tally.sequences:,} sequences break{'s' * (tally.broken == 1)} it"
    if 2 * tally.broken >= tally.sequences:
        return "drop", f"{reason}: keeping it is no more likely than breaking it"
    return "soft", reason
