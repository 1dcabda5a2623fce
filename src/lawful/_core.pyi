"""The compiled kernels of lawful. Private: use the package's front door."""

from collections.abc import Callable, Iterable, Iterator, Sequence
import enum
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray


class SearchWay(enum.Enum):
    """How the engine searches; the others than `chosen` are for tests."""

    chosen = 0

    rows = 1

    states = 2

    states_without_dominance = 3

    branches = 4

class Limits:
    """
    What a search may use, and whether it goes on, bounded, when that is used up.
    """

    def __init__(self, *, max_states: int | None = None, timeout: float | None = None, max_memory: int | None = None, bounded: bool = False, hand_over: int = -1, first_search: int = -1, way: SearchWay = SearchWay.chosen) -> None: ...

    def __repr__(self) -> str: ...

class LimitReached(Exception):
    pass

def default_memory() -> int:
    """
    Bytes that a call without max_memory may hold: half of what is free now.
    """

def give_back_memory() -> None:
    """
    Gives freed memory back to the system where the allocator would keep it.
    """

class Part:
    """One automaton of one rule, priced, with its counting twin."""

    def __init__(self, *, rule: int, table: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], delta: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], final_cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mode: str, price: float, count_delta: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], count_violations: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], count_final: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def rule(self) -> int: ...

    @property
    def states(self) -> int: ...

    @property
    def kinds(self) -> int: ...

    @property
    def price(self) -> float: ...

    @property
    def table(self) -> numpy.typing.NDArray[numpy.uint16]:
        """(U, K): the class of each label, by the kind of the token."""

    @property
    def delta(self) -> numpy.typing.NDArray[numpy.int32]:
        """(S, C): the search machine; -1 where a hard rule would be broken."""

    @property
    def cost(self) -> numpy.typing.NDArray[numpy.float64]:
        """(S, C): what a step of the search machine costs."""

    @property
    def final_cost(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (S,): what it costs to end in each state; inf where a hard rule may not end.
        """

    @property
    def mode(self) -> str: ...

    def most_violations(self, length: int) -> int:
        """No sequence of that length violates it more often."""

    def most_charge(self, length: int) -> float:
        """No sequence of that length is charged more; 0 if it is hard."""

    @property
    def local(self) -> bool:
        """Whether it folds into emissions and transitions."""

MOST_SCORE: float = 1e+302

class Transitions:
    """Transition scores, laid out for the kernels; shared by many trellises."""

    def __init__(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def labels(self) -> int: ...

    @property
    def matrices(self) -> int: ...

    @property
    def scores(self) -> numpy.typing.NDArray[numpy.float64]: ...

class Reading:
    """
    What the columns of a trellis are read as: several may stand for one label.
    """

    def __init__(self, label_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: int) -> None: ...

class Trellis:
    """The scores of one sequence, copied and padded for the kernels."""

    def __init__(self, emissions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], transitions: Transitions | None, start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, end: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, mask: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None) -> None: ...

    @property
    def length(self) -> int: ...

    @property
    def magnitude(self) -> float:
        """No path's scores add up to more than this, signs ignored."""

    @property
    def labels(self) -> int: ...

    @property
    def emissions(self) -> numpy.typing.NDArray[numpy.float64]: ...

def label_probabilities(trellis: Trellis) -> numpy.typing.NDArray[numpy.float64] | None:
    """
    The probability of each label at each position (T * K); None where scaled sums will not do.
    """

class ChainSampler:
    """Draws labellings of a trellis, without rules and without a graph."""

    @staticmethod
    def of(trellis: Trellis) -> ChainSampler | None:
        """None where scaled sums will not do."""

    @property
    def length(self) -> int: ...

    @property
    def log_partition(self) -> float: ...

    def log_probability(self, trellis: Trellis, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """Of a labelling of the trellis that it was made of."""

    def sample_array(self, uniforms: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int32]:
        """A labelling for each row of numbers in [0, 1), all of them end to end."""

class Spreading:
    """
    Columns to spread trellises over: each is a tag, and is read as a label.
    """

    def __init__(self, tags: int, tag_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], transitions: Transitions | None, first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, reading: Reading) -> None: ...

    def __call__(self, tags: Trellis, start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, end: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, mask: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> Trellis:
        """The same emissions in these columns."""

class BestPath:
    """The best path of a graph, or a cycle that gains for ever."""

    @property
    def score(self) -> float: ...

    @property
    def labels(self) -> list[int]: ...

    @property
    def cycle(self) -> list[int]: ...

    @property
    def gain(self) -> float: ...

class Product:
    """A graph intersected with a part, or the limit that was reached."""

    @property
    def graph(self) -> Graph | None: ...

    @property
    def limit(self) -> str: ...

    @property
    def expanded(self) -> int: ...

class Graph:
    """
    A weighted acceptor over labels, trimmed and in topological order. Immutable.
    """

    @staticmethod
    def from_arcs(*, labels: int, start: int, source: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], label: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], final: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], origin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Graph: ...

    @staticmethod
    def from_trellis(trellis: Trellis, *, keep_dead_ends: bool = False, limits: Limits = ...) -> Graph: ...

    def intersect(self, part: Part, kinds: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, *, obeyed: bool = False, keep_dead_ends: bool = False, limits: Limits = ...) -> Product: ...

    def best_path(self, limits: Limits = ...) -> BestPath: ...

    def prune(self, threshold: float, limits: Limits = ...) -> Graph: ...

    def as_arrays(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]:
        """
        Sources, targets, labels and weights of the arcs, by source; weights of ending and positions of the states.
        """

    @property
    def labels(self) -> int: ...

    @property
    def states(self) -> int: ...

    @property
    def arcs(self) -> int: ...

    @property
    def acyclic(self) -> bool: ...

    @property
    def length(self) -> int:
        """Labels of every path; -1 if they differ or there is no path."""

    @property
    def furthest(self) -> int:
        """The last position that a path reaches; -1 if there is none."""

    @property
    def bytes(self) -> int: ...

