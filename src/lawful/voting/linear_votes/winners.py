"""The linear vote: the label sequence with the largest weighted sum of probabilities, exactly (Loper 6.5 and 6.6).

No dynamic program finds it: which of two ways into a group is better depends on how much each tagger's share will still count, and
finding it is NP-hard (Appendix A). So label sequences are extended token by token, and only those are kept that might win:
those that no other way into the same group dominates (`dominance`), and that could still beat the best sequence known so far if
each tagger had its own best completion. The first sweeps keep few ways, and often prove already that nothing else matters.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import LimitError
from lawful.lattice.arrays import Floats
from lawful.rules.bound_rules import BoundRules
from lawful.support.limits import Limits
from lawful.voting.grouped_states import GroupedStates, Ints
from lawful.voting.linear_votes.dominance import drop_dominated
from lawful.voting.linear_votes.rule_steps import RuleSteps, broken_rules, rule_cost
from lawful.voting.merging import as_numbers, require_same_shape

__all__ = ["LinearAnswer", "PathCounts", "find_linear_winners", "mixed_score"]

WIDTHS = (4, 64)  # ways that the first sweeps keep in a group
FEW = 8  # ways into a group that are not worth linear programs
CLOSE = 1e-12  # scores are taken as equal that differ by less, relative to them


class PathCounts(NamedTuple):
    """How many ways into a group the last sweep kept.

    Attributes
    ----------
    mean, most : float, int
        Over all groups (a label, and the states of rules) at all tokens.
    programs : int
        How many linear programs were solved.
    """

    mean: float
    most: int
    programs: int


class LinearAnswer(NamedTuple):
    """The winner of a linear vote.

    Attributes
    ----------
    labels : int array (T,), or None if no label sequence is legal
    score : float
        The log of the weighted sum of probabilities, less the prices of the soft rules that are broken.
    bound : float
        No legal label sequence scores more.
    limit : str
        The limit that ended the search; empty if it was not a limit.
    paths : PathCounts
    """

    labels: Ints | None
    score: float
    bound: float
    limit: str
    paths: PathCounts


@dataclass(frozen=True)
class _Problem:
    """What all sweeps share."""

    graphs: Sequence[GroupedStates]
    completions: Sequence[Sequence[Floats]]
    shares: Floats  # (G, N): the logs of the weights, less those of the taggers' sums
    limits: Limits
    memory: int
    use_bounds: bool


class _Known(NamedTuple):
    """The best label sequence known so far for each of G ways to weigh, or none."""

    labels: tuple[Ints | None, ...]
    scores: Floats

    def better(self, labels: Ints, scores: Floats) -> _Known:
        """With one more, where it is better."""
        taken = scores > self.scores
        kept = tuple(labels if take else known for take, known in zip(taken, self.labels, strict=True))
        return _Known(kept, np.maximum(scores, self.scores))

    def rows(self, chosen: npt.NDArray[np.intp]) -> _Known:
        """Those of some ways to weigh."""
        return _Known(tuple(self.labels[row] for row in chosen.tolist()), self.scores[chosen])


class _Swept(NamedTuple):
    known: _Known  # under the rules in force
    beyond: Floats  # (G,): nothing that was left out scores more
    slack: float
    limit: str
    paths: PathCounts
    expanded: int


def find_linear_winners(
    graphs: Sequence[GroupedStates],
    weights: npt.ArrayLike,
    bound: BoundRules,
    *,
    limits: Limits | None = None,
    tolerance: float = 0.0,
    max_paths: int | None = None,
    use_bounds: bool = True,
) -> list[LinearAnswer]:
    """The winners of linear votes between the same taggers at one or more weights, found together.

    Parameters
    ----------
    graphs : sequence of N GroupedStates
        One for each tagger, over the same labels.
    weights : float array (G, N)
        0 or more, and not all 0.
    bound : BoundRules
        Only rules that are broken enter the search, one round after another.
    limits : Limits, optional
    tolerance : float
        The share of the best score that the winner may lack: the approximate vote of Loper 6.5.5.
    max_paths : int, optional
        The most ways that are kept in a group.
    use_bounds : bool
        Whether to drop what could not win even with the best completion of each tagger. Without, the search is Loper's own.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules.bound_rules import NO_RULES
    >>> from lawful.voting import canonical_states
    >>> sure, torn = Lattice([[0.0, 3.0], [0.0, 3.0]]), Lattice([[1.5, 0.0], [1.5, 0.0]])
    >>> graphs = [canonical_states(sure), canonical_states(torn)]
    >>> answers = find_linear_winners(graphs, [[0.5, 0.5], [0.1, 0.9]], NO_RULES)
    >>> [answer.labels.tolist() for answer in answers]
    [[1, 1], [0, 0]]
    """
    table = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    require_same_shape(graphs)
    limits = (Limits() if limits is None else limits).started()
    sums = np.concatenate([graph.log_partitions() for graph in graphs])
    with np.errstate(divide="ignore"):
        shares = np.log(table) - np.where(sums > -np.inf, sums, 0.0)
    problem = _Problem(
        graphs,
        [graph.completions() for graph in graphs],
        shares,
        limits,
        _core.default_memory() if limits.max_memory is None else limits.max_memory,
        use_bounds,
    )
    known = _Known((None,) * len(table), np.full(len(table), -np.inf))
    for labels in _favourites(graphs, problem.completions):
        if limits.seconds_left == 0:
            break
        known = known.better(labels, mixed_score(graphs, shares, labels) - rule_cost(bound, labels))
    answers = [
        LinearAnswer(labels, float(score), float(score), "", PathCounts(0.0, 0, 0))
        for labels, score in zip(known.labels, known.scores, strict=True)
    ]
    # Nothing beats a sequence that every tagger likes best, whatever the weights.
    still_open = np.flatnonzero((_root(problem) > known.scores + _margin(known.scores)) | (not use_bounds))
    if len(still_open):
        slack = -np.log1p(-tolerance) / max(1, graphs[0].length)
        rest = replace(problem, shares=shares[still_open])
        sought = _seek(rest, bound, known.rows(still_open), slack, max_paths)
        for row, answer in zip(still_open.tolist(), sought, strict=True):
            answers[row] = answer
    return answers


def _seek(
    problem: _Problem, bound: BoundRules, known: _Known, slack: float, max_paths: int | None
) -> list[LinearAnswer]:
    """Search under the rules that were broken so far, until nothing breaks another one."""
    graphs, shares, limits = problem.graphs, problem.shares, problem.limits
    in_force: set[int] = {part.rule for part in bound.parts if part.states == 1}
    expanded = 0
    while True:
        steps = RuleSteps(bound, in_force)
        swept = _search(replace(problem, limits=limits.after(expanded)), steps, known, slack, max_paths)
        expanded += swept.expanded
        broken: set[int] = set()
        for found in swept.known.labels:
            if found is not None:
                broken |= broken_rules(bound, found)
                known = known.better(found, mixed_score(graphs, shares, found) - rule_cost(bound, found))
        if broken <= in_force or swept.limit:
            break
        in_force |= broken
    # What was swept obeyed only the rules in force, so it bounds what obeys all of them.
    highest = np.maximum(np.maximum(swept.beyond, swept.known.scores) + swept.slack, known.scores)
    return [
        LinearAnswer(winner, float(score), float(most), swept.limit, swept.paths)
        for winner, score, most in zip(known.labels, known.scores, highest, strict=True)
    ]


def mixed_score(graphs: Sequence[GroupedStates], shares: Floats, labels: Ints) -> Floats:
    """The log of the weighted sum of the taggers' probabilities of a label sequence, for each row of `shares` (G, N)."""
    values = np.concatenate([graph.score_indices(labels) for graph in graphs])
    return _log_sum(values + shares)


