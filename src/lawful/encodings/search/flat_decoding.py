"""The best labels of a whole corpus, from scores of an encoding's tags."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.automata.transducers.transducer import Symbol
from lawful.decoding import Decoder
from lawful.encodings.encoding import Encoding
from lawful.encodings.search.encodable import EncodableCorpus
from lawful.encodings.symbols import label_of
from lawful.errors import InfeasibleError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats

__all__ = ["TagScores", "best_labels"]

Ints = npt.NDArray[np.int64]
NOTHING = -1  # no tag has been written yet


class TagScores(NamedTuple):
    """The scores of tags on all tokens of a corpus.

    Attributes
    ----------
    tags : LabelSet
        Those that the training data show.
    emissions : array (M, K)
    transitions : array (K, K)
    start, end : array (K,) or None
    """

    tags: LabelSet
    emissions: Floats
    transitions: Floats
    start: Floats | None
    end: Floats | None


def best_labels(corpus: EncodableCorpus, encoding: Encoding, scores: TagScores) -> list[list[str]]:
    """The canonical labels of each sequence whose tags score best.

    Examples
    --------
    >>> from lawful.encodings import identity_encoding
    >>> scores = TagScores(LabelSet(["A", "B"]), np.array([[0.0, 1.0], [2.0, 0.0]]), np.zeros((2, 2)), None, None)
    >>> best_labels(EncodableCorpus([["x", "x"]], [["A", "A"]]), identity_encoding(["A", "B"]), scores)
    [['B', 'A']]
    """
    if encoding.delayed:
        return _late_labels(corpus, encoding, scores)
    # One column for each arc: a path of arcs is a path of tags, and one of labels.
    arcs = [arc for arc in encoding.transducer.arcs if str(arc.output[0]) in scores.tags]
    tag_of = np.array([scores.tags.index(str(arc.output[0])) for arc in arcs])
    emissions = scores.emissions[:, tag_of]
    _forbid(emissions, corpus, encoding, [arc.input for arc in arcs])
    sources, targets = np.array([arc.source for arc in arcs]), np.array([arc.target for arc in arcs])
    steps = np.where(targets[:, None] == sources, scores.transitions[np.ix_(tag_of, tag_of)], -np.inf)
    start = np.where(sources == 0, 0.0 if scores.start is None else scores.start[tag_of], -np.inf)
    final = np.isin(targets, [ending.state for ending in encoding.transducer.endings])
    end = np.where(final, 0.0 if scores.end is None else scores.end[tag_of], -np.inf)
    names = LabelSet([str(number) for number in range(len(arcs))])
    shared = Transitions(steps, labels=names)
    lattices = [
        Lattice(emissions[first:last], shared, labels=names, start=start, end=end)
        for first, last in pairwise(corpus.offsets.tolist())
    ]
    labels = [label_of(arc.input) for arc in arcs]
    found = Decoder(labels=names).decode_batch(lattices, jobs=1).labels
    return [[labels[int(column)] for column in of_sequence] for of_sequence in found]


class _Step(NamedTuple):
    """An arc of the encoding after a tag, or an ending: from and to are pairs of a state and the tag before it, by number."""

    source: int
    target: int
    symbol: Symbol
    offset: int
    after: int
    output: tuple[int, ...]


def _late_steps(encoding: Encoding, tags: LabelSet) -> tuple[list[_Step], list[_Step], int]:
    """Every arc, and every ending, after every tag that can stand before it; how many pairs of a state and a tag there are."""

    def known(output: Iterable[Symbol]) -> tuple[int, ...] | None:
        names = list(map(str, output))
        return tags.encode(names) if all(name in tags for name in names) else None

    pairs: dict[tuple[int, int], int] = {(0, NOTHING): 0}
    queue = [(0, NOTHING)]
    steps: list[_Step] = []
    endings: list[_Step] = []
    for state, after in queue:  # grows inside the loop
        source, offset = pairs[state, after], encoding.offsets[state]
        for arc in (arc for arcs in encoding.transducer.steps[state].values() for arc in arcs):
            output = known(arc.output)
            if output is not None:
                following = arc.target, output[-1] if output else after
                if following not in pairs:
                    pairs[following] = len(pairs)
                    queue.append(following)
                steps.append(_Step(source, pairs[following], arc.input, offset, after, output))
        for ending in encoding.transducer.endings_of.get(state, ()):
            output = known(ending.output)
            if output is not None:
                endings.append(_Step(source, source, "", offset, after, output))
    return steps, endings, len(pairs)


def _late_labels(corpus: EncodableCorpus, encoding: Encoding, scores: TagScores) -> list[list[str]]:
    """The same where tags are written later: a step is an arc after a tag, with the scores of whatever it writes.

    Few steps lead into a state, so that a table of all pairs of steps would be empty for the most part: all sequences are
    searched side by side, one token after the other.
    """
    steps, endings, size = _late_steps(encoding, scores.tags)
    firsts, lasts = corpus.offsets[:-1], corpus.offsets[1:]
    of_token = np.repeat(np.arange(len(firsts)), np.diff(corpus.offsets))
    tokens = np.arange(int(corpus.offsets[-1]))

    def written(at: Ints, sequence: Ints, after: int, output: tuple[int, ...]) -> Floats:
        """What it scores to write tags from each token on; -inf where they do not fit."""
        total = np.zeros(len(at))
        for tag in output:
            fits = (at >= firsts[sequence]) & (at < lasts[sequence])
            fits &= (at == firsts[sequence]) == (after == NOTHING)
            total[~fits] = -np.inf
            total[fits] += scores.emissions[at[fits], tag]
            if after != NOTHING:
                total[fits] += scores.transitions[after, tag]
            elif scores.start is not None:
                total[fits] += scores.start[tag]
            at, after = at + 1, tag
        return total

    emissions = np.stack(
        [written(tokens - step.offset, of_token, step.after, step.output) for step in steps], axis=1
    )
    _forbid(emissions, corpus, encoding, [step.symbol for step in steps])
    finals = np.full((len(firsts), size), -np.inf)
    for ending in endings:
        total = written(lasts - ending.offset, np.arange(len(firsts)), ending.after, ending.output)
        last = ending.output[-1] if ending.output else ending.after
        if scores.end is not None and last != NOTHING:
            total = total + scores.end[last]
        finals[:, ending.source] = np.maximum(finals[:, ending.source], total)
    sources, targets = np.array([step.source for step in steps]), np.array([step.target for step in steps])
    chosen = _best_steps(corpus, emissions, sources, targets, finals)
    labels = [label_of(step.symbol) for step in steps]
    return [
        [labels[step] for step in chosen[first:last]] for first, last in pairwise(corpus.offsets.tolist())
    ]


def _best_steps(
    corpus: EncodableCorpus, emissions: Floats, sources: Ints, targets: Ints, finals: Floats
) -> list[int]:
    """The best step at each token: steps lead from state to state, from 0 to where `finals` allow."""
    order = np.argsort(targets, kind="stable")
    into, cuts = np.unique(targets[order], return_index=True)
    sequences = corpus.longest_first
    reached = [np.full((len(sequences), finals.shape[1]), -np.inf)]
    reached[0][:, 0] = 0.0
    for tokens in corpus.by_position:
        steps = reached[-1][: len(tokens), sources[order]] + emissions[np.ix_(tokens, order)]
        states = np.full((len(tokens), finals.shape[1]), -np.inf)
        states[:, into] = np.maximum.reduceat(steps, cuts, axis=1)
        reached.append(states)
    # From the end back: the step that led to each state. Shorter sequences begin later.
    chosen = np.empty(len(emissions), dtype=np.int64)
    now = np.empty(0, dtype=np.int64)
    for position in reversed(range(len(corpus.by_position))):
        tokens = corpus.by_position[position]
        fresh = np.arange(len(now), len(tokens))
        ended = reached[position + 1][fresh] + finals[sequences[fresh]]
        lost = np.flatnonzero(ended.max(axis=1, initial=-np.inf) == -np.inf)
        if len(lost):
            raise InfeasibleError([], None, sequence=int(sequences[fresh[lost[0]]]))
        now = np.concatenate([now, ended.argmax(axis=1)])
        steps = reached[position][: len(tokens), sources] + emissions[tokens]
        steps[targets != now[:, None]] = -np.inf
        chosen[tokens] = steps.argmax(axis=1)
        now = sources[chosen[tokens]]
    found: list[int] = chosen.tolist()
    return found


def _forbid(
    emissions: Floats, corpus: EncodableCorpus, encoding: Encoding, symbols: Iterable[Symbol]
) -> None:
    """Leave out what may not be read on a token."""
    for column, symbol in enumerate(symbols):
        allowed = corpus.allowed(symbol, encoding.attributes)
        if allowed is not None:
            emissions[~allowed, column] = -np.inf
