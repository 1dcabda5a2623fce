"""Who wanted what in a vote, who won, and at what price."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lawful.explanation.text.token_rows import short_text, token_text
from lawful.support.styled_text import Line, Shown, StyledRun, columns, figures, finite
from lawful.voting.result import Opinion, Vote

__all__ = ["VoteExplanation", "explain_vote"]


@dataclass(frozen=True, eq=False)
class VoteExplanation(Shown):
    """What each tagger wanted, who won, and what that cost. Prints as text; `print()` adds colours in a terminal.

    Attributes
    ----------
    vote : Vote
    opinions : tuple of Opinion
        Of the taggers, in order.
    winners : tuple of str
        The taggers that wanted just what won; none if it is a compromise.
    disputed : tuple of int
        The positions at which taggers disagree, or at which the vote took what none of them wanted.
    """

    vote: Vote
    opinions: tuple[Opinion, ...]
    winners: tuple[str, ...]
    disputed: tuple[int, ...]

    @property
    def headline(self) -> str:
        """Who won, in a sentence."""
        count, disputed = len(self.vote.labels), len(self.disputed)
        if not count:
            return "A limit ended the vote before any labels were found"
        if not disputed:
            return f"All {len(self.opinions)} taggers wanted this"
        won = " and ".join(self.winners)
        told = f"{won} won the vote" if won else "A compromise won the vote: no tagger wanted all of it"
        if self.overruled:
            count_of = len(self.opinions)
            told = "The rules decided: " + (
                f"all {count_of} taggers wanted something else"
                if count_of > 1
                else "the tagger wanted something else"
            )
        return f"{told}; {disputed} of {count} token{'' if count == 1 else 's'} disputed"

    @property
    def overruled(self) -> bool:
        """Whether all taggers wanted the same, and rules made something else win."""
        wishes = {opinion.labels for opinion in self.opinions if opinion.labels}
        return len(wishes) == 1 and not self.winners and len(self.vote.rules) > 0

    def in_words(self, opinion: Opinion) -> str:
        """What one tagger wanted and what it thinks of the winner, in a sentence."""
        weight, chance = (
            f"Weight {opinion.weight:.2g}",
            f"it gives the winner {_per_cent(opinion.probability)}.",
        )
        if not opinion.labels:
            return f"{weight}; it gives no labels a chance."
        if opinion.labels == self.vote.labels:
            return f"{weight}; wanted just this; {chance}"
        loss = "gives the winner no chance" if opinion.loss == math.inf else f"gives up {opinion.loss:.2f}"
        price = (
            "its wish is forbidden, by a rule or by another tagger"
            if opinion.price == math.inf
            else f"its wish would have cost the vote {opinion.price:.2f}"
        )
        ending = "." if opinion.loss == math.inf else f"; {chance}"
        return f"{weight}; {loss}; {price}{ending}"

    def lines(self) -> list[Line]:
        """The text, line by line, with styles."""
        if not self.vote.labels:
            return [(StyledRun(self.headline, "bold"),)]
        lines = [self._headline()]
        if self.disputed:
            lines += [(), *self._tokens()]
        return [*lines, (), *self._prices()]

    def _headline(self) -> Line:
        vote, count = self.vote, len(self.opinions)
        won = f"{' and '.join(self.winners)} won" if self.winners else "a compromise won"
        won = "the rules decided" if self.overruled else won
        length = f"{len(vote.labels)} token{'' if len(vote.labels) == 1 else 's'}"
        proof = "proved best" if vote.status == "optimal" else f"within {vote.gap:.3g} of the best"
        if vote.status == "infeasible":
            hard = [rule.name for rule in vote.rules if rule.price == "hard"]
            broken = " and ".join(repr(name) for name in hard if vote.violations[name])
            proof = f"no labels obey all hard rules, and these break {broken}"
        who = f"{vote.method} vote of {count} tagger{'' if count == 1 else 's'}"
        return (
            StyledRun(f"{won}", "bold"),
            StyledRun(f" the {who}; {len(self.disputed)} of {length} disputed; {proof}"),
        )

    def _tokens(self) -> list[Line]:
        vote = self.vote
        named = vote.tokens is not None
        heads = ["", "token" if named else "", *(opinion.name for opinion in self.opinions), "vote"]
        rows = [[StyledRun(head, "dim") for head in heads]]
        last = -1
        for position in self.disputed:
            if position > last + 1:
                rows.append([StyledRun("..", "dim")])
            last = position
            taken = vote.labels[position]
            rows.append(
                [
                    StyledRun(str(position), "dim"),
                    StyledRun(short_text(vote.tokens, position)),
                    *(_wish(opinion, position, taken) for opinion in self.opinions),
                    StyledRun(taken, "bold"),
                ]
            )
        if last + 1 < len(vote.labels):
            rows.append([StyledRun("..", "dim")])
        return columns(rows, right=[0])

    def _prices(self) -> list[Line]:
        opinions = self.opinions
        table = zip(
            opinions,
            figures(opinion.weight for opinion in opinions),
            figures(round(opinion.loss, 3) for opinion in opinions),
            figures(round(opinion.price, 3) for opinion in opinions),
            strict=True,
        )
        heads = ("tagger", "weight", "it gives up", "the vote saves", "it gives the winner")
        rows = [[StyledRun(head, "dim") for head in heads]]
        for opinion, weight, loss, price in table:
            chance = f"{opinion.probability:.3g}"
            rows.append([StyledRun(text) for text in (opinion.name, weight, loss, price, chance)])
        return columns(rows, right=[1, 2, 3, 4])

    def to_dict(self) -> dict[str, Any]:
        """The explanation as a dict, ready for JSON; None where a number is infinite."""
        vote = self.vote
        tokens = vote.tokens
        return {
            "method": vote.method,
            "tokens": None if tokens is None else [token_text(token) for token in tokens],
            "labels": list(vote.labels),
            "score": finite(vote.score),
            "bound": finite(vote.bound),
            "status": vote.status,
            "winners": list(self.winners),
            "disputed": list(self.disputed),
            "headline": self.headline,
            "taggers": [
                {
                    "name": opinion.name,
                    "weight": opinion.weight,
                    "labels": list(opinion.labels),
                    "loss": finite(opinion.loss),
                    "price": finite(opinion.price),
                    "probability": opinion.probability,
                    "in_words": self.in_words(opinion),
                }
                for opinion in self.opinions
            ],
        }


def _per_cent(share: float) -> str:
    return f"{100 * share:.3g} %" if share >= 1e-4 or not share else "less than 0.01 %"


def _wish(opinion: Opinion, position: int, taken: str) -> StyledRun:
    if not opinion.labels:
        return StyledRun("-", "dim")
    wanted = opinion.labels[position]
    return StyledRun(wanted, "dim" if wanted == taken else "yellow")


def explain_vote(vote: Vote) -> VoteExplanation:
    """Explain a vote: what each tagger wanted, who won, and at what price.

    What the rules changed in it, `lawful.explain(vote.decoding)` tells.

    Examples
    --------
    >>> import lawful
    >>> first = lawful.Lattice([[2.0, 0.0], [0.0, 0.5]], labels=["A", "B"], tokens=["x", "y"])
    >>> second = lawful.Lattice([[0.0, 1.0], [0.0, 1.0]], labels=["A", "B"], tokens=["x", "y"])
    >>> print(explain_vote(lawful.voting.vote_on([first, second], names=["first", "second"])))
    first won the log-linear vote of 2 taggers; 1 of 2 tokens disputed; proved best
    <BLANKLINE>
          token  first  second  vote
       0  x      A      B       A
      ..
    <BLANKLINE>
      tagger  weight  it gives up  the vote saves  it gives the winner
      first      0.5            0             0.0                0.548
      second     0.5            1             0.5                0.197
    """
    opinions = vote.opinions
    winners = tuple(opinion.name for opinion in opinions if opinion.labels == vote.labels)
    disputed = tuple(
        position
        for position, taken in enumerate(vote.labels)
        if any(opinion.labels and opinion.labels[position] != taken for opinion in opinions)
    )
    return VoteExplanation(vote, opinions, winners, disputed)