def _search(
    problem: _Problem, steps: RuleSteps, known: _Known, slack: float, max_paths: int | None
) -> _Swept:
    """Sweeps that keep more and more ways, until nothing that was left out could win."""
    widths = (
        [width for width in WIDTHS if max_paths is None or width < max_paths] if problem.use_bounds else []
    )
    expanded = 0
    for width in (*widths, max_paths):
        swept = _sweep(problem, steps, known, slack, width)
        expanded += swept.expanded
        known = swept.known
        if swept.limit or not (swept.beyond > known.scores + _margin(known.scores)).any():
            break
        problem = replace(problem, limits=problem.limits.after(swept.expanded))
    return swept._replace(expanded=expanded)


def _sweep(problem: _Problem, steps: RuleSteps, known: _Known, slack: float, width: int | None) -> _Swept:
    """Extend label sequences token by token, keeping at most `width` ways into each group."""
    graphs, limits = problem.graphs, problem.limits
    states = np.zeros((1, len(graphs)), dtype=np.int32)
    values, rule_states = np.zeros((1, len(graphs))), steps.start()
    upper = _root(problem)[None]
    history: list[tuple[Ints, Ints]] = []
    beyond = np.full(len(problem.shares), -np.inf)
    lost = 0.0
    ways = groups = most = programs = expanded = held = 0
    # What a width cuts off is bounded anyway; linear programs are for sweeps that keep all they must.
    few = sys.maxsize if problem.use_bounds and width in WIDTHS else FEW if problem.use_bounds else 1
    for position in range(graphs[0].length):
        expanded += len(states) * len(graphs[0].labels)
        held += 16 * len(states)
        limit = _reached(limits, expanded, held + _bytes_for(problem, states), problem.memory)
        if limit:
            beyond = np.maximum(beyond, upper.max(axis=0, initial=-np.inf))
            return _Swept(known, beyond, lost, limit, _counts(ways, groups, most, programs), expanded)
        after, grown, rules_after = _extended(problem, steps, position, states, values, rule_states)
        best = grown + np.stack(
            [problem.completions[i][position + 1][after[:, :, i], 0] for i in range(len(graphs))], axis=2
        )
        upper = _weighted_sums(best, problem.shares)
        possible = (
            (upper > known.scores + _margin(known.scores)).any(axis=2)
            if problem.use_bounds
            else (grown > -np.inf).any(axis=2)
        )
        parent, label = np.nonzero(possible)
        states, values, upper = after[possible], grown[possible], upper[possible]
        rule_states = rules_after[parent, label]
        promise = (upper - np.where(known.scores > -np.inf, known.scores, 0.0)).max(axis=1)
        _, group = as_numbers(np.column_stack([label, rule_states]))
        kept: list[npt.NDArray[np.intp]] = []
        token_slack = 0.0
        for members in _members(group):
            if len(members) > 1:
                try:
                    dominance = drop_dominated(
                        values[members],
                        states[members],
                        promise[members],
                        slack=slack,
                        few=few,
                        check=limits.require_rest,
                    )
                except LimitError as reached:
                    beyond = np.maximum(beyond, upper.max(axis=0))
                    counts = _counts(ways, groups, most, programs)
                    return _Swept(known, beyond, lost + slack, reached.limit, counts, expanded)
                programs += dominance.programs
                token_slack = max(token_slack, dominance.slack)
                members = members[dominance.kept]
                if width is not None and len(members) > width:
                    beyond = np.maximum(beyond, upper[members[width:]].max(axis=0))
                    members = members[:width]
            kept.append(members)
            most = max(most, len(members))
            ways, groups = ways + len(members), groups + 1
        lost += token_slack
        chosen = np.concatenate(kept) if kept else np.zeros(0, dtype=np.intp)
        states, values, upper, rule_states = (
            states[chosen],
            values[chosen],
            upper[chosen],
            rule_states[chosen],
        )
        history.append((parent[chosen].astype(np.int32), label[chosen].astype(np.int32)))
    ended = values + np.column_stack([graph.final[states[:, i], 0] for i, graph in enumerate(graphs)])
    totals = _weighted_sums(ended - steps.end(rule_states)[:, None], problem.shares)
    if len(totals):
        for winner in np.unique(totals.argmax(axis=0)).tolist():
            known = known.better(_followed_back(history, winner), totals[winner])
    return _Swept(known, beyond, lost, "", _counts(ways, groups, most, programs), expanded)


