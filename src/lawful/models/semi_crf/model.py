"""The semi-Markov conditional random field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Self, Unpack

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.corpus.sequences import ContextsLike, SequencesLike, token_lists
from lawful.decoding.predicting import cut_for
from lawful.errors import EmptySequenceError, NotFittedError
from lawful.labels import LabelSet
from lawful.lattice import SegmentLattice
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import Functions, SequenceModel
from lawful.models.base.sequences import check_pairs
from lawful.models.linear.attributes import restored_defaults, saved_defaults
from lawful.models.linear.fitting import FeatureChoice, run
from lawful.models.linear.outputs import Outputs
from lawful.models.linear.progress import Progress
from lawful.models.linear.training import TrainingOptions
from lawful.models.linear.weights import StateFeatures, Weights
from lawful.models.semi_crf.segments.attributes import SegmentAttributes
from lawful.models.semi_crf.segments.collection import SegmentFeatures
from lawful.models.semi_crf.segments.segmentation import Segment, Segmentation
from lawful.models.semi_crf.training import SemiLbfgs
from lawful.support.threads import thread_count

if TYPE_CHECKING:
    from lawful.decoding.options import DecoderOptions
    from lawful.models.base.predictor import GivenRules
    from lawful.models.features import Features

__all__ = ["SemiCRF"]

Ints = npt.NDArray[np.int32]
CHUNK = 256  # sequences that are scored at a time


class SemiCRF(SequenceModel):
    """A semi-Markov CRF (Sarawagi & Cohen 2004): it cuts sequences into segments, and features see whole segments.

    A segmentation scores the sum over its segments of the features of their tokens and of the segments themselves, and
    of the transitions between neighbouring segments. Training minimises
    `sum of -log p(segments | x) + c2 |w|^2 + c1 |w|_1`, exactly, in time O(T L K + T K^2) per sequence.

    In the scheme "flat" segments are runs of one label, so that labels determine segments; with `repeat`, a run may also be
    several segments in a row, and the best segmentation of a label sequence counts (for marginals without rules, the sum
    over all of them). In "IOB2" and the like segments are spans, and a token outside is a segment "O".

    Parameters
    ----------
    features : Features, optional
        Templates for tokens. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
    segment_features : SegmentFeatures, optional
        Templates for segments: `lawful.models.semi_crf.segments` has lengths, first and last tokens, whole texts, word lists and
        functions of your own. None if not given.
    max_length : int, optional
        Maximum number of tokens in a segment. By default the longest segment of each label in the data.
    scheme : str
        How the labels of tokens describe segments: "flat", "IOB2", "IOE2", "IOBES", "BILOU", "BMES" or "BMEWO".
    repeat : bool
        For "flat": whether segments of the same label may follow each other. Runs in the data longer than `max_length`
        are then cut; otherwise they are refused.
    c1, c2 : float
        Coefficients of the absolute and of the squared penalty.
    all_states, all_transitions : bool
        Also make features that the data does not show.
    min_count : float
        Leave out features seen less often.
    start, end : bool
        Whether the first and the last segment's label have features.
    max_iterations : int, optional
    tolerance : float
    memory : int
        How many steps L-BFGS remembers.
    jobs : int, optional
        Threads; all cores if not given. Results do not depend on it.
    verbose : bool

    Attributes
    ----------
    labels_ : LabelSet
        The labels of tokens.
    segmentation_ : Segmentation
        The labels of segments, and how long each may be.
    weights_ : array (F,)
    state_features_ : mapping from (attribute, segment label) to weight
    transition_features_ : dict from (segment label, segment label) to weight
    history_ : list of Progress
    objective_ : float
        At the end of training.

    Examples
    --------
    >>> from lawful.models import segments
    >>> X = [["Ann", "Lee", ",", "1998"], ["Bo", "Ek", ",", "2004"]]
    >>> items = [[[word.isdigit() and "digits" or word] for word in words] for words in X]
    >>> y = [["name", "name", "name", "year"]] * 2
    >>> model = SemiCRF(segment_features=segments.SegmentFeatures(segments.length()), c2=0.1).fit(items, y)
    >>> model.predict_segments([[["Cy"], ["Fox"], [","], ["digits"]]])
    [[Segment(start=0, end=3, label='name'), Segment(start=3, end=4, label='year')]]
    """

    kind = "semi-crf"
    feature_parameters = ("features",)

    def __init__(
        self,
        features: Features | None = None,
        segment_features: SegmentFeatures | None = None,
        *,
        max_length: int | None = None,
        scheme: str = "flat",
        repeat: bool = False,
        c1: float = 0.0,
        c2: float = 1.0,
        all_states: bool = False,
        all_transitions: bool = False,
        min_count: float = 0.0,
        start: bool = False,
        end: bool = False,
        max_iterations: int | None = None,
        tolerance: float = 1e-5,
        memory: int = 6,
        jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.features = features
        self.segment_features = segment_features
        self.max_length = max_length
        self.scheme = scheme
        self.repeat = repeat
        self.c1 = c1
        self.c2 = c2
        self.all_states = all_states
        self.all_transitions = all_transitions
        self.min_count = min_count
        self.start = start
        self.end = end
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.memory = memory
        self.jobs = jobs
        self.verbose = verbose

    # --- learning -------------------------------------------------------------------------------------------

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        callback: Callable[[Progress], object] | None = None,
    ) -> Self:
        """Learn from labelled sequences.

        Parameters
        ----------
        X, y : sequences of tokens and of labels
        callback : function of a `Progress`, optional
            Called after every iteration; training ends early if it returns True.
        """
        options = TrainingOptions.checked(
            "lbfgs",
            c1=self.c1,
            c2=self.c2,
            max_iterations=self.max_iterations,
            tolerance=self.tolerance,
            memory=self.memory,
            threads=self._threads,
            seed=None,
        )
        sequences, gold_labels = check_pairs(X, y)
        self._remember_cut(sequences)
        segmentation = Segmentation.fit(
            gold_labels, scheme=self.scheme, max_length=self.max_length, repeat=self.repeat
        )
        gold = [segmentation.read(labels) for labels in gold_labels]
        seen = SegmentFeatures() if self.segment_features is None else self.segment_features
        attributes, rows = SegmentAttributes.fit(self.features, seen, segmentation, sequences, gold)
        choice = FeatureChoice(self.all_states, self.all_transitions, self.min_count, self.start, self.end)
        trainer, start = SemiLbfgs.of(attributes, rows, gold, options, choice)
        weights, self.history_ = run(trainer, start, verbose=self.verbose, callback=callback)
        self.objective_ = self.history_[-1].objective
        return self._set(weights.pruned(), attributes)

    def _set(self, weights: Weights, attributes: SegmentAttributes) -> Self:
        self.segmentation_ = attributes.segmentation
        self.labels_ = self.segmentation_.labels
        self._weights = weights
        self._attributes = SegmentAttributes(
            attributes.seen, self.segmentation_, attributes.kinds, weights.attribute_map
        )
        self._tags = self.segmentation_.tags
        return self

    @property
    def _threads(self) -> int:
        return thread_count(self.jobs)

    def _fitted(self) -> Weights:
        try:
            return self._weights
        except AttributeError:
            raise NotFittedError(type(self).__name__) from None

    # --- what was learned -----------------------------------------------------------------------------------

    @property
    def features_(self) -> Features | None:
        """The templates in use: those given, or the default ones; None if tokens are items, which need none."""
        return self._fitted().attribute_map.blocks[0].features

    @property
    def weights_(self) -> Floats:
        """All weights."""
        return self._fitted().values

    @property
    def state_features_(self) -> StateFeatures:
        """The weights of attributes with segment labels."""
        return StateFeatures(self._fitted())

    @property
    def transition_features_(self) -> dict[tuple[str, str], float]:
        """The weights of pairs of neighbouring segment labels."""
        return self._fitted().edges()

    def top_features(self, n: int = 20, label: str | None = None) -> list[tuple[str, str, float]]:
        """The `n` state features of largest absolute weight: (attribute, segment label, weight), of one label or all."""
        return self.state_features_.top(n, label)

    # --- scoring --------------------------------------------------------------------------------------------

    def _read(self, X: Sequence[Sequence[Any]]) -> tuple[_core.SemiSegments, npt.NDArray[np.int64]]:
        self._fitted()
        rows = self._attributes.extract(X, jobs=self._threads)
        return self._attributes.core(rows), rows["tokens"].sequence_offsets

    def lattice(self, tokens: Sequence[Any], /) -> SegmentLattice:
        """The segmentations of one sequence: its paths are exactly those that the model scores."""
        return next(self.lattices([tokens]))

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterator[SegmentLattice]:
        """The segmentations of many sequences."""
        rest = iter(sequences)
        while chunk := [list(tokens) for tokens in islice(rest, CHUNK)]:
            if not all(chunk):
                raise EmptySequenceError("tokens")
            data, _ = self._read(chunk)
            weights = self._fitted()
            scores = _core.semi_scores(
                weights.layout, data, weights.values, self._tags, threads=self._threads
            )
            for words, of_sequence in zip(chunk, scores, strict=True):
                yield SegmentLattice(of_sequence, self.labels_, words)

    def predict_segments(self, X: SequencesLike) -> list[list[Segment]]:
        """The best segments of each sequence, without rules."""
        offsets, ends, labels = self._best(X)
        names = self.segmentation_.names
        segments = []
        for start, stop in pairwise(offsets.tolist()):
            borders = [0, *ends[start:stop].tolist()]
            segments.append(
                [
                    Segment(*pair, names[k])
                    for pair, k in zip(pairwise(borders), labels[start:stop], strict=True)
                ]
            )
        return segments

    def _best(self, X: SequencesLike) -> tuple[npt.NDArray[np.int64], Ints, Ints]:
        """The best segments of all sequences: where those of each begin, where each ends, its label."""
        data, _ = self._read(token_lists(cut_for(self, X)))
        weights = self._fitted()
        offsets, ends, labels, _ = _core.semi_best(
            weights.layout, data, weights.values, threads=self._threads
        )
        return offsets, ends, labels

    def predict(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[list[str]]:
        """The best labels of each sequence, under rules if there are any; an empty one gets an empty answer.

        Parameters are those of `SequenceModel.predict`. Without rules and options no graph is made.
        """
        if rules is None and contexts is None and not options:
            return self.segmentation_.write_all(*self._best(X))
        return super().predict(X, rules, contexts=contexts, jobs=jobs, **options)

    def predict_marginals(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[npt.NDArray[np.float64]]:
        """For each sequence an array (T, K): the probability of each label at each token, in the order of `labels`."""
        if rules is not None or contexts is not None or options:
            return super().predict_marginals(X, rules, contexts=contexts, jobs=jobs, **options)
        data, offsets = self._read(token_lists(cut_for(self, X)))
        weights = self._fitted()
        *chances, _ = _core.semi_marginals(weights.layout, data, weights.values, threads=self._threads)
        marginals = self.segmentation_.spread(*chances)
        return np.split(marginals, offsets[1:-1])

    # --- files ----------------------------------------------------------------------------------------------

    def _parameters_as_data(self) -> dict[str, Any]:
        data = super()._parameters_as_data()
        if self.segment_features is not None:
            data["segment_features"] = self.segment_features.to_dict()
        return data

    @classmethod
    def _with_features(cls, data: Mapping[str, Any], functions: Functions) -> Mapping[str, Any]:
        parameters = dict(super()._with_features(data, functions))
        if parameters["segment_features"] is not None:
            parameters["segment_features"] = SegmentFeatures.from_dict(
                parameters["segment_features"], functions=functions
            )
        return parameters

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        weights = self._fitted()
        meta = {"objective": self.objective_, "segmentation": self.segmentation_.as_data()}
        return meta | saved_defaults(self.features, weights.attribute_map), weights.saved()

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        data = meta["segmentation"]
        segmentation = Segmentation(
            self.scheme, *(tuple(data[name]) for name in ("names", "longest", "repeats"))
        )
        if segmentation.labels != self.labels_:
            raise ValueError("the labels are not those of the segments")
        seen = SegmentFeatures() if self.segment_features is None else self.segment_features
        features = restored_defaults(self.features, meta)
        attributes = SegmentAttributes.restored(features, seen, segmentation, arrays, "attribute")
        outputs = Outputs.of(LabelSet(segmentation.names))
        weights = Weights.restored(outputs, attributes.attribute_map, None, arrays, len(segmentation.names))
        self.history_, self.objective_ = [], meta["objective"]
        self._set(weights, attributes)
