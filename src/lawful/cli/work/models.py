"""Model files of any origin, and scoring sentences with them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.corpus import Sentence
from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.decoding.predicting import text_tokenizer
from lawful.errors import FeatureError, FileError, InputError
from lawful.errors.wording import listing
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice, Tagger
from lawful.lattice.tagger import in_context, lattices_of

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = [
    "ModelFile",
    "SentenceTagger",
    "open_model",
    "open_voters",
    "parse_features",
    "parse_weights",
    "read_features",
    "voting_model",
]

CRFSUITE = b"lCRF"  # the first bytes of CRFsuite's model files


@dataclass(frozen=True)
class ModelFile:
    """A model as bytes, which can be sent to another process or machine; never pickled, never code.

    Attributes
    ----------
    name : str
        For messages.
    data : bytes
        A file of lawful or CRFsuite, or the JSON of `GivenScores`.
    features : str or None
        Feature templates (TOML) for a model that takes attributes.
    """

    name: str
    data: bytes
    features: str | None = None

    @classmethod
    def read(cls, path: str, features: str | None = None) -> ModelFile:
        """The model in a file, and the feature templates in another one."""
        return cls(path, _bytes_of(path), None if features is None else _text_of(features))


class SentenceTagger:
    """Scores sentences with a model, giving it rows of columns, contexts or attributes as it needs them.

    Parameters
    ----------
    file : ModelFile
    jobs : int, optional
        Threads, for models that use them.
    """

    @classmethod
    def voting(
        cls, taggers: Sequence[SentenceTagger], weights: Sequence[float] | None = None
    ) -> SentenceTagger:
        """Several models as one: their log-linear vote. Columns are read as for the first of them."""
        from lawful.voting import Ensemble

        tell_of_missing_labels(taggers)
        voters = [tagger.for_tokens() for tagger in taggers]
        names = [tagger.name for tagger in taggers]
        short = [Path(name).stem for name in names]
        self = cls.__new__(cls)
        self.name, self.features, self.takes_items = " and ".join(names), None, False
        self.model = Ensemble(voters, weights, names=short if len(set(short)) == len(short) else names)
        self.notes = taggers[0].notes
        return self

    def __init__(self, file: ModelFile, *, jobs: int | None = None) -> None:
        self.name = file.name
        self.features: Features | None = None
        self.notes: Mapping[str, Any] = {}
        self.model: Any
        if file.data.startswith(CRFSUITE):
            from lawful.adapters.crfsuite.tagger import from_crfsuite

            self.model, self.takes_items = from_crfsuite(file.data), True
        elif file.data.lstrip()[:1] == b"{":
            from lawful.cli.work.scores import GivenScores

            self.model, self.takes_items = GivenScores.parse(file.data, file.name), False
        else:
            from lawful.models.loading import restore
            from lawful.models.saving.reading import parse_model

            self.model = restore(parse_model(file.data, file.name), file.name)
            self.notes = self.model.notes_
            # A model that was given no templates has chosen some, unless it was fitted to attributes.
            self.takes_items = (
                hasattr(self.model, "features")
                and getattr(self.model, "features_", self.model.features) is None
            )
            if jobs is not None and "jobs" in self.model.get_params(deep=False):
                self.model.set_params(jobs=jobs)
        if file.features is not None:
            if not self.takes_items:
                raise InputError(f"{file.name} already contains its features: leave out --features")
            self.features = parse_features(file.features)

    def members(self) -> list[SentenceTagger]:
        """The models inside, if this is a saved vote: each scores as it does in there."""
        from lawful.voting import Ensemble

        found: list[SentenceTagger] = []
        if isinstance(self.model, Ensemble):
            for tagger, name in zip(self.model.taggers, self.model.names_, strict=True):
                member = type(self).__new__(type(self))
                member.name, member.model, member.notes = name, tagger, self.notes
                member.features, member.takes_items = None, False
                found.append(member)
        return found

    @property
    def brings_scores(self) -> bool:
        """Whether the sentences bring their own scores."""
        return not hasattr(self.model, "lattices") and not hasattr(self.model, "fit")

    @property
    def labels(self) -> LabelSet:
        """The labels that the model can give."""
        labels: LabelSet = self.model.labels
        return labels

    def tokenizer(self) -> Tokenizer:
        """How texts are cut for the model; an error if texts are not enough for it."""
        if self.brings_scores:
            raise InputError(
                f"{self.name} contains labels only, and a text brings no scores: this needs a model"
            )
        if self.takes_items and self.features is None:
            raise InputError(
                f"{self.name} was trained on attributes: pass the templates that make them of words with --features FILE.toml"
            )
        tokenizer: Tokenizer | None = text_tokenizer(self.model)
        return tokenizer or Tokenizer()

    def lattices(self, sentences: Sequence[Sentence]) -> list[AnyLattice]:
        """The scores of sentences, none of them empty, with their tokens and contexts for the rules."""
        inputs = [sentence.inputs() for sentence in sentences]
        lattices: list[AnyLattice]
        if self.brings_scores:
            lattices = [self.model.lattice(*pair) for pair in zip(sentences, inputs, strict=True)]
        elif not self.takes_items:
            lattices = list(lattices_of(self.model, inputs))
        else:
            items = [self._items(*pair) for pair in zip(sentences, inputs, strict=True)]
            lattices = self._from_items(items, inputs)
        return [
            in_context(lattice, sentence.context)
            for lattice, sentence in zip(lattices, sentences, strict=True)
        ]

    def _from_items(self, items: list[Any], tokens: list[Any]) -> list[AnyLattice]:
        if hasattr(self.model, "weights") and not hasattr(self.model, "fit"):  # CRFsuite's
            return list(self.model.lattices(items, tokens=tokens))
        return list(lattices_of(self.model, items))

    def for_tokens(self) -> Tagger:
        """The model as a tagger of token sequences, for functions that do not take sentences."""
        if self.brings_scores:
            raise InputError(f"{self.name} contains labels only; this command needs a model")
        tagger: Tagger = _TokenTagger(self) if self.takes_items else self.model
        return tagger

    def predict(self, sentences: Sequence[Sentence], *, jobs: int) -> list[list[str]] | None:
        """The labels without rules from the model's own, faster method; None if it has none."""
        if self.takes_items or not hasattr(self.model, "predict"):
            return None
        inputs = [sentence.inputs() for sentence in sentences]
        labels: list[list[str]] = self.model.predict(inputs, jobs=jobs)
        return labels

    def _items(self, sentence: Sentence, tokens: Sequence[Any]) -> Sequence[Any]:
        """The attributes of each token, for models that were trained on attributes."""
        if self.features is not None:
            return [dict(items) for items in self.features.items(tokens)]
        items = sentence.context.get("items")
        if not isinstance(items, list):
            raise InputError(
                f"{sentence.location()}{self.name} was trained on attributes: pass the templates that make them with "
                '--features FILE.toml, or give them in each line of a JSONL input: {"tokens": [...], "items": [[...], ...]}'
            )
        if len(items) != len(sentence):
            raise InputError(f"{sentence.location()}{len(sentence)} tokens, but {len(items)} items")
        if not all(isinstance(item, (list, dict)) for item in items):
            raise InputError(
                f"{sentence.location()}an item must be a list of attributes or an object with their values"
            )
        return items


