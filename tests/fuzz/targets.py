"""What is fuzzed: for every kind of file, how it is damaged and what then reads it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from command_lines import make_command, run_command
from mutations import mutate_bytes, mutate_data, mutate_text

import lawful
from lawful.corpus import Frames, read_frame_file
from lawful.models.features import Features
from lawful.models.saving.reading import read_model
from lawful.models.saving.writing import model_bytes
from lawful.tasks.srl import (
    allowed_in_frames,
    analyse,
    chunk_features,
    parse_features,
    proposition_spans,
    role_sequence,
    write_roles,
)
from lawful.tasks.srl.propositions import verb_positions

__all__ = ["TARGETS", "Target", "make_case"]

LABELS = ["O", "Number", "Street", "City", "State", "Zip"]
ROLE_COLUMNS = "word,pos,chunk,clause,parse,verb,args*"
TOKENS = ["12", "Main", ",", "97475", "é", ""]
Mutation = Callable[[random.Random, bytes, bytes], bytes]


@dataclass(frozen=True)
class Target:
    """A reader: which seeds it starts from, how they are hurt, and what is done with the result."""

    seeds: str
    mutate: Mutation
    use: Callable[[Path], None]


def make_case(name: str, seeds: dict[str, list[Path]], rng: random.Random) -> tuple[bytes, str]:
    """The bytes of one damaged input for a target, and how its file's name ends."""
    if name == "command":
        return make_command(rng), ".json"
    target = TARGETS[name]
    chosen, other = (rng.choice(seeds[target.seeds]) for _ in range(2))
    return target.mutate(rng, chosen.read_bytes(), other.read_bytes()), "".join(chosen.suffixes)


