"""A small corpus in the formats of CoNLL-2005, with parses and a frame file, which the experiments on roles run on."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# word, POS, chunk (gold), chunk (brackets), clause, sense, verb, role; then the parse
SOLD = """{0} NNP B-NP NNP (NP*) (S* * - - (A0*)|NNP (S1(S(NP*)
sold VBD B-VP VBD (VP*) * * 01 sell (V*)|VBD (VP*
{1} NN B-NP NN (NP*) * * - - (A1*|NN (NP(NP*)
of IN B-PP IN (PP*) * * - - *|IN (PP*
{2} NN B-NP NN (NP*) * * - - *)|NN (NP*)))
to TO B-PP TO (PP*) * * - - (A2*|TO (PP*
{0} NNP B-NP NNP (NP*) * * - - *)|NNP (NP*)))
. . O . * *S) * - - *|. *))
"""
ROSE = """{1} NN B-NP NN (NP*) (S* * - - (A1*)|NN (S1(S(NP*)
rose VBD B-VP VBD (VP*) * * 01 rise (V*)|VBD (VP*
from IN B-PP IN (PP*) * * - - (A3*|IN (PP*
{2} NN B-NP NN (NP*) * * - - *)|NN (NP*))
to TO B-PP TO (PP*) * * - - (A4*|TO (PP*
{0} NNP B-NP NNP (NP*) * * - - *)|NNP (NP*))
by IN B-PP IN (PP*) * * - - (A5*|IN (PP*
{1} NN B-NP NN (NP*) *S) * - - *)|NN (NP*)))))
"""
FRAME = """<frameset><predicate lemma="sell"><roleset id="sell.01"><aliases><alias pos="v">sell</alias></aliases><roles>
<role n="0" f="PAG" descr="seller"><rolelinks><rolelink resource="VerbNet" class="give-13.1">agent</rolelink></rolelinks></role>
<role n="1" f="PPT" descr="thing sold"><rolelinks><rolelink resource="VerbNet" class="give-13.1">theme</rolelink></rolelinks></role>
<role n="2" f="GOL" descr="buyer"><rolelinks><rolelink resource="VerbNet" class="give-13.1">recipient</rolelink></rolelinks></role></roles>
<lexlinks><lexlink resource="VerbNet" class="give-13.1"/></lexlinks></roleset></predicate></frameset>"""


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "srl_conll_wsj"
    folder.mkdir()
    (tmp_path / "propbank_frames" / "frames").mkdir(parents=True)
    (tmp_path / "propbank_frames" / "frames" / "sell.xml").write_text(FRAME)
    names, things = ("Ann", "Bob", "Cid", "Dora"), ("plenty", "tons", "bags", "wheat", "grain")
    for file, count in (("train.15-18", 40), ("dev.20", 12), ("test.brown", 6)):
        texts = [
            (ROSE if n % 4 == 3 else SOLD).format(names[n % 4], things[n % 5], things[(n + 2) % 5])
            for n in range(count)
        ]
        for suffix, part in ((".txt", 0), (".parses.txt", 1)):
            lines = ["\n".join(line.split("|")[part] for line in text.splitlines()) for text in texts]
            (folder / f"{file}{suffix}").write_text("\n\n".join(lines) + "\n\n")
    monkeypatch.setenv("LAWFUL_DATA", str(tmp_path))
    monkeypatch.syspath_prepend(str(ROOT))
    return tmp_path
