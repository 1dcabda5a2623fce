"""The models that vote: one CRF for each encoding, trained once and kept in files.

python -m experiments.voting.voters np IOB1 part    # train one, or say nothing and train all
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import lawful
from experiments.shared.paths import WORK
from lawful.corpus import Sentence
from lawful.encodings import Encoded, Encoding, history_encoding, scheme_encoding
from lawful.models import SequenceModel
from lawful.models.features import Features
from lawful.schemes import convert_labels
from lawful.tasks import TASKS
from lawful.tasks.bio.features import bio_entity_features
from lawful.tasks.chunking.features import chunking_features

__all__ = ["MODELS", "TASKS_OF_VOTES", "Part", "VoteTask", "labels_of", "split", "tokens_of", "voter"]

MODELS = WORK / "voting"
Part = Literal["part", "whole"]


@dataclass(frozen=True)
class VoteTask:
    """A task of the thesis: its corpus, its features, and the encodings that vote.

    Attributes
    ----------
    c2 : float
        As in `experiments/recipes`.
    canonical : str
        The scheme of the labels in the corpus, which all encodings are made of.
    encodings : tuple of str
        Chunk schemes, or "order 2": each label with the one before it.
    reported : "part" or "whole"
        Whether the models that are reported were trained on all training data, or, where that takes long, on the same part of it as
        those that the weights were chosen with.
    """

    corpus: str
    features: Callable[[], Features]
    types: tuple[str, ...]
    canonical: str
    c2: float
    encodings: tuple[str, ...]
    reported: Part


TASKS_OF_VOTES = {
    "np": VoteTask(
        "rm95_basenp",
        chunking_features,
        ("",),
        "IOB1",
        0.1,
        ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "order 2"),
        "whole",
    ),
    "bio": VoteTask(
        "jnlpba",
        bio_entity_features,
        ("DNA", "RNA", "cell_line", "cell_type", "protein"),
        "IOB2",
        1.0,
        ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES"),
        "part",
    ),
}


def encoding_of(task: VoteTask, name: str) -> Encoding | None:
    """The encoding; None for the canonical labels themselves."""
    if name == task.canonical:
        return None
    labels = scheme_encoding(task.canonical, task.canonical, task.types).labels
    if name == "order 2":
        return history_encoding(labels, 2)
    return scheme_encoding(task.canonical, name, task.types)


def tokens_of(sentences: list[Sentence]) -> list[list[Any]]:
    """What the templates look at: rows with their columns, or words."""
    return [list(sentence.rows() if sentence.columns else sentence.tokens) for sentence in sentences]


def labels_of(sentences: list[Sentence]) -> list[list[str]]:
    """The gold labels."""
    return [list(sentence.labels or ()) for sentence in sentences]


def split(task: str, part: Part) -> list[Sentence]:
    """The training data: the whole, or the nine tenths of it that leave the last tenth to choose weights on."""
    sentences = TASKS[TASKS_OF_VOTES[task].corpus].load("train")
    return sentences[: len(sentences) * 9 // 10] if part == "part" else sentences


def _path(task: str, encoding: str, part: Part) -> Path:
    return MODELS / f"{task}-{encoding.replace(' ', '')}-{part}.lawful"


def voter(task: str, encoding: str, part: Part) -> SequenceModel:
    """A fitted CRF in an encoding; trained if its file is not there yet."""
    path = _path(task, encoding, part)
    if not path.exists():
        _train(task, encoding, part).save(path)
    return lawful.load_model(path)


def _train(task: str, encoding: str, part: Part) -> SequenceModel:
    of_task = TASKS_OF_VOTES[task]
    crf = lawful.CRF(of_task.features(), c2=of_task.c2)
    made = encoding_of(of_task, encoding)
    model = crf if made is None else Encoded(crf, made)
    sentences = split(task, part)
    scheme = of_task.canonical  # two noun phrases of the corpus start with a B that the scheme does not need
    labels = [convert_labels(given, scheme, scheme) for given in labels_of(sentences)]
    started = time.perf_counter()
    model.fit(tokens_of(sentences), labels)
    print(
        f"{task} {encoding} {part}: trained in {time.perf_counter() - started:.0f} s",
        file=sys.stderr,
        flush=True,
    )
    MODELS.mkdir(parents=True, exist_ok=True)
    return model


def main(arguments: list[str]) -> None:
    """Train what is asked for and not there yet."""
    for task, of_task in TASKS_OF_VOTES.items():
        for encoding in of_task.encodings:
            parts: tuple[Part, ...] = ("part", "whole") if of_task.reported == "whole" else ("part",)
            for part in parts:
                if not arguments or arguments in ([task], [task, encoding], [task, encoding, part]):
                    voter(task, encoding, part)


if __name__ == "__main__":
    main(sys.argv[1:])
