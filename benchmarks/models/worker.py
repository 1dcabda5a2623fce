"""Training or tagging by one contestant, in a process of its own so that its memory can be measured; prints JSON."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.models.corpus import Chunking, load_chunking, span_scores, templates, written_by_hand

C2 = 1.0


def main() -> None:
    """`python -m benchmarks.models.worker NAME MODEL_FILE SENTENCES THREADS CORPORA`; the last may be empty."""
    name, model, sentences, threads, corpora = sys.argv[1:]
    # The folder is an argument because finding it would import lawful, whose memory CRFsuite must not be charged for.
    corpus = load_chunking(int(sentences) or None, Path(corpora) if corpora else None)
    before = _memory()
    result = WORKERS[name](corpus, model, int(threads))
    print(json.dumps(result | {"memory": _memory(), "memory_before": before, "corpus": corpus.name}))


def _memory() -> float:
    """The peak memory of this process, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would include the memory of the parent at the fork
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        return float(fields["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def train_ours(corpus: Chunking, model: str, threads: int) -> dict[str, Any]:
    """From sentences to a model file."""
    import lawful
    from lawful.models.linear.progress import Progress

    began = perf_counter()
    curve: list[tuple[float, float, float]] = []
    crf = lawful.CRF(templates(), c2=C2, jobs=threads, tolerance=1e-5)

    def note(progress: Progress) -> None:
        curve.append((perf_counter() - began, progress.objective, process_time()))

    crf.fit(corpus.X, corpus.y, callback=note)
    prepared = curve[0][0] - crf.history_[0].seconds  # before the trainer was made: attributes and features
    cpu = curve[0][2] - crf.history_[0].seconds  # at least: the trainer starts on one thread
    seconds = perf_counter() - began
    crf.save(model)
    return {
        "prepare": prepared,
        "prepare_cpu": cpu,
        "seconds": seconds,
        "curve": curve,
        "features": len(crf.weights_),
    }


def train_crfsuite(corpus: Chunking, model: str, threads: int) -> dict[str, Any]:
    """The same by python-crfsuite, which knows one thread."""
    import pycrfsuite

    began = perf_counter()
    curve: list[tuple[float, float, float]] = []

    class Watched(pycrfsuite.Trainer):  # type: ignore[misc]
        features = 0

        def message(self, message: str) -> None:
            for line in message.splitlines():
                if line.startswith("Loss: "):
                    curve.append((perf_counter() - began, float(line.removeprefix("Loss: ")), process_time()))
                elif line.startswith("Number of features: "):
                    self.features = int(line.removeprefix("Number of features: "))

    trainer = Watched(algorithm="lbfgs", verbose=False, params={"c1": 0.0, "c2": C2})
    for tokens, labels in zip(corpus.X, corpus.y, strict=True):
        trainer.append(written_by_hand(tokens), labels)
    prepared, cpu = perf_counter() - began, process_time()
    trainer.train(model)
    return {
        "prepare": prepared,
        "prepare_cpu": cpu,
        "seconds": perf_counter() - began,
        "curve": curve,
        "features": trainer.features,
    }


def tag_ours(corpus: Chunking, model: str, threads: int) -> dict[str, Any]:
    """From raw tokens to labels, features included."""
    import lawful

    crf = lawful.CRF.load(model)
    return _tagged(corpus, lambda: crf.predict(corpus.X_test, jobs=threads))


def tag_crfsuite(corpus: Chunking, model: str, threads: int) -> dict[str, Any]:
    """The same by python-crfsuite."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    return _tagged(corpus, lambda: [tagger.tag(written_by_hand(tokens)) for tokens in corpus.X_test])


def _tagged(corpus: Chunking, tag: Callable[[], list[list[str]]]) -> dict[str, Any]:
    best = float("inf")
    for _ in range(7):
        began = perf_counter()
        labels = tag()
        best = min(best, perf_counter() - began)
    return {
        "tokens_a_second": sum(map(len, corpus.y_test)) / best,
        "f1": span_scores(corpus.y_test, labels),
        "np": span_scores(corpus.y_test, labels, "NP"),
    }


WORKERS: dict[str, Callable[[Chunking, str, int], dict[str, Any]]] = {
    "train_ours": train_ours,
    "train_crfsuite": train_crfsuite,
    "tag_ours": tag_ours,
    "tag_crfsuite": tag_crfsuite,
}

if __name__ == "__main__":
    main()
