"""Choosing a model for little data: a CRF, an HMM or their blend, and the penalties of the CRF, by folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from lawful.corpus.sequences import SequencesLike
from lawful.errors import InputError
from lawful.learning.prices.cross_fitting import parts_of
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import check_pairs, labels_in
from lawful.models.blend import Blend
from lawful.models.crf import CRF
from lawful.models.hmm.model import HMM
from lawful.schemes.spans import find_spans, guess_scheme
from lawful.support.numbers import check_count

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["KINDS", "Choice", "Tried", "choose_model"]

KINDS = ("crf", "hmm", "blend")

# Few, so that choosing stays quick; picked from a finer grid on references and addresses with 25 and 50 sequences.
PENALTIES = ((0.0, 1.0), (0.0, 0.1), (0.1, 0.1))
SHARES = (0.3, 0.5, 0.7)
WITHOUT_FOLDS = (0.1, 0.1, 0.5)  # penalties and share for a single sequence
TRIAL_ITERATIONS = 100  # of a CRF that is only compared


class Tried(NamedTuple):
    """A candidate, and how well it labelled sequences that it was not fitted to.

    Attributes
    ----------
    c1, c2 : float or None
        Penalties of the CRF; None without one.
    share : float
        The CRF's weight in the blend: 1 for a CRF, 0 for an HMM.
    span_f1, token_accuracy : float
        Over all folds.

    Examples
    --------
    >>> str(Tried(0.1, 0.1, 0.5, 0.7, 0.9))
    'blend of a CRF (c1 0.1, c2 0.1; weight 0.5) and an HMM (weight 0.5)'
    """

    c1: float | None
    c2: float | None
    share: float
    span_f1: float
    token_accuracy: float

    @property
    def kind(self) -> str:
        """The kind of model: crf, hmm or blend."""
        return {0.0: "hmm", 1.0: "crf"}.get(self.share, "blend")

    def __str__(self) -> str:
        if self.kind == "hmm":
            return "HMM"
        if self.kind == "crf":
            return f"CRF (c1 {self.c1:g}, c2 {self.c2:g})"
        return f"blend of a CRF (c1 {self.c1:g}, c2 {self.c2:g}; weight {self.share:g}) and an HMM (weight {1 - self.share:g})"


@dataclass(frozen=True)
class Choice:
    """What `choose_model` chose.

    Attributes
    ----------
    model : SequenceModel
        Fitted to all of the data.
    best : Tried
    tried : list of Tried
        All candidates, the best first; only the best if there was one sequence, which cannot be divided.
    folds : int
    """

    model: SequenceModel
    best: Tried
    tried: list[Tried]
    folds: int


def choose_model(
    X: SequencesLike,
    y: Iterable[Sequence[str]],
    *,
    kinds: Sequence[str] = KINDS,
    features: Features | None = None,
    labels: Sequence[str] | None = None,
    folds: int = 5,
    jobs: int | None = None,
    seed: int = 0,
    on_fold: Callable[[int, int], None] | None = None,
) -> Choice:
    """Choose a CRF, an HMM or their blend, with penalties and weights, by how well each labels what it was not fitted to.

    The sequences are divided into parts; each part is labelled by models that were fitted to the others. The best candidate has
    the highest mean of span F1 and token accuracy. It is then fitted to all sequences.

    Parameters
    ----------
    X, y : sequences of tokens and of labels
    kinds : sequence of str
        Which to consider: "crf", "hmm", "blend".
    features : Features, optional
        Templates of the CRF; the default ones if not given.
    labels : sequence of str, optional
        All labels there are, if some do not occur in the data.
    folds : int
        The number of parts.
    jobs : int, optional
        Threads; all cores if not given. The choice does not depend on it.
    seed : int
        Of the division into parts.
    on_fold : function of two numbers, optional
        Told after each part how many of how many are done.

    Examples
    --------
    >>> from lawful.tasks import generate_citations
    >>> references = generate_citations(20, seed=1)
    >>> choice = choose_model(references, [sentence.labels for sentence in references], folds=2)
    >>> choice.best.kind, len(choice.tried)
    ('blend', 13)
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise InputError(f"kinds must be some of {', '.join(KINDS)}, got {list(kinds)!r}")
    check_count("folds", folds, least=2)
    tokens, gold = check_pairs(X, y)
    known = list(labels_in(gold) if labels is None else labels)
    if features is None and "hmm" not in kinds[:1]:
        from lawful.models.features import default_features

        features = default_features(tokens)
    maker = _Maker(features, known, jobs, seed)
    if len(tokens) < 2:
        c1, c2, share = WITHOUT_FOLDS
        best = Tried(c1, c2, share if "blend" in kinds else float("crf" in kinds), 0.0, 0.0)
        return Choice(maker.fit(best, tokens, gold), best, [best], 0)
    counts: dict[tuple[float | None, float | None, float], _Counts] = {}
    scheme = guess_scheme([known])
    parts = list(parts_of(len(tokens), folds, seed))
    for number, (part, others) in enumerate(parts, 1):
        fitted = maker.candidates([tokens[i] for i in others], [gold[i] for i in others], kinds)
        held_out, wanted = [tokens[i] for i in part], [gold[i] for i in part]
        for key, model in fitted.items():
            counts.setdefault(key, _Counts(scheme)).add(wanted, model.predict(held_out, jobs=jobs))
        if on_fold is not None:
            on_fold(number, len(parts))
    tried = [Tried(*key, count.span_f1, count.token_accuracy) for key, count in counts.items()]
    tried.sort(
        key=lambda one: -(one.span_f1 + one.token_accuracy)
    )  # of equals the first, which is the simplest
    return Choice(maker.fit(tried[0], tokens, gold), tried[0], tried, len(parts))


