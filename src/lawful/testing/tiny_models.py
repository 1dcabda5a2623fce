"""Tiny models of other libraries, without any download."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["lookup_token_classifier", "tiny_token_classifier"]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tiny_token_classifier(
    labels: Sequence[str], words: Sequence[str] = (), *, max_length: int = 64, seed: int = 0
) -> tuple[Any, Any]:
    """A BERT token classifier of two layers with random weights, and its fast WordPiece tokenizer.

    Needs the extra `transformers`. For trying rules, pipelines and training loops without a download.

    Parameters
    ----------
    labels : sequence of str
    words : sequence of str
        Words that are one piece; all others of letters and digits are spelled out.
    max_length : int
        The longest sequence in sub-words, special ones included.
    seed : int

    Returns
    -------
    model, tokenizer

    Examples
    --------
    >>> model, tokenizer = tiny_token_classifier(["O", "Name"], ["saw"])
    >>> tokenizer.tokenize("Bo saw"), model.config.id2label
    (['B', '##o', 'saw'], {0: 'O', 1: 'Name'})
    """
    import torch

    tokenizer = _tokenizer(words, max_length)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _model(labels, len(tokenizer), 32, max_length)
    return model, tokenizer


def lookup_token_classifier(
    labels: Sequence[str], scores: Mapping[str, Mapping[str, float]], *, max_length: int = 64
) -> tuple[Any, Any]:
    """A BERT token classifier with given logits for each word, whatever its neighbours.

    Needs the extra `transformers`. For examples and tests that need a model with known answers.

    Parameters
    ----------
    labels : sequence of str
    scores : mapping from word to mapping from label to logit
        Missing entries are 0, also for unknown words.
    max_length : int

    Returns
    -------
    model, tokenizer

    Examples
    --------
    >>> model, tokenizer = lookup_token_classifier(["O", "Name"], {"Ann": {"Name": 2.5}, "saw": {"O": 1.0}})
    >>> model(**tokenizer("Ann saw", return_tensors="pt")).logits[0, 1:3].detach().numpy().round(3) + 0.0
    array([[0. , 2.5],
           [1. , 0. ]], dtype=float32)
    """
    import torch

    tokenizer = _tokenizer(list(scores), max_length)
    size = len(tokenizer) + len(tokenizer) % 2
    model = _model(labels, len(tokenizer), size, max_length)
    table = torch.zeros(len(labels), size)
    for word, row in scores.items():
        for label, score in row.items():
            table[labels.index(label), tokenizer.convert_tokens_to_ids(word)] = score
    # One-hot embeddings, and layers that add nothing: what reaches the classifier is the normalised one-hot vector,
    # `high` at one index and `low` at all others.
    spread = (1 / size * (1 - 1 / size)) ** 0.5
    high, low = (1 - 1 / size) / spread, (-1 / size) / spread
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "LayerNorm" not in name:
                parameter.zero_()
        model.bert.embeddings.word_embeddings.weight.copy_(torch.eye(len(tokenizer), size))
        model.classifier.weight.copy_(table / (high - low))
        model.classifier.bias.copy_(-low * table.sum(dim=1) / (high - low))
    return model, tokenizer


def _tokenizer(words: Sequence[str], max_length: int) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    pieces = [*SPECIAL, *words, *".,;:!?-()'/", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    inner = Tokenizer(models.WordPiece(vocabulary, unk_token=SPECIAL[1]))
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.decoder = decoders.WordPiece()
    ends = [("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    inner.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        model_max_length=max_length,
        **dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), SPECIAL, strict=True)),
    )


def _model(labels: Sequence[str], pieces: int, size: int, max_length: int) -> Any:
    from transformers import BertConfig, BertForTokenClassification

    config = BertConfig(
        vocab_size=pieces,
        hidden_size=size,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=max_length,
        initializer_range=0.5,
        layer_norm_eps=1e-12,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    return BertForTokenClassification(config).eval()
