from . import trees as trees
from .formats.annotations.docbin import (
    read_docbin as read_docbin,
    write_docbin as write_docbin,
)
from .formats.annotations.huggingface import (
    read_huggingface as read_huggingface,
    write_huggingface as write_huggingface,
)
from .formats.annotations.tei import (
    read_tei as read_tei,
    write_tei as write_tei,
)
from .formats.annotations.tools import (
    read_brat as read_brat,
    read_doccano as read_doccano,
    read_label_studio as read_label_studio,
    write_brat as write_brat,
    write_doccano as write_doccano,
    write_label_studio as write_label_studio,
)
from .formats.brackets import (
    column_spans as column_spans,
    read_brackets as read_brackets,
    write_brackets as write_brackets,
)
from .formats.columns.reading import read_columns as read_columns
from .formats.columns.writing import write_columns as write_columns
from .formats.conllu import read_conllu as read_conllu, write_conllu as write_conllu
from .formats.csv import (
    read_csv as read_csv,
    write_csv as write_csv,
)
from .formats.fields import (
    write_fields as write_fields,
    write_fields_csv as write_fields_csv,
)
from .formats.jsonl import (
    read_jsonl as read_jsonl,
    write_jsonl as write_jsonl,
)
from .formats.parquet import (
    read_parquet as read_parquet,
    write_parquet as write_parquet,
)
from .formats.tagged_text import read_tagged_text as read_tagged_text
from .formats.text import read_text as read_text
from .formats.xml_references import (
    read_xml as read_xml,
    write_xml as write_xml,
)
from .frames import (
    FrameRole as FrameRole,
    Frames as Frames,
    Roleset as Roleset,
    read_frame_file as read_frame_file,
    read_frames as read_frames,
)
from .layout import Layout as Layout
from .opening import (
    Corpus as Corpus,
    open_corpus as open_corpus,
    read_corpus as read_corpus,
    write_corpus as write_corpus,
)
from .registry import (
    FORMATS as FORMATS,
    CorpusFormat as CorpusFormat,
)
from .sentence import Sentence as Sentence
from .texts.fields import (
    Field as Field,
    find_fields as find_fields,
)
from .texts.recognition import recognise_tokenizer as recognise_tokenizer
from .texts.tokenizer import Tokenizer as Tokenizer
