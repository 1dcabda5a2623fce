"""Counting violations in a pool again and again: what rules see in its tokens is looked at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lawful import _core
from lawful.labels import LabelSet
from lawful.learning.prices.log_odds import Tally
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.ruleset import Rules

__all__ = ["PoolTally"]


class PoolTally:
    """Counts how often labellings of the same sequences break each rule; much faster than `tally_violations`.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.at_most(1, "A").named("one A"))
    >>> PoolTally(rules, lawful.LabelSet(["A", "B"]), [["x", "y", "z"]]).count([["A", "A", "A"]])
    {'one A': Tally(violations=2, tokens=3, broken=1, sequences=1)}
    """

    def __init__(self, rules: Rules, labels: LabelSet, sequences: Iterable[Sequence[Any]]) -> None:
        self.rules, self.labels = rules, labels
        # As hard rules, so that each machine of a rule counts for itself; the price itself does not matter here.
        compiled = CompiledRules(rules, labels, prices=[math.inf] * len(rules))
        common = [(part, None) for part in compiled.common_parts]
        self._bound = []
        for tokens in sequences:
            binding = compiled.bind(len(tokens), tokens, {})
            self._bound.append([*common, *zip(binding.parts, binding.kinds, strict=True)])

    def count(self, labellings: Sequence[Sequence[str]]) -> dict[str, Tally]:
        """The tally of each rule, by its name, for one labelling of each sequence."""
        violations = np.zeros(len(self.rules), dtype=np.int64)
        broken = np.zeros(len(self.rules), dtype=np.int64)
        tokens = 0
        for parts, labels in zip(self._bound, labellings, strict=True):
            path = np.array(self.labels.encode(labels), dtype=np.int32)
            tokens += len(path)
            found = np.zeros(len(self.rules), dtype=np.int64)
            for part, kinds in parts:
                found[part.rule] += _core.count_violations(part, kinds, path)
            violations += found
            broken += found > 0
        return {
            name: Tally(int(violations[place]), tokens, int(broken[place]), len(labellings))
            for place, name in enumerate(self.rules.names)
        }