def count_violations(part: Part, kinds: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """
    The violations of one part by a finished labelling, by its counting machine.
    """

def count_violations_of_each(part: Part, kinds: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, labellings: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> object:
    """The same for many labellings of one sequence, a row for each."""

class TokenTable:
    """The kinds of tokens for all rules that look at single tokens, by code."""

    def __init__(self) -> None: ...

    def add_part(self, part: Part, *, idle: bool, previous: bool) -> None:
        """
        `idle`: it stays out where all tokens are of kind 0. `previous`: it reads the kind of the token before.
        """

    def add_row(self, kinds: Sequence[int]) -> int:
        """The code of tokens that are of these kinds, one per part."""

class Binding:
    """What one sequence must obey besides the common parts."""

    def __init__(self, length: int, parts: Sequence[Part], kinds: Sequence[list[int] | Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], table: TokenTable | None = None, codes: Sequence[int] = []) -> None: ...

    @property
    def parts(self) -> tuple[Part, ...]: ...

    @property
    def kinds(self) -> tuple[numpy.typing.NDArray[numpy.uint16] | None, ...]:
        """For each part the kinds (T,) of the tokens; None if all are of kind 0."""

def lay_spans(spans: Sequence[tuple[int, int]], length: int) -> list[list[int]]:
    """
    Layers of disjoint spans as kinds of tokens: 0 outside, 1 the first of a span, 2 inside. Takes ints only, and no number that merely could be one.
    """

class Binder:
    """
    What ties rules to many sequences at once: the parts, and what each wants to know.
    """

    def __init__(self, common: PartSet) -> None: ...

    def add_spans(self, part: Part, *, once: bool) -> None:
        """
        A part that reads spans; `once`: all its layers together are paid once.
        """

    def add_positions(self, part: Part) -> None:
        """A part for which some positions are of kind 1."""

    def add_chosen(self) -> None:
        """A part that each sequence brings."""

    def add_token_part(self, part: Part, *, idle: bool, previous: bool) -> None:
        """As `TokenTable.add_part`."""

class Examples:
    """What the rules see of many sequences, end to end."""

    def __init__(self, binder: Binder, lengths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @staticmethod
    def of(binder: Binder, sequences: Iterable[tuple[Trellis, Any, dict[str, Any]]], questions: list[tuple[str | None, Any, dict[Any, Part] | None, Callable[[Any], Part] | None]], codes: tuple[TokenTable, dict[Any, int], Callable[[Any, int], int], tuple[str, ...]] | None) -> Examples:
        """
        Those of (trellis, tokens, context). A question, for each source: the name of what it wants, or None; what it takes where there is no such name; and for parts the known ones and what else to ask. Codes: as `read_tokens`.
        """

    def read(self, source: int, values: list[Any], known: dict[Any, Part] | None = None, ask: Callable[[Any], Part] | None = None) -> None:
        """
        For each sequence a list of (start, end), or a position or a list of them, or what `known` has a part under, or else `ask(value)` gives one for.
        """

    def read_tokens(self, codes: tuple[TokenTable, dict[Any, int], Callable[[Any, int], int], tuple[str, ...]], tokens: list[Any]) -> None:
        """
        The tokens of each sequence, by a table, the codes of tokens that were seen, what gives that of another (token, position), and keys: of a dict that has one of them, the text under the first is all that counts.
        """

    def set_codes(self, table: TokenTable, codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        The codes of all tokens; or those of the words of a vocabulary, and the numbers of the tokens in it.
        """

    def set_spans(self, source: int, spans: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Rows (sequence, start, end), by sequence."""

    def set_positions(self, source: int, positions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """One position for each sequence."""

    def count(self, labels: numpy.typing.NDArray[numpy.int32], rows: numpy.typing.NDArray[numpy.int64], rules: int) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
        """
        The violations of each rule by `rows[n]` labellings of each sequence n, end to end; and the sequences for which they have to be counted in Python.
        """

    @property
    def apart(self) -> list[int]:
        """
        The sequences with something that only the rules' own Python can treat, or name as wrong.
        """

class PartSet:
    """The parts that bind every sequence alike."""

    def __init__(self, parts: Sequence[Part]) -> None: ...

class Problem:
    """One sequence to label: its scores, the common parts, and its own."""

    def __init__(self, trellis: Trellis, common: PartSet, own: Binding) -> None: ...

    @property
    def own(self) -> Binding: ...

class Problems:
    """
    The problems of many sequences; None for one that is not for the engine.
    """

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, sequence: int) -> Problem: ...

    def append(self, problem: Problem | None) -> None: ...

    def put(self, sequence: int, problem: Problem) -> None: ...

    def extend(self, examples: Examples, threads: int) -> list[int]:
        """
        One more for each sequence; gives the indices of those that are None, since the rules cannot be tied to them here.
        """

    @property
    def missing(self) -> list[int]:
        """The sequences for which it is None."""

class Answers:
    """What decoding found, for one sequence or many."""

    def __len__(self) -> int: ...

    def labels(self, sequence: int) -> list[int]: ...

    @property
    def all_labels(self) -> numpy.typing.NDArray[numpy.int32]:
        """The labels of all sequences, end to end."""

    @property
    def not_optimal(self) -> list[int]:
        """The sequences that have no answer, or none that is proved best."""

    def name_labels(self, names: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The labels of all sequences, by name; each must have an answer."""

    def rounds(self, sequence: int) -> list[tuple[tuple[int, ...], float, int, int]]:
        """(rules that entered, score, states, arcs) of each round."""

    def score(self, sequence: int) -> float: ...

    def bound(self, sequence: int) -> float: ...

    def status(self, sequence: int) -> str: ...

    def limit(self, sequence: int) -> str: ...

    def repaired(self, sequence: int) -> bool: ...

    def states(self, sequence: int) -> int: ...

    @property
    def scores(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def bounds(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def all_optimal(self) -> bool: ...

def problem_of(examples: Examples, sequence: int) -> Problem | None:
    """
    One sequence of the examples; None if the rules cannot be tied to it here.
    """

def decode(problem: Problem, limits: Limits) -> Answers: ...

def decode_batch(problems: Problems, limits: Limits, threads: int) -> Answers: ...

def decode_lattices(examples: Examples, limits: Limits, threads: int) -> Answers:
    """
    The sequences of the examples. Those that end up in `examples.apart` have no answer.
    """

def decode_arrays(examples: Examples, emissions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], transitions: Transitions | None, start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, end: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, limits: Limits, threads: int) -> Answers:
    """
    Scores and what the rules see of many sequences, end to end. Those that end up in `examples.apart` have no answer.
    """

def kernel_name() -> str:
    """Which generation of processors the kernels in use are compiled for."""

class Distribution:
    """
    Probabilities of the label sequences of an acyclic, deterministic graph.
    """

    def __init__(self, graph: Graph, limits: Limits = ...) -> None: ...

    @property
    def log_partition(self) -> float: ...

    @property
    def length(self) -> int:
        """Labels of the longest sequence."""

    def label_marginals(self) -> numpy.typing.NDArray[numpy.float64]: ...

    def window(self, start: int, choices: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, may_end: bool = False) -> float:
        """
        The probability that each label from `start` on is one of its choices (n, K).
        """

    def log_probability(self, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float: ...

    def sample_array(self, uniforms: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int32]:
        """
        `sample` as an array (samples, T), without limits; for label sequences that all have the same length.
        """

    def sample(self, uniforms: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], limits: Limits = ...) -> list[list[int]]:
        """One label sequence for each row of random numbers in [0, 1)."""

class BestSequences:
    """The label sequences of an acyclic graph, best first."""

    def __init__(self, graph: Graph, limits: Limits = ...) -> None: ...

    def __iter__(self) -> BestSequences: ...

    def __next__(self) -> tuple[float, list[int]]: ...

def is_deterministic(graph: Graph) -> bool: ...

def has_positions(graph: Graph) -> bool:
    """Whether each state knows how many labels were read before it."""

def with_positions(graph: Graph, limits: Limits) -> Product: ...

def determinize(graph: Graph, *, ignore_weights: bool, limits: Limits) -> Product: ...

def count_paths(graph: Graph, limits: Limits = ...) -> bytes:
    """How many paths there are: a whole number, its lowest byte first."""

class Outcome:
    """What A*, beam search or dual decomposition found for one sequence."""

    @property
    def status(self) -> str: ...

    @property
    def limit(self) -> str: ...

    @property
    def score(self) -> float: ...

    @property
    def bound(self) -> float: ...

    @property
    def labels(self) -> list[int]:
        """Empty if there is no answer."""

    @property
    def states(self) -> int: ...

    @property
    def arcs(self) -> int: ...

    @property
    def passes(self) -> int: ...

    @property
    def branches(self) -> int: ...

    @property
    def open(self) -> bytes:
        """
        Of dual decomposition: a byte for each label at each token, 0 if it is on no path as good as the answer.
        """

def a_star(problem: Problem, *, completion: str, limits: Limits, known: Sequence[int] = []) -> Outcome: ...

def a_star_graph(graph: Graph, parts: tuple[Part, ...], kinds: tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, ...], *, length: int, limits: Limits) -> Outcome: ...

def beam(problem: Problem, *, width: int | None, per_position: float | None, completion: str, limits: Limits) -> Outcome: ...

def dual(problem: Problem, *, iterations: int, finish: bool, limits: Limits, known: Sequence[int] = [], search: bool = False) -> Outcome: ...

class ColumnCutter:
    def __init__(self, separator: str) -> None: ...

    def cut(self, text: str, width: int, rows: Sequence[int], filled: Sequence[bool]) -> list[tuple[tuple[str, ...], ...]] | None:
        """
        The columns of each run of rows, as tuples; None if a row does not have `width` fields, or if a field is empty that must not be.
        """

    def cut_conllu(self, text: str, width: int, wanted: Sequence[int], most_rows: int) -> list[tuple[int, tuple[tuple[int, str], ...], dict[str, str], list[int] | None, int, str, list[tuple[str, ...]]]] | None:
        """
        The sentences of CoNLL-U: of each, the line of its first row, counted from 0; lines that are no rows, with their positions; what comments say; the lines of its rows, if they do not stand together; how many rows it has; these; and some of their columns. None if there is anything out of the ordinary, such as a row of another width.
        """

class StringTable:
    """Different strings and their ids, 0 to n - 1. Never changes."""

    def __init__(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @staticmethod
    def of(strings: list[str]) -> StringTable: ...

    def __len__(self) -> int: ...

    def find(self, text: str) -> int:
        """The id of a string, or -1."""

    def string(self, id: int) -> str: ...

    def strings(self) -> list[str]:
        """All of them, by id."""

    @property
    def bytes(self) -> numpy.typing.NDArray[numpy.uint8]:
        """(B,): their UTF-8, one after another."""

    @property
    def offsets(self) -> numpy.typing.NDArray[numpy.int64]:
        """(n + 1,): string i is bytes[offsets[i]:offsets[i + 1]]."""

def fit_items(sequences: list[object], min_count: int) -> tuple[StringTable, tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)] | None]]:
    """
    The attributes of CRFsuite-style items, and what they are with those ids.
    """

def extract_items(sequences: list[object], table: StringTable) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)] | None]:
    """The same with known attributes only."""

class FeatureProgram:
    """Declared templates, as the core runs them."""

    def __init__(self, sources: int, leaves: Sequence[tuple[str, int, int]], slots: Sequence[tuple[str, Sequence[tuple[int, int, bool]]]]) -> None: ...

    def read(self, sequences: list[object], columns: list[object], calls: list[object], source_text: object) -> FeatureCorpus:
        """What the leaves need to know of the tokens."""

    def fit(self, corpus: FeatureCorpus, min_count: int) -> tuple[StringTable, tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)] | None]]:
        """The attributes of a corpus, and the corpus in their ids."""

    def tables(self, index: StringTable) -> FeatureTables:
        """Known attributes, ready for extraction."""

    def read_tables(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> FeatureTables | None:
        """
        The same from arrays; None if they hold an attribute that the program does not make.
        """

    def extract(self, corpus: FeatureCorpus, tables: FeatureTables, threads: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)] | None]:
        """A corpus in the ids of known attributes."""

    def hash(self, corpus: FeatureCorpus, bits: int, signs: bool) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)] | None]:
        """A corpus in hashed ids."""

class FeatureCorpus:
    """Tokens, as a program reads them."""

class FeatureTables:
    """Known attributes, by the values that make them."""

    def __len__(self) -> int: ...

    def find(self, text: str) -> int:
        """The id of an attribute, or -1."""

    def string(self, id: int) -> str: ...

    def strings(self) -> StringTable:
        """
        All attributes, by id. Raises ValueError unless the program makes all of them.
        """

class TokenRows:
    """
    The tokens of a sentence as dicts from columns to values, made when one is looked at.
    """

    def __init__(self, names: tuple[str, ...], columns: tuple[tuple[Any, ...], ...]) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int | slice, /) -> Any: ...

    def __iter__(self) -> Iterator[dict[str, Any]]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

class LinearSequences:
    """The attributes of a corpus; keeps the arrays that it was given."""

    def __init__(self, sequence_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], item_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], attributes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, size: int) -> None: ...

    @property
    def size(self) -> int:
        """The number of attribute ids."""

class LinearLayout:
    """
    Which features a linear model has, and the index of the weight of each one.
    """

    def __init__(self, labels: int, output_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], output_labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], state_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], state_outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], edge_sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], edge_targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], last_outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def with_steps(self, sources: numpy.typing.NDArray[numpy.int32], targets: numpy.typing.NDArray[numpy.int32]) -> LinearLayout:
        """
        The same features, where only these labels may stand side by side; steps must ascend.
        """

    @property
    def size(self) -> int:
        """The number of weights."""

    @property
    def attributes(self) -> int: ...

    @property
    def labels(self) -> int: ...

    @property
    def output_offsets(self) -> numpy.typing.NDArray[numpy.int64]: ...

    @property
    def output_labels(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def state_offsets(self) -> numpy.typing.NDArray[numpy.int64]: ...

    @property
    def state_outputs(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def edge_sources(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def edge_targets(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def first_outputs(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def last_outputs(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def pair_offsets(self) -> numpy.typing.NDArray[numpy.int64]: ...

    @property
    def pair_sources(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def pair_targets(self) -> numpy.typing.NDArray[numpy.int32]: ...

def linear_features(labels: int, output_offsets: numpy.typing.NDArray[numpy.int64], output_labels: numpy.typing.NDArray[numpy.int32], data: LinearSequences, gold: numpy.typing.NDArray[numpy.int32], pairs: LinearSequences | None, *, all_states: bool, all_edges: bool, min_count: float, first: bool, last: bool, scopes: numpy.typing.NDArray[numpy.uint8] | None, label_outputs: int) -> tuple[LinearLayout, numpy.typing.NDArray[numpy.float64]]:
    """
    The features that a labelled corpus asks for, and how often each was seen.
    """

def linear_counts(layout: LinearLayout, data: LinearSequences, gold: numpy.typing.NDArray[numpy.int32], pairs: LinearSequences | None) -> numpy.typing.NDArray[numpy.float64]:
    """How often each feature of a layout was seen."""

def linear_objective(layout: LinearLayout, data: LinearSequences, pairs: LinearSequences | None, observed: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64], *, threads: int) -> tuple[float, numpy.typing.NDArray[numpy.float64]]:
    """The sum of -log p(y | x) and its gradient, without any penalty."""

class LbfgsStep:
    """What one iteration came to."""

    @property
    def objective(self) -> float: ...

    @property
    def gradient_norm(self) -> float: ...

    @property
    def weight_norm(self) -> float: ...

    @property
    def step(self) -> float: ...

    @property
    def trials(self) -> int:
        """Passes over the corpus."""

    @property
    def improved(self) -> bool: ...

class LinearBatch:
    """
    Maximum likelihood by L-BFGS, or OWL-QN if c1 > 0; one iteration per call.
    """

    def __init__(self, layout: LinearLayout, data: LinearSequences, pairs: LinearSequences | None, observed: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, c1: float, c2: float, memory: int, most_trials: int, threads: int) -> None: ...

    @property
    def started(self) -> LbfgsStep:
        """The report of where it started."""

    def step(self) -> LbfgsStep: ...

    @property
    def weights(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def gradient(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of the likelihood and the squared penalty."""

class LinearDescent:
    """Stochastic gradient descent, one epoch per call."""

    def __init__(self, layout: LinearLayout, data: LinearSequences, pairs: LinearSequences | None, gold: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], decay: float) -> None: ...

    def set_first_step(self, step: float) -> None: ...

    def reset(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def epoch(self, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """The sum of -log p(y | x), each before its own update."""

    def loss(self, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """The sum of -log p(y | x), without any update."""

    @property
    def next_step(self) -> float: ...

    @property
    def weights(self) -> numpy.typing.NDArray[numpy.float64]: ...

def linear_tag(layout: LinearLayout, weights: numpy.typing.NDArray[numpy.float64], data: LinearSequences, pairs: LinearSequences | None, *, threads: int) -> numpy.typing.NDArray[numpy.int32]:
    """The best label of every position."""

def linear_emissions(layout: LinearLayout, weights: numpy.typing.NDArray[numpy.float64], data: LinearSequences, *, threads: int) -> numpy.typing.NDArray[numpy.float64]:
    """Emission scores (M, K)."""

def linear_transitions(layout: LinearLayout, weights: numpy.typing.NDArray[numpy.float64]) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """Scores of transitions (K, K), of first and of last labels (K,)."""

def linear_steps(layout: LinearLayout, weights: numpy.typing.NDArray[numpy.float64], pairs: LinearSequences, sequence: int) -> numpy.typing.NDArray[numpy.float64]:
    """Transition scores (T-1, K, K) of one sequence."""

def linear_marginals(layout: LinearLayout, weights: numpy.typing.NDArray[numpy.float64], data: LinearSequences, pairs: LinearSequences | None, *, threads: int) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """Label marginals (M, K), and the log-partition of each sequence."""

class StructuredPerceptron:
    """The structured perceptron: one epoch or one sequence per call."""

    def __init__(self, layout: LinearLayout, data: LinearSequences, pairs: LinearSequences | None, gold: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, margin: float = 0.0, rate: float = 1.0, record: bool = False) -> None: ...

    def epoch(self, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """The mean share of wrong labels."""

    def best(self, sequence: int, against: numpy.typing.NDArray[numpy.int32] | None = None) -> numpy.typing.NDArray[numpy.int32]:
        """
        The best labels of a sequence; with `against`, other labels than those gain the margin.
        """

    def update(self, sequence: int, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], predicted: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rate: float) -> bool:
        """Whether anything changed."""

    def advance(self, sequences: float) -> None: ...

    def emissions(self, sequence: int, against: numpy.typing.NDArray[numpy.int32] | None = None) -> numpy.typing.NDArray[numpy.float64]: ...

    def transitions(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]: ...

    def steps(self, sequence: int) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def time(self) -> float:
        """One more than the sequences seen."""

    @property
    def weights(self) -> numpy.typing.NDArray[numpy.float64]:
        """Averaged."""

    @property
    def current(self) -> numpy.typing.NDArray[numpy.float64]:
        """The weights, not averaged."""

    @property
    def updates(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]:
        """Times, rates, sequences, target labels, predicted labels."""

def sequence_history_counts(layout: LinearLayout, weights: numpy.typing.NDArray[numpy.float64], learned_from: LinearSequences, learned_pairs: LinearSequences | None, times: numpy.typing.NDArray[numpy.float64], rates: numpy.typing.NDArray[numpy.float64], sequences: numpy.typing.NDArray[numpy.int64], target: numpy.typing.NDArray[numpy.int32], predicted: numpy.typing.NDArray[numpy.int32], time: float, data: LinearSequences, pairs: LinearSequences | None, *, max_vectors: int, threads: int) -> numpy.typing.NDArray[numpy.float64]:
    """
    (M, K): how often each label was a weight vector's best, times the vector's lifetime.
    """

class LocalOptions:
    """How a local classifier learns."""

    def __init__(self, *, multiplicative: bool = False, balanced: bool = False, one_vs_all: bool = False, margin: float = 0.0, rate: float = 1.0, promotion: float = 2.0, demotion: float = 0.5, threshold: float = 0.0, initial: float = 0.0, record: bool = False) -> None: ...

class LocalLearner:
    """A classifier of single positions that learns from one at a time."""

    def __init__(self, layout: LinearLayout, data: LinearSequences, gold: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], options: LocalOptions) -> None: ...

    def epoch(self, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """The share of positions whose best label was wrong."""

    @property
    def time(self) -> float:
        """One more than the positions seen."""

    @property
    def averaged(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def current(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def updates(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]:
        """Times, positions, labels."""

def position_history_counts(layout: LinearLayout, learned_from: LinearSequences, gold: numpy.typing.NDArray[numpy.int32], options: LocalOptions, times: numpy.typing.NDArray[numpy.float64], positions: numpy.typing.NDArray[numpy.int64], labels: numpy.typing.NDArray[numpy.int32], time: float, data: LinearSequences, *, max_vectors: int, threads: int) -> numpy.typing.NDArray[numpy.float64]:
    """
    (M, K): how often each label was a weight vector's best, times the vector's lifetime.
    """

class SegmentScores:
    """The scores of all segmentations of one sequence. Immutable."""

    @staticmethod
    def from_arrays(longest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tags: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> SegmentScores: ...

    def as_arrays(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]:
        """What `from_arrays` takes."""

    def arcs(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """
        All segmentations as arcs: source, target, tag, weight; and final weights of states. State 0 starts.
        """

    def graph(self, labels: int, least: float, *, keep_dead_ends: bool, limits: Limits) -> Graph:
        """The segmentations that score at least `least`, and some that do not."""

    def reached_by(self, segments: int) -> float:
        """
        The score that so many segments reach: each lies on a segmentation that is as good. -inf if there are fewer.
        """

    @property
    def length(self) -> int: ...

    @property
    def labels(self) -> int:
        """How many labels segments can have."""

    @property
    def width(self) -> int:
        """How many segments begin at one position, at most."""

    @property
    def score(self) -> float:
        """Of the best segmentation; -inf if there is none."""

    @property
    def tags(self) -> list[int]:
        """Of the best segmentation."""

    @property
    def magnitude(self) -> float:
        """No path's scores add up to more than this, signs ignored."""

    @property
    def rounding(self) -> float:
        """By how much sums of one path can differ, added up in different orders."""

class SegmentProblem:
    """
    The scores of one sequence, and the rules that are tied to it. Immutable.
    """

    def __init__(self, scores: SegmentScores, common: PartSet, own: Binding, labels: int) -> None: ...

class SegmentAnswer:
    """
    The best segmentation of one sequence under rules, or how far the search came.
    """

    @property
    def status(self) -> str: ...

    @property
    def score(self) -> float: ...

    @property
    def tags(self) -> list[int]: ...

    @property
    def rows(self) -> int:
        """Of K scores, of all searches."""

    @property
    def rounds(self) -> list[tuple[list[int], float, int, int]]:
        """
        Of each round the rules that entered, the score, and the states and arcs that were looked at.
        """

def decode_segments(problems: Sequence[SegmentProblem], most_rows: int, threads: int) -> list[SegmentAnswer]:
    """
    The answers to many problems; each gives up after that many rows of K scores.
    """

class SemiSegments:
    """A corpus and the segments that it may be cut into."""

    def __init__(self, longest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], repeats: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], tokens: LinearSequences, firsts: LinearSequences | None, lasts: LinearSequences | None, lengths: LinearSequences | None, segments: LinearSequences | None) -> None: ...

class SemiBatch:
    """Maximum likelihood of segmentations by L-BFGS; one iteration per call."""

    def __init__(self, layout: LinearLayout, segments: SemiSegments, observed: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, c1: float, c2: float, memory: int, most_trials: int, threads: int) -> None: ...

    @property
    def started(self) -> LbfgsStep:
        """The report of where it started."""

    def step(self) -> LbfgsStep: ...

    @property
    def weights(self) -> numpy.typing.NDArray[numpy.float64]: ...

def semi_objective(layout: LinearLayout, segments: SemiSegments, observed: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64], *, threads: int) -> tuple[float, numpy.typing.NDArray[numpy.float64]]:
    """The sum of -log p(segments | x) and its gradient, without any penalty."""

def semi_marginals(layout: LinearLayout, segments: SemiSegments, weights: numpy.typing.NDArray[numpy.float64], *, threads: int) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """
    Probabilities (M, K) of labels, of segments that begin, that end, and that do both; log-partitions (N,).
    """

def semi_best(layout: LinearLayout, segments: SemiSegments, weights: numpy.typing.NDArray[numpy.float64], *, threads: int) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64]]:
    """
    Best segments: offsets (N + 1,), their ends, their labels; scores (N,).
    """

def semi_scores(layout: LinearLayout, segments: SemiSegments, weights: numpy.typing.NDArray[numpy.float64], tags: numpy.typing.NDArray[numpy.int32], *, threads: int) -> list[SegmentScores]:
    """
    The scores of all segments of each sequence; None for one without tokens.
    """

class StringParser:
    """
    Strings to tokens and labels, as a package made with parserator does it.
    """

    def parse(self, texts: list[str], type: type, parser: object, threads: int, *, limit: float, merge: bool) -> tuple[list[object | None], list[tuple[int, tuple[str, ...], tuple[str, ...]]], list[int], numpy.typing.NDArray[numpy.float64]]:
        """
        The answers, None where there is none yet; (number, tokens, plain labels) of the strings whose labels break the rules, though it may cost no more than the limit to obey; the numbers of those that only the package itself can read; the emissions (M, K) of the former.
        """

class UsaddressParser(StringParser):
    def __init__(self, unescape: Callable[[str], str], directions: Iterable[str], street_names: Iterable[str], labels: tuple[str, ...], attributes: tuple[str, ...], transitions: numpy.typing.NDArray[numpy.float64], row_starts: numpy.typing.NDArray[numpy.int64], targets: numpy.typing.NDArray[numpy.int64], weights: numpy.typing.NDArray[numpy.float64], field_names: tuple[str, ...], fields: numpy.typing.NDArray[numpy.int32], levels: numpy.typing.NDArray[numpy.uint8], interrupts: numpy.typing.NDArray[numpy.uint8], signs: numpy.typing.NDArray[numpy.uint8], kinds: tuple[str, ...], only_repeated: bool) -> None: ...

class ProbablepeopleParser(StringParser):
    def __init__(self, metaphones: Callable[[str], tuple[str, str]], prepositions: Iterable[str], first_names: dict[str, float], genders: dict[str, float], labels: tuple[str, ...], attributes: tuple[str, ...], transitions: numpy.typing.NDArray[numpy.float64], row_starts: numpy.typing.NDArray[numpy.int64], targets: numpy.typing.NDArray[numpy.int64], weights: numpy.typing.NDArray[numpy.float64], field_names: tuple[str, ...], fields: numpy.typing.NDArray[numpy.int32], levels: numpy.typing.NDArray[numpy.uint8], interrupts: numpy.typing.NDArray[numpy.uint8], signs: numpy.typing.NDArray[numpy.uint8], kinds: tuple[str, ...], only_repeated: bool) -> None: ...

def number_labels(numbers: dict[str, int], labellings: list[tuple[str, ...]]) -> numpy.typing.NDArray[numpy.int64] | None:
    """
    The numbers of the labels of many sequences, end to end; None if one is not known, or not plain.
    """

def resampled_sums(numbers: numpy.typing.NDArray[numpy.uint64], rounds: int, seed: int) -> numpy.typing.NDArray[numpy.uint64]:
    """
    Sums, modulo 2^64, over as many rows as there are, drawn with replacement in every round: (rounds * columns).
    """
