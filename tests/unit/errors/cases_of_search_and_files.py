"""Errors about searching, models, corpora and their files.

Each is (error, what raises it, the fields that it must keep, what its message must say).
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock
from zipfile import ZipFile

import numpy as np

import lawful
from lawful import Lattice, _core, decode, errors
from lawful.adapters.parserator.parser import import_package
from lawful.corpus import read_brackets
from lawful.encodings import scheme_encoding
from lawful.models.saving import FORMAT_VERSION
from lawful.models.saving.reading import parse_model
from lawful.models.saving.writing import model_bytes
from lawful.rules.bound_rules import BoundRules
from lawful.solvers.engine import engine
from lawful.solvers.problem import Problem
from lawful.tasks import load
from lawful.testing import enumerate_best

PLAIN = Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"])


def without_pyarrow() -> None:
    with mock.patch.dict(sys.modules, {"pyarrow": None}):
        lawful.read_corpus("x.parquet", "parquet")


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


def slow_lattice() -> tuple[Lattice, lawful.Rules]:
    rng = np.random.default_rng(0)
    names = list("ABCDEF")
    lattice = Lattice(rng.normal(size=(40, 6)), labels=names)
    return lattice, lawful.Rules(lawful.exactly(5, name) for name in "ABCD")


def report_without_an_answer() -> None:
    """Rules that no search solves in the time."""
    names = [f"L{number}" for number in range(10)]
    hard = [rule for name in names for rule in (lawful.exactly(6, name), lawful.at_most_segments(1, name))]
    words = [f"w{number}" for number in range(60)]
    labels = np.random.default_rng(1).choice(names, 60).tolist()
    lawful.report.make_report(
        [lawful.Sentence(words)], lawful.HMM(labels=names).fit([words], [labels]), hard, timeout=1e-4
    )


class Unfitted(lawful.models.SequenceModel):
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
        archive.writestr("model.json", '{"format": "lawful model", "format_version": 9}')
    return made.getvalue()


CASES = [
    (
        errors.InfeasibleError,
        lambda: decode(
            PLAIN,
            [
                lawful.forbid("A").named("no A"),
                lawful.label_at(1, "A").named("ends in A"),
                lawful.at_most(2, "B"),
            ],
        ),
        {"rules": ("no A", "ends in A"), "position": 1, "sequence": None},
        ["'no A', 'ends in A'", "token 1", "on_infeasible='least_bad'"],
    ),
    (
        errors.LimitError,
        lambda: decode(*slow_lattice(), max_states=50),
        {"limit": "max_states", "value": 50, "sequence": None},
        ["max_states=50", "on_limit='bounded'"],
    ),
    (
        errors.NoLabelsError,
        report_without_an_answer,
        {"limit": "timeout", "location": "sequence 1: "},
        ["sequence 1: a limit ended", "raise timeout"],
    ),
    (
        errors.ProductTooLargeError,
        lambda: lawful.decoding.log_partition(*slow_lattice(), max_states=500),
        {"limit": "max_states", "value": 500, "sequence": None},
        ['states, past max_states=500, with rule "exactly(5, ', "raise max_states"],
    ),
    (
        errors.EnumerationError,
        lambda: enumerate_best(Lattice(np.zeros((30, 4)))),
        {"limit": "max_sequences"},
        ["max_sequences"],
    ),
    (
        errors.ProbabilityError,
        lambda: lawful.marginals(Lattice([[-1e30, 0.0]], labels=["A", "B"]), lawful.forbid("B")),
        {"log_partition": -1e30},
        ["-1e+30", "-inf", "hard rules"],
    ),
    (
        errors.UnprovedError,
        lambda: decode(
            lawful.Lattice([[1e300, 1.0, 2.0], *[[0.0, -1e-9, 1e-9]] * 3], labels=["A", "B", "C"]),
            lawful.forbid("A"),
            solver="ilp",
        ),
        {"solver": "ilp"},
        ["solver='ilp' has no proof", "the rules cost 1e+300", "on_limit='bounded'"],
    ),
    (
        errors.LossError,
        lambda: decode(PLAIN, lawful.forbid("B"), max_loss=1.0, on_exceed="raise"),
        {"loss": 3.0, "max_loss": 1.0},
        ["3", "max_loss=1"],
    ),
    (
        errors.FeatureError,
        lambda: lawful.features.Features.from_dict({"templates": ["word", {"prefix": [0, 3]}]}),
        {"key": "templates[1].prefix.shortest"},
        ["templates[1].prefix.shortest", "from 1 to 64", "got 0"],
    ),
    (errors.NotFittedError, lambda: Unfitted().labels, {"model": "Unfitted"}, ["Unfitted", "fit(X, y)"]),
    (
        errors.ModelFileError,
        lambda: read(model_bytes("oracle", {}, {}), lawful.load_model),
        {
            "problem": "a model of kind 'oracle', which no imported class has: import the module that defines it"
        },
        ["'oracle'", "import"],
    ),
    (errors.ForeignFileError, lambda: parse_model(b"hello", "a.txt"), {"path": "a.txt"}, ["a.txt"]),
    (
        errors.TruncatedFileError,
        lambda: parse_model(model_bytes("hmm", {}, {})[:-1], "m"),
        {"path": "m"},
        ["end is missing"],
    ),
    (
        errors.DamagedFileError,
        lambda: parse_model(model_bytes("hmm", {}, {}).replace(b"hmm", b"crf"), "m"),
        {"path": "m"},
        ["checksum"],
    ),
    (
        errors.NewerFormatError,
        lambda: parse_model(newer_file(), "m"),
        {"version": 9, "known": FORMAT_VERSION},
        ["version 9", "upgrade"],
    ),
    (
        errors.ForeignFileError,
        lambda: lawful.from_crfsuite(b"PK, a zip"),
        {"path": "model in memory"},
        ["model in memory", "not a CRFsuite model", "b'PK, '"],
    ),
    (
        errors.TruncatedFileError,
        lambda: lawful.from_crfsuite(crfsuite_header()[:40]),
        {"path": "model in memory"},
        ["40 bytes", "header", "48"],
    ),
    (
        errors.NewerFormatError,
        lambda: lawful.from_crfsuite(crfsuite_header(version=200)),
        {"version": 200, "known": 100},
        ["version 200", "up to 100", "upgrade"],
    ),
    (
        errors.DamagedFileError,
        lambda: lawful.from_crfsuite(crfsuite_header(labels=0)),
        {"path": "model in memory"},
        ["no labels"],
    ),
    (
        errors.ModelFileError,
        lambda: lawful.from_crfsuite(crfsuite_header(labels=10**6)),
        {"path": "model in memory"},
        ["1000000 labels", "up to 10000"],
    ),
    (
        errors.MissingExtraError,
        lambda: import_package("no_such_package"),
        {"package": "no_such_package", "extra": "no_such_package"},
        ["needs the package", "pip install '.[no_such_package]'"],
    ),
    (
        errors.InputError,
        lambda: lawful.Decoder(labels=["A"], solver="magic"),
        {},
        ["'magic'", "auto"],
    ),
    (
        errors.InternalError,
        lambda: engine(
            Problem(
                PLAIN, BoundRules.from_parts([hard_part_whose_search_never_sees_a_violation()], names=["odd"])
            )
        ),
        {},
        ["disagree", "report"],
    ),
    (
        errors.CorpusError,
        lambda: lawful.read_corpus(StringIO("a\0b X"), "columns"),
        {"source": "the text", "line": 1},
        ["the text, line 1: a NUL character"],
    ),
    (
        errors.BracketError,
        lambda: read_brackets(["(S*", "*NP)"]),
        {"position": 1, "problem": "'*NP)' closes 'NP', but expected 'S', opened at token 0"},
        ["token 1: "],
    ),
    (
        errors.FileError,
        lambda: lawful.load_model("."),
        {
            "path": ".",
            "problem": "cannot be opened: it is a folder, not a file",
            "errno": 21,
            "filename": ".",
        },
        [".: cannot be opened: it is a folder, not a file"],
    ),
    (
        errors.MissingFileError,
        lambda: lawful.write_rules([], "nowhere/rules.toml"),
        {"path": "nowhere/rules.toml", "errno": 2},
        ["nowhere/rules.toml: cannot be written: there is no folder nowhere"],
    ),
    (
        errors.RaggedRowError,
        lambda: lawful.read_corpus(StringIO("a X\n\nb\n"), "columns"),
        {"source": "the text", "line": 3, "found": 1, "row": "b"},
        ["line 3: expected 2 columns separated by whitespace, found 1: 'b'"],
    ),
    (
        errors.EncodingError,
        lambda: scheme_encoding("IOB1", "IOE1").encode(["O", "B"]),
        {},
        ["label 'B' at position 1 cannot stand there"],
    ),
    (
        errors.MissingDataError,
        lambda: load("conll2000", "test", data="nowhere"),
        {"task": "conll2000", "path": "nowhere/conll2000"},
        ["https://www.clips.uantwerpen.be", "LAWFUL_DATA"],
    ),
    (
        errors.MissingExtraError,
        without_pyarrow,
        {"package": "pyarrow", "extra": "parquet"},
        ["Parquet needs the package pyarrow: run pip install '.[parquet]' in a clone of lawful"],
    ),
]
