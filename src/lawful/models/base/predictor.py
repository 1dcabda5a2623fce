"""What everything that scores tokens can do, with or without rules: predict, marginals, score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from lawful.corpus.sentence import Sentence
from lawful.corpus.sequences import ContextsLike, SequencesLike
from lawful.corpus.texts.fields import Field, find_fields
from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.decoding import Decoder
from lawful.decoding.options import DecoderOptions
from lawful.decoding.predicting import score_sequences
from lawful.errors import InputError, NotFittedError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.models.base.parameters import Parameters
from lawful.models.base.sequences import check_data
from lawful.rules.given_rules import RulesLike
from lawful.rules.ruleset import Rules
from lawful.schemes.spans import guess_scheme
from lawful.support.threads import thread_count

__all__ = ["Predictor"]

GivenRules = RulesLike | None


class Predictor(Parameters, ABC):
    """The methods of a `Tagger` with scikit-learn's conventions. It has `labels_` once it is fitted.

    Examples
    --------
    >>> import lawful
    >>> class Shouting(Predictor):
    ...     labels_ = lawful.LabelSet(["quiet", "loud"])
    ...     def lattice(self, tokens):
    ...         scores = [[0.0, 2.0 if t.isupper() else -1.0] for t in tokens]
    ...         return lawful.Lattice(scores, labels=self.labels, tokens=tokens)
    >>> Shouting().predict([["HEY", "you"]]), Shouting().predict([["HEY", "you"]], rules=lawful.at_most(0, "loud"))
    ([['loud', 'quiet']], [['quiet', 'quiet']])
    """

    labels_: LabelSet

    @abstractmethod
    def lattice(self, tokens: Sequence[Any], /) -> AnyLattice:
        """The scores of one sequence, with its tokens for the rules that look at them."""

    @property
    def labels(self) -> LabelSet:
        """The labels it can predict. Raises `NotFittedError` before `fit`."""
        try:
            return self.labels_
        except AttributeError:
            raise NotFittedError(type(self).__name__) from None

    @property
    def calibrated(self) -> bool:
        """Whether prices of rules can be compared with its scores: log-probabilities, or learned together with prices."""
        return True

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterable[AnyLattice]:
        """The lattices of many sequences; models that score many at a time override this."""
        return map(self.lattice, sequences)

    def _own_rules(self) -> Rules:
        """The rules to use when the caller gives none."""
        return _NONE

    # --- texts ------------------------------------------------------------------------------------------------

    @property
    def tokenizer(self) -> Tokenizer:
        """How texts are cut into tokens for it."""
        return Tokenizer()

    def check_text(self) -> None:
        """Raise an `InputError` if it needs to know more of a token than its text."""

    def cut_texts(self, texts: Iterable[str]) -> list[Sentence]:
        """Texts as sentences, cut into tokens as those that it was trained on; each may also be a single word."""
        if isinstance(texts, str):
            raise InputError(f"expected a list of texts, got the text {texts!r:.60}: put it in a list")
        self.check_text()
        return [self.tokenizer.sentence(text) for text in texts]

    def predict_fields(
        self,
        texts: Iterable[str],
        rules: GivenRules = None,
        *,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[list[Field]]:
        """The fields of each text, with their characters: the spans of the best labels, under rules if there are any.

        Parameters
        ----------
        texts : iterable of str
        rules, jobs, **options
            Those of `predict`.
        """
        sentences = self.cut_texts(texts)
        labels = self.predict(sentences, rules, jobs=jobs, **options)
        scheme = guess_scheme([list(self.labels)])
        pairs = zip(sentences, labels, strict=True)
        return [find_fields(sentence.with_labels(found), scheme=scheme) for sentence, found in pairs]

    def decoder(self, rules: GivenRules = None, **options: Unpack[DecoderOptions]) -> Decoder:
        """A `Decoder` with this as its tagger: to compile rules only once, or to get more than labels.

        Parameters
        ----------
        rules : Rules, rule, iterable of rules, or the path of a rule file, optional
        **options
            Those of a `Decoder`: solver, limits, max_loss and so on.
        """
        return Decoder(self._own_rules() if rules is None else rules, tagger=self, **options)

    def predict(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[list[str]]:
        """The best labels of each sequence, under rules if there are any; an empty one gets an empty answer.

        Parameters
        ----------
        X : iterable of token sequences, of `Sentence`, or of texts
            Texts are strings, cut by `tokenizer`. A list of strings without any blank is refused: it may be one sequence of
            tokens; for texts of one word there is `cut_texts`.
        rules : Rules, rule, iterable of rules, or the path of a rule file, optional
        contexts : iterable of mappings, optional
            What comes with each sequence by name, for rules that ask for it. A `Sentence` brings its own; a name in
            both is taken from here.
        jobs : int, optional
            Threads; all cores if not given.
        **options
            Those of a `Decoder`: solver, limits, max_loss and so on.
        """
        return self.decoder(rules, **options).predict(X, contexts=contexts, jobs=jobs)

    def predict_marginals(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[npt.NDArray[np.float64]]:
        """For each sequence an array (T, K): the probability of each label at each token, in the order of `labels`.

        Parameters are those of `predict`. For spans and segments, see `lawful.marginals(model.lattice(tokens))`.
        """
        from concurrent.futures import ThreadPoolExecutor

        decoder, threads = self.decoder(rules, **options), thread_count(jobs)
        nothing = np.zeros((0, len(self.labels)))
        filled, lattices = score_sequences(self, X, contexts)
        with ThreadPoolExecutor(threads) as pool:  # the kernels release the lock
            marginals = pool.map(lambda lattice: decoder.marginals(lattice).labels, lattices)
            return [next(marginals) if has_tokens else nothing for has_tokens in filled]

    def score(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> float:
        """Token accuracy: the share of tokens that get their label. Parameters are those of `predict`."""
        tokens, labels, named = check_data(X, y, contexts, what="the data to score")
        predicted = self.predict(tokens, rules, contexts=named, jobs=jobs, **options)
        pairs = zip(predicted, labels, strict=True)
        right = sum(mine == theirs for ours, gold in pairs for mine, theirs in zip(ours, gold, strict=True))
        return right / sum(map(len, labels))


_NONE = Rules()
