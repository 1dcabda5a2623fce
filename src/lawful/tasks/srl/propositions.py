"""Propositions: the roles of the words of a sentence for one verb, read from columns of brackets and written back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lawful.corpus import Sentence, column_spans, write_brackets
from lawful.errors import CorpusError, InputError
from lawful.schemes import Span, label_spans

__all__ = ["bracketed_text", "proposition_spans", "read_propositions", "verb_positions", "write_roles"]


def read_propositions(
    sentence: Sentence, *, predicate: str, arguments: str = "args", context: Mapping[str, str]
) -> Iterator[Sentence]:
    """The propositions of a sentence: its tokens with their roles for one verb, in IOB2.

    Parameters
    ----------
    sentence : Sentence
        With a column `predicate` ("-" where there is no verb) and columns `arguments.1`, `arguments.2`, ... of
        brackets, one for each verb.
    predicate, arguments : str
    context : mapping of str to str
        What to add about the verb: name in the context -> column. `predicate` (its position) and `proposition`
        (its number in the sentence) are added.

    Examples
    --------
    >>> columns = {"verb": ("-", "say", "-"), "args.1": ("(A0*)", "(V*)", "(A1*)")}
    >>> [proposition] = read_propositions(Sentence(("He", "said", "so"), None, columns), predicate="verb", context={"lemma": "verb"})
    >>> proposition.labels, proposition.context
    (('B-A0', 'B-V', 'B-A1'), {'lemma': 'say', 'predicate': 1, 'proposition': 0})
    """
    verbs = verb_positions(sentence, predicate)
    columns = {name: v for name, v in sentence.columns.items() if not name.startswith(f"{arguments}.")}
    roles = proposition_spans(sentence, predicate=predicate, arguments=arguments)
    for number, (position, spans) in enumerate(zip(verbs, roles, strict=True)):
        try:
            labels = tuple(label_spans(spans, len(sentence), "IOB2"))
        except InputError as error:
            line = sentence.lines[0] if sentence.lines else None
            problem = f"column '{arguments}.{number + 1}': {error}"
            raise CorpusError(sentence.source or "the text", line, problem) from None
        of_verb = {key: sentence.columns[column][position] for key, column in context.items()}
        about = {**sentence.context, **of_verb, "predicate": position, "proposition": number}
        yield Sentence(sentence.tokens, labels, columns, about, sentence.source, sentence.lines)


def verb_positions(sentence: Sentence, predicate: str) -> list[int]:
    """The positions of the verbs that a column names; "-" stands for none.

    Examples
    --------
    >>> verb_positions(Sentence(("He", "left"), None, {"verb": ("-", "leave")}), "verb")
    [1]
    """
    if predicate not in sentence.columns:
        known = ", ".join(sentence.columns) or "none"
        raise InputError(f"{sentence.location()}no column {predicate!r} of verbs; the columns are {known}")
    return [position for position, verb in enumerate(sentence.columns[predicate]) if verb != "-"]


def proposition_spans(
    sentence: Sentence, *, predicate: str, arguments: str = "args", verb: str = "V"
) -> list[list[Span]]:
    """The spans of roles of each verb of a sentence; one of them, called `verb`, must hold the verb.

    Examples
    --------
    >>> columns = {"verb": ("-", "say"), "args.1": ("(V*)", "(A1*)")}
    >>> proposition_spans(Sentence(("He", "said"), None, columns, source="x.txt", lines=(4, 5)), predicate="verb")
    Traceback (most recent call last):
    lawful.errors.CorpusError: x.txt, line 5: column 'args.1': expected (V*) over the verb 'say', found '(A1*)'
    """
    verbs = verb_positions(sentence, predicate)
    bracketed = [name for name in sentence.columns if name.startswith(f"{arguments}.")]
    source, lines = sentence.source or "the text", sentence.lines
    if len(verbs) != len(bracketed):
        raise CorpusError(
            source,
            lines[0] if lines else None,
            f"{len(verbs)} verbs in column {predicate!r}, but {len(bracketed)} columns of arguments",
        )
    found = []
    for position, name in zip(verbs, bracketed, strict=True):
        spans = column_spans(sentence, name)
        if not any(s.start <= position < s.end and s.type in (verb, f"C-{verb}") for s in spans):
            lemma, cell = sentence.columns[predicate][position], sentence.columns[name][position]
            problem = f"column {name!r}: expected ({verb}*) over the verb {lemma!r}, found {cell!r}"
            raise CorpusError(source, lines[position] if lines else None, problem)
        found.append(spans)
    return found


def write_roles(
    sentence: Sentence, roles: Sequence[Iterable[Span]], *, predicate: str, arguments: str = "args"
) -> Sentence:
    """The sentence with columns of brackets for the roles of each of its verbs, in the place of those that it has.

    Written by `write_columns`, that is a file of the shared tasks, for their own scorer for example.

    Parameters
    ----------
    sentence : Sentence
    roles : sequence of iterables of Span
        For each verb, in order. A verb without a span `V` gets one.
    predicate, arguments : str
        The column of verbs, and the name of the columns to write.

    Examples
    --------
    >>> sentence = Sentence(("He", "said", "so"), None, {"verb": ("-", "say", "-")})
    >>> write_roles(sentence, [[Span("A0", 0, 1)]], predicate="verb").columns["args.1"]
    ('(A0*)', '(V*)', '*')
    """
    verbs = verb_positions(sentence, predicate)
    if len(verbs) != len(roles):
        raise InputError(f"{sentence.location()}{len(verbs)} verbs, but roles of {len(roles)}")
    for number, (position, spans) in enumerate(zip(verbs, roles, strict=True), start=1):
        listed = list(spans)
        if not any(span.start <= position < span.end for span in listed):
            listed.append(Span("V", position, position + 1))
        sentence = sentence.with_column(f"{arguments}.{number}", write_brackets(listed, len(sentence)))
    return sentence


def bracketed_text(words: Sequence[str], spans: Iterable[Span], verb: int | None = None) -> str:
    """A sentence with its arguments in brackets, to print; arguments may be inside each other.

    Parameters
    ----------
    words : sequence of str
    spans : iterable of Span
    verb : int, optional
        The position of the verb, which gets brackets of its own.

    Examples
    --------
    >>> print(bracketed_text(["He", "sold", "the", "grain"], [Span("A0", 0, 1), Span("A1", 2, 4)], verb=1))
    [A0 He] [V sold] [A1 the grain]
    """
    given = [*spans, *([] if verb is None else [Span("V", verb, verb + 1)])]
    opening, closing = [""] * len(words), [""] * len(words)
    for span in sorted(given, key=lambda span: (span.start, -span.end)):
        if not 0 <= span.start < span.end <= len(words):
            raise InputError(f"{span} does not fit a sentence of {len(words)} words")
        opening[span.start] += f"[{span.type} "
        closing[span.end - 1] += "]"
    return " ".join(
        before + word + after for before, word, after in zip(opening, words, closing, strict=True)
    )
