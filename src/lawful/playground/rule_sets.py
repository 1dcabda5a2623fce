"""Rule texts made into decoders, the last ones kept: while somebody types a text, the rules stay as they are."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from lawful.decoding import Decoder
from lawful.errors import InputError, RuleFileError, RuleProblem
from lawful.labels import LabelSet
from lawful.lattice import Tagger
from lawful.playground.counting import BreachFinder
from lawful.playground.limits import Limits
from lawful.playground.questions import RuleChoice
from lawful.rules.checking.checker import check
from lawful.rules.files import RuleFile, parse_rule_file
from lawful.rules.ruleset import Rules

__all__ = ["Kept", "RuleSet", "RuleSets"]

CHECKED_STATES = 2_000
Value = TypeVar("Value")


@dataclass
class RuleSet:
    """The rules of one choice, compiled when they are first used.

    `quick` says whether its last answer took next to no time, so that the next one may be given on the spot.
    """

    rules: Rules
    tagger: Tagger
    limits: Limits
    file: RuleFile = field(repr=False)
    quick: bool = False

    @cached_property
    def decoder(self) -> Decoder:
        """Gives an answer whatever happens: the best so far at a limit, the least bad of contradictory rules."""
        return Decoder(
            self.rules,
            tagger=self.tagger,
            timeout=self.limits.decoding,
            on_limit="bounded",
            on_infeasible="least_bad",
        )

    @cached_property
    def strict(self) -> Decoder:
        """Raises what contradicts."""
        return Decoder(self.rules, tagger=self.tagger, timeout=self.limits.decoding)

    @cached_property
    def breaches(self) -> BreachFinder:
        """Counts violations."""
        return BreachFinder(self.rules, self.tagger.labels)

    @cached_property
    def findings(self) -> dict[str, Any]:
        """What `lawful check` says."""
        return check(self.rules, self.tagger.labels, max_states=CHECKED_STATES).to_dict()


class Kept:
    """The values that were used last, made when they are missing.

    Examples
    --------
    >>> kept = Kept(2)
    >>> [kept.get(key, lambda key=key: key.upper()) for key in "abca"], len(kept)
    (['A', 'B', 'C', 'A'], 2)
    """

    def __init__(self, most: int) -> None:
        self._most, self._held, self._lock = most, OrderedDict[Any, Any](), threading.Lock()

    def get(self, key: Any, make: Callable[[], Value]) -> Value:
        """The value of a key. Two threads that miss it at once both make it; one of the two is kept."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]  # type: ignore[no-any-return]  # what `make` gave
        value = make()
        with self._lock:
            value = self._held.setdefault(key, value)
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return value

    def peek(self, key: Any) -> Any:
        """The value of a key, or None."""
        return self._held.get(key)

    def __len__(self) -> int:
        return len(self._held)


class RuleSets:
    """Makes rule sets of what requests choose. A text from outside opens no file, and runs no slow pattern."""

    def __init__(self, text: str, file: RuleFile, tagger: Tagger, limits: Limits) -> None:
        self.text, self.served, self.tagger, self.limits = text, file, tagger, limits
        self._files, self._sets = Kept(limits.kept), Kept(limits.kept)

    @property
    def labels(self) -> LabelSet:
        """The labels of the model."""
        return self.tagger.labels

    def file(self, text: str | None) -> RuleFile:
        """What a rule text says; `RuleFileError` with every problem of it."""
        if text is None or text == self.text:
            return self.served
        return self._files.get(text, lambda: self._parse(text))

    def choose(self, choice: RuleChoice) -> RuleSet:
        """The rules of a choice."""
        key = self._key(choice)
        return self._sets.get(key, lambda: self._make(key))

    def known(self, choice: RuleChoice) -> RuleSet | None:
        """The rules of a choice that was made before."""
        found: RuleSet | None = self._sets.peek(self._key(choice))
        return found

    def _key(self, choice: RuleChoice) -> RuleChoice:
        return RuleChoice(None, choice.off, choice.prices) if choice.text == self.text else choice

    def _parse(self, text: str) -> RuleFile:
        found = parse_rule_file(text, "rules", labels=self.labels, trusted=False)
        if len(found.rules) > self.limits.rules:
            told = f"at most {self.limits.rules} rules here, got {len(found.rules)}"
            raise RuleFileError([RuleProblem("rules", None, None, None, None, told)])
        return found

    def _make(self, choice: RuleChoice) -> RuleSet:
        file = self.file(choice.text)
        prices = dict(choice.prices)
        for name in (*choice.off, *prices):
            if name not in file.rules.names:
                raise InputError(f"there is no rule {name!r}")
        held = [
            rule
            if rule.name not in prices
            else rule.hard()
            if prices[rule.name] == "hard"
            else rule.soft(prices[rule.name], per=rule.per)  # type: ignore[arg-type]  # a number: the other case is above
            for rule in file.rules
            if rule.name not in choice.off
        ]
        return RuleSet(Rules(held), self.tagger, self.limits, file)
