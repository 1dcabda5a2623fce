"""What annotation tools export and import: doccano, Label Studio and brat."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from lawful.corpus.formats.annotations.marked_texts import Marked, sentence_from_spans, spans_of
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, name_of, opened_for_reading, read_lines, text_start
from lawful.corpus.targets import Target, opened_for_writing
from lawful.corpus.texts.tokenizer import Tokenizer, TokenizerLike
from lawful.errors import CorpusError, InputError, MissingFileError

__all__ = [
    "looks_like_label_studio",
    "read_brat",
    "read_doccano",
    "read_label_studio",
    "write_brat",
    "write_doccano",
    "write_label_studio",
]

LARGEST = 1 << 28  # characters of one JSON export, which is read at once


# --- doccano: JSON lines ------------------------------------------------------------------------------------


def read_doccano(
    source: Source, *, tokenizer: TokenizerLike = "words", outside: str = "O", encoding: str = "utf-8"
) -> Iterator[Sentence]:
    r"""Read doccano's JSON lines, one text at a time; labels are IOB2.

    A line is `{"text": ..., "label": [[start, end, type], ...]}`; `labels` and `entities` are read as well, and entities may be
    objects with `start_offset`, `end_offset` and `label`.

    Parameters
    ----------
    source : path, "-" or open file
    tokenizer : Tokenizer or str
        How texts are cut, as in `read_text`; tokens are cut at the edges of spans too.
    outside : str
        The label of what is in no span.
    encoding : str

    Examples
    --------
    >>> import io
    >>> [one] = read_doccano(io.StringIO('{"text": "to Bonn", "label": [[3, 7, "City"]], "id": 5}'))
    >>> one.labels, one.context["id"]
    (('O', 'B-City'), 5)
    """
    name, cutter = name_of(source), Tokenizer.of(tokenizer)
    for number, line in read_lines(source, encoding=encoding):
        if not line.strip():
            continue
        record = _parsed(line, name, number)
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            raise CorpusError(
                name, number, f"expected an object with a text and its spans, got {line[:40]!r}"
            )
        key = next(
            (key for key in ("label", "labels", "entities") if isinstance(record.get(key), list)), None
        )
        spans = [_doccano_span(span, name, number) for span in (record[key] if key else ())]
        context = {name: value for name, value in record.items() if name not in ("text", key)}
        yield sentence_from_spans(record["text"], spans, cutter, name, number, outside=outside, **context)


def _doccano_span(span: Any, name: str, number: int) -> Marked:
    if isinstance(span, Mapping):
        span = [span.get("start_offset"), span.get("end_offset"), span.get("label")]
    match span:
        case [int(start), int(end), str(kind)]:
            return start, end, kind
    raise CorpusError(name, number, f"expected a span [start, end, type], got {span!r:.60}")


def write_doccano(sentences: Iterable[Sentence], target: Target) -> int:
    r"""Write sentences as doccano's JSON lines, and return their number.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_doccano([Sentence(("to", "Bonn"), ("O", "B-City"))], file), file.getvalue()
    (1, '{"text": "to Bonn", "label": [[3, 7, "City"]]}\n')
    """
    count = 0
    with opened_for_writing(target) as file:
        for sentence in sentences:
            count += 1
            text, fields = spans_of(sentence)
            record: dict[str, Any] = {
                "text": text,
                "label": [[field.start, field.end, field.name] for field in fields],
            }
            record |= {
                name: value
                for name, value in sentence.context.items()
                if name not in ("text", "offsets", "label")
            }
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return count


# --- Label Studio: one JSON list of tasks -------------------------------------------------------------------


def looks_like_label_studio(start: bytes) -> bool:
    """Whether the first bytes of a file are a list of Label Studio's tasks.

    Examples
    --------
    >>> looks_like_label_studio(b'[{"id": 1, "annotations": []'), looks_like_label_studio(b"[ X")
    (True, False)
    """
    head = text_start(start)
    return (head.startswith(b"[") and b'"data"' in head) or (
        head.startswith(b"[{") and b'"annotations"' in head
    )


def read_label_studio(
    source: Source, *, tokenizer: TokenizerLike = "words", outside: str = "O", encoding: str = "utf-8"
) -> Iterator[Sentence]:
    """Read Label Studio's JSON export; labels are IOB2.

    The text of a task is the first string of its `data`; its spans are those of the last annotation that was not cancelled, or of the last
    prediction if it has none.

    Parameters
    ----------
    source, tokenizer, outside, encoding
        As in `read_doccano`.

    Examples
    --------
    >>> import io
    >>> span = '{"type": "labels", "value": {"start": 3, "end": 7, "labels": ["City"]}}'
    >>> task = '[{"id": 4, "data": {"text": "to Bonn"}, "annotations": [{"result": [%s]}]}]' % span
    >>> [one] = read_label_studio(io.StringIO(task))
    >>> one.labels, one.context["id"]
    (('O', 'B-City'), 4)
    """
    name, cutter = name_of(source), Tokenizer.of(tokenizer)
    with opened_for_reading(source) as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise CorpusError(name, None, f"an export of more than {LARGEST:,} characters: export parts of it")
    try:
        text = raw if isinstance(raw, str) else raw.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        raise CorpusError(name, None, f"not {encoding}: {error.reason} at byte {error.start}") from None
    tasks = _parsed(text, name, 1)
    if not isinstance(tasks, list):
        raise CorpusError(
            name, 1, "expected a list of tasks, as Label Studio exports them (JSON, not JSON-MIN)"
        )
    for number, task in enumerate(tasks, 1):
        yield _label_studio_sentence(task, number, cutter, name, outside)


def _label_studio_sentence(task: Any, number: int, cutter: Tokenizer, name: str, outside: str) -> Sentence:
    data = task.get("data") if isinstance(task, dict) else None
    texts = [value for value in data.values() if isinstance(value, str)] if isinstance(data, dict) else []
    if not texts:
        raise CorpusError(name, None, f"task {number} has no text in its data")
    spans: list[Marked] = []
    made = (
        [one for one in task.get("annotations") or () if not one.get("was_cancelled")]
        or task.get("predictions")
        or ()
    )
    for result in made[-1].get("result", ()) if made else ():
        match result:
            case {"value": {"start": int(start), "end": int(end), "labels": [str(kind), *_]}}:
                spans.append((start, end, kind))
            case {"type": "labels"}:
                raise CorpusError(
                    name, None, f"task {number}: a span without start, end and labels: {result!r:.60}"
                )
    context = {"id": task["id"]} if "id" in task else {}
    return sentence_from_spans(texts[0], spans, cutter, name, number, outside=outside, **context)


def write_label_studio(
    sentences: Iterable[Sentence], target: Target, *, from_name: str = "label", to_name: str = "text"
) -> int:
    """Write sentences as tasks with predictions, which Label Studio imports, and return their number.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
    from_name, to_name : str
        The names of the labels and of the text in the project's configuration.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_label_studio([Sentence(("to", "Bonn"), ("O", "B-City"))], file)
    1
    >>> json.loads(file.getvalue())[0]["predictions"][0]["result"][0]["value"]
    {'start': 3, 'end': 7, 'text': 'Bonn', 'labels': ['City']}
    """
    count = 0
    with opened_for_writing(target) as file:
        file.write("[")
        for sentence in sentences:
            count += 1
            text, fields = spans_of(sentence)
            result = [
                {
                    "from_name": from_name,
                    "to_name": to_name,
                    "type": "labels",
                    "value": {
                        "start": field.start,
                        "end": field.end,
                        "text": field.text,
                        "labels": [field.name],
                    },
                }
                for field in fields
            ]
            known = {"id": sentence.context["id"]} if "id" in sentence.context else {}
            task = {
                **known,
                "data": {to_name: text},
                "predictions": [{"model_version": "lawful", "result": result}],
            }
            file.write(("," if count > 1 else "") + "\n" + json.dumps(task, ensure_ascii=False))
        file.write("\n]\n")
    return count


def _parsed(text: str, name: str, number: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise CorpusError(name, number + error.lineno - 1, f"not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise CorpusError(name, number, f"not JSON that can be read: {error}") from None


# --- brat: a text file and a file of annotations beside it --------------------------------------------------


def read_brat(
    source: Source, *, tokenizer: TokenizerLike = "words", outside: str = "O", encoding: str = "utf-8"
) -> Iterator[Sentence]:
    r"""Read brat's standoff: `NAME.ann`, with the text in `NAME.txt` beside it. A line of the text is a sequence; labels are IOB2.

    Entities (`T` lines) are read; relations, events, attributes and notes are not. An entity in several pieces, or over the end of a
    line, is refused.

    Parameters
    ----------
    source : path of the `.ann` file
    tokenizer, outside, encoding
        As in `read_doccano`.

    Examples
    --------
    >>> _ = Path("doc.txt").write_text("in Bonn\nto Ulm\n")
    >>> _ = Path("doc.ann").write_text("T1\tCity 3 7\tBonn\nT2\tCity 11 14\tUlm\n")
    >>> [one.labels for one in read_brat("doc.ann")]
    [('O', 'B-City'), ('O', 'B-City')]
    """
    if not isinstance(source, str | PathLike) or not str(source).endswith(".ann"):
        raise InputError(f"brat's annotations are a path that ends in .ann, got {source!r}")
    name, cutter = name_of(source), Tokenizer.of(tokenizer)
    text = Path(source).with_suffix(".txt")
    if not text.exists():
        raise MissingFileError(
            text, f"the text that {name} marks is expected here, and there is no such file"
        )
    marked = sorted(
        (*_brat_span(line, name, number), number, "".join(line.split("\t")[2:3]))
        for number, line in read_lines(source, encoding=encoding)
        if line.startswith("T")
    )
    start, first = 0, 0
    for number, line in read_lines(text, encoding=encoding):
        end, last = start + len(line), first
        while last < len(marked) and marked[last][0] < end:
            a, b, kind, place, quoted = marked[last]
            if b > end:
                problem = (
                    f"{kind!r} from {a} to {b} goes over the end of line {number} of {text.name}, at {end}"
                )
                raise CorpusError(name, place, f"{problem}: a line is a sequence")
            found = line[a - start : b - start]
            if quoted not in ("", found):
                problem = f"from {a} to {b} {text.name} has {found!r}, not {quoted!r}"
                raise CorpusError(name, place, f"{problem}: has the text changed since it was marked?")
            last += 1
        spans = [(a - start, b - start, kind) for a, b, kind, *_ in marked[first:last]]
        if line.strip():
            yield sentence_from_spans(line, spans, cutter, str(text), number, outside=outside)
        start, first = end + 1, last
    if first < len(marked):
        a, _, kind, place, _ = marked[first]
        raise CorpusError(name, place, f"{kind!r} from {a} on is beyond the end of {text.name}, at {start}")


def _brat_span(line: str, name: str, number: int) -> Marked:
    parts = line.split("\t")
    words = parts[1].split(" ") if len(parts) > 1 else []
    if len(words) == 3 and words[1].isdecimal() and words[2].isdecimal():
        return int(words[1]), int(words[2]), words[0]
    if ";" in line:
        raise CorpusError(name, number, f"an entity in several pieces: {line!r:.60}; a token has one label")
    raise CorpusError(
        name, number, f"expected an entity (T1, a tab, type, start, end, a tab, text), got {line!r:.60}"
    )


def write_brat(sentences: Iterable[Sentence], target: Target) -> int:
    r"""Write sentences as brat's standoff, `NAME.ann` with the text in `NAME.txt` beside it, and return their number.

    Sentences that were read from a text keep their lines: those that were blank are written too, except after the last.

    Examples
    --------
    >>> write_brat([Sentence(("to", "Bonn"), ("O", "B-City"))], "out.ann"), Path("out.ann").read_text()
    (1, 'T1\tCity 3 7\tBonn\n')
    """
    if not isinstance(target, str | PathLike) or not str(target).endswith(".ann"):
        raise InputError(f"brat's annotations are written to a path that ends in .ann, got {target!r}")
    count = entities = start = line = 0
    with opened_for_writing(Path(target).with_suffix(".txt")) as texts, opened_for_writing(target) as file:
        for sentence in sentences:
            count += 1
            text, fields = spans_of(sentence)
            line += 1
            if sentence.source.endswith(".txt") and sentence.lines and sentence.lines[0] > line:
                blank = sentence.lines[0] - line
                texts.write("\n" * blank)
                line, start = line + blank, start + blank
            if "\n" in text:
                raise CorpusError(
                    str(target),
                    None,
                    f"{sentence.location()}a text of several lines: in brat's a line is a sequence",
                )
            for field in fields:
                if " " in field.name or "\t" in field.name:
                    raise CorpusError(str(target), None, f"a type of brat's has no blanks: {field.name!r}")
                entities += 1
                file.write(
                    f"T{entities}\t{field.name} {start + field.start} {start + field.end}\t{field.text}\n"
                )
            texts.write(text + "\n")
            start += len(text) + 1
    return count
