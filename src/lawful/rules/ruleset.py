"""Several rules together, each with a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

from lawful.errors import DuplicateRuleError, RuleError
from lawful.errors.wording import suggestion
from lawful.labels import LabelSet
from lawful.rules.example import CompiledRule
from lawful.rules.rule import Declaring, Rule

__all__ = ["Rules"]


class Rules(Sequence[Rule]):
    """An immutable sequence of rules with different names. Nested rule sets and lists are flattened.

    Rules without a name of their own may be repeated; the second gets " #2" after its name.

    Parameters
    ----------
    *rules : rules, or iterables of them
    labels : iterable of str, optional
        The labels of the task, as a rule file declares them. A model that was trained on little data may lack some:
        then a `MissingLabelWarning` says so, and they never occur. Other labels that a model lacks stay an error.

    Examples
    --------
    >>> from lawful.rules import at_most, forbid
    >>> rules = Rules(at_most(1, "A").named("once"), forbid("B"), forbid("B"))
    >>> rules.names
    ('once', "forbid('B')", "forbid('B') #2")
    >>> rules["once"]
    at_most(1, 'A').named('once')
    >>> rules.without("once")
    Rules(forbid('B'), forbid('B'))
    >>> Rules(forbid("B"), labels=["A", "B"]).labels
    LabelSet(['A', 'B'])
    """

    __slots__ = ("_indices", "_labels", "_rules")

    def __init__(self, *rules: Rule | Iterable[Rule], labels: Iterable[str] | None = None) -> None:
        numbered = list(_flat(rules))
        if labels is not None:
            declare = Declaring(tuple(LabelSet(labels)))
            numbered = [declare(rule) for rule in numbered]
        known = dict.fromkeys(label for rule in numbered for label in rule.declared_labels)
        self._labels = LabelSet(known) if known else None
        self._indices: dict[str, int] = {}
        for index, rule in enumerate(numbered):
            if rule.has_own_name and self._indices.setdefault(rule.name, index) != index:
                raise DuplicateRuleError(rule.name)
        numbers: dict[str, int] = {}  # the last number given to each automatic name
        for index, rule in enumerate(numbered):
            if not rule.has_own_name:
                name = _free_name(rule.automatic_name, self._indices, numbers)
                numbered[index] = rule if rule.name == name else rule.named(name)
                self._indices[name] = index
        self._rules = tuple(numbered)

    @property
    def labels(self) -> LabelSet | None:
        """The labels that the rules declare; None if they declare none."""
        return self._labels

    def missing_from(self, labels: LabelSet) -> dict[str, tuple[str, ...]]:
        """By rule, the labels that it names and that the label set lacks.

        Examples
        --------
        >>> from lawful.rules import before, forbid
        >>> Rules(forbid("A"), before("A", "B").named("order")).missing_from(LabelSet(["A"]))
        {'order': ('B',)}
        """
        named = ((rule.name, rule.labels_named(labels).difference(labels)) for rule in self._rules)
        return {name: tuple(sorted(missing)) for name, missing in named if missing}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rules, in order."""
        return tuple(rule.name for rule in self._rules)

    def without(self, *names: str) -> Rules:
        """The rule set without these rules."""
        dropped = {self._index(name) for name in names}
        return Rules(*(rule for index, rule in enumerate(self._rules) if index not in dropped))

    def compile(self, labels: LabelSet) -> tuple[CompiledRule, ...]:
        """Each rule compiled for a label set."""
        return tuple(rule.compile_among(labels) for rule in self._rules)

    def violations(
        self,
        labels: Sequence[str],
        tokens: Sequence[Any] | None = None,
        context: Mapping[str, Any] | None = None,
        *,
        label_set: LabelSet | None = None,
    ) -> dict[str, int]:
        """How many times a label sequence breaks each rule, by name; parameters as in `Rule.violations`."""
        return {
            rule.name: rule.violations(labels, tokens, context, label_set=label_set) for rule in self._rules
        }

    def _index(self, name: str) -> int:
        if name not in self._indices:
            raise RuleError(f"there is no rule {name!r}; {suggestion(name, self._indices, 'rules')}")
        return self._indices[name]

    @overload
    def __getitem__(self, key: int | str) -> Rule: ...
    @overload
    def __getitem__(self, key: slice) -> Rules: ...
    def __getitem__(self, key: int | str | slice) -> Rule | Rules:
        if isinstance(key, slice):
            return Rules(*self._rules[key])
        return self._rules[self._index(key) if isinstance(key, str) else key]

    def __contains__(self, item: object) -> bool:
        return item in self._indices if isinstance(item, str) else item in self._rules

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __add__(self, other: Rule | Iterable[Rule]) -> Rules:
        return Rules(self, other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._rules == other._rules

    def __hash__(self) -> int:
        return hash(self._rules)

    def __repr__(self) -> str:
        return f"Rules({', '.join(map(repr, self._rules))})"


def _flat(rules: object) -> Iterator[Rule]:
    if isinstance(rules, Rule):
        yield rules
    elif isinstance(rules, Iterable) and not isinstance(rules, str):
        for item in rules:
            yield from _flat(item)
    else:
        raise RuleError(f"a rule set contains rules, got {rules!r}")


def _free_name(name: str, taken: Mapping[str, int], numbers: dict[str, int]) -> str:
    if name not in taken:
        return name
    number = numbers.get(name, 1) + 1
    while f"{name} #{number}" in taken:
        number += 1
    numbers[name] = number
    return f"{name} #{number}"
