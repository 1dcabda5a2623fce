"""The workloads of `make bench`: generated from a seed, so that everybody decodes the same lattices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import lawful
from lawful.tasks import load_rules

Array = npt.NDArray[np.float64]

SRL_LABELS = ["O", "A0", "A1", "A2", "A3", "A4", "A5"]
CITATION_LABELS = [
    "author", "booktitle", "date", "editor", "institution", "journal", "location",
    "note", "pages", "publisher", "tech", "title", "volume",
]  # fmt: skip
LONG_LABELS = [f"L{k}" for k in range(25)]


@dataclass(frozen=True)
class Workload:
    """Lattices, the rules for them, and what they stand for."""

    name: str
    what: str
    lattices: list[lawful.Lattice]
    rules: lawful.Rules


def make(name: str) -> Workload:
    """The workload of that name, one of `MAKERS`."""
    return MAKERS[name]()


# --- A: semantic roles -----------------------------------------------------------------------------------------

SRL_RULES = load_rules("srl")  # the ten of Tromble & Eisner (2006)
SRL_SHARES = (
    0.55,
    0.20,
    0.21,
    0.04,
)  # Table 4 of Tromble & Eisner: rule-free answers that break 0, 1, 2, 3 rules
SRL_COUNT = 4305


def _proposition(rng: np.random.Generator) -> tuple[list[int], list[tuple[int, int]], int, list[str]]:
    """Gold labels, argument candidates, the verb's position and the disallowed labels of one proposition."""
    length = int(np.clip(rng.gamma(4.0, 4.7), 4, 70))
    verb = int(rng.integers(0, length))
    gold = [0] * length
    spans: list[tuple[int, int]] = []
    arguments = list(rng.permutation([1, 2, 3]))[: int(rng.integers(1, 4))] + (
        [4] if rng.random() < 0.05 else []
    )
    t = 0
    while t < length:
        size = int(rng.geometric(0.4))
        end = min(t + size, length if t > verb else verb)
        if t == verb:
            end = t + 1
        elif end > t and arguments and rng.random() < 0.4:
            gold[t:end] = [int(arguments.pop())] * (end - t)
            spans.append((t, end))
        elif end - t > 1 and rng.random() < 0.3:
            spans.append((t, end))
        t = max(end, t + 1)
    if not any(gold):
        position = (verb + 1) % length
        gold[position] = 2
    disallowed = [SRL_LABELS[k] for k in (5, 6) if rng.random() < 0.5 and k not in gold]
    return (
        gold,
        [span for span in spans if span[1] - span[0] > 1 and len(set(gold[slice(*span)])) == 1],
        verb,
        disallowed,
    )


def _srl(*, with_transitions: bool) -> Workload:
    rng = np.random.default_rng(20060604)
    labels = lawful.LabelSet(SRL_LABELS)
    matrix = rng.normal(0, 0.3, (7, 7)) + 0.8 * np.eye(7) if with_transitions else None
    transitions = None if matrix is None else lawful.lattice.Transitions(matrix)
    quota = [round(share * SRL_COUNT) for share in SRL_SHARES]
    quota[0] += SRL_COUNT - sum(quota)
    kept: list[lawful.Lattice] = []
    plain = lawful.Decoder(lawful.Rules(), labels=labels)
    while any(quota):
        gold, candidates, verb, disallowed = _proposition(rng)
        scores = rng.normal(0, 1.0, (len(gold), 7)) - 1.0
        scores[:, 0] += 0.8
        scores[np.arange(len(gold)), gold] += rng.gamma(6.0, 0.6, len(gold))
        lattice = lawful.Lattice(
            scores, transitions, labels=labels,
            context={"candidates": candidates, "verb": verb, "disallowed": disallowed},
        )  # fmt: skip
        answer = plain.decode(lattice).labels
        broken = sum(rule.violations(answer, None, lattice.context) > 0 for rule in SRL_RULES)
        if broken < 4 and quota[broken]:
            quota[broken] -= 1
            kept.append(lattice)
    order = rng.permutation(len(kept))
    kind = "with" if with_transitions else "without"
    what = f"SRL-like, 7 labels, {kind} transitions, the ten constraints of paper T"
    return Workload("A+T" if with_transitions else "A", what, [kept[i] for i in order], SRL_RULES)


# --- B: citations ----------------------------------------------------------------------------------------------


def _citation(rng: np.random.Generator) -> tuple[list[int], list[str]]:
    """Gold labels and tokens of one reference: each field once, ending in punctuation."""
    size = len(CITATION_LABELS)
    starts = [CITATION_LABELS.index(label) for label in ("author", "editor", "title")]
    length = int(rng.integers(20, 61))
    first = int(rng.choice(starts, p=[0.8, 0.1, 0.1]))
    order = [first, *(k for k in rng.permutation(size) if k != first)]
    gold: list[int] = []
    tokens: list[str] = []
    for field in order:
        if len(gold) >= length:
            break
        run = min(1 + int(rng.geometric(0.22)), length - len(gold))
        gold += [field] * run
        tokens += [f"word{rng.integers(1000)}" for _ in range(run - 1)] + [str(rng.choice([",", "."]))]
    for t, field in enumerate(gold):
        draw = rng.random()
        if tokens[t] not in ",." and draw < 0.10:
            tokens[t] = f"cue-{CITATION_LABELS[field]}"
        elif tokens[t] not in ",." and draw < 0.20:
            tokens[t] = ","
    return gold, tokens


