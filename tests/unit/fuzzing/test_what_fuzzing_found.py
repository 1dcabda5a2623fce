"""Inputs that `make fuzz` found, as small as they can be. Each gave a traceback, or a heap of memory, once."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawful
from lawful.errors import CorpusError, DamagedFileError, FeatureError, PriceError, RuleFileError
from lawful.models.features import Features
from lawful.models.saving import read_model, write_model

NESTED: object = "x"
for _ in range(900):
    NESTED = [NESTED]


def test_reading_a_model_takes_no_more_memory_than_the_file(tmp_path: Path) -> None:
    write_model(tmp_path / "m.lawful", "hmm", {}, {})
    assert read_model(tmp_path / "m.lawful", max_bytes=2**62).kind == "hmm"


def test_parquet_with_text_that_is_no_text(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    words = arrow.Array.from_buffers(
        arrow.string(), 1, [None, arrow.py_buffer(b"\0\0\0\0\1\0\0\0"), arrow.py_buffer(b"\xff")]
    )
    tokens = arrow.ListArray.from_arrays(arrow.array([0, 1], arrow.int32()), words)
    parquet.write_table(arrow.table({"tokens": tokens}), tmp_path / "x.parquet")
    with pytest.raises(CorpusError, match="damaged Parquet data"):
        lawful.read_corpus(tmp_path / "x.parquet")


def test_features_nested_without_end() -> None:
    with pytest.raises(FeatureError, match="not JSON"):
        Features.from_json("[" * 100_000)


def test_a_price_of_more_digits_than_a_number_holds() -> None:
    with pytest.raises(PriceError):
        lawful.forbid("A").soft(10**400)
    with pytest.raises(RuleFileError, match="key 'price'"):
        lawful.rules.files.parse_rules(f'[[rule]]\nkind = "forbid"\nlabels = "A"\nprice = {10**400}\n')


@pytest.mark.parametrize("wrong", [{"labels": 7}, {"emissions": [{"column": NESTED}]}])
def test_a_model_whose_parameters_could_not_be_saved(tmp_path: Path, wrong: dict[str, object]) -> None:
    path = tmp_path / "m.lawful"
    lawful.HMM().fit([["a", "b"]], [["A", "B"]]).save(path)
    saved = read_model(path)
    meta = {**saved.meta, "parameters": {**saved.meta["parameters"], **wrong}}
    write_model(path, saved.kind, meta, saved.arrays)
    with pytest.raises(DamagedFileError):
        lawful.load_model(path)
