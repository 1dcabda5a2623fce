"""Write the fields of labelled texts: as JSON lines, or as a table with a column for each field."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawful.corpus.sentence import Sentence
from lawful.corpus.targets import Target, opened_for_writing, target_name
from lawful.corpus.texts.alignment import place_tokens
from lawful.corpus.texts.fields import find_fields
from lawful.errors import CorpusError
from lawful.schemes.spans import guess_scheme, split_label

__all__ = ["AND", "fields_record", "write_fields", "write_fields_csv"]

AND = " | "  # between two fields of one name in a cell


def fields_record(sentence: Sentence, *, scheme: str | None = None) -> dict[str, Any]:
    """The text of a sentence and its fields by name.

    What `lawful decode` knows of each field, such as its probability, is in the context as `fields`, in the same order.

    Examples
    --------
    >>> fields_record(Sentence(("to", "Bonn"), ("O", "City")))
    {'text': 'to Bonn', 'fields': {'City': [{'text': 'Bonn', 'start': 3, 'end': 7}]}}
    """
    known = sentence.context.get("fields")
    fields: dict[str, list[dict[str, Any]]] = {}
    for number, field in enumerate(find_fields(sentence, scheme=scheme)):
        more = known[number] if isinstance(known, Sequence) and number < len(known) else {}
        record = {"text": field.text, "start": field.start, "end": field.end}
        fields.setdefault(field.name, []).append(record | (dict(more) if isinstance(more, Mapping) else {}))
    hidden = ("text", "offsets", "fields", "element")
    context = {key: value for key, value in sentence.context.items() if key not in hidden}
    return {"text": place_tokens(sentence)[0], "fields": fields, **context}


def write_fields(
    sentences: Iterable[Sentence], target: Target, *, labels: Iterable[str] | None = None
) -> int:
    r"""Write the fields of sentences as JSON lines, as they arrive, and return their number.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
    labels : iterable of str, optional
        All labels there are, which tell whether they are tags of a chunk scheme; each sentence tells by itself if not given.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_fields([Sentence(("to", "Bonn"), ("O", "City"))], file), file.getvalue()
    (1, '{"text": "to Bonn", "fields": {"City": [{"text": "Bonn", "start": 3, "end": 7}]}}\n')
    """
    scheme = None if labels is None else guess_scheme([list(labels)])
    count = 0
    with opened_for_writing(target) as file:
        for sentence in sentences:
            count += 1
            try:
                text = json.dumps(fields_record(sentence, scheme=scheme), ensure_ascii=False)
            except (TypeError, ValueError) as error:
                raise CorpusError(
                    target_name(target), count, f"{sentence.location()}the context is not JSON: {error}"
                ) from None
            file.write(text + "\n")
    return count


def write_fields_csv(
    sentences: Iterable[Sentence], target: Target, *, labels: Iterable[str] | None = None
) -> int:
    r"""Write the fields of sentences as a table: the text, and for each field its content and its characters.

    A row is a text. The column `City` holds the text of the field, `City_at` from which character to which it goes
    (`3:7`), and `City_probability` how probable it is, if that is known; of several fields of one name, all, with ` | ` between them.
    What else is known of the first text by name, such as its id, has columns at the end, with what the others have there.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
    labels : iterable of str, optional
        All labels there are, which become the columns. If not given, all sentences are read before the first is written.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_fields_csv([Sentence(("to", "Bonn"), ("O", "City"))], file), file.getvalue()
    (1, 'text,City,City_at\nto Bonn,Bonn,3:7\n')
    """
    if labels is None:
        sentences = list(sentences)
        labels = dict.fromkeys(label for sentence in sentences for label in sentence.labels or ())
    known = list(labels)
    scheme = guess_scheme([known])
    names = _field_names(known, scheme)
    count = 0
    header: list[str] = []
    more: list[str] = []  # names of what comes with a text
    with opened_for_writing(target) as file:
        writer = csv.writer(file, lineterminator="\n")
        for sentence in sentences:
            count += 1
            record = fields_record(sentence, scheme=scheme)
            if not header:
                sure = "fields" in sentence.context
                kinds = ("", "_at", "_probability") if sure else ("", "_at")
                header = ["text", *(f"{name}{kind}" for name in names for kind in kinds)]
                more = [
                    key for key, value in record.items() if key not in ("text", "fields") and _is_cell(value)
                ]
                writer.writerow([*header, *(f"{key}_" if key in header else key for key in more)])
            writer.writerow(
                [
                    record["text"],
                    *(cell for name in names for cell in _cells(record["fields"].get(name, []), sure=sure)),
                    *(record.get(key, "") for key in more),
                ]
            )
        if not header:
            writer.writerow(["text", *(f"{name}{kind}" for name in names for kind in ("", "_at"))])
    return count


def _is_cell(value: object) -> bool:
    return isinstance(value, str | int | float)


def _cells(fields: Sequence[Mapping[str, Any]], *, sure: bool) -> list[str]:
    cells = [
        AND.join(field["text"] for field in fields),
        AND.join(f"{field['start']}:{field['end']}" for field in fields),
    ]
    return [*cells, AND.join(str(field.get("probability", "")) for field in fields)] if sure else cells


def _field_names(labels: Sequence[str], scheme: str) -> list[str]:
    """The names of the fields that labels can mark."""
    types = (label if scheme == "flat" else split_label(label)[1] for label in labels)
    return [name for name in dict.fromkeys(types) if name and name != "O"]