def _root(problem: _Problem) -> Floats:
    """What no label sequence scores more than, for each row of weights: each tagger at its own best."""
    return _log_sum(np.concatenate([best[0][0] for best in problem.completions]) + problem.shares)


def _extended(
    problem: _Problem, steps: RuleSteps, position: int, states: Ints, values: Floats, rule_states: Ints
) -> tuple[Ints, Floats, Ints]:
    """Each label after each way: the taggers' states (P, K, N), what they give (P, K, N), the rules' states (P, K, R)."""
    after = np.stack(
        [graph.following[position][states[:, i]] for i, graph in enumerate(problem.graphs)], axis=2
    )
    added = np.concatenate(
        [graph.weights[position][states[:, i]] for i, graph in enumerate(problem.graphs)], axis=2
    )
    grown = values[:, None, :] + added
    if not len(steps):
        return after, grown, np.zeros((*grown.shape[:2], 0), dtype=np.int32)
    rules_after, cost = steps.step(position, rule_states)
    return after, grown - cost[:, :, None], rules_after


def _favourites(graphs: Sequence[GroupedStates], completions: Sequence[Sequence[Floats]]) -> list[Ints]:
    """The best label sequence of each tagger, if it has any."""
    favourites: dict[tuple[int, ...], Ints] = {}
    for graph, best in zip(graphs, completions, strict=True):
        if best[0][0, 0] == -np.inf:
            continue
        state, labels = 0, []
        for position in range(graph.length):
            table = graph.following[position][state]
            label = int(np.argmax(graph.weights[position][state, :, 0] + best[position + 1][table, 0]))
            labels.append(label)
            state = int(table[label])
        favourites.setdefault(tuple(labels), np.array(labels, dtype=np.int32))
    return list(favourites.values())


