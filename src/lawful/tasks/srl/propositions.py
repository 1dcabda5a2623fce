"""Semantic roles: one labelled sequence for each verb of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawful.corpus import Sentence, read_brackets
from lawful.errors import CorpusError, InputError
from lawful.schemes import label_spans

__all__ = ["read_propositions"]


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
    verbs = [position for position, verb in enumerate(sentence.columns[predicate]) if verb != "-"]
    bracketed = [name for name in sentence.columns if name.startswith(f"{arguments}.")]
    if len(verbs) != len(bracketed):
        raise CorpusError(
            sentence.source,
            sentence.lines[0] if sentence.lines else None,
            f"{len(verbs)} verbs in column {predicate!r}, but {len(bracketed)} columns of arguments",
        )
    columns = {name: values for name, values in sentence.columns.items() if name not in bracketed}
    for number, (position, name) in enumerate(zip(verbs, bracketed, strict=True)):
        try:
            spans = read_brackets(sentence.columns[name])
            labels = tuple(label_spans(spans, len(sentence), "IOB2"))
        except InputError as error:
            line = sentence.lines[0] if sentence.lines else None
            raise CorpusError(sentence.source, line, f"column {name!r}: {error}") from None
        of_verb = {key: sentence.columns[column][position] for key, column in context.items()}
        about = {**sentence.context, **of_verb, "predicate": position, "proposition": number}
        yield Sentence(sentence.tokens, labels, columns, about, sentence.source, sentence.lines)
