"""Decoders for rule texts; recent ones are kept, because the rules stay the same while somebody types a text."""

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
    """The rules of one choice, compiled when they are first used."""

    rules: Rules
    tagger: Tagger
    limits: Limits
    file: RuleFile = field(repr=False)

    @cached_property
    def decoder(self) -> Decoder:
        """A decoder that always answers: at a limit the best labels so far, under contradictory rules the least bad."""
        return Decoder(
            self.rules,
            tagger=self.tagger,
            timeout=self.limits.decoding,
            max_memory=self.limits.memory // 2,
            on_limit="bounded",
            on_infeasible="least_bad",
        )

    @cached_property
    def strict(self) -> Decoder:
        """A decoder that raises an error which names the contradictory rules."""
        limits = self.limits
        return Decoder(self.rules, tagger=self.tagger, timeout=limits.decoding, max_memory=limits.memory // 2)

    @cached_property
    def unruled(self) -> Decoder:
        """A decoder without rules."""
        limits = self.limits
        return Decoder(tagger=self.tagger, timeout=limits.decoding, max_memory=limits.memory // 2)

    @cached_property
    def findings(self) -> dict[str, Any]:
        """What `lawful check` finds."""
        return check(self.rules, self.tagger.labels, max_states=CHECKED_STATES).to_dict()


class Kept:
    """A cache of the values that were used last.

    Examples
    --------
    >>> kept = Kept(2)
    >>> [kept.get(key, lambda key=key: key.upper()) for key in "abca"], len(kept)
    (['A', 'B', 'C', 'A'], 2)
    """

    def __init__(self, most: int) -> None:
        self._most, self._values, self._lock = most, OrderedDict[Any, Any](), threading.Lock()

    def get(self, key: Any, make: Callable[[], Value]) -> Value:
        """The value of a key, made if it is missing. If two threads make it at once, one of the two values is kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]  # type: ignore[no-any-return]  # made by `make`
        value = make()
        with self._lock:
            value = self._values.setdefault(key, value)
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def __len__(self) -> int:
        return len(self._values)


class RuleSets:
    """Makes the rule sets that requests choose. A text from outside can open no file and run no slow pattern."""

    def __init__(self, text: str, file: RuleFile, tagger: Tagger, limits: Limits) -> None:
        self.text, self.served, self.tagger, self.limits = text, file, tagger, limits
        self._files, self._sets = Kept(limits.kept), Kept(limits.kept)

    @property
    def labels(self) -> LabelSet:
        """The labels of the model."""
        return self.tagger.labels

    def file(self, text: str | None) -> RuleFile:
        """The rule file in a text; `RuleFileError` lists every problem in it."""
        if text is None or text == self.text:
            return self.served
        return self._files.get(text, lambda: self._parse(text))

    def choose(self, choice: RuleChoice) -> RuleSet:
        """The rules of a choice."""
        key = self._key(choice)
        return self._sets.get(key, lambda: self._make(key))

    def _key(self, choice: RuleChoice) -> RuleChoice:
        return RuleChoice(None, choice.off, choice.prices) if choice.text == self.text else choice

    def _parse(self, text: str) -> RuleFile:
        file = parse_rule_file(text, "rules", labels=self.labels, trusted=False)
        if len(file.rules) > self.limits.rules:
            message = f"the playground takes at most {self.limits.rules} rules, got {len(file.rules)}"
            raise RuleFileError([RuleProblem("rules", None, None, None, None, message)])
        return file

    def _make(self, choice: RuleChoice) -> RuleSet:
        file = self.file(choice.text)
        prices = dict(choice.prices)
        for name in (*choice.off, *prices):
            if name not in file.rules.names:
                raise InputError(f"there is no rule {name!r}")
        chosen = [
            rule
            if rule.name not in prices
            else rule.hard()
            if prices[rule.name] == "hard"
            else rule.soft(prices[rule.name], per=rule.per)  # type: ignore[arg-type]  # a number: the other case is above
            for rule in file.rules
            if rule.name not in choice.off
        ]
        return RuleSet(Rules(chosen), self.tagger, self.limits, file)
