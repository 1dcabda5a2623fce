"""Votes on one sequence after another: rules are compiled once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, Unpack, get_args

import numpy as np

from lawful.decoding import Decoder, Decoding, decode
from lawful.decoding.options import DecoderOptions
from lawful.errors import InfeasibleError, InputError, InternalError, LimitError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.lattice.base import require_lattice
from lawful.lattice.sums import AGREEMENT
from lawful.rules.given_rules import RulesLike
from lawful.support.limits import Limits
from lawful.support.numbers import check_choice, check_count, check_number
from lawful.voting.grouped_states import GroupedStates, canonical_states
from lawful.voting.linear_votes.winners import LinearAnswer, find_linear_winners
from lawful.voting.local import count_votes, local_lattice, repaired_lattice
from lawful.voting.log_linear import LogLinear
from lawful.voting.merging import supported_states
from lawful.voting.result import Found, Vote, Voters
from lawful.voting.scoring import MixedScore, ScoreInLattice

__all__ = [
    "METHODS",
    "Ballot",
    "Method",
    "check_weights",
    "joint_labels",
    "nothing_in_common",
    "require_linear",
    "vote_behind",
    "vote_on",
]

Method = Literal["log-linear", "linear", "local", "repaired"]
METHODS: tuple[str, ...] = get_args(Method)
LIMITS = ("max_states", "timeout", "max_memory", "on_limit")
LARGEST_WEIGHT = 1e100
DIGITS = 6  # of what is counted in local votes: far above what settles draws


class Ballot:
    """Decides votes between the same taggers on many sequences, under the same rules.

    Parameters
    ----------
    labels : LabelSet
        The canonical labels.
    weights : sequence of float
        One for each tagger: 0 or more, and not all 0. They are divided by their sum.
    method : "log-linear", "linear", "local" or "repaired"
        See `lawful.vote`.
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
    names : sequence of str, optional
        Of the taggers; numbers if not given.
    tolerance : float
        For a linear vote: the share of the best score that the winner may lack.
    max_paths : int, optional
        For a linear vote: the most ways that are kept in a group; the bound says what that may have cost.
    **options
        Those of a `Decoder`; a linear vote takes the limits only.

    Examples
    --------
    >>> import lawful
    >>> ballot = Ballot(lawful.LabelSet(["A", "B"]), [2, 1], method="linear", rules=lawful.at_most(1, "A"))
    >>> sure = lawful.Lattice([[3.0, 0.0], [1.0, 0.0]], labels=["A", "B"])
    >>> torn = lawful.Lattice([[0.0, 0.1], [0.0, 0.1]], labels=["A", "B"])
    >>> ballot.decide([sure, torn]).labels
    ('A', 'B')
    """

    def __init__(
        self,
        labels: LabelSet,
        weights: Sequence[float],
        *,
        method: Method = "log-linear",
        rules: RulesLike = (),
        names: Sequence[str] | None = None,
        tolerance: float = 0.0,
        max_paths: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> None:
        self.method: Method = check_choice("method", method, get_args(Method))
        self.labels, self.weights = labels, check_weights(weights)
        if names is not None and len(names) != len(self.weights):
            raise InputError(f"there are {len(self.weights)} weights but {len(names)} names")
        self.names = tuple(names or (f"tagger {number}" for number in range(1, len(weights) + 1)))
        self._tolerance = check_number("tolerance", tolerance, least=0.0, below=1.0)
        self._max_paths = None if max_paths is None else check_count("max_paths", max_paths, least=1)
        require_linear(self.method, tolerance, max_paths)
        if method == "linear":
            for option in options:
                if option not in LIMITS:
                    raise InputError(f"a linear vote has no option {option!r}; it has {', '.join(LIMITS)}")
        self.decoder = Decoder(rules, labels=labels, **options)
        self._log_linear = LogLinear(self.weights, labels)

    def decide(self, lattices: Sequence[AnyLattice]) -> Vote:
        """The winner of the vote on one sequence, given what each tagger says about it."""
        if len(lattices) != len(self.weights):
            raise InputError(f"there are {len(lattices)} lattices but {len(self.weights)} weights")
        for lattice in lattices:
            require_lattice(lattice)
        voters = Voters(self.names, self.weights, tuple(lattices))
        _require_same_words(voters)
        found = self._linear(voters) if self.method == "linear" else self._by_lattice(voters)
        return Vote(found, voters, self.decoder.rules, method=self.method)

    # --- votes that are lattices ----------------------------------------------------------------------------

    def _by_lattice(self, voters: Voters) -> Found:
        limits = self.decoder.options.limits
        if limits.timeout is not None:
            limits = limits.started()
        try:
            lattice = self._lattice(voters, limits)
            # What making the lattice took is gone.
            decoder = self.decoder if limits.timeout is None else self.decoder.within(limits)
            decoding = decoder.decode(lattice)
        except InfeasibleError as error:
            raise nothing_in_common(error, voters) from None
        if self.method == "log-linear":
            return _found_by(decoding)
        # What settles draws between taggers is no vote.
        found = _found_by(decoding, digits=DIGITS)
        return replace(found, score=round(found.score, DIGITS), bound=round(found.bound, DIGITS))

    def _lattice(self, voters: Voters, limits: Limits) -> AnyLattice:
        if self.method == "log-linear":
            return self._log_linear(voters.lattices, limits=limits)
        used = [
            (weight, lattice)
            for weight, lattice in zip(voters.weights, voters.lattices, strict=True)
            if weight > 0
        ]
        # A tagger that gives nothing a chance has no say, as in a linear vote; if none has, the first one's error says so.
        given = [(weight, _answer(lattice)) for weight, lattice in used]
        said = [(weight, answer) for weight, answer in given if answer is not None]
        if not said:
            decode(used[0][1])
        votes = count_votes([answer for _, answer in said], [weight for weight, _ in said], self.labels)
        if self.method == "local":
            first = voters.lattices[0]
            return local_lattice(votes, self.labels, first.tokens, first.context)
        return repaired_lattice(votes, [lattice for _, lattice in used], self.labels, limits=limits)

    # --- the linear vote ------------------------------------------------------------------------------------

    def _linear(self, voters: Voters) -> Found:
        limits = self.decoder.options.limits.started()
        weights = [weight for weight in voters.weights if weight > 0]
        lattices = [
            lattice for weight, lattice in zip(voters.weights, voters.lattices, strict=True) if weight > 0
        ]
        graphs = [canonical_states(lattice, self.labels, limits=limits) for lattice in lattices]
        first = lattices[0]
        bound = self.decoder.bind(graphs[0].length, first.tokens, first.context)
        [answer] = find_linear_winners(
            graphs, [weights], bound, limits=limits, tolerance=self._tolerance, max_paths=self._max_paths
        )
        if answer.limit and limits.on_limit == "raise":
            raise limits.reached(answer.limit)
        sums = [float(graph.log_partitions()[0]) for graph in graphs]
        score = MixedScore(tuple(weights), tuple(sums), tuple(lattices), self.decoder.rules, self.labels)
        if answer.labels is None and not answer.limit:
            answer = self._any_answer(answer, graphs, score, limits)
        if answer.labels is not None:
            return self._judged(answer, score)
        return Found((), -math.inf, answer.bound, "bounded", score, paths=answer.paths)

    def _any_answer(
        self, answer: LinearAnswer, graphs: Sequence[GroupedStates], score: MixedScore, limits: Limits
    ) -> LinearAnswer:
        """Labels that obey and that any tagger gives a chance, where the ways that `max_paths` kept led to none.

        If there are none at all, the decoder says which rules contradict each other.
        """
        nothing = np.zeros((graphs[0].length, len(self.labels)))
        try:
            legal = self.decoder.decode(supported_states(graphs, nothing, limits=limits).to_lattice([1.0]))
        except InfeasibleError as error:
            raise error.advising("in a vote that is not linear, pass") from None
        except LimitError:  # while the reasons were looked for
            if limits.on_limit == "raise":
                raise
            return answer
        if answer.bound == -math.inf:  # nothing was left out
            raise InternalError("a linear vote found nothing where rules leave something: please report it")
        if legal.solution.labels is None:
            return answer
        labels = np.array(legal.solution.labels, dtype=np.int32)
        return answer._replace(labels=labels, score=score(legal.labels))

    def _judged(self, answer: LinearAnswer, score: MixedScore) -> Found:
        """The answer, scored anew by code that shares nothing with the search."""
        labels = self.labels.decode(answer.labels if answer.labels is not None else ())
        earned = score(labels)
        rounding = AGREEMENT * (1.0 + abs(earned) + score.size())
        if not abs(earned - answer.score) <= rounding:
            raise InternalError(
                f"a linear vote gives {answer.score!r} to an answer that earns {earned!r}: a bug in lawful; please report it"
            )
        proved = answer.bound <= answer.score + 1e-3 * rounding
        return Found(
            labels,
            answer.score,
            answer.score if proved else answer.bound,
            "optimal" if proved else "bounded",
            score,
            paths=answer.paths,
        )


def _require_same_words(voters: Voters) -> None:
    """Refuse lattices of different words. Tokens that are not words may differ: each model has attributes of its own."""
    first, *others = zip(voters.names, voters.lattices, strict=True)
    for name, lattice in others:
        ours, theirs = first[1].tokens, lattice.tokens
        if ours is None or theirs is None or ours is theirs:
            continue
        for position, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
            if mine != other and isinstance(mine, str) and isinstance(other, str):
                raise InputError(
                    f"token {position} is {mine!r} in the lattice of {first[0]} and {other!r} in that of {name}: taggers vote on "
                    "the same sequence"
                )


def vote_behind(decoding: Decoding, voters: Voters) -> Vote:
    """The log-linear vote that a decoding of its lattice (`Ensemble.lattice`) is, to be explained by `explain_vote`.

    Examples
    --------
    >>> import lawful
    >>> said = [lawful.Lattice([scores], labels=["A", "B"]) for scores in ([2.0, 0.0], [0.0, 1.0])]
    >>> voters = Voters(("first", "second"), (0.5, 0.5), tuple(said))
    >>> decoding = lawful.decode(LogLinear(voters.weights, said[0].labels)(said))
    >>> vote_behind(decoding, voters).labels
    ('A',)
    """
    return Vote(_found_by(decoding), voters, decoding.rules, method="log-linear")


def _answer(lattice: AnyLattice) -> tuple[str, ...] | None:
    """What a tagger wants; None if it gives no label sequence a chance."""
    try:
        return decode(lattice).labels
    except InfeasibleError:
        return None


def nothing_in_common(error: InfeasibleError, voters: Voters) -> InfeasibleError:
    """The error with words for a vote, if no rule is involved: the taggers' scores forbid everything.

    Examples
    --------
    >>> import lawful
    >>> said = [lawful.from_nbest([([label], 0.0)], labels=["A", "B"]) for label in "AB"]
    >>> raise nothing_in_common(lawful.InfeasibleError((), 0), Voters(("one", "two"), (0.5, 0.5), tuple(said)))
    Traceback (most recent call last):
    lawful.errors.InfeasibleError: the taggers have no label sequence in common at token 0: what one allows, another forbids; no rule is involved: take method='linear', for which one is enough, smooth the models, or take longer n-best lists
    """
    if error.rules:
        return error
    where = " by the end of the sequence" if error.position is None else f" at token {error.position}"
    dead = [
        name
        for name, weight, lattice in zip(voters.names, voters.weights, voters.lattices, strict=True)
        if weight > 0 and _answer(lattice) is None
    ]
    if len(dead) == sum(weight > 0 for weight in voters.weights):
        problem, advice = (
            "no tagger gives any label sequence a chance: -inf scores forbid all of them",
            "check the scores",
        )
    elif dead:
        gives, it = ("give", "them") if len(dead) > 1 else ("gives", "it")
        problem = f"{' and '.join(dead)} {gives} no label sequence a chance: -inf scores forbid all of them"
        advice = f"check the scores, or give {it} weight 0"
    else:
        problem = f"the taggers have no label sequence in common{where}: what one allows, another forbids"
        advice = (
            "take method='linear', for which one is enough, smooth the models, or take longer n-best lists"
        )
    reason = f"{problem}; no rule is involved: {advice}"
    return InfeasibleError((), error.position, sequence=error.sequence, reason=reason)


def _found_by(decoding: Decoding, *, digits: int | None = None) -> Found:
    score_of = ScoreInLattice(decoding.lattice, decoding.rules, decoding.bound_rules.labels, digits)
    return Found(
        decoding.labels, decoding.score, decoding.bound, decoding.status, score_of, decoding=decoding
    )


def check_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights divided by their sum; anything but numbers from 0 on, not all of them 0, is refused.

    Examples
    --------
    >>> check_weights([1, 3])
    (0.25, 0.75)
    >>> check_weights([1, -1])
    Traceback (most recent call last):
    lawful.errors.InputError: weights[1] must be a number of 0 or more, got -1
    """
    given: object = weights
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"weights must be numbers, one for each tagger, got {given!r:.60}")
    checked = [check_number(f"weights[{index}]", weight, least=0.0) for index, weight in enumerate(weights)]
    largest = max(checked, default=0.0)
    if not largest > 0:
        raise InputError(f"at least one weight must be above 0, got {checked!r}")
    if largest > LARGEST_WEIGHT:  # so that their sum is a number, too
        checked = [weight / largest for weight in checked]
    total = math.fsum(checked)
    return tuple(weight / total for weight in checked)


