"""Generated apartment ads, with the fields and the format that paper C describes; its own corpus is not available."""

from __future__ import annotations

from lawful.corpus import Sentence
from lawful.tasks.grammar import Grammar, read_texts

__all__ = ["FIELDS", "generate_ads"]

FIELDS = (
    "address",
    "available",
    "contact",
    "features",
    "neighborhood",
    "other",
    "photos",
    "rent",
    "restrictions",
    "roommates",
    "size",
    "utilities",
)

# The probability that an ad has a field, and where it tends to appear (0 first, 1 last).
_HABITS = {
    "size": (0.95, 0.05),
    "neighborhood": (0.7, 0.2),
    "address": (0.4, 0.3),
    "features": (0.95, 0.45),
    "rent": (0.85, 0.55),
    "utilities": (0.5, 0.6),
    "restrictions": (0.55, 0.7),
    "roommates": (0.15, 0.7),
    "available": (0.5, 0.75),
    "photos": (0.2, 0.85),
    "contact": (0.85, 0.95),
    "other": (0.25, 0.8),
}


def generate_ads(count: int, *, seed: int = 0) -> list[Sentence]:
    """Generate apartment ads, with the field of each token as its label.

    Phone numbers, mail addresses and sums of money are the tokens `*Phone*`, `*Email*` and `*Money*`; a line end is
    `*Newline*`. Fields come in a loose order, some of them twice; nearly all end at punctuation or a line end and have
    at least three words; the words of Table 2 of paper C sometimes appear in other fields, as in real ads.

    Parameters
    ----------
    count : int
    seed : int
        The same seed gives the same ads.

    Examples
    --------
    >>> [ad] = generate_ads(1, seed=5)
    >>> set(ad.labels) <= set(FIELDS), len(ad.tokens) > 20
    (True, True)
    """
    grammar = Grammar(read_texts("ads"), seed)
    return [_ad(grammar, number) for number in range(count)]


def _ad(grammar: Grammar, number: int) -> Sentence:
    fields: list[tuple[float, str]] = []
    for field, (probability, position) in _HABITS.items():
        if grammar.chance(probability):
            fields.append((position + grammar.number(-20, 20) / 100, field))
    if grammar.chance(0.5):
        fields.append((grammar.number(20, 90) / 100, "features"))
    if not fields:
        fields = [(0.0, "size"), (1.0, "contact")]
    tokens: list[str] = []
    labels: list[str] = []
    for _, field in sorted(fields):
        words = grammar.make(field)
        if field != "other" and not grammar.chance(0.03):
            words += grammar.make("end")
        tokens += words
        labels += [field] * len(words)
    return Sentence(tuple(tokens), tuple(labels), context={"number": number})
