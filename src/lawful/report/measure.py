"""Label a corpus with and without rules, and measure what the rules changed."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, compress, islice, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.corpus import Sentence
from lawful.decoding import Decoder, Decoding, Decodings
from lawful.errors import InfeasibleError, InputError, LawfulError, UnknownLabelError
from lawful.evaluation import evaluate_change
from lawful.explanation.prices import find_prices
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.tagger import lattices_of
from lawful.report.content import Report, RuleEffect
from lawful.report.sentence_view import SentenceView
from lawful.report.shown_sequences import Candidate, show
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_many
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules
from lawful.support.limits import Limits
from lawful.voting import Ensemble

__all__ = ["make_report", "measure_effects", "score_sentences"]

Score = Callable[[Sequence[Sentence]], Sequence[AnyLattice]]
Labellings = tuple[Sequence[str], Sequence[str], Sequence[str] | None]  # before, after, gold

BATCH = 256
MOST_JUDGED = 2000
ROUNDS = 1000  # of the test whether the change is more than chance
TIMEOUT = 20.0  # seconds for one sequence; then the best answer found so far is taken


def make_report(
    sentences: Iterable[Sentence],
    tagger: Tagger,
    rules: RulesLike,
    *,
    gold: bool | None = None,
    limit: int = 30,
    source: str = "",
    model: str = "",
    timeout: float = TIMEOUT,
    score: Score | None = None,
    views: Iterable[SentenceView | None] | None = None,
) -> Report:
    """Label sentences with and without rules: what changed, which rule changed it, and whether that helped.

    The sentences are read one batch at a time; only labels, and the sentences that are shown, are kept.

    Parameters
    ----------
    sentences : iterable of Sentence
    tagger : Tagger
    rules : Rules, rule, iterable of rules, or the path of a rule file
    gold : bool, optional
        Whether the labels of the sentences are gold labels; by default yes, if all sentences have labels.
    limit : int
        The number of sentences to show, the most interesting ones.
    source, model : str
        The names of the corpus and of the model in the report.
    timeout : float
        Seconds for one sentence. After that the best answer found so far is taken, and counted as unproved.
    score : function of sentences, optional
        Makes the lattices, for a model that needs more of a sentence than its tokens or columns.
    views : iterable of SentenceView or None, optional
        For each sentence the words that its tokens stand for: labels are drawn over them as arguments.

    Examples
    --------
    >>> from lawful.models import HMM
    >>> from lawful.rules import ends_with
    >>> from lawful.tasks import generate_citations
    >>> train, test = generate_citations(40, seed=1), generate_citations(20, seed=2)
    >>> model = HMM().fit([s.tokens for s in train], [s.labels for s in train])
    >>> report = make_report(test, model, [ends_with("note")], limit=5)
    >>> report.sequences, report.changed_sequences > 0, len(report.shown)
    (20, True, 5)
    """
    if limit < 0:
        raise InputError(f"limit must be 0 or more, got {limit}")
    ruleset = as_rules(rules)
    report = Report(source, model, tagger.labels, [RuleEffect(rule) for rule in ruleset])
    # Gold labels are part of a report only if every sentence has them, which is known at the end.
    measurement = _Measurement(report, score or partial(score_sentences, tagger), ruleset, limit, timeout)
    for batch in _batches(sentences, repeat(None) if views is None else views):
        measurement.add(batch)
    return measurement.finish(gold=gold, ensemble=tagger if isinstance(tagger, Ensemble) else None)


def score_sentences(tagger: Tagger, sentences: Sequence[Sentence]) -> list[AnyLattice]:
    """The lattices of sentences; the tagger gets rows of columns if they have any, and else tokens.

    Examples
    --------
    >>> from lawful.models import HMM
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> score_sentences(model, [Sentence(("a",), context={"page": 3})])[0].context["page"]
    3
    """
    inputs = [list(sentence.inputs()) for sentence in sentences]
    return list(lattices_of(tagger, inputs, [sentence.context for sentence in sentences]))


def measure_effects(
    effects: Sequence[RuleEffect],
    decoding: Decoding,
    gold: Sequence[str] | None,
    *,
    timeout: float | None = None,
) -> bool:
    """Add to the effects what dropping each rule alone would change in one answer.

    Returns whether that could be measured: not for labels that may not be optimal, nor beyond a limit.

    Examples
    --------
    >>> from lawful.decoding import Decoder
    >>> from lawful.models import HMM
    >>> from lawful.rules import starts_with
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> effect = RuleEffect(starts_with("Y"))
    >>> measure_effects([effect], Decoder([effect.rule], tagger=model).decode_tokens(["a", "b"]), ["X", "Y"])
    True
    >>> effect.sequences, effect.tokens, effect.worse
    (1, 1, 1)
    """
    if decoding.status != "optimal":
        return False
    answers = SubsetAnswers(decoding, Limits(timeout=timeout))
    try:
        prices = find_prices(answers)
    except LawfulError:
        return False
    for index, (effect, price) in enumerate(zip(effects, prices, strict=True)):
        if not price.active:
            continue  # another answer with the same score is not an effect of the rule
        other = answers.answer(answers.everything - {index}).labels
        effect.price += price.price
        effect.sequences += bool(price.changes)
        effect.tokens += len(price.changes)
        if gold is None:
            continue
        for t in price.changes:
            with_it, without_it = decoding.labels[t] == gold[t], other[t] == gold[t]
            effect.better += with_it
            effect.worse += without_it
            effect.neither += not (with_it or without_it)
    return True


_END = object()


def _batches(
    sentences: Iterable[Sentence], views: Iterable[SentenceView | None]
) -> Iterator[list[tuple[Sentence, SentenceView | None]]]:
    def pairs() -> Iterator[tuple[Sentence, SentenceView | None]]:
        waiting = iter(views)
        for number, sentence in enumerate(sentences):
            view = next(waiting, _END)
            if view is _END:
                raise InputError(f"there are views of {number} sentences, but more sentences")
            if isinstance(view, SentenceView) and len(view.spans) != len(sentence):
                raise InputError(
                    f"sentence {number + 1} has {len(sentence)} tokens, but its view {len(view.spans)}"
                )
            if len(sentence):
                yield sentence, view if isinstance(view, SentenceView) else None

    stream = pairs()
    while batch := list(islice(stream, BATCH)):
        yield batch


class _Measurement:
    """A report in the making, fed with one batch of sentences after another."""

    def __init__(self, report: Report, score: Score, rules: Rules, limit: int, timeout: float) -> None:
        self.report, self.score, self.rules, self.limit = report, score, rules, limit
        self.decoder = Decoder(
            rules, labels=report.labels, timeout=timeout, on_limit="bounded", on_infeasible="least_bad"
        )
        self.plain = Decoder(labels=report.labels)
        self.timeout = timeout
        self.best: list[tuple[tuple[float, ...], int, Candidate]] = []
        self.contradictions: Counter[tuple[str, ...]] = Counter()
        self.labelled = True
        self.outputs: tuple[list[Any], list[Any], list[Any]] = ([], [], [])  # before, after, gold

    def add(self, batch: Sequence[tuple[Sentence, SentenceView | None]]) -> None:
        """Label a batch of sentences and count what happened."""
        report = self.report
        sentences = [sentence for sentence, _ in batch]
        lattices = self.score(sentences)
        ruled, plain = self.decoder.decode_batch(lattices), self.plain.decode_batch(lattices)
        with np.errstate(invalid="ignore"):  # no answer at all scores minus infinity
            losses = np.fmax(0.0, plain.scores - ruled.scores).tolist()
        statuses, gold = ruled.statuses, [sentence.labels for sentence in sentences]
        labellings = list(zip(plain.labels, ruled.labels, gold, strict=True))
        broken = _count_violations(ruled, self.decoder.compiled, labellings, lattices) > 0
        for effect, sequences in zip(report.effects, broken.sum(axis=0).T.tolist(), strict=True):
            effect.broken_before += sequences[0]
            effect.broken_after += sequences[1]
            effect.broken_gold += sequences[2]
        self._keep_labels(labellings)
        breaks = broken[:, 0].sum(axis=1).tolist()
        first = report.sequences + 1
        report.sequences += len(sentences)
        report.tokens += sum(map(len, sentences))
        for index, (sentence, view) in enumerate(batch):
            (before, after, _), loss, status = labellings[index], losses[index], statuses[index]
            interesting = before != after or loss > 0 or status != "optimal"
            if not interesting and not self._may_be_shown((0.0, 0, 0, 0.0, float(breaks[index] > 0))):
                continue
            names = tuple(compress(self.rules.names, broken[index, 0].tolist()))
            decoding = ruled[index]
            decoding.plain = plain[index]  # one by one would take longer
            changed = decoding.changed
            if changed:
                report.changed_sequences += 1
                report.changed_tokens += len(changed)
                report.losses.append(loss)
            report.unproved += status == "bounded"
            contradiction = self._contradiction(decoding)
            if (changed or loss > 0) and report.judged < MOST_JUDGED:
                report.judged += measure_effects(
                    report.effects, decoding, sentence.labels, timeout=self.timeout
                )
            self._offer(Candidate(first + index, sentence, decoding, names, contradiction, view))

    def finish(self, *, gold: bool | None, ensemble: Ensemble | None = None) -> Report:
        """The whole report."""
        report = self.report
        if not report.sequences:
            raise InputError(f"there are no sequences in {report.source or 'the corpus'}")
        if gold and not self.labelled:
            raise InputError("the report should use gold labels, but some sequences have no labels")
        has_gold = self.labelled if gold is None else gold
        if has_gold:
            before, after, gold_labels = self.outputs
            report.before, report.after, report.comparison = evaluate_change(
                gold_labels, before, after, rounds=ROUNDS
            )
        else:
            for effect in report.effects:
                effect.better = effect.worse = effect.neither = effect.broken_gold = 0
        report.contradictions = dict(self.contradictions.most_common())
        ordered = sorted(self.best, key=lambda entry: entry[:2], reverse=True)
        report.shown = [show(candidate, gold=has_gold, ensemble=ensemble) for _, _, candidate in ordered]
        return report

    def _keep_labels(self, labellings: Sequence[Labellings]) -> None:
        self.labelled = self.labelled and all(gold is not None for _, _, gold in labellings)
        if not self.labelled:
            self.outputs = ([], [], [])
            return
        for output, labels in zip(self.outputs, zip(*labellings, strict=True), strict=True):
            output += labels

    @cached_property
    def strict(self) -> Decoder:
        """What says which rules contradict each other; few reports need it."""
        return Decoder(self.rules, labels=self.report.labels, timeout=self.timeout)

    def _contradiction(self, decoding: Decoding) -> tuple[str, ...]:
        if decoding.status != "infeasible":
            return ()
        self.report.infeasible += 1
        try:
            self.strict.decode(decoding.lattice)
        except InfeasibleError as error:
            self.contradictions[error.rules] += 1
            return error.rules
        except LawfulError:
            pass  # a limit: the rules that contradict each other are not known
        return ()

    def _may_be_shown(self, interest: tuple[float, ...]) -> bool:
        """Whether a candidate of that interest would be kept; it comes after all others."""
        return len(self.best) < self.limit or (bool(self.best) and interest > self.best[0][0])

    def _offer(self, candidate: Candidate) -> None:
        """Keep the most interesting candidates; of equals, the first."""
        entry = (candidate.interest(), -candidate.number, candidate)
        if len(self.best) < self.limit:
            heapq.heappush(self.best, entry)
        elif self.best and entry > self.best[0]:
            heapq.heapreplace(self.best, entry)


def _count_violations(
    ruled: Decodings,
    compiled: CompiledRules,
    labellings: Sequence[Labellings],
    lattices: Sequence[AnyLattice],
) -> npt.NDArray[np.int64]:
    """How often the labels of each sequence without rules, with rules, and the gold ones violate each rule: (N, 3, R)."""
    counts = np.zeros((len(lattices), 3, len(compiled.names)), dtype=np.int64)
    number = {name: place for place, name in enumerate(compiled.labels)}
    unknown = set().union(*(gold or () for _, _, gold in labellings)).difference(number)  # to the model
    given: list[int] = []
    same: list[int] = []
    flat: list[Sequence[str]] = []
    rows: list[int] = []
    sides: list[int] = []
    for index, ((before, after, gold), lattice) in enumerate(zip(labellings, lattices, strict=True)):
        each = {0: before}
        if after == before:
            same.append(index)
        else:
            each[1] = after
        if gold is not None:
            each[2] = gold
        # The paths of a graph may differ in length, a limit may have come before any answer, and a model need not know all labels.
        lengths = {lattice.length, len(before), len(after), len(gold or before)}
        if len(lengths) == 1 and unknown.isdisjoint(gold or ()):
            given.append(index)
            rows.append(len(each))
            flat += each.values()
            sides += each
        else:
            for side, labels in each.items():
                counts[index, side] = _count_alone(ruled[index], labels)
    some = [lattices[index] for index in given]
    numbers = np.fromiter(map(number.__getitem__, chain.from_iterable(flat)), np.int32, sum(map(len, flat)))
    counts[np.repeat(np.array(given, dtype=np.int64), rows), sides] = count_many(
        compiled,
        [lattice.tokens for lattice in some],
        [lattice.context for lattice in some],
        np.array([lattice.length for lattice in some], dtype=np.int64),
        numbers,
        np.array(rows, dtype=np.int64),
    )
    counts[same, 1] = counts[same, 0]
    return counts


def _count_alone(decoding: Decoding, labels: Sequence[str]) -> npt.NDArray[np.int64]:
    lattice = decoding.lattice
    try:
        return decoding.bound_rules.count(labels)
    except UnknownLabelError:  # one that the model does not know: no machine reads it
        counts = decoding.rules.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
        return np.array(list(counts.values()), dtype=np.int64)