class _Maker:
    """Makes and fits the candidates."""

    def __init__(self, features: Features | None, labels: Sequence[str], jobs: int | None, seed: int) -> None:
        self.features, self.labels, self.jobs, self.seed = features, list(labels), jobs, seed

    def candidates(
        self, X: Sequence[Sequence[Any]], y: Sequence[Sequence[str]], kinds: Sequence[str]
    ) -> dict[tuple[float | None, float | None, float], SequenceModel]:
        """All candidates of some kinds, fitted; the CRFs only so far that they can be compared."""
        models: dict[tuple[float | None, float | None, float], SequenceModel] = {}
        hmm = HMM(labels=self.labels).fit(X, y) if kinds != ("crf",) else None
        if "hmm" in kinds and hmm is not None:
            models[None, None, 0.0] = hmm
        for c1, c2 in PENALTIES if set(kinds) != {"hmm"} else ():
            crf = self._crf(c1, c2).set_params(max_iterations=TRIAL_ITERATIONS).fit(X, y)
            if "crf" in kinds:
                models[c1, c2, 1.0] = crf
            if "blend" in kinds and hmm is not None:
                models |= {(c1, c2, share): Blend([crf, hmm], [share, 1 - share]) for share in SHARES}
        return models

    def fit(self, best: Tried, X: Sequence[Sequence[Any]], y: Sequence[Sequence[str]]) -> SequenceModel:
        """The best candidate, fitted to everything."""
        parts: list[SequenceModel] = []
        if best.c1 is not None and best.c2 is not None and best.share > 0:
            # Not part of the model: the same data must give the same file on any machine.
            parts.append(self._crf(best.c1, best.c2).fit(X, y).set_params(jobs=None))
        if best.share < 1:
            parts.append(HMM(labels=self.labels).fit(X, y))
        return parts[0] if len(parts) == 1 else Blend(parts, [best.share, 1 - best.share])

    def _crf(self, c1: float, c2: float) -> CRF:
        return CRF(self.features, c1=c1, c2=c2, labels=self.labels, jobs=self.jobs, seed=self.seed)


class _Counts:
    """Spans and tokens that are right, over several predictions."""

    def __init__(self, scheme: str) -> None:
        self.scheme = scheme
        self.tokens = self.right_tokens = self.spans = self.right_spans = 0

    def add(self, gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> None:
        for wanted, found in zip(gold, predicted, strict=True):
            self.tokens += len(wanted)
            self.right_tokens += sum(map(str.__eq__, wanted, found))
            both = [set(find_spans(labels, self.scheme)) for labels in (wanted, found)]
            self.spans += len(both[0]) + len(both[1])
            self.right_spans += len(both[0] & both[1])

    @property
    def span_f1(self) -> float:
        return 2 * self.right_spans / self.spans if self.spans else 1.0

    @property
    def token_accuracy(self) -> float:
        return self.right_tokens / self.tokens
