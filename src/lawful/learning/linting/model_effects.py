"""What each rule would change in a model's answers, for better and for worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lawful.decoding import Decoder
from lawful.lattice import Tagger
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Labelled
from lawful.rules.rule import Rule
from lawful.schemes.spans import Span, find_spans, guess_scheme

__all__ = ["Effect", "effect_on", "effects_of", "spans_of"]


@dataclass(frozen=True)
class Effect:
    """Tokens whose label rules change, against the answers without them.

    Attributes
    ----------
    better, worse, neither : int
        Wrong before and right now; right before and wrong now; wrong both times.
    sequences : int
        Sequences with a change.
    infeasible : int
        Sequences in which no labels keep the rule.
    gained, lost : int
        Whole spans (fields, chunks) that are right now and were not; that were right and are not now.

    Examples
    --------
    >>> print(Effect(better=5, worse=1, neither=2, sequences=3, infeasible=0, gained=2))
    5 labels better, 1 worse, 2 neither, in 3 sequences (spans: 2 gained, 0 lost)
    >>> print(Effect() + Effect(worse=1, sequences=1))
    0 labels better, 1 worse, 0 neither, in 1 sequence
    """

    better: int = 0
    worse: int = 0
    neither: int = 0
    sequences: int = 0
    infeasible: int = 0
    gained: int = 0
    lost: int = 0

    def __add__(self, other: Effect) -> Effect:
        return Effect(*map(sum, zip(vars(self).values(), vars(other).values(), strict=True)))

    def __str__(self) -> str:
        if not self.sequences:
            told = "nothing changes"
        else:
            told = (
                f"{self.better} label{'' if self.better == 1 else 's'} better, {self.worse} worse, {self.neither} neither, "
                f"in {self.sequences} sequence{'s' if self.sequences > 1 else ''}"
            )
        if self.gained or self.lost:
            told += f" (spans: {self.gained} gained, {self.lost} lost)"
        return told + (f"; {self.infeasible} sequences cannot keep it" if self.infeasible else "")

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dict(vars(self))


def effects_of(rules: Sequence[Rule], model: Tagger, gold: Sequence[Labelled]) -> dict[str, Effect]:
    """The effect of each rule on its own; the price of a rule that is still to be learned counts as hard.

    Examples
    --------
    >>> import lawful
    >>> from lawful.learning.gold import labelled_sequences
    >>> class Sure:
    ...     labels = lawful.LabelSet(["A", "B"])
    ...     def lattice(self, tokens):
    ...         return lawful.Lattice([[1.0, 0.0], [2.0, 0.0]], labels=self.labels)
    >>> rule = lawful.at_most(1, "A").named("one A")
    >>> print(effects_of([rule], Sure(), labelled_sequences([(["x", "y"], ["B", "A"])]))["one A"])
    1 label better, 0 worse, 0 neither, in 1 sequence (spans: 2 gained, 0 lost)
    """
    lattices = list(lattices_of(model, [item.tokens for item in gold], [item.context for item in gold]))
    plain = [item.labels for item in Decoder(tagger=model).decode_batch(lattices)]
    scheme = guess_scheme([list(model.labels)])
    effects = {}
    for rule in rules:
        asked = rule.hard() if rule.price == "learn" else rule
        decoder = Decoder(asked, labels=model.labels, on_infeasible="least_bad")
        # An answer that keeps a rule stays the best one under it.
        broken = [
            index
            for index, (item, labels) in enumerate(zip(gold, plain, strict=True))
            if decoder.bind(len(labels), item.tokens, item.context).count(labels).any()
        ]
        effect = Effect()
        for index, answer in zip(
            broken, decoder.decode_batch([lattices[index] for index in broken]), strict=True
        ):
            effect += effect_on(
                gold[index].labels,
                plain[index],
                answer.labels,
                scheme=scheme,
                infeasible=answer.status == "infeasible",
            )
        effects[rule.name] = effect
    return effects


@lru_cache(maxsize=1 << 12)  # the same answers are compared again and again
def spans_of(labels: tuple[str, ...], scheme: str | None) -> frozenset[Span]:
    """The spans of a labelling.

    Examples
    --------
    >>> spans_of(("A", "A"), "flat")
    frozenset({Span(type='A', start=0, end=2)})
    """
    return frozenset(find_spans(labels, scheme))


def effect_on(
    gold: Sequence[str],
    before: Sequence[str],
    after: Sequence[str],
    *,
    scheme: str | None = None,
    infeasible: bool = False,
) -> Effect:
    """What became of one sequence.

    Parameters
    ----------
    gold, before, after : sequences of T labels
    scheme : str, optional
        By which spans are found; guessed from the labels if not given.
    infeasible : bool
        Whether no labels of it keep the rule.

    Examples
    --------
    >>> effect_on("AAB", "ABB", "AAB")
    Effect(better=1, worse=0, neither=0, sequences=1, infeasible=0, gained=2, lost=0)
    """
    changed = [
        (old == right, new == right)
        for old, new, right in zip(before, after, gold, strict=True)
        if old != new
    ]
    if not changed:
        return Effect(infeasible=int(infeasible))
    wanted, earlier, later = (spans_of(tuple(labels), scheme) for labels in (gold, before, after))
    return Effect(
        better=sum(new for _, new in changed),
        worse=sum(old for old, _ in changed),
        neither=sum(not (old or new) for old, new in changed),
        sequences=1,
        infeasible=int(infeasible),
        gained=len(wanted & later - earlier),
        lost=len(wanted & earlier - later),
    )
