"""Raw text: cut into tokens as the training data was, and the fields that labels mark in it."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest

import lawful
from lawful.corpus import Tokenizer, find_fields, read_jsonl, read_text, recognise_tokenizer
from lawful.corpus.texts.alignment import place_tokens
from lawful.corpus.texts.tokenizer import CONVENTIONS
from lawful.errors import CorpusError, InputError
from lawful.tasks import generate_citations

TEXTS = ["O'Neil, J. pp. 3-14 (1999).", "don't  (it's)", "", "  ", "日本語 3km", "a_b\u00a0c — d"]


@pytest.mark.parametrize("convention", [*CONVENTIONS, r"\d+|[a-z]+"])
@pytest.mark.parametrize("text", TEXTS)
def test_tokens_stand_where_their_offsets_say(convention: str, text: str) -> None:
    spans = Tokenizer(convention).spans(text)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    if convention in CONVENTIONS:  # nothing is lost but white space
        assert "".join(text[start:end] for start, end in spans) == "".join(text.split())


def test_the_treebank_convention_cuts_clitics() -> None:
    assert Tokenizer("treebank").tokens("They don't, it's John's well-known 3.5") == (
        "They", "do", "n't", ",", "it", "'s", "John", "'s", "well-known", "3.5",
    )  # fmt: skip


def test_a_word_is_kept_whole_only_where_the_corpus_mostly_keeps_it() -> None:
    whole = [["pp.", "3", "."]] * 3
    apart = [["in", "."]] * 5 + [["in."]] * 2
    assert recognise_tokenizer([*whole, *apart]).kept == ("pp.",)


def test_a_tokenizer_survives_being_data() -> None:
    tokenizer = Tokenizer("words", kept=("pp.",))
    assert Tokenizer.of(json.loads(json.dumps(tokenizer.to_dict()))) == tokenizer
    with pytest.raises(InputError, match="no regular expression"):
        Tokenizer("(")
    with pytest.raises(InputError, match="expected a tokenizer"):
        Tokenizer.of({"convention": "words", "kept": [3]})


def test_generated_references_are_cut_as_they_were_made() -> None:
    references = generate_citations(200, seed=3)
    tokenizer = recognise_tokenizer(references)
    for reference in references:
        text, places = place_tokens(reference)
        assert tokenizer.spans(text) == places


def test_a_model_remembers_how_its_tokens_were_cut(tmp_path: Path) -> None:
    X = [["12", "Main", "Road,", "Bonn"], ["7", "High", "St,", "Ulm"]] * 3
    y = [["Number", "Street", "Street", "City"]] * 6
    model = lawful.HMM().fit(X, y)
    assert model.tokenizer == Tokenizer("blanks")
    model.save(tmp_path / "m.lawful")
    again = lawful.load_model(tmp_path / "m.lawful")
    assert again.tokenizer == Tokenizer("blanks")
    assert again.predict(["12 Main Road, Ulm"]) == [["Number", "Street", "Street", "City"]]
    [fields] = again.predict_fields(["12 Main Road, Ulm"], rules=lawful.at_most(1, "City"))
    assert [(field.name, field.start, field.end) for field in fields] == [
        ("Number", 0, 2), ("Street", 3, 13), ("City", 14, 17),
    ]  # fmt: skip
    again.tokenizer = "words"
    assert again.cut_texts(["Ulm,"])[0].tokens == ("Ulm", ",")
    assert lawful.Decoder(tagger=again).decode_tokens("Ulm").labels == ("City",)


def test_strings_that_may_be_tokens_are_refused() -> None:
    model = lawful.HMM().fit([["to", "Bonn"]], [["O", "City"]])
    with pytest.raises(InputError, match=r"may be one sequence of tokens .*cut_texts"):
        model.predict(["to", "Bonn"])
    with pytest.raises(InputError, match="mixed"):
        model.predict(["to Bonn", ["to"]])  # type: ignore[list-item]
    with pytest.raises(InputError, match="a list of token sequences"):
        model.predict("to Bonn")
    with pytest.raises(InputError, match="put it in a list"):
        model.cut_texts("to Bonn")


def test_a_model_that_reads_more_than_words_says_so_for_a_text() -> None:
    rows = [[{"word": "to", "pos": "TO"}, {"word": "Bonn", "pos": "NE"}]] * 8
    model = lawful.CRF(lawful.models.features.default_features(rows)).fit(rows, [["O", "City"]] * 8)
    assert model.columns_read == ["pos"]
    with pytest.raises(InputError, match="reads the column pos, which a text does not have"):
        model.predict(["to Bonn"])


def test_texts_are_read_by_line_and_from_json() -> None:
    sentences = list(read_text(io.StringIO("Lee, A.\n\nOh, B.\n")))
    assert [(sentence.tokens[0], sentence.lines[0]) for sentence in sentences] == [("Lee", 1), ("Oh", 3)]
    [sentence] = read_jsonl(io.StringIO('{"text": "Lee, A.", "id": 7}'), tokenizer="blanks")
    assert sentence.tokens == ("Lee,", "A.")
    assert sentence.context == {"text": "Lee, A.", "offsets": [[0, 4], [5, 7]], "id": 7}
    with pytest.raises(CorpusError, match="which tokens have them"):
        list(read_jsonl(io.StringIO('{"text": "Lee", "labels": ["author"]}')))
    with pytest.raises(CorpusError, match="no 'tokens' and no 'text'"):
        list(read_jsonl(io.StringIO('{"id": 7}')))


def test_fields_of_chunk_tags_have_their_type_as_name() -> None:
    sentence = (
        Tokenizer().sentence("to New York (NY)").with_labels(["O", "B-City", "I-City", "O", "B-State", "O"])
    )
    assert [tuple(field) for field in find_fields(sentence)] == [
        ("City", "New York", 3, 11),
        ("State", "NY", 13, 15),
    ]


def test_a_table_of_fields_has_a_column_each_and_offsets_that_fit(tmp_path: Path) -> None:
    one = Tokenizer().sentence("Lee 1999 Oh").with_labels(["author", "date", "author"])
    lawful.write_corpus([one], tmp_path / "f.csv", "fields-csv", labels=["author", "date", "title"])
    [row] = csv.DictReader((tmp_path / "f.csv").read_text().splitlines())
    assert row == {
        "text": "Lee 1999 Oh", "author": "Lee | Oh", "author_at": "0:3 | 9:11", "date": "1999", "date_at": "4:8",
        "title": "", "title_at": "",
    }  # fmt: skip
    lawful.write_corpus([one], tmp_path / "f.jsonl", "fields")
    assert json.loads((tmp_path / "f.jsonl").read_text())["fields"]["date"] == [
        {"text": "1999", "start": 4, "end": 8}
    ]


def test_columns_named_underscore_are_kept_but_not_seen() -> None:
    text = "to TO O\nBonn NE City\n"
    [sentence] = lawful.read_corpus(io.StringIO(text), columns="word,_,label")
    assert sentence.inputs() == ("to", "Bonn")
    out = io.StringIO()
    lawful.write_corpus([sentence], out, "columns")
    assert out.getvalue() == text + "\n"