def _citations(signal: float) -> Iterator[lawful.Lattice]:
    rng = np.random.default_rng(20120901)
    size = len(CITATION_LABELS)
    labels = lawful.LabelSet(CITATION_LABELS)
    transitions = lawful.lattice.Transitions(rng.normal(-1.0, 0.7, (size, size)) + 2.5 * np.eye(size))
    for _ in range(500):
        gold, tokens = _citation(rng)
        scores = rng.normal(0, 1.0, (len(gold), size))
        scores[np.arange(len(gold)), gold] += signal
        yield lawful.Lattice(scores, transitions, labels=labels, tokens=tokens)


def _citation_rules(price: float | None, per: Any = "violation") -> lawful.Rules:
    rules = [
        *(lawful.at_most_segments(1, label) for label in CITATION_LABELS),
        lawful.starts_with("author", "editor", "title"),
        lawful.change_only_after(lawful.token.is_in([",", "."])),
        *(lawful.when(lawful.token.is_in([f"cue-{label}"])).then(label) for label in CITATION_LABELS),
    ]
    return lawful.Rules(*(rules if price is None else (rule.soft(price, per=per) for rule in rules)))


def _misleading_citations() -> Iterator[lawful.Lattice]:
    """Citations in which chunks between two punctuation marks look, as a whole, like a field that is used elsewhere."""
    rng = np.random.default_rng(20120902)
    size, signal = len(CITATION_LABELS), 3.0
    labels = lawful.LabelSet(CITATION_LABELS)
    transitions = lawful.lattice.Transitions(rng.normal(-1.0, 0.7, (size, size)) + 2.5 * np.eye(size))
    for _ in range(500):
        gold, tokens = _citation(rng)
        scores = rng.normal(0, 1.0, (len(gold), size))
        scores[np.arange(len(gold)), gold] += signal
        begin = 0
        for t, word in enumerate(tokens):
            if word not in ",." and t + 1 < len(tokens):
                continue
            others = sorted(set(gold) - {gold[t]})
            if others and rng.random() < 0.35:
                scores[begin : t + 1, int(rng.choice(others))] += 1.3 * signal
            begin = t + 1
        yield lawful.Lattice(scores, transitions, labels=labels, tokens=tokens)


def _priced_rules() -> lawful.Rules:
    cued = ("booktitle", "date", "editor", "location", "note", "pages", "tech")
    rules = [
        *(lawful.at_most_segments(1, label) for label in CITATION_LABELS),
        lawful.starts_with("author", "editor", "title"),
        lawful.change_only_after(lawful.token.is_in([",", "."])),
        *(lawful.when(lawful.token.is_in([f"cue-{label}"])).then(label) for label in cued),
    ]
    prices = np.random.default_rng(len(rules)).uniform(2.0, 5.0, len(rules))
    return lawful.Rules(
        *(rule.soft(float(price), per="sequence") for rule, price in zip(rules, prices, strict=True))
    )


def _priced() -> Workload:
    what = (
        "citation-like, 500 of 20 to 60 tokens, 13 labels, transitions; 22 rules paid once a sequence at prices of their own, "
        "and chunks that look like another field"
    )
    return Workload("B-priced", what, [*_misleading_citations()], _priced_rules())


def _b(name: str, what: str, rules: lawful.Rules, signal: float = 2.8) -> Workload:
    return Workload(
        name,
        f"citation-like, 500 of 20 to 60 tokens, 13 labels, transitions; {what}",
        [*_citations(signal)],
        rules,
    )


# --- C: long sequences -----------------------------------------------------------------------------------------


def _long(name: str, length: int, count: int, signal: float = 3.0) -> Workload:
    rng = np.random.default_rng(length)
    size, single = len(LONG_LABELS), 5
    labels = lawful.LabelSet(LONG_LABELS)
    transitions = lawful.lattice.Transitions(rng.normal(-1.0, 0.5, (size, size)) + 2.0 * np.eye(size))
    lattices = []
    for _ in range(count):
        gold: list[int] = []
        for _ in range(length):
            gold += [int(rng.integers(single, size))] * int(rng.geometric(0.2))
        gold = gold[:length]
        for field in range(single):
            at = int(rng.integers(0, length - 8))
            gold[at : at + int(rng.integers(2, 8))] = [field] * int(rng.integers(2, 8))
            gold = gold[:length]
        scores = rng.normal(0, 1.0, (len(gold), size))
        scores[np.arange(len(gold)), gold] += signal
        lattices.append(lawful.Lattice(scores, transitions, labels=labels))
    rules = lawful.Rules(*(lawful.at_most_segments(1, label) for label in LONG_LABELS[:single]))
    return Workload(
        name,
        f"{count} of {length} tokens, 25 labels, transitions, 5 appears-once rules",
        lattices,
        rules,
    )


# How much the right label gains over noise of variance 1 decides how many rules the rule-free answers break. B and C
# take what makes a rule-free tagger right about as often as real ones are: 86 % of the tokens on B (the HMM of Chang et
# al. on citations: 86.7), 91 % on C. Their noisy twins are a bad tagger's: 57 % and 59 to 68 %.
MAKERS: dict[str, Callable[[], Workload]] = {
    "A": lambda: _srl(with_transitions=False),
    "A+T": lambda: _srl(with_transitions=True),
    "B": lambda: _b("B", "29 hard rules", _citation_rules(None)),
    "B-soft": lambda: _b("B-soft", "the same rules at price 3 a violation", _citation_rules(3.0)),
    "B-once": lambda: _b("B-once", "the same rules at price 3 a sequence", _citation_rules(3.0, "sequence")),
    "B-priced": _priced,
    "B-noisy": lambda: _b("B-noisy", "29 hard rules, noisier scores", _citation_rules(None), 2.0),
    "C200": lambda: _long("C200", 200, 100),
    "C1000": lambda: _long("C1000", 1000, 40),
    "C200-noisy": lambda: _long("C200-noisy", 200, 100, 2.2),
    "C1000-noisy": lambda: _long("C1000-noisy", 1000, 40, 2.2),
}
