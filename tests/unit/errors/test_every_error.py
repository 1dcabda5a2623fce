"""Every error class is raised through the public API, keeps its fields, and names the place."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest import mock
from zipfile import ZipFile

import numpy as np
import pytest

import bylaw
from bylaw import GraphLattice, LabelSet, Lattice, _core, decode, errors, token
from bylaw.adapters.parserator import import_package
from bylaw.automata.counting import CountingMachine
from bylaw.models.saving import FORMAT_VERSION
from bylaw.models.saving.reading import parse_model
from bylaw.models.saving.writing import model_bytes
from bylaw.solvers.engine import engine
from bylaw.solvers.solution import Problem
from bylaw.tasks import load
from bylaw.testing import enumerate_best

NAN = float("nan")
PLAIN = Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"])
SPELLED = Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"], tokens=["x", "y"], context={"other": []})


class Case(NamedTuple):
    """What raises an error, the fields that it must keep, and what its message must say."""

    error: type[Exception]
    cause: Callable[[], Any]
    fields: dict[str, Any]
    says: list[str]


def without_pyarrow() -> None:
    with mock.patch.dict(sys.modules, {"pyarrow": None}):
        bylaw.read_corpus("x.parquet", "parquet")


def cyclic_graph(weight: float) -> GraphLattice:
    return GraphLattice.from_arcs(
        [(3, 4, "A", weight), (4, 3, "B", 0.0), (3, 9, "A", 0.0)], labels=["A", "B"], start=3, finals=[9]
    )


def hard_part_whose_search_never_sees_a_violation() -> _core.Part:
    nothing = np.zeros((1, 2), dtype=np.int32)
    return _core.Part(
        rule=0,
        table=np.array([[0, 1]], dtype=np.uint16),
        delta=nothing,
        cost=np.zeros((1, 2)),
        final_cost=np.zeros(1),
        mode="hard",
        price=float("inf"),
        count_delta=nothing,
        count_violations=np.array([[0, 1]], dtype=np.int32),
        count_final=np.zeros(1, dtype=np.int32),
    )


def crfsuite_header(*, version: int = 100, labels: int = 1) -> bytes:
    return struct.pack("<4sI4s9I", b"lCRF", 48, b"FOMC", version, 0, labels, 0, 0, 0, 0, 0, 0)


def many_states() -> bylaw.Rule:
    return bylaw.at_most(10**6, "A")


def slow_lattice() -> tuple[Lattice, bylaw.Rules]:
    rng = np.random.default_rng(0)
    names = list("ABCDEF")
    lattice = Lattice(rng.normal(size=(40, 6)), labels=names)
    return lattice, bylaw.Rules(bylaw.exactly(5, name) for name in "ABCD")


class Unfitted(bylaw.SequenceModel):
    """A model that nobody has fitted."""

    fit = lattice = _saved = _restore = None


def read(data: bytes, reader: Callable[[Path], Any]) -> Any:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        path.write_bytes(data)
        return reader(path)


def newer_file() -> bytes:
    """A file of a later format: all that it promises is its first member."""
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        archive.writestr("model.json", '{"format": "bylaw model", "format_version": 9}')
    return made.getvalue()


CASES = [
    # --- labels and lattices ---
    Case(errors.EmptyLabelSetError, lambda: LabelSet([]), {}, ["at least one label"]),
    Case(
        errors.DuplicateLabelError,
        lambda: LabelSet(["O", "Name", "O"]),
        {"label": "O", "first": 0, "second": 2},
        ["'O'", "at 0", "at 2"],
    ),
    Case(
        errors.UnknownLabelError,
        lambda: decode(PLAIN, bylaw.forbid("AB").named("no AB")),
        {"label": "AB", "known": ("A", "B")},
        ["'AB'", "no AB", "did you mean 'B'?"],
    ),
    Case(
        errors.LabelSetError,
        lambda: bylaw.Decoder(labels=["A", "C"]).decode(PLAIN),
        {"expected": ("A", "C"), "got": ("A", "B")},
        ["'A', 'C'", "'A', 'B'", "same LabelSet"],
    ),
    Case(
        errors.ShapeError,
        lambda: Lattice([[0.0, 1.0]], start=[0.0, 0.0, 0.0]),
        {"array": "start", "expected": "(2,)", "got": (3,)},
        ["start", "(2,)", "(3,)"],
    ),
    Case(
        errors.DtypeError,
        lambda: Lattice([["a", "b"]]),
        {"array": "emissions", "expected": "numbers"},
        ["emissions", "numbers", "<U1"],
    ),
    Case(
        errors.ScoreError,
        lambda: Lattice([[0.0, 1.0], [NAN, 0.0]], labels=["A", "B"]),
        {"array": "emissions", "index": (1, 0), "label": "A"},
        ["emissions[1, 0]", "'A'", "nan"],
    ),
    Case(
        errors.EmptySequenceError,
        lambda: Lattice(np.zeros((0, 3))),
        {"where": "emissions"},
        ["emissions is empty"],
    ),
    Case(
        errors.GraphError,
        lambda: GraphLattice.from_arcs([(0, 1, "A", 0.0), (-2, 1, "A", 0.0)], labels=["A"], finals=[1]),
        {"arc": 1},
        ["arc 1", "-2"],
    ),
    Case(
        errors.UnboundedError,
        lambda: decode(cyclic_graph(0.5)),
        {"weight": 0.5},
        ["3 -> 4", "0.5"],
    ),
    Case(
        errors.AttFormatError,
        lambda: bylaw.read_att(StringIO("0 1 A 0.5\n0 x A\n"), labels=["A"]),
        {"line": 2},
        ["line 2", "'x'"],
    ),
    # --- rules ---
    Case(
        errors.RuleError,
        lambda: decode(PLAIN, bylaw.at_most(1, "A").named("one A"), solver="viterbi"),
        {},
        ["'one A'", "solver='auto'"],
    ),
    Case(
        errors.MachineError,
        lambda: CountingMachine.from_lists([[0, 7]], [[0, 0]], [0]),
        {},
        ["delta", "states 0 to 0"],
    ),
    Case(
        errors.PriceError,
        lambda: bylaw.forbid("A").soft(-1.0),
        {"price": -1.0, "rule": "forbid('A')"},
        ["forbid('A')", "-1.0"],
    ),
    Case(
        errors.UnpricedRuleError,
        lambda: decode(PLAIN, bylaw.forbid("A").soft("learn", name="no A")),
        {"rule": "no A"},
        ["'no A'", "'learn'"],
    ),
    Case(
        errors.DuplicateRuleError,
        lambda: bylaw.Rules(bylaw.forbid("A").named("same"), bylaw.forbid("B").named("same")),
        {"name": "same"},
        ["'same'"],
    ),
    Case(
        errors.RuleTooLargeError,
        lambda: decode(PLAIN, many_states()),
        {"rule": many_states().name},
        ["at_most"],
    ),
    Case(
        errors.RuleFileError,
        lambda: bylaw.parse_rules("[[rule]]\nkind = 'forbit'\n", "my.toml"),
        {
            "problems": (
                errors.RuleProblem(
                    "my.toml",
                    2,
                    1,
                    "rule 1",
                    "kind",
                    "unknown kind of rule 'forbit'; did you mean 'forbid'?",
                    "forbid",
                ),
            )
        },
        ["my.toml, line 2, rule 1, key 'kind'"],
    ),
    Case(
        errors.PatternError,
        lambda: bylaw.pattern("A (B"),
        {"pattern": "A (B", "position": 2},
        ["never closed", "\n  A (B\n    ^"],
    ),
    Case(
        errors.ContextError,
        lambda: decode(
            Lattice([[0.0]], labels=["A"], context={"spans": 7}), bylaw.uniform(bylaw.context("spans"))
        ),
        {},
        ["uniform", "7"],
    ),
    Case(
        errors.MissingContextError,
        lambda: decode(SPELLED, bylaw.uniform(bylaw.context("spans")).named("even")),
        {"name": "spans", "rule": "even", "known": ("other",)},
        ["'even'", "'spans'", "'other'"],
    ),
    Case(
        errors.SpanError,
        lambda: decode(PLAIN, bylaw.uniform([(1, 5)]).named("even")),
        {"span": (1, 5), "length": 2, "rule": "even"},
        ["'even'", "(1, 5)", "2 tokens"],
    ),
    Case(
        errors.PositionError,
        lambda: decode(PLAIN, bylaw.fix(4, "A").named("fifth")),
        {"position": 4, "length": 2, "rule": "fifth"},
        ["'fifth'", "position 4", "-2 to 1"],
    ),
    Case(
        errors.TokenError,
        lambda: decode(PLAIN, bylaw.when(token.matches("x")).then("A").named("x is A")),
        {"rule": "x is A"},
        ["'x is A'", "tokens"],
    ),
    # --- decoding ---
    Case(
        errors.InfeasibleError,
        lambda: decode(
            PLAIN,
            [bylaw.forbid("A").named("no A"), bylaw.fix(1, "A").named("ends in A"), bylaw.at_most(2, "B")],
        ),
        {"rules": ("no A", "ends in A"), "position": 1, "sequence": None},
        ["'no A', 'ends in A'", "token 1", "on_infeasible='least_bad'"],
    ),
    Case(
        errors.LimitError,
        lambda: decode(*slow_lattice(), max_states=50),
        {"limit": "max_states", "value": 50, "sequence": None},
        ["max_states=50", "on_limit='bounded'"],
    ),
    Case(
        errors.ProductTooLargeError,
        lambda: bylaw.log_partition(*slow_lattice(), max_states=500),
        {"limit": "max_states", "value": 500, "sequence": None},
        ['states, past max_states=500, with rule "exactly(5, ', "raise max_states"],
    ),
    Case(
        errors.EnumerationError,
        lambda: enumerate_best(Lattice(np.zeros((30, 4)))),
        {"limit": "max_sequences"},
        ["max_sequences"],
    ),
    Case(
        errors.LossError,
        lambda: decode(PLAIN, bylaw.forbid("B"), max_loss=1.0, on_exceed="raise"),
        {"loss": 3.0, "max_loss": 1.0},
        ["3", "max_loss=1"],
    ),
    # --- models ---
    Case(
        errors.FeatureError,
        lambda: bylaw.features.Features.from_dict({"templates": ["word", {"prefix": [0, 3]}]}),
        {"key": "templates[1].prefix.shortest"},
        ["templates[1].prefix.shortest", "from 1 to 64", "got 0"],
    ),
    Case(errors.NotFittedError, lambda: Unfitted().labels, {"model": "Unfitted"}, ["Unfitted", "fit(X, y)"]),
    Case(
        errors.ModelFileError,
        lambda: read(model_bytes("oracle", {}, {}), bylaw.load),
        {"problem": "a model of kind 'oracle', which nothing here defines: import what defines it"},
        ["'oracle'", "import"],
    ),
    Case(errors.ForeignFileError, lambda: parse_model(b"hello", "a.txt"), {"path": "a.txt"}, ["a.txt"]),
    Case(
        errors.TruncatedFileError,
        lambda: parse_model(model_bytes("hmm", {}, {})[:-1], "m"),
        {"path": "m"},
        ["end is missing"],
    ),
    Case(
        errors.DamagedFileError,
        lambda: parse_model(model_bytes("hmm", {}, {}).replace(b"hmm", b"crf"), "m"),
        {"path": "m"},
        ["checksum"],
    ),
    Case(
        errors.NewerFormatError,
        lambda: parse_model(newer_file(), "m"),
        {"version": 9, "known": FORMAT_VERSION},
        ["version 9", "upgrade"],
    ),
    # --- model files and extras ---
    Case(
        errors.ForeignFileError,
        lambda: bylaw.from_crfsuite(b"PK, a zip"),
        {"path": "model in memory"},
        ["model in memory", "not a CRFsuite model", "b'PK, '"],
    ),
    Case(
        errors.TruncatedFileError,
        lambda: bylaw.from_crfsuite(crfsuite_header()[:40]),
        {"path": "model in memory"},
        ["40 bytes", "header", "48"],
    ),
    Case(
        errors.NewerFormatError,
        lambda: bylaw.from_crfsuite(crfsuite_header(version=200)),
        {"version": 200, "known": 100},
        ["version 200", "up to 100", "upgrade"],
    ),
    Case(
        errors.DamagedFileError,
        lambda: bylaw.from_crfsuite(crfsuite_header(labels=0)),
        {"path": "model in memory"},
        ["no labels"],
    ),
    Case(
        errors.ModelFileError,
        lambda: bylaw.from_crfsuite(crfsuite_header(labels=10**6)),
        {"path": "model in memory"},
        ["1000000 labels", "up to 10000"],
    ),
    Case(
        errors.MissingExtraError,
        lambda: import_package("no_such_package"),
        {"package": "no_such_package", "extra": "no_such_package"},
        ["needs the package", "pip install 'bylaw[no_such_package]'"],
    ),
    Case(
        errors.InputError,
        lambda: bylaw.Decoder(labels=["A"], solver="magic"),
        {},
        ["'magic'", "auto"],
    ),
    Case(
        errors.InternalError,
        lambda: engine(Problem(PLAIN, (hard_part_whose_search_never_sees_a_violation(),), (None,), ("odd",))),
        {},
        ["disagree", "report"],
    ),
    Case(
        errors.CorpusError,
        lambda: bylaw.read_corpus(StringIO("a\0b X"), "columns"),
        {"source": "the text", "line": 1},
        ["the text, line 1: a NUL character"],
    ),
    Case(
        errors.RaggedRowError,
        lambda: bylaw.read_corpus(StringIO("a X\n\nb\n"), "columns"),
        {"source": "the text", "line": 3, "found": 1, "row": "b"},
        ["line 3: expected 2 columns parted by whitespace, found 1: 'b'"],
    ),
    Case(
        errors.MissingDataError,
        lambda: load("conll2000", "test", data="nowhere"),
        {"task": "conll2000", "path": "nowhere/conll2000"},
        ["https://www.clips.uantwerpen.be", "BYLAW_DATA"],
    ),
    Case(
        errors.MissingExtraError,
        without_pyarrow,
        {"package": "pyarrow", "extra": "parquet"},
        ["Parquet needs the package pyarrow: pip install 'bylaw[parquet]'"],
    ),
]


def error_classes() -> set[type[Exception]]:
    """All classes of the module but `RuleProblem`, which an error holds."""
    return {getattr(errors, name) for name in errors.__all__} - {errors.RuleProblem}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.error.__name__)
def test_an_error_is_raised_with_its_fields_and_names_the_place(case: Case) -> None:
    with pytest.raises(errors.BylawError) as caught:
        case.cause()
    error = caught.value
    assert type(error) is case.error
    assert {name: getattr(error, name) for name in case.fields} == case.fields
    assert [part for part in case.says if part not in str(error)] == []


def test_a_mistake_of_the_caller_is_also_a_value_error() -> None:
    ours = {errors.BylawError, errors.InternalError}
    found_while_decoding = {
        errors.InfeasibleError,
        errors.LimitError,
        errors.LossError,
        errors.ProductTooLargeError,
    }
    for kind in error_classes():
        assert issubclass(kind, errors.BylawError)
        assert issubclass(kind, ValueError) == (kind not in ours | found_while_decoding)


def test_every_error_class_is_raised_above() -> None:
    assert {case.error for case in CASES} == error_classes() - {errors.BylawError}


def test_every_error_class_is_exported() -> None:
    defined = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert defined == set(errors.__all__)