class _TokenTagger:
    """A model that takes attributes, as a tagger of tokens."""

    def __init__(self, tagger: SentenceTagger) -> None:
        if tagger.features is None:
            raise InputError(
                f"{tagger.name} was trained on attributes: pass the templates that make them with --features FILE.toml"
            )
        self.features, self.model, self.labels = tagger.features, tagger.model, tagger.labels
        self.tokenizer = tagger.tokenizer()

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The scores of one sequence, with its tokens for the rules."""
        items = [dict(items) for items in self.features.items(tokens)]
        lattice: Lattice = self.model.lattice(items, tokens=tokens)
        return lattice


def open_model(model: str, features: str | None = None, *, jobs: int | None = None) -> SentenceTagger:
    """The model in a file, ready to score."""
    return SentenceTagger(ModelFile.read(model, features), jobs=jobs)


def voting_model(files: Sequence[ModelFile], weights: Sequence[float] | None = None) -> SentenceTagger:
    """One model, or the log-linear vote of several; feature templates are for those that take attributes."""
    if len(files) == 1:
        if weights is not None:
            raise InputError("--weights are for a vote: give --model twice or more")
        alone = SentenceTagger(files[0])
        if alone.members() and alone.model.method != "log-linear":
            raise InputError(
                f"{alone.name} is a {alone.model.method} vote, and only log-linear ones can be shown: save the ensemble with "
                "method='log-linear', or run `lawful vote FILE --model` with it"
            )
        return alone
    return SentenceTagger.voting(open_voters(files), weights)


def open_voters(files: Sequence[ModelFile]) -> list[SentenceTagger]:
    """Several models; feature templates are for those of them that take attributes."""
    if len(files) == 1:
        return [SentenceTagger(files[0])]
    taggers = [SentenceTagger(replace(file, features=None)) for file in files]
    if any(file.features for file in files) and not any(tagger.takes_items for tagger in taggers):
        raise InputError("all these models already contain their features: leave out --features")
    return [
        SentenceTagger(file) if tagger.takes_items and file.features else tagger
        for file, tagger in zip(files, taggers, strict=True)
    ]


def tell_of_missing_labels(taggers: Sequence[SentenceTagger]) -> None:
    """Say on stderr which models of a vote lack labels that others have: these then cannot win."""
    known = list(dict.fromkeys(label for tagger in taggers for label in tagger.labels))
    for tagger in taggers:
        missing = [label for label in known if label not in tagger.labels]
        if missing:
            print(
                f"lawful: {tagger.name} does not know the label{'s' * (len(missing) > 1)} {listing(missing)}, "
                f"and gives {'them' if len(missing) > 1 else 'it'} no chance in the vote",
                file=sys.stderr,
            )


def parse_weights(text: str | None, count: int) -> list[float] | None:
    """The numbers of `--weights`, one for each of the taggers.

    Examples
    --------
    >>> parse_weights("2,1", 2), parse_weights(None, 2)
    ([2.0, 1.0], None)
    """
    if text is None:
        return None
    try:
        weights = [float(number) for number in text.split(",")]
    except ValueError:
        raise InputError(f"--weights must be numbers with commas between them, got {text!r}") from None
    if len(weights) != count:
        raise InputError(f"--weights has {len(weights)} numbers, but there are {count} taggers")
    return weights


def read_features(path: str) -> Features:
    """The feature templates of a TOML file."""
    return parse_features(_text_of(path), path)


def _text_of(path: str) -> str:
    try:
        return _bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: this is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
        ) from None


def _bytes_of(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise FileError.of(path, "opened", error) from error


def parse_features(text: str, name: str = "the features") -> Features:
    """Feature templates written as TOML.

    Examples
    --------
    >>> parse_features('templates = ["lower", { window = [{ column = "pos" }, -1, 1] }]')
    Features(lower(), window(column('pos'), -1, 1))
    """
    from lawful.models.features import Features
    from lawful.rules.files.toml import TomlError, parse_toml

    try:
        return Features.from_dict(parse_toml(text))
    except TomlError as error:
        line = f", line {error.where.line}" if error.where else ""
        raise InputError(f"{name}{line}: {error}") from None
    except FeatureError as error:
        raise InputError(f"{name}: {error}") from None
