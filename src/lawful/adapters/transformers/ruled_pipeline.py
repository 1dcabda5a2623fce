"""The token-classification pipeline of Hugging Face, under rules and with its own output format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Unpack

import numpy as np

from lawful.adapters.arrays import as_floats, as_labels, log_probabilities, refuse_bad_scores
from lawful.adapters.transformers.subwords import Strategy, merge_rows
from lawful.adapters.transformers.windows import join_windows
from lawful.decoding.decoder import Decoder
from lawful.decoding.functions import kept_decoder
from lawful.decoding.options import DecoderOptions, SolverOptions
from lawful.errors import InputError, MissingExtraError
from lawful.lattice import Lattice
from lawful.rules.given_rules import as_rules
from lawful.rules.ruleset import Rules

try:
    from transformers import TokenClassificationPipeline

    INSTALLED = True
except ModuleNotFoundError:  # every module of lawful can be imported without its extras
    TokenClassificationPipeline, INSTALLED = object, False

__all__ = ["RuledTokenClassificationPipeline"]

Entity = dict[str, Any]
ScoreKind = Literal["softmax", "marginals"]

OPTIONS = DecoderOptions.__annotations__.keys() - SolverOptions.__annotations__.keys()
MERGING: dict[str, Strategy] = {"first": "first", "max": "max", "average": "mean"}


class RuledTokenClassificationPipeline(TokenClassificationPipeline):  # type: ignore[misc]
    """A `TokenClassificationPipeline` whose labels obey rules. Without rules it gives the same answers as that pipeline.

    Rules see what the aggregation strategy labels: sub-words with "none" and "simple", words with "first", "average" and
    "max". A long text that is read in windows (`stride=...`) is put together before it is decoded, so that rules hold
    for all of it. The context of the rules has "offsets", the characters of each of these tokens in the text.

    Parameters
    ----------
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
        Given here, or in a call for that call only.
    scores : "softmax" or "marginals"
        What "score" is: the model's own probability of the chosen label, as in the base class, which shows how sure the
        model was; or the label's probability under the rules. The score of a group is the mean, as in the base class.
    context : mapping, or callable (text, tokens) -> mapping, optional
        What rules look up about a text, by name.
    max_loss, on_infeasible, timeout, ...
        The options of `lawful.Decoder`.
    **kwargs
        The options of the pipeline itself.

    Examples
    --------
    >>> import lawful
    >>> from transformers import pipeline
    >>> from lawful.testing.tiny_models import tiny_token_classifier
    >>> model, tokenizer = tiny_token_classifier(["O", "B-PER", "I-PER"], ["Ann", "saw", "Bo"])
    >>> tag = pipeline(
    ...     "token-classification", model=model, tokenizer=tokenizer, pipeline_class=RuledTokenClassificationPipeline,
    ...     rules=lawful.Rules(lawful.valid_tags("BIO"), lawful.exactly(1, "B-PER")), aggregation_strategy="first",
    ... )
    >>> [entity["entity_group"] for entity in tag("Ann saw Bo")]
    ['PER']
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not INSTALLED:
            raise MissingExtraError(type(self).__name__, "transformers", "transformers")
        super().__init__(*args, **kwargs)

    def _sanitize_parameters(
        self,
        rules: Any = None,
        scores: ScoreKind | None = None,
        context: Mapping[str, Any] | Callable[[str, list[str]], Mapping[str, Any]] | None = None,
        **kwargs: Any,
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        ours: dict[str, Any] = {name: kwargs.pop(name) for name in OPTIONS if name in kwargs}
        before, forward, after = super()._sanitize_parameters(**kwargs)
        if scores is not None:
            if scores not in ("softmax", "marginals"):
                raise InputError(f"scores must be 'softmax' or 'marginals', got {scores!r}")
            ours["scores"] = scores
        if rules is not None:
            ours["rules"] = as_rules(rules)
        if context is not None:
            ours["context"] = context
        return before, forward, {**after, **ours}

    def postprocess(
        self,
        all_outputs: list[dict[str, Any]],
        aggregation_strategy: Any = "none",
        ignore_labels: Sequence[str] | None = None,
        *,
        rules: Rules | None = None,
        scores: ScoreKind = "softmax",
        context: Any = None,
        **options: Unpack[DecoderOptions],
    ) -> list[Entity]:
        """The entities of one text from the model's answers to its windows."""
        strategy = str(getattr(aggregation_strategy, "value", aggregation_strategy)).lower()
        as_base = _strategy_of_base(strategy)
        if not rules:
            plain: list[Entity] = super().postprocess(all_outputs, as_base, ignore_labels)
            return plain
        sentence = all_outputs[0]["sentence"]
        pieces = self._pieces(all_outputs, sentence, as_base)
        words = [[piece] for piece in pieces] if strategy in ("none", "simple") else _words(pieces)
        if not words:
            return []
        labels = as_labels(dict(self.model.config.id2label))
        tokens = [self._text(word, sentence) for word in words]
        of_text = context(sentence, tokens) if callable(context) else context
        lattice = Lattice(
            [
                merge_rows(np.stack([piece["logs"] for piece in word]), MERGING.get(strategy, "first"))
                for word in words
            ],
            labels=labels,
            tokens=tokens,
            context={"offsets": [(word[0]["start"], word[-1]["end"]) for word in words], **(of_text or {})},
        )
        decoder = kept_decoder(rules, labels, options)
        chosen = labels.encode(decoder.decode(lattice).labels)
        confidence = _confidence(words, chosen, strategy, lattice, decoder, scores)
        entities = [
            self._entity(word, labels[label], score, grouped=strategy not in ("none", "simple"))
            for word, label, score in zip(words, chosen, confidence, strict=True)
        ]
        if strategy != "none":
            entities = self.group_entities(entities)
        ignored = ["O"] if ignore_labels is None else ignore_labels
        return [
            entity
            for entity in entities
            if entity.get("entity") not in ignored and entity.get("entity_group") not in ignored
        ]

    def _pieces(self, all_outputs: list[dict[str, Any]], sentence: str, strategy: Any) -> list[Entity]:
        """The sub-words of a text without special ones, as the base class describes them, each once."""
        windows = []
        for number, output in enumerate(all_outputs):
            raw = as_floats(output["logits"][0], "logits")
            offsets, special = output["offset_mapping"], output["special_tokens_mask"][0].numpy()
            pieces = self.gather_pre_entities(
                sentence,
                output["input_ids"][0],
                _softmax(output["logits"][0]),
                None if offsets is None else offsets[0],
                special,
                strategy,
                word_ids=output.get("word_ids"),
                word_to_chars_map=all_outputs[0].get("word_to_chars_map"),
            )
            kept = raw[[piece["index"] for piece in pieces]]
            name = "logits" if len(all_outputs) == 1 else f"logits of window {number}"
            refuse_bad_scores(kept, f"{name}, sub-words", as_labels(dict(self.model.config.id2label)))
            for piece, logs in zip(pieces, log_probabilities(kept), strict=True):
                piece["logs"] = logs
            windows.append(pieces)
        keys = [[(piece["word"], piece["start"], piece["end"]) for piece in window] for window in windows]
        return [windows[window][position] for window, position in join_windows(keys)]

    def _text(self, word: list[Entity], sentence: str) -> str:
        start, end = word[0]["start"], word[-1]["end"]
        if start is not None and end is not None:
            return sentence[start:end]
        return str(self.tokenizer.convert_tokens_to_string([piece["word"] for piece in word]))

    def _entity(self, word: list[Entity], label: str, score: Any, *, grouped: bool) -> Entity:
        first, last = word[0], word[-1]
        entity: Entity = {"entity": label, "score": score}
        if grouped:
            entity["word"] = self.tokenizer.convert_tokens_to_string([piece["word"] for piece in word])
        else:
            entity |= {"index": first["index"], "word": first["word"]}
        return entity | {"start": first["start"], "end": last["end"]}


def _words(pieces: list[Entity]) -> list[list[Entity]]:
    words: list[list[Entity]] = []
    for piece in pieces:
        if words and piece["is_subword"]:
            words[-1].append(piece)
        else:
            words.append([piece])
    return words


def _confidence(
    words: list[list[Entity]],
    chosen: Sequence[int],
    strategy: str,
    lattice: Lattice,
    decoder: Decoder,
    kind: ScoreKind,
) -> list[Any]:
    dtype = words[0][0]["scores"].dtype
    if kind == "marginals":
        table = decoder.marginals(lattice).labels
        return [dtype.type(table[t, label]) for t, label in enumerate(chosen)]
    rows = []
    for word in words:  # as in the base class
        scores = np.stack([piece["scores"] for piece in word])
        if strategy == "average":
            rows.append(np.nanmean(scores, axis=0))
        else:
            rows.append(scores[scores.max(axis=1).argmax() if strategy == "max" else 0])
    return [row[label] for row, label in zip(rows, chosen, strict=True)]


def _softmax(logits: Any) -> Any:
    """As in the base class and in its precision, so that scores are the same to the last bit."""
    values = logits.float().numpy() if logits.element_size() < 4 else logits.numpy()
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def _strategy_of_base(strategy: str) -> Any:
    from transformers.pipelines.token_classification import AggregationStrategy

    return AggregationStrategy(strategy)
