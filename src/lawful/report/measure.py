"""Label a corpus with and without rules, and measure what the rules changed."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice

import numpy as np
import numpy.typing as npt

from lawful.corpus import Sentence
from lawful.decoding import Decoder, Decodings
from lawful.errors import InfeasibleError, InputError, LawfulError, NoLabelsError
from lawful.evaluation import Comparison, Evaluation, evaluate_change, evaluate_change_of_numbers
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.tagger import lattices_of, require_tagger
from lawful.report.content import Report, RuleEffect
from lawful.report.numbered_batch import (
    LabelNumbers,
    NumberedBatch,
    NumberedLabels,
    count_violations,
    number_batch,
)
from lawful.report.rule_effects import find_fees, measure_effects
from lawful.report.sentence_view import SentenceView
from lawful.report.shown_sequences import Candidate, Candidates, Interest, show
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules
from lawful.support.limits import Limits
from lawful.voting import Ensemble

__all__ = ["make_report", "score_sentences"]

Ints = npt.NDArray[np.int64]
Score = Callable[[Sequence[Sentence]], Sequence[AnyLattice]]

BATCH = 512
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
        Seconds for one sentence. After that the best answer found so far is taken, and counted as unproved; if there is none,
        `NoLabelsError` says for which sequence.
    score : function of a list of sentences, optional
        Makes the lattices, for a model that needs more of a sentence than its tokens or columns: one for each sentence that
        it is given, in order. It is called for one batch after another, never for all sentences at once.
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
    require_tagger(tagger)
    if limit < 0:
        raise InputError(f"limit must be 0 or more, got {limit}")
    ruleset = as_rules(rules)
    report = Report(source, model, tagger.labels, [RuleEffect(rule) for rule in ruleset])
    # Gold labels are part of a report only if every sentence has them, which is known at the end.
    measurement = _Measurement(report, score or partial(score_sentences, tagger), ruleset, limit, timeout)
    for batch, views_of_batch in _batches(sentences, views):
        measurement.add(batch, views_of_batch)
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
    inputs = [sentence.inputs() for sentence in sentences]
    contexts = [sentence.context for sentence in sentences]
    return list(lattices_of(tagger, inputs, contexts if any(contexts) else None))


def _batches(
    sentences: Iterable[Sentence], views: Iterable[SentenceView | None] | None
) -> Iterator[tuple[list[Sentence], list[SentenceView | None] | None]]:
    """The sentences that have tokens, with their views."""
    if views is None:
        stream = filter(len, sentences)
        while batch := list(islice(stream, BATCH)):
            yield batch, None
    else:
        viewed = _viewed(sentences, views)
        while pairs := list(islice(viewed, BATCH)):
            yield [sentence for sentence, _ in pairs], [view for _, view in pairs]


_END = object()


def _viewed(
    sentences: Iterable[Sentence], views: Iterable[SentenceView | None]
) -> Iterator[tuple[Sentence, SentenceView | None]]:
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


class _Measurement:
    """A report in the making, fed with one batch of sentences after another."""

    def __init__(self, report: Report, score: Score, rules: Rules, limit: int, timeout: float) -> None:
        self.report, self.score, self.rules, self.limit = report, score, rules, limit
        self.decoder = Decoder(
            rules, labels=report.labels, timeout=timeout, on_limit="bounded", on_infeasible="least_bad"
        )
        self.plain = Decoder(labels=report.labels)
        self.timeout = timeout
        # Those of the most interesting sequences so far, by number; the most interesting one comes first.
        self.interests: dict[int, Interest] = {}
        self.best: dict[int, Candidate] = {}
        self.contradictions: Counter[tuple[str, ...]] = Counter()
        self.labelled = True
        self.numbers = LabelNumbers(report.labels)
        self.outputs: tuple[list[NumberedLabels], ...] = ([], [], [])  # of each batch: before, after, gold

    def add(self, sentences: Sequence[Sentence], views: Sequence[SentenceView | None] | None) -> None:
        """Label a batch of sentences and count what happened."""
        report = self.report
        lattices = self._scored(sentences)
        ruled, plain = self.decoder.decode_batch(lattices), self.plain.decode_batch(lattices)
        statuses = ruled.statuses
        if "bounded" in statuses:
            self._require_labels(ruled, sentences)
        with np.errstate(invalid="ignore"):  # no answer at all scores minus infinity
            losses = np.fmax(0.0, plain.scores - ruled.scores)
        gold = [sentence.labels for sentence in sentences]
        numbered = number_batch(self.numbers, lattices, plain, ruled, gold)
        counts = count_violations(self.numbers, numbered, self.decoder.compiled, ruled, lattices)
        broken: npt.NDArray[np.bool_] = np.greater(counts, 0)
        for effect, sequences in zip(report.effects, broken.sum(axis=0).T.tolist(), strict=True):
            effect.broken_before += sequences[0]
            effect.broken_after += sequences[1]
            effect.broken_gold += sequences[2]
        self._keep_labels(numbered)
        contradictions = {
            index: self._contradiction(lattices[index])
            for index, status in enumerate(statuses)
            if status == "infeasible"
        }
        candidates = Candidates(
            report.sequences + 1,
            sentences,
            views,
            plain,
            ruled,
            self.decoder.compiled.names,
            counts,
            contradictions,
        )
        report.sequences += len(sentences)
        report.tokens += sum(map(len, sentences))
        report.unproved += statuses.count("bounded")
        paying = np.flatnonzero(~numbered.changed & (losses > 0))[: MOST_JUDGED - report.judged]
        fees = find_fees(self.decoder, ruled, numbered.after, paying, counts[:, 1])
        breaks: npt.NDArray[np.bool_] = np.any(broken[:, 0], axis=1)
        eventful: npt.NDArray[np.bool_] = numbered.changed | (losses > 0) | (np.array(statuses) != "optimal")
        interests = {index: Interest(broken=bool(breaks[index])) for index in self._quiet(eventful, breaks)}
        for index in np.flatnonzero(eventful).tolist():
            changed, loss = bool(numbered.changed[index]), float(losses[index])
            if changed:
                report.changed_sequences += 1
                report.changed_tokens += len(candidates[index].decoding.changed)
                report.losses.append(loss)
                interests[index] = candidates[index].interest
            else:  # what there is to know is known without a closer look
                unusual = statuses[index] != "optimal"
                interests[index] = Interest(unusual=unusual, loss=loss, broken=bool(breaks[index]))
            if (changed or loss > 0) and report.judged < MOST_JUDGED:
                if index in fees:
                    report.effects[fees[index].rule].price += fees[index].price
                    report.judged += 1
                else:
                    report.judged += self._judge(candidates[index])
        self._keep_best(interests, candidates)

    def _judge(self, candidate: Candidate) -> bool:
        """Add to the effects of the rules what they did to one answer, if that can be measured."""
        if candidate.decoding.status != "optimal":
            return False
        candidate.answers.limit(Limits(timeout=self.timeout))
        return measure_effects(self.report.effects, candidate.answers, candidate.sentence.labels)

    def _scored(self, sentences: Sequence[Sentence]) -> list[AnyLattice]:
        lattices = list(self.score(sentences))
        if len(lattices) != len(sentences):
            first = self.report.sequences + 1
            raise InputError(
                f"score must make one lattice for each sentence that it is given: expected {len(sentences)} lattices for "
                f"sentences {first} to {first + len(sentences) - 1}, got {len(lattices)}"
            )
        return lattices

    def _require_labels(self, ruled: Decodings, sentences: Sequence[Sentence]) -> None:
        """Stop at an answer without labels: nothing can be said about what the rules changed there."""
        for index, (decoding, sentence) in enumerate(zip(ruled, sentences, strict=True)):
            if decoding.status == "bounded" and not decoding.labels:
                location = sentence.location() or f"sequence {self.report.sequences + index + 1}: "
                raise NoLabelsError(decoding.solution.limit, location)

    def finish(self, *, gold: bool | None, ensemble: Ensemble | None = None) -> Report:
        """The whole report."""
        report = self.report
        if not report.sequences:
            raise InputError(f"there are no sequences in {report.source or 'the corpus'}")
        if gold and not self.labelled:
            raise InputError("the report should use gold labels, but some sequences have no labels")
        has_gold = self.labelled if gold is None else gold
        if has_gold:
            report.before, report.after, report.comparison = self._evaluated()
        else:
            for effect in report.effects:
                effect.better = effect.worse = effect.neither = effect.broken_gold = 0
        report.contradictions = dict(self.contradictions.most_common())
        report.shown = [show(candidate, gold=has_gold, ensemble=ensemble) for candidate in self.best.values()]
        return report

    def _keep_labels(self, batch: NumberedBatch) -> None:
        self.labelled = self.labelled and batch.gold is not None
        if not self.labelled:
            self.outputs = ([], [], [])
            return
        for output, labels in zip(self.outputs, batch.sides, strict=True):
            output.append(labels)

    def _evaluated(self) -> tuple[Evaluation, Evaluation, Comparison | None]:
        sides = [np.concatenate([labels.flat for labels in output]) for output in self.outputs]
        lengths = [np.concatenate([labels.lengths for labels in output]) for output in self.outputs]
        names = self.numbers.names
        if any(not np.array_equal(each, lengths[2]) for each in lengths):  # it will say where
            cut = [np.split(flat, np.cumsum(each)[:-1]) for flat, each in zip(sides, lengths, strict=True)]
            before, after, gold = [[tuple(names[k] for k in one) for one in output] for output in cut]
            return evaluate_change(gold, before, after, rounds=ROUNDS)
        before_, after_, gold_ = sides
        return evaluate_change_of_numbers(gold_, before_, after_, lengths[2], names, rounds=ROUNDS)

    @cached_property
    def strict(self) -> Decoder:
        """What says which rules contradict each other; few reports need it."""
        return Decoder(self.rules, labels=self.report.labels, timeout=self.timeout)

    def _contradiction(self, lattice: AnyLattice) -> tuple[str, ...]:
        """The rules that contradict each other there, if they can be found."""
        self.report.infeasible += 1
        try:
            self.strict.decode(lattice)
        except InfeasibleError as error:
            self.contradictions[error.rules] += 1
            return error.rules
        except LawfulError:
            pass  # a limit: the rules that contradict each other are not known
        return ()

    def _quiet(self, eventful: npt.NDArray[np.bool_], breaks: npt.NDArray[np.bool_]) -> list[int]:
        """As many sequences as may be shown of those to which nothing happened: the first that break rules, then the first."""
        quiet = np.flatnonzero(~eventful)
        chosen: list[int] = quiet[np.argsort(~breaks[quiet], kind="stable")][: self.limit].tolist()
        return chosen

    def _keep_best(self, interests: Mapping[int, Interest], candidates: Candidates) -> None:
        """Keep the most interesting sequences; of equals, the first."""
        first = candidates.first
        rivals = {first + index: interest for index, interest in interests.items()}
        ranks = [(interest, -number) for number, interest in {**self.interests, **rivals}.items()]
        self.interests = {-behind: interest for interest, behind in heapq.nlargest(self.limit, ranks)}
        self.best = {
            number: candidates[number - first] if number in rivals else self.best[number]
            for number in self.interests
        }
