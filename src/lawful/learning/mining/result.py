"""What mining finds: rules with what speaks for each, as a rule file to be read and edited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lawful.labels import LabelSet
from lawful.learning.linting.model_effects import Effect
from lawful.learning.mining.evidence import MinedRule
from lawful.rules.files.describing import describe
from lawful.rules.files.writing import format_rules
from lawful.rules.ruleset import Rules

__all__ = ["Mined"]

NEEDLESS = "they did not pay in the answers of a model to sequences that it had not seen"
REFUTED = "the held-out part breaks them"


@dataclass(frozen=True)
class Mined:
    """What `mine` found.

    Attributes
    ----------
    labels : LabelSet
        The labels of the data.
    found : tuple of MinedRule
        Rules that both parts of the data obey, nearly or always; beside a model, those that pay.
    refuted : tuple of MinedRule
        Rules that looked good until the held-out part was asked.
    needless : tuple of MinedRule
        Rules that the data obeys, but that do not make the answers of the model better.
    effect : Effect or None
        What the rules change in the answers of a model, on sequences that neither it nor prices nor rules were fitted to.
    sequences, tokens : int
        How much data was looked at.
    judged : int
        How many of the sequences a model labelled that had not seen them; 0 without a model.
    """

    labels: LabelSet
    found: tuple[MinedRule, ...]
    refuted: tuple[MinedRule, ...]
    needless: tuple[MinedRule, ...] = ()
    effect: Effect | None = None
    sequences: int = 0
    tokens: int = 0
    judged: int = 0

    @property
    def rules(self) -> Rules:
        """The rules that were found, priced; without the refuted and the needless ones."""
        return Rules(one.rule for one in self.found)

    @property
    def looked_at(self) -> str:
        """How much data was looked at, in words."""
        told = f"{self.sequences:,} sequences of {self.tokens:,} tokens"
        if self.judged:
            told += f"; {self.judged:,} of them labelled by models that had not seen them"
        return told

    def to_toml(self) -> str:
        """A rule file: every rule under its evidence; the needless and the refuted ones as remarks at the end."""
        blocks = [f"# Mined in {self.looked_at}.\n", format_rules([], labels=list(self.labels))]
        if self.effect is not None:
            blocks.append(f"# All rules together, in the answers to these: {self.effect}.\n")
        blocks += [f"{_remarks(one)}{format_rules(one.rule)}" for one in self.found]
        for left_out, why in ((self.needless, NEEDLESS), (self.refuted, REFUTED)):
            if left_out:
                blocks.append(f"# Not taken, because {why}:\n")
                blocks += [f"{_remarks(one)}{_commented(format_rules(one.rule))}" for one in left_out]
        return "\n".join(blocks)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "sequences": self.sequences,
            "tokens": self.tokens,
            "judged": self.judged,
            "labels": list(self.labels),
            "found": [one.to_dict() for one in self.found],
            "refuted": [one.to_dict() for one in self.refuted],
            "needless": [one.to_dict() for one in self.needless],
            "effect": None if self.effect is None else self.effect.to_dict(),
        }


def _remarks(mined_rule: MinedRule) -> str:
    told = f"# {describe(mined_rule.rule)}\n# {mined_rule.mined}; held out: {mined_rule.held_out}.\n"
    if mined_rule.tally is not None:
        told += f"# Added to the others: {mined_rule.tally}.\n"
    return told


def _commented(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())