def require_linear(method: str, tolerance: float, max_paths: int | None) -> None:
    """Refuse what only a linear vote can do.

    Examples
    --------
    >>> require_linear("local", 0.0, 5)
    Traceback (most recent call last):
    lawful.errors.InputError: max_paths is for linear votes, and this one is local
    """
    for name, given in (("tolerance", tolerance != 0), ("max_paths", max_paths is not None)):
        if given and method != "linear":
            raise InputError(f"{name} is for linear votes, and this one is {method}")


def joint_labels(label_sets: Iterable[Iterable[str]]) -> LabelSet:
    """All labels of some taggers, in the order in which they are met.

    Examples
    --------
    >>> joint_labels([["O", "A"], ["A", "B"]])
    LabelSet(['O', 'A', 'B'])
    """
    return LabelSet(dict.fromkeys(label for labels in label_sets for label in labels))


def vote_on(
    lattices: Sequence[AnyLattice],
    weights: Sequence[float] | None = None,
    *,
    method: Method = "log-linear",
    rules: RulesLike = (),
    names: Sequence[str] | None = None,
    tolerance: float = 0.0,
    max_paths: int | None = None,
    **options: Unpack[DecoderOptions],
) -> Vote:
    """A vote on one sequence, given what each tagger says about it: lattices, or n-best lists (`lawful.from_nbest`).

    Parameters
    ----------
    lattices : sequence of lattices
        One per tagger, over canonical labels; in any order, and some may lack some of them.
    weights : sequence of float, optional
        Equal ones if not given.
    method, rules, tolerance, max_paths, **options
        See `lawful.vote`.
    names : sequence of str, optional
        Of the taggers.

    Examples
    --------
    Three taggers want three answers (Loper, Figure 6.1). Token by token the majority takes one that none of them would.

    >>> import lawful
    >>> answers = [{"PNVN": 1.0}, {"PVNN": 0.6, "PNVN": 0.4}, {"PNNV": 0.6, "PNVN": 0.4}]
    >>> nbest = [[(list(tags), chance) for tags, chance in answer.items()] for answer in answers]
    >>> lattices = [lawful.from_nbest(candidates, scores="probability") for candidates in nbest]
    >>> for method in ("local", "repaired", "linear", "log-linear"):
    ...     print(method, "".join(vote_on(lattices, method=method).labels))
    local PNNN
    repaired PNVN
    linear PNVN
    log-linear PNVN
    >>> [round(vote_on(lattices, method=method).probability, 3) for method in ("linear", "log-linear")]
    [0.6, 1.0]
    """
    if not lattices:
        raise InputError("a vote needs at least one tagger, got none")
    for lattice in lattices:
        require_lattice(lattice)
    shares = [1.0] * len(lattices) if weights is None else weights
    labels = joint_labels(lattice.labels for lattice in lattices)
    ballot = Ballot(
        labels,
        shares,
        method=method,
        rules=rules,
        names=names,
        tolerance=tolerance,
        max_paths=max_paths,
        **options,
    )
    return ballot.decide(lattices)