def _followed_back(history: Sequence[tuple[Ints, Ints]], winner: int) -> Ints:
    labels = []
    for parents, of_token in reversed(history):
        labels.append(int(of_token[winner]))
        winner = int(parents[winner])
    return np.array(labels[::-1], dtype=np.int32)


def _members(group: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
    """The indices of each group."""
    if not len(group):
        return []
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)


def _log_sum(terms: Floats) -> Floats:
    """The log of the sum of exp over the last axis."""
    highest = terms.max(axis=-1)
    finite = np.where(highest > -np.inf, highest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(finite + np.log(np.exp(terms - finite[..., None]).sum(axis=-1)), dtype=np.float64)


def _weighted_sums(values: Floats, shares: Floats) -> Floats:
    """The log of the sum of exp(value + share) over N taggers, for values (..., N) and each row of shares (G, N)."""
    if len(shares) == 1 or np.isneginf(shares).any():
        return _log_sum(values[..., None, :] + shares)
    # Many rows: one product of matrices. No share is 0, so what underflows beside the largest term is below its rounding.
    largest = shares.max(axis=0)
    terms = values + largest
    highest = terms.max(axis=-1)
    finite = np.where(highest > -np.inf, highest, 0.0)
    with np.errstate(divide="ignore"):
        sums = np.log(np.exp(terms - finite[..., None]) @ np.exp(shares - largest).T)
    return np.asarray(finite[..., None] + sums, dtype=np.float64)


def _margin(scores: Floats) -> Floats:
    return np.where(scores > -np.inf, CLOSE * (1.0 + np.abs(scores)), 0.0)


def _reached(limits: Limits, expanded: int, held: int, memory: int) -> str:
    """The limit that is reached, if any."""
    if limits.seconds_left == 0:
        return "timeout"
    left = limits.states_left
    if left is not None and expanded > left:
        return "max_states"
    return "max_memory" if held > memory else ""


def _bytes_for(problem: _Problem, states: Ints) -> int:
    """What extending these ways by every label takes."""
    cells = len(states) * len(problem.graphs[0].labels)
    return cells * (40 * len(problem.graphs) + 24 * len(problem.shares) * len(problem.graphs))


def _counts(ways: int, groups: int, most: int, programs: int) -> PathCounts:
    return PathCounts(ways / groups if groups else 0.0, most, programs)