def _use_rules(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    found = lawful.read_rules(path)
    for rule in found:
        lawful.describe(rule)
    again = lawful.rules.files.parse_rules(lawful.rules.files.format_rules(found))
    assert again == found, "what was written is not what is read"
    lawful.rules.files.parse_rules(text, trusted=False)
    labels = sorted({*LABELS, *(label for rule in found for label in getattr(rule, "labels", ()))})
    lawful.check(found, labels, max_states=200)
    lattice = lawful.Lattice(np.zeros((len(TOKENS), len(labels))), labels=labels, tokens=TOKENS)
    priced = [rule.soft(1.0) if rule.price == "learn" else rule for rule in found]
    lawful.decode(lattice, priced, on_infeasible="least_bad", max_states=20_000, on_limit="bounded")


def _use_model(path: Path) -> None:
    model = lawful.load_model(path)
    model.predict([TOKENS, ["a"]])
    model.save(path.with_name("again.lawful"))


def _use_crfsuite(path: Path) -> None:
    tagger = lawful.from_crfsuite(path)
    lawful.Decoder(tagger=tagger).predict([[["w=a", "bias"], ["w=22"], []]])


def _use_corpus(path: Path) -> None:
    sentences = lawful.read_corpus(path)
    columns = ".conllu" if path.suffix == ".conllu" else ".conll"  # columns are written as they stood
    for ending in (".jsonl", columns):
        copy = path.with_name(f"again{ending}")
        try:
            lawful.write_corpus(sentences, copy)
        except lawful.InputError:
            continue  # not every sentence fits every format
        kept = [
            one.tokens for one in sentences if ending == ".jsonl" or one.tokens
        ]  # columns have no empty ones
        assert [one.tokens for one in lawful.read_corpus(copy)] == kept, f"{ending} loses tokens"
    if all(one.labels is not None for one in sentences):
        lawful.evaluate(sentences, sentences)


def _use_features(path: Path) -> None:
    features = Features.from_json(path.read_bytes().decode("utf-8", "replace"))
    assert Features.from_json(features.to_json()) == features, "what was written is not what is read"
    features.attributes(TOKENS)
    features.fit([TOKENS, ["a"]])
    features.describe()


def _use_roles(path: Path) -> None:
    for sentence in lawful.read_corpus(path, "columns", columns=ROLE_COLUMNS, label=None):
        layers = analyse(sentence, clauses="clause", parse="parse", parse_pos="pos")
        spans = proposition_spans(sentence, predicate="verb")
        for verb, roles in zip(verb_positions(sentence, "verb"), spans, strict=True):
            lemma = sentence.columns["verb"][verb]
            made = role_sequence(layers, verb, lemma, roles=roles)
            made.units.unlabel(made.sentence.labels or ())
            chunk_features(layers, made.units, lemma, pairs=True)
            parse_features(layers, made.units, lemma)
        written = write_roles(sentence, spans, predicate="verb")
        assert written.columns == sentence.columns or _named(sentence), (
            "roles are not written as they were read"
        )


def _use_frames(path: Path) -> None:
    allowed_in_frames(Frames(read_frame_file(path)))


def _named(sentence: lawful.Sentence) -> bool:
    """Whether a role closes with its name, which is not written again."""
    return any(
        cell.rpartition("*")[2].strip(")")
        for name, column in sentence.columns.items()
        if name.startswith("args.")
        for cell in column
    )


def _mutate_model(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Half the time the archive stays whole, with right checksums, and what it says is wrong."""
    if rng.random() < 0.4:
        return mutate_bytes(rng, data, other)
    path = Path("model.seed")
    path.write_bytes(data)
    model = read_model(path)
    meta, arrays = json.loads(json.dumps(model.meta)), dict(model.arrays)
    if rng.random() < 0.6:
        meta = mutate_data(rng, meta)
    else:
        name = rng.choice(list(arrays))
        arrays[name] = _mutate_array(rng, arrays[name])
        if rng.random() < 0.1:
            del arrays[name]
    kind = model.kind if rng.random() < 0.97 else rng.choice(["hmm", "crf", "", "x"])
    try:
        return model_bytes(kind, meta if isinstance(meta, dict) else {"meta": meta}, arrays)
    except (ValueError, TypeError, RecursionError, lawful.LawfulError):
        return mutate_bytes(rng, data, other)


def _mutate_array(rng: random.Random, array: Any) -> Any:
    flat = np.array(array)
    match rng.randrange(6):
        case 0:
            return flat[:-1] if flat.ndim and len(flat) else np.zeros((1, 1))
        case 1:
            return flat.astype(rng.choice(["float32", "int8", "uint64", "bool", "float64"]))
        case 2:
            return flat.reshape(-1) if flat.ndim != 1 else flat[None]
        case 3:
            return np.zeros(rng.choice([(), (0,), (0, 3), (1,), (2, 2, 2)]))
        case 4:
            return np.concatenate([flat.reshape(-1)] * 2)
    if flat.size:
        value = rng.choice([-1, 0, 2**31 - 1, np.nan, np.inf, -np.inf, 1e308])
        if flat.dtype.kind in "iu" and not np.isfinite(value):
            value = 77
        with np.errstate(all="ignore"):
            flat.reshape(-1)[rng.randrange(flat.size)] = np.asarray(value).astype(flat.dtype)
    return flat


TARGETS = {
    "rules": Target("rules", mutate_text, _use_rules),
    "model": Target("model", _mutate_model, _use_model),
    "crfsuite": Target("crfsuite", mutate_bytes, _use_crfsuite),
    "columns": Target("columns", mutate_text, _use_corpus),
    "conllu": Target("conllu", mutate_text, _use_corpus),
    "jsonl": Target("jsonl", mutate_text, _use_corpus),
    "csv": Target("csv", mutate_text, _use_corpus),
    "parquet": Target("parquet", mutate_bytes, _use_corpus),
    "xml": Target("xml", mutate_text, _use_corpus),
    "features": Target("features", mutate_text, _use_features),
    "roles": Target("roles", mutate_text, _use_roles),
    "frames": Target("frames", mutate_text, _use_frames),
    "command": Target("", mutate_bytes, run_command),
}
