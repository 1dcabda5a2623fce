"""Tiny models of other libraries, with random weights, made without any download."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["tiny_token_classifier"]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tiny_token_classifier(
    labels: Sequence[str], words: Sequence[str] = (), *, max_length: int = 64, seed: int = 0
) -> tuple[Any, Any]:
    """A BERT token classifier of two layers with random weights, and its fast WordPiece tokenizer.

    Needs `bylaw[transformers]`. For trying rules, pipelines and training loops where no model can be fetched.

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
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForTokenClassification, PreTrainedTokenizerFast

    pieces = [*SPECIAL, *words, *".,;:!?-()'/", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    inner = Tokenizer(models.WordPiece(vocabulary, unk_token=SPECIAL[1]))
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.decoder = decoders.WordPiece()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        model_max_length=max_length,
        **dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), SPECIAL, strict=True)),
    )
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=max_length,
        initializer_range=0.5,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = BertForTokenClassification(config)
    return model.eval(), tokenizer
