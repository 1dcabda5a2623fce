"""Valid files to start from, made here: rule files, models, corpora, features."""

from __future__ import annotations

import re
from pathlib import Path

import lawful
from lawful.models.features import Features, at, join, kinds, lower, prefix, shape, suffix, window, word
from lawful.tasks import generate_ads, generate_citations
from lawful.tasks.citations.rules import citation_rules

__all__ = ["make_seeds"]

ROOT = Path(__file__).parents[2]
LABELS = ["O", "Number", "Street", "City", "State", "Zip"]


def make_seeds(folder: Path) -> dict[str, list[Path]]:
    """Write seeds of every kind into a folder; their paths by kind."""
    folder.mkdir(parents=True, exist_ok=True)
    citations, ads = generate_citations(6, seed=1), generate_ads(3, seed=1)
    return {
        "rules": _rule_files(folder),
        "model": _models(folder, citations),
        "crfsuite": _crfsuite(folder),
        "columns": _corpora(folder, citations, ("conll", "txt")) + _bio(folder),
        "conllu": [_written(folder / "tiny.conllu", CONLLU)],
        "jsonl": [*_corpora(folder, ads, ("jsonl",)), _written(folder / "context.jsonl", JSONL)],
        "csv": [
            _written(folder / "long.csv", CSV),
            _written(folder / "short.csv", "tokens,labels\na b,O O\nc,City\n"),
        ],
        "parquet": _corpora(folder, citations, ("parquet",)),
        "xml": [_written(folder / "addresses.xml", XML)],
        "features": _features(folder),
        "roles": [_written(folder / "roles.txt", ROLES)],
        "frames": [_written(folder / "keep.xml", FRAMES)],
    }


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def _rule_files(folder: Path) -> list[Path]:
    page = (ROOT / "docs" / "rule-files.md").read_text()
    addresses = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert addresses is not None
    found = [_written(folder / "addresses.toml", addresses[1])]
    every = lawful.Rules(
        lawful.exactly_segments(1, "City"),
        lawful.at_least(2, "Street", "City").soft(1.5),
        lawful.segment_length("Street", min=1, max=4),
        lawful.starts_with("Number", "Street"),
        lawful.requires("Zip", "City").soft("learn"),
        lawful.excludes("O", "State").soft(0.5, per="violation"),
        lawful.allowed_transitions([("O", "O"), ("O", "City"), ("City", "O")]).soft(2.0),
        lawful.label_at(-1, "Zip", "O"),
        lawful.change_only_after(lawful.token.is_in([",", "."]) | ~lawful.token.contains("[a-z]")),
        lawful.when(lawful.token.column("pos", "NN")).never("Zip"),
        lawful.uniform(lawful.context("spans", default=())),
        lawful.same_label([(0, 2)]),
        lawful.pattern("O* (Street | City)+ [^Zip]{0,3} .*"),
        lawful.at_most(1, "Zip") | lawful.before("City", "Zip") & ~lawful.forbid("State"),
    )
    lawful.write_rules(every, folder / "every.toml", labels=LABELS)
    lawful.write_rules(citation_rules(), folder / "citations.toml")
    lawful.write_rules(lawful.valid_tags("BIO"), folder / "bio.toml", labels=["O", "B-NP", "I-NP"])
    return [*found, folder / "every.toml", folder / "citations.toml", folder / "bio.toml"]


def _models(folder: Path, sentences: list[lawful.Sentence]) -> list[Path]:
    X, y = [one.tokens for one in sentences], [one.labels for one in sentences]
    features = Features(word(), shape(), window(lower(), -1, 1), suffix(2))
    lawful.HMM().fit(X, y).save(folder / "hmm.lawful")
    lawful.CRF(features, c2=1.0, max_iterations=5).fit(X, y).save(folder / "crf.lawful")
    return [folder / "hmm.lawful", folder / "crf.lawful"]


def _crfsuite(folder: Path) -> list[Path]:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False, params={"c2": 0.1, "max_iterations": 10})
    for words, labels in (("a b c", "O City O"), ("b 1", "City Zip"), ("a 22 b", "O Zip City")):
        trainer.append([[f"w={one}", "bias"] for one in words.split()], labels.split())
    trainer.train(str(folder / "tiny.crfsuite"))
    return [folder / "tiny.crfsuite"]


def _corpora(folder: Path, sentences: list[lawful.Sentence], endings: tuple[str, ...]) -> list[Path]:
    found = [folder / f"{sentences[0].labels[0]}.{ending}" for ending in endings]
    for path in found:
        lawful.write_corpus(sentences, path)
    return found


def _bio(folder: Path) -> list[Path]:
    text = "Confidence NN B-NP\nin IN B-PP\nthe DT B-NP\npound NN I-NP\n\nBut CC O\nit PRP B-NP\n"
    return [_written(folder / "gold.conll", text)]


def _features(folder: Path) -> list[Path]:
    small = Features(word(), suffix(1, 3), prefix(2), window(lower(), -2, 2))
    more = Features(kinds("has_digit", "all_caps"), join(at(-1, word()), shape()), hash_bits=10)
    return [
        _written(folder / "small.features.json", small.to_json()),
        _written(folder / "more.features.json", more.to_json()),
    ]


CONLLU = """\
# sent_id = 1
# text = vámonos al mar
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\t_\tMood=Imp\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\tCase=Acc\t1\tobj\t_\t_
2.1\t_\t_\tVERB\t_\t_\t_\t_\t0:root\t_
3\tal\tal\tADP\t_\t_\t1\tcase\t_\t_

"""
JSONL = """\
{"tokens": ["a", "b"], "labels": ["O", "City"], "columns": {"pos": ["NN", "VB"]}, "spans": [[0, 2]]}
{"tokens": ["c"], "labels": ["O"], "id": 7}
"""
CSV = 'sequence,token,label\n1,a,O\n1,"b,""c""",City\n2,d,O\n'
XML = "<addresses><a><N>12</N> <S>Main</S> <S>St</S></a><a><C>Rome,</C> <Z>1</Z></a></addresses>"

ROLES = """\
He PRP (NP*) (S* (S1(S(NP*) - (A0*) (A0*)
wants VBZ (VP* * (VP* want (V*) *
to TO * (S* (S(VP* - (A1* *
sell VB *) * (VP* sell * (V*)
grain NN (NP*) *S)S) (NP*))))))) - *) (A1*)

No DT * * (S1*) -
"""

FRAMES = """\
<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE frameset PUBLIC "-//PB//PropBank Frame v3.4 Transitional//EN" "http://propbank.org/specification/dtds/v3.4/frameset.dtd">
<frameset><predicate lemma="keep"><roleset id="keep.01" name="hold &amp; keep">
<aliases><alias pos="v">keep</alias></aliases>
<roles><role descr="keeper" f="PAG" n="0"><rolelinks>
<rolelink class="keep-15.2" resource="VerbNet" version="verbnet3.3">agent</rolelink></rolelinks></role></roles>
<lexlinks><lexlink class="keep-15.2" resource="VerbNet" version="3" confidence="1" src="x"/></lexlinks>
</roleset></predicate></frameset>
"""
