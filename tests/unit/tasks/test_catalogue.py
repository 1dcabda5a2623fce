from __future__ import annotations

import pytest

from lawful.errors import CorpusError, InputError, MissingDataError
from lawful.tasks import TASKS, load


@pytest.mark.parametrize("name", TASKS)
def test_a_task_says_where_to_get_its_corpus(name: str, tmp_path, monkeypatch) -> None:
    task = TASKS[name]
    with pytest.raises(MissingDataError) as caught:
        load(name, task.splits[0], data=tmp_path)
    assert caught.value.path == str(tmp_path / name)
    assert task.get in str(caught.value)
    monkeypatch.delenv("LAWFUL_DATA", raising=False)
    with pytest.raises(MissingDataError, match="LAWFUL_DATA, which is not set"):
        load(name, task.splits[0])
    (tmp_path / name).mkdir()
    monkeypatch.setenv("LAWFUL_DATA", str(tmp_path))
    with pytest.raises(MissingDataError):  # the folder is there, its files are not
        load(name, task.splits[0])


def test_names_that_are_not_known() -> None:
    with pytest.raises(InputError, match="did you mean 'conll2000'"):
        load("conll2001", "train")
    with pytest.raises(InputError, match="conll2000 has no split 'dev'; it has train, test"):
        load("conll2000", "dev")


def test_small_files_in_the_format_of_each_corpus(tmp_path) -> None:
    def put(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    put("citations/citation_unlabeled.txt", "A\tauthor\ta|b\n.\tauthor\tx\n")
    [one] = load("citations", "unlabelled", tmp_path)
    assert (one.tokens, one.labels, one.columns) == (("A", "."), None, {})

    put("seminar_announcements/raw/x:0", "at <stime>3:30</stime>\n")
    put("seminar_announcements/splits/test.0.txt", "/somebody/else/x:0\n/somebody/else/#x:0#\n")
    [one] = load("seminar_announcements", "test.0", tmp_path)
    assert (one.labels[1], one.context) == ("B-stime", {"announcement": "x:0"})
    put("seminar_announcements/splits/test.1.txt", "/somebody/else/y:0\n")
    with pytest.raises(CorpusError, match="'y:0' is not among"):
        load("seminar_announcements", "test.1", tmp_path)

    put("jnlpba/train.iob2", "a\tO\n")
    put("jnlpba/devel.iob2", "b\tB-DNA\n")
    assert [one.tokens for one in load("jnlpba", "train", tmp_path)] == [("a",), ("b",)]

    put("usaddress/unparseable.csv", '"1 main st, x"\n')
    [one] = load("usaddress", "unparseable", tmp_path)
    assert (one.tokens, one.context) == (("1", "main", "st,", "x"), {"text": "1 main st, x"})

    put(
        "srl_conll_wsj/dev.20.txt",
        "He P B P * * * - - (A0*)\nsaid V B V * * * 01 say (V*)\n\nSo R O R * * * - -\n",
    )
    [one] = load("srl_conll_wsj", "dev", tmp_path)
    assert one.labels == ("B-A0", "B-V")
    assert one.context == {"sentence": 0, "lemma": "say", "sense": "01", "predicate": 1, "proposition": 0}
    put("srl_conll_wsj/dev.20.txt", "He P B P * * * - - (A0*)\n")
    with pytest.raises(CorpusError, match="0 verbs in column 'verb', but 1 columns"):
        load("srl_conll_wsj", "dev", tmp_path)
    put("srl_conll_wsj/dev.20.txt", "Said P B P * * * 01 say (V*\n")
    with pytest.raises(CorpusError, match=r"line 1: column 'args.1': the bracket of 'V' is never closed"):
        load("srl_conll_wsj", "dev", tmp_path)
