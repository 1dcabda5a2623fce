"""Many sequences in a few arrays, end to end: what comes in, and what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.decoding.result import Decoding
from lawful.errors import DtypeError, InputError, ScoreError, ShapeError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats, float_array, is_masked, refuse_illegal
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.contexts import Context
from lawful.support.threads import thread_count

__all__ = ["ArrayDecodings", "Column", "FlatBatch", "FromArrays", "flattened"]

Integers: TypeAlias = npt.NDArray[np.int64]
Column: TypeAlias = Sequence[Any] | npt.NDArray[np.integer[Any]]


class ArrayDecodings:
    """The best labels of many sequences, in a few arrays. Made by `Decoder.decode_arrays`.

    Attributes
    ----------
    labels : int32 array (R,)
        The labels of all tokens, end to end, as indices in the label set; -1 where a limit came before any answer.
    offsets : int64 array (N + 1,)
        Sequence n has `labels[offsets[n]:offsets[n + 1]]`.
    scores : float64 array (N,)
    statuses : list of str
        "optimal" or "bounded"; "infeasible" only from a decoder with `on_infeasible="least_bad"`.
    label_set : LabelSet

    Examples
    --------
    >>> import lawful
    >>> decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=["A", "B"])
    >>> results = decoder.decode_arrays([[0.0, 1.0], [0.0, 2.0], [1.0, 0.0]], lengths=[2, 1])
    >>> results.labels.tolist(), results.scores.tolist(), results.named
    ([0, 1, 0], [2.0, 1.0], [('A', 'B'), ('A',)])
    >>> [labels.tolist() for labels in results]
    [[0, 1], [0]]
    """

    def __init__(
        self,
        labels: npt.NDArray[np.int32],
        offsets: Integers,
        scores: npt.NDArray[np.float64],
        statuses: list[str],
        label_set: LabelSet,
    ) -> None:
        self.labels, self.offsets, self.scores = labels, offsets, scores
        self.statuses, self.label_set = statuses, label_set

    @cached_property
    def named(self) -> list[tuple[str, ...]]:
        """The labels of each sequence by name; none for one without an answer."""
        return [self.label_set.decode(number for number in labels.tolist() if number >= 0) for labels in self]

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[npt.NDArray[np.int32]]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> npt.NDArray[np.int32]:
        """The labels of one sequence, as indices."""
        number = range(len(self))[index]
        return self.labels[self.offsets[number] : self.offsets[number + 1]]

    def __repr__(self) -> str:
        return f"ArrayDecodings({len(self)} sequences, {len(self.labels)} tokens)"


class FlatBatch:
    """The scores of many sequences end to end, with what rules want to know of them; checked.

    See `Decoder.decode_arrays` for the parameters.
    """

    def __init__(
        self,
        labels: LabelSet,
        emissions: npt.ArrayLike,
        lengths: npt.ArrayLike,
        *,
        transitions: Transitions | npt.ArrayLike | None,
        start: npt.ArrayLike | None,
        end: npt.ArrayLike | None,
        tokens: Sequence[Any] | npt.NDArray[Any] | None,
        vocabulary: Sequence[Any] | None,
        context: Mapping[str, Column] | None,
    ) -> None:
        self.labels, count = labels, len(labels)
        scores = float_array(emissions, "emissions")
        if scores.ndim not in (2, 3) or scores.shape[-1] != count:
            shapes = f"(R, {count}) or (N, T, {count}) for {count} labels"
            raise ShapeError("emissions", shapes, scores.shape)
        self.lengths = _checked_lengths(lengths, scores)
        if scores.ndim == 3:
            scores = _without_padding(scores, self.lengths)
        self.offsets: Integers = np.zeros(len(self.lengths) + 1, dtype=np.int64)
        np.cumsum(self.lengths, out=self.offsets[1:])
        self.rows = int(self.offsets[-1])
        if len(scores) != self.rows:
            raise ShapeError(
                "emissions", f"({self.rows}, {count}): lengths add up to {self.rows}", scores.shape
            )
        self.emissions = np.ascontiguousarray(scores)
        self.transitions = _one_matrix(transitions, labels)
        self.start = None if start is None else _boundary(start, "start", labels)
        self.end = None if end is None else _boundary(end, "end", labels)
        self.vocabulary, self.tokens = vocabulary, _checked_tokens(tokens, vocabulary, self.rows)
        if context is not None and not isinstance(context, Mapping):
            raise DtypeError("context", "a mapping from names to columns", repr(context)[:60])
        self.context = {
            name: _checked_column(column, name, len(self)) for name, column in (context or {}).items()
        }

    def __len__(self) -> int:
        return len(self.lengths)

    def examples(self, compiled: CompiledRules) -> _core.Examples | None:
        """What rules see of the sequences, as the core takes it; None if it has to be looked at one by one."""
        if compiled.binder is None:
            return None
        examples = _core.Examples(compiled.binder, self.lengths)
        for number, source in enumerate(compiled.sources):
            wanted = source.wanted
            if not isinstance(wanted, Context):
                column: Any = [wanted] * len(self)
            elif wanted.name in self.context:
                column = self.context[wanted.name]
            else:
                column = [wanted.default] * len(self)
            if not isinstance(column, np.ndarray):
                examples.read(number, column, source.known, source.ask)
            elif source.read_array is not None and column.ndim == (1 if source.one_each else 2):
                source.read_array(examples, number, column)
            else:
                return None
        if compiled.reader is not None:
            if self.tokens is None:
                return None
            try:
                codes = compiled.reader.encode(self.tokens, self.vocabulary)
            except Exception:  # noqa: BLE001 - a test's own error: the sequence that has the token will name it
                return None
            examples.set_codes(*codes)
        return examples

    def lattice(self, index: int) -> Lattice:
        """One sequence as a lattice; errors name it."""
        begin, end = int(self.offsets[index]), int(self.offsets[index + 1])
        try:
            return Lattice(
                self.emissions[begin:end],
                self.transitions,
                labels=self.labels,
                start=self.start,
                end=self.end,
                tokens=self._tokens_of(begin, end),
                context={name: _value_at(column, index) for name, column in self.context.items()},
            )
        except ScoreError as error:
            position, label = error.index
            where = f"sequence {index + 1}, position {position}: emissions"
            raise ScoreError(where, (begin + position, label), error.value, error.label) from None
        except InputError as error:
            error.add_note(f"in sequence {index + 1} of the batch")
            raise

    def _tokens_of(self, begin: int, end: int) -> list[Any] | None:
        if self.tokens is None:
            return None
        if self.vocabulary is None:
            return list(self.tokens[begin:end])
        return [self.vocabulary[number] for number in self.tokens[begin:end]]


class FromArrays:
    """The method of `Decoder` for those who have scores in arrays."""

    labels: LabelSet

    def _decode_flat(self, batch: FlatBatch, threads: int) -> ArrayDecodings:
        raise NotImplementedError

    def decode_arrays(
        self,
        emissions: npt.ArrayLike,
        lengths: npt.ArrayLike,
        *,
        transitions: Transitions | npt.ArrayLike | None = None,
        start: npt.ArrayLike | None = None,
        end: npt.ArrayLike | None = None,
        tokens: Sequence[Any] | npt.NDArray[Any] | None = None,
        vocabulary: Sequence[Any] | None = None,
        context: Mapping[str, Column] | None = None,
        jobs: int | None = None,
    ) -> ArrayDecodings:
        """The best labels of many sequences whose scores are in one array: the quickest way for those who have them so.

        The answers are those of `decode_batch` for the same sequences as lattices, but no object is made for each of them.

        Parameters
        ----------
        emissions : array (R, K), or (N, T, K)
            The scores of all tokens, end to end; or padded, of which the first `lengths[n]` rows of sequence n count.
        lengths : int array (N,)
            The number of tokens of each sequence.
        transitions : array (K, K) or `Transitions`, start, end : array (K,), optional
            As of a `Lattice`; the same for all sequences.
        tokens : sequence of length R, optional
            The tokens of all sequences, end to end, for rules that look at them; or their numbers in the vocabulary.
        vocabulary : sequence of tokens, optional
            Rules look at its words once for each call, and only once at all if it is the same tuple each time.
        context : mapping from names to columns, optional
            What rules ask for by name. A column is a list with a value for each sequence; an int array (N,) of positions;
            or an int array (M, 3) of spans, whose rows are (sequence, start, end) in the order of the sequences.
        jobs : int, optional
            Threads; all cores if not given.

        Examples
        --------
        >>> import lawful
        >>> rules = [lawful.uniform(), lawful.when(lawful.token.is_in(["Mr"])).then("Title")]
        >>> decoder = lawful.Decoder(rules, labels=["Name", "Title"])
        >>> results = decoder.decode_arrays(
        ...     [[0.5, 0.0], [0.0, 1.0], [2.0, 0.0], [1.0, 0.0]],
        ...     lengths=[3, 1],
        ...     tokens=["Dr", "J", "Ho", "Mr"],
        ...     context={"spans": [[(1, 3)], []]},
        ... )
        >>> results.named, results.scores.tolist()
        ([('Name', 'Name', 'Name'), ('Title',)], [2.5, 0.0])
        >>> decoder.decode_arrays([[0.0, 0.0], [0.0, float("nan")]], [1, 1], tokens=["a", "b"], context={"spans": [[], []]})
        Traceback (most recent call last):
        lawful.errors.ScoreError: sequence 2, position 0: emissions[1, 1] (label 'Title') is nan: scores are finite logs, or -inf for what is forbidden
        """
        batch = FlatBatch(
            self.labels,
            emissions,
            lengths,
            transitions=transitions,
            start=start,
            end=end,
            tokens=tokens,
            vocabulary=vocabulary,
            context=context,
        )
        return self._decode_flat(batch, thread_count(jobs))


def flattened(decodings: Iterable[Decoding], batch: FlatBatch) -> ArrayDecodings:
    """Results one by one as results in arrays."""
    results = list(decodings)
    labels = np.full(batch.rows, -1, dtype=np.int32)
    for index, result in enumerate(results):
        if result.solution.labels is not None:
            labels[batch.offsets[index] : batch.offsets[index + 1]] = result.solution.labels
    scores = np.array([result.score for result in results], dtype=np.float64)
    return ArrayDecodings(labels, batch.offsets, scores, [result.status for result in results], batch.labels)


def _checked_lengths(lengths: npt.ArrayLike, scores: Floats) -> Integers:
    _refuse_masked(lengths, "lengths")
    array = np.asarray(lengths)
    if array.ndim != 1:
        raise ShapeError("lengths", "(N,), one for each sequence", array.shape)
    if array.dtype.kind not in "iu" and array.size:
        raise DtypeError("lengths", "whole numbers", f"dtype {array.dtype}")
    if array.size and array.min() < 1:
        wrong = np.flatnonzero(array < 1)[0]
        raise InputError(
            f"lengths[{wrong}] is {array[wrong]}: every sequence needs at least one token; leave empty ones out"
        )
    longest = scores.shape[1] if scores.ndim == 3 else len(scores)
    if array.size and array.max() > longest:  # before they are added up, or put into fewer bits
        wrong = np.flatnonzero(array > longest)[0]
        rows = f"{longest} rows" + (" a sequence" if scores.ndim == 3 else "")
        raise InputError(f"lengths[{wrong}] is {array[wrong]}, but emissions has {rows}")
    return np.ascontiguousarray(array, dtype=np.int64)


def _refuse_masked(numbers: object, name: str) -> None:
    if is_masked(numbers):
        raise DtypeError(name, "whole numbers", "a masked array, which leaves some of them open")


def _without_padding(scores: Floats, lengths: Integers) -> Floats:
    if len(scores) != len(lengths):
        raise ShapeError("lengths", f"({len(scores)},), one for each sequence of emissions", lengths.shape)
    return scores[np.arange(scores.shape[1]) < lengths[:, None]]


def _one_matrix(transitions: Transitions | npt.ArrayLike | None, labels: LabelSet) -> Transitions | None:
    if transitions is None:
        return None
    matrix = transitions if isinstance(transitions, Transitions) else Transitions(transitions, labels=labels)
    size = len(labels)
    if matrix.scores.shape != (size, size):
        raise ShapeError("transitions", f"({size}, {size}), the same for all sequences", matrix.scores.shape)
    return matrix


def _boundary(scores: npt.ArrayLike, name: str, labels: LabelSet) -> Floats:
    array = np.ascontiguousarray(float_array(scores, name))
    if array.shape != (len(labels),):
        raise ShapeError(name, f"({len(labels)},)", array.shape)
    refuse_illegal(array, name, labels)
    return array


def _checked_tokens(
    tokens: Sequence[Any] | npt.NDArray[Any] | None, vocabulary: Sequence[Any] | None, rows: int
) -> Sequence[Any] | npt.NDArray[Any] | None:
    if tokens is None:
        if vocabulary is not None:
            raise InputError("a vocabulary needs tokens=..., numbers of its words")
        return None
    _refuse_masked(tokens, "tokens")
    if isinstance(tokens, str) or not isinstance(tokens, (Sequence, np.ndarray)):
        raise DtypeError("tokens", "a list of tokens, end to end", repr(tokens)[:60])
    if len(tokens) != rows:
        raise ShapeError("tokens", f"({rows},), one for each row of emissions", (len(tokens),))
    if vocabulary is None:
        return tokens.tolist() if isinstance(tokens, np.ndarray) else tokens
    numbers = np.asarray(tokens)
    if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
        raise DtypeError("tokens", "numbers of words in the vocabulary", f"dtype {numbers.dtype}")
    whole = np.ascontiguousarray(numbers, dtype=np.int64)
    if len(whole) and whole.view(np.uint64).max() >= len(vocabulary):  # one below 0 is then beyond all
        wrong = np.flatnonzero((whole < 0) | (whole >= len(vocabulary)))[0]
        raise InputError(
            f"tokens[{wrong}] is {numbers[wrong]}, but the vocabulary has {len(vocabulary)} words"
        )
    return whole


def _checked_column(column: Any, name: str, count: int) -> Any:
    where = f"context[{name!r}]"
    _refuse_masked(column, where)
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        if column.ndim == 2 and column.shape[1] == 3:
            spans = np.ascontiguousarray(column, dtype=np.int64)
            order = spans[:, 0]
            if len(order) and (order[0] < 0 or order[-1] >= count or (order[1:] < order[:-1]).any()):
                raise InputError(
                    f"{where} must have rows (sequence, start, end) in the order of the {count} sequences"
                )
            return spans
        if column.shape == (count,):
            return np.ascontiguousarray(column, dtype=np.int64)
        raise ShapeError(where, f"({count},), or (M, 3) for spans", column.shape)
    if isinstance(column, str) or not isinstance(column, (Sequence, np.ndarray)):
        raise DtypeError(where, "a value for each sequence", repr(column)[:60])
    if len(column) != count:
        raise ShapeError(where, f"({count},), a value for each sequence", (len(column),))
    return column if type(column) is list else list(column)


def _value_at(column: Any, index: int) -> Any:
    if not isinstance(column, np.ndarray):
        return column[index]
    if column.ndim == 1:
        return int(column[index])
    first, last = np.searchsorted(column[:, 0], [index, index + 1])
    return [(int(begin), int(end)) for _, begin, end in column[first:last]]
