"""Text in and out: sentences from columns, JSONL, CSV, Parquet and XML, always streamed; spans of labels."""

from __future__ import annotations

from bylaw.corpus.brackets import read_brackets
from bylaw.corpus.columns import read_columns
from bylaw.corpus.columns_writer import write_columns
from bylaw.corpus.conllu import read_conllu
from bylaw.corpus.csv_rows import read_csv
from bylaw.corpus.csv_writer import write_csv
from bylaw.corpus.jsonl import read_jsonl, write_jsonl
from bylaw.corpus.layout import Layout
from bylaw.corpus.opening import Corpus, open_corpus, read_corpus, write_corpus
from bylaw.corpus.parquet import read_parquet, write_parquet
from bylaw.corpus.sentence import Sentence
from bylaw.corpus.span_labels import convert_labels, label_spans
from bylaw.corpus.spans import Span, find_spans, guess_scheme
from bylaw.corpus.tagged_text import read_tagged_text
from bylaw.corpus.xml_references import read_xml

__all__ = [
    "Corpus",
    "Layout",
    "Sentence",
    "Span",
    "convert_labels",
    "find_spans",
    "guess_scheme",
    "label_spans",
    "open_corpus",
    "read_brackets",
    "read_columns",
    "read_conllu",
    "read_corpus",
    "read_csv",
    "read_jsonl",
    "read_parquet",
    "read_tagged_text",
    "read_xml",
    "write_columns",
    "write_corpus",
    "write_csv",
    "write_jsonl",
    "write_parquet",
]
