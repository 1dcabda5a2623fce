"""Label a corpus with and without rules, and find out what the rules did."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from lawful.corpus import Sentence
from lawful.decoding import Decoder, Decoding
from lawful.errors import InfeasibleError, InputError, LawfulError
from lawful.evaluation import evaluate
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.tagger import lattices_of
from lawful.report.content import Report, RuleEffect
from lawful.report.effects import measure_effects
from lawful.report.showing import Candidate, show
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["make_report", "score_sentences"]

Score = Callable[[Sequence[Sentence]], Sequence[AnyLattice]]

BATCH = 256
MOST_JUDGED = 2000
TIMEOUT = 20.0  # seconds for one sequence; then its best answer so far is taken


def make_report(
    sentences: Iterable[Sentence],
    tagger: Tagger,
    rules: Rules | Rule | Iterable[Rule],
    *,
    gold: bool | None = None,
    limit: int = 30,
    source: str = "",
    model: str = "",
    timeout: float = TIMEOUT,
    score: Score | None = None,
) -> Report:
    """Label sentences with and without rules: what changed, which rule did it, and whether it helped.

    The sentences are read as they come; only labels, and the sentences that are shown, are kept.

    Parameters
    ----------
    sentences : iterable of Sentence
    tagger : Tagger
    rules : Rules, rule or iterable of rules
    gold : bool, optional
        Whether the labels of the sentences are gold. If not given: they are, if all sentences have labels.
    limit : int
        How many sentences to show: those that tell the most.
    source, model : str
        What the report calls them.
    timeout : float
        Seconds for one sentence. After that its best answer so far is taken, and counted as unproved.
    score : function of sentences, optional
        Makes their lattices, for a model that needs more of a sentence than its tokens or columns.

    Examples
    --------
    >>> from lawful.models import HMM
    >>> from lawful.rules import ends_with
    >>> from lawful.tasks import generate_citations
    >>> train, test = generate_citations(40, seed=1), generate_citations(20, seed=2)
    >>> model = HMM().fit([s.tokens for s in train], [s.labels for s in train])
    >>> found = make_report(test, model, [ends_with("note")], limit=5)
    >>> found.sequences, found.changed_sequences > 0, len(found.shown)
    (20, True, 5)
    """
    if limit < 0:
        raise InputError(f"limit must be 0 or more, got {limit}")
    given = rules if isinstance(rules, Rules) else Rules(rules)
    report = Report(source, model, tagger.labels, [RuleEffect(rule) for rule in given])
    # The gold labels are part of a report only if every sentence has them; that is known at the end.
    work = _Work(report, score or partial(score_sentences, tagger), given, limit, timeout)
    for batch in _batches(sentences):
        work.add(batch)
    return work.finish(gold=gold)


def score_sentences(tagger: Tagger, sentences: Sequence[Sentence]) -> list[AnyLattice]:
    """The lattices of sentences; the tagger gets rows of columns where there is more than tokens and labels.

    Examples
    --------
    >>> from lawful.models import HMM
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> score_sentences(model, [Sentence(("a",), context={"page": 3})])[0].context["page"]
    3
    """
    given = [list(one.rows()) if one.columns else list(one.tokens) for one in sentences]
    return [
        lattice.with_context(one.context) if one.context else lattice
        for lattice, one in zip(lattices_of(tagger, given), sentences, strict=True)
    ]


def _batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    stream = (sentence for sentence in sentences if len(sentence))
    while batch := list(islice(stream, BATCH)):
        yield batch


class _Work:
    """What is known so far."""

    def __init__(self, report: Report, score: Score, rules: Rules, limit: int, timeout: float) -> None:
        self.report, self.score, self.rules, self.limit = report, score, rules, limit
        self.decoder = Decoder(
            rules, labels=report.labels, timeout=timeout, on_limit="bounded", on_infeasible="least_bad"
        )
        self.strict = Decoder(rules, labels=report.labels, timeout=timeout)
        self.timeout = timeout
        self.best: list[tuple[tuple[float, ...], int, Candidate]] = []
        self.contradictions: Counter[tuple[str, ...]] = Counter()
        self.labelled = True
        self.outputs: tuple[list[Any], list[Any], list[Any]] = ([], [], [])  # gold, before, after

    def add(self, sentences: Sequence[Sentence]) -> None:
        """Label a batch of sentences and count what happened."""
        report = self.report
        lattices = self.score(sentences)
        for sentence, found in zip(sentences, self.decoder.decode_batch(lattices), strict=True):
            report.sequences += 1
            report.tokens += len(sentence)
            self._keep_labels(sentence, found)
            changed, loss = found.changed, found.loss
            if changed:
                report.changed_sequences += 1
                report.changed_tokens += len(changed)
                report.losses.append(loss)
            report.unproved += found.status == "bounded"
            contradiction = self._contradiction(found)
            broken = self._count_violations(sentence, found)
            if (changed or loss > 0) and report.judged < MOST_JUDGED:
                report.judged += measure_effects(report.effects, found, sentence.labels, timeout=self.timeout)
            self._offer(Candidate(report.sequences, sentence, found, broken, contradiction))

    def finish(self, *, gold: bool | None) -> Report:
        """The whole report."""
        report = self.report
        if not report.sequences:
            raise InputError(f"there are no sequences in {report.source or 'the corpus'}")
        if gold and not self.labelled:
            raise InputError("gold labels were asked for, but some sequences have no labels")
        known = self.labelled if gold is None else gold
        if known:
            report.before, report.after = (evaluate(self.outputs[0], output) for output in self.outputs[1:])
        else:
            for one in report.effects:
                one.better = one.worse = one.neither = one.broken_gold = 0
        report.contradictions = dict(self.contradictions.most_common())
        ordered = sorted(self.best, key=lambda one: (one[0], one[1]), reverse=True)
        report.shown = [show(candidate, gold=known) for _, _, candidate in ordered]
        return report

    def _keep_labels(self, sentence: Sentence, found: Decoding) -> None:
        self.labelled = self.labelled and sentence.labels is not None
        if not self.labelled:
            self.outputs = ([], [], [])
            return
        for kept, labels in zip(
            self.outputs, (sentence.labels, found.plain_labels, found.labels), strict=True
        ):
            kept.append(labels)

    def _contradiction(self, found: Decoding) -> tuple[str, ...]:
        if found.status != "infeasible":
            return ()
        self.report.infeasible += 1
        try:
            self.strict.decode(found.lattice)
        except InfeasibleError as error:
            self.contradictions[error.rules] += 1
            return error.rules
        except LawfulError:
            pass  # a limit: the set is not known
        return ()

    def _count_violations(self, sentence: Sentence, found: Decoding) -> tuple[str, ...]:
        """Counts the broken rules of all labellings; gives those of the rule-free one."""
        lattice = found.lattice
        seen = (lattice.tokens, lattice.context)
        before = self.rules.violations(found.plain_labels, *seen, label_set=lattice.labels)
        after = found.violations if found.changed else before
        right = sentence.labels
        gold = {} if right is None else self.rules.violations(right, *seen, label_set=lattice.labels)
        for effect in self.report.effects:
            name = effect.rule.name
            effect.broken_before += before[name] > 0
            effect.broken_after += after[name] > 0
            effect.broken_gold += gold.get(name, 0) > 0
        return tuple(name for name, count in before.items() if count)

    def _offer(self, candidate: Candidate) -> None:
        """Keeps the most telling candidates; of equals, the first."""
        entry = (candidate.interest(), -candidate.number, candidate)
        if len(self.best) < self.limit:
            heapq.heappush(self.best, entry)
        elif self.best and entry > self.best[0]:
            heapq.heapreplace(self.best, entry)
