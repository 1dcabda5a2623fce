"""`lawful serve`: the playground, in the browser."""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Argument, Option
from lawful.cli.options.files import FeaturesOption, RulesOption, WeightsOption
from lawful.cli.work.columns import columns_for
from lawful.cli.work.inputs import open_input
from lawful.cli.work.models import ModelFile, parse_weights, voting_model
from lawful.corpus import Tokenizer
from lawful.decoding.predicting import text_tokenizer
from lawful.errors import InputError
from lawful.lattice import Tagger
from lawful.playground import Workbench
from lawful.playground.examples import corpus_examples
from lawful.playground.http.saving import RuleTarget
from lawful.playground.http.serving import Playground, needed_packages
from lawful.playground.limits import Limits
from lawful.playground.starter import starter_examples, starter_model, starter_rules
from lawful.rules.files import RuleFile, parse_rule_file, read_rule_file

__all__ = ["read_served", "serve"]

DEFAULT = Limits()
STDIN = "-"


def serve(
    file: Annotated[
        str | None,
        Argument(
            metavar="FILE", help="Sequences to pick as examples, with their gold labels if there are any."
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        Option(
            "--model",
            "-m",
            metavar="FILE",
            help="Model file; by default a small model of references. Several models vote.",
        ),
    ] = None,
    rules: RulesOption = None,
    save: Annotated[
        bool, Option("--save", help="Let the page save edited rules to the file of --rules.")
    ] = False,
    weights: WeightsOption = None,
    host: Annotated[str, Option("--host", metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, Option("--port", metavar="N", min=0, max=65535, help="Port; 0 takes any free port.")
    ] = 0,
    secret: Annotated[
        str,
        Option(
            "--secret",
            metavar="TEXT",
            envvar="LAWFUL_TOKEN",
            help="Token that requests must carry; generated if one is needed.",
        ),
    ] = "",
    features: FeaturesOption = None,
    workers: Annotated[
        int,
        Option(
            "--workers", metavar="N", min=1, max=64, help="Number of requests worked on at the same time."
        ),
    ] = DEFAULT.workers,
    timeout: Annotated[
        float,
        Option(
            "--timeout",
            metavar="SECONDS",
            min=0.1,
            help="Time limit for one request, after which its process is ended.",
        ),
    ] = DEFAULT.answering,
    max_memory: Annotated[
        int,
        Option(
            "--max-memory",
            metavar="MB",
            min=64,
            help="Memory for one request, besides the model's (enforced on Linux).",
        ),
    ] = DEFAULT.memory // 2**20,
    max_connections: Annotated[
        int,
        Option("--max-connections", metavar="N", min=8, help="Number of connections open at the same time."),
    ] = DEFAULT.connections,
    no_open: Annotated[bool, Option("--no-open", help="Do not open a browser.")] = False,
    *,
    options: CorpusOptions,
) -> None:
    """Open the playground: edit a text and its rules in the browser.

    Type a text, switch rules on and off, change their prices, edit the rule file, and see which labels change and why.
    With FILE, pick its sequences as examples and see their gold labels beside the answers. Several models vote, and the page
    shows what each of them wanted, who won, and at what price. The page works without a network. Other programs can use the same server: see docs/playground.md.
    On any address but this machine's own, requests need a token: anyone who reaches the server could use it. So do they with
    --save, which only works on this machine's own address.
    Each request has limits of time and memory: one that needs more gets an error, and the others go on.

    \b
    Examples:
      lawful serve
      lawful serve test.conll --model citations.lawful --rules rules.toml --save
      lawful serve test.conll -m crf.lawful -m hmm.lawful --rules rules.toml --port 8080
      lawful serve --host 0.0.0.0 --no-open
    """  # noqa: D301 - click reads the \b
    needed_packages()
    limits = Limits(
        workers=workers, answering=timeout, memory=max_memory * 2**20, connections=max_connections
    )
    if save and not rules:
        raise InputError("--save writes to the file of --rules: pass one")
    make_workbench = read_served(model or [], weights, rules, features, limits, corpus=file, options=options)
    target = RuleTarget(rules) if save and rules else None
    playground = Playground(make_workbench, host=host, port=port, token=secret or None, target=target)

    def announce() -> None:
        print(f"playground: {playground.address}\nPress Ctrl-C to stop it.", flush=True)
        if not no_open:
            threading.Thread(target=_open, args=(playground.address,), daemon=True).start()

    with contextlib.suppress(KeyboardInterrupt):  # the way to stop it
        playground.run(announce)


def read_served(
    models: Sequence[str],
    weights: str | None,
    rules: str | None,
    features: str | None,
    limits: Limits,
    *,
    corpus: str | None,
    options: CorpusOptions,
) -> Callable[[], Workbench]:
    """What makes the workbench, here and in the workers. Files are read once: a worker that starts later gets the same."""
    if rules == STDIN or corpus == STDIN:
        raise InputError("`lawful serve` reads its rules and examples from files, not from stdin")
    shares = parse_weights(weights, len(models))
    files = tuple(ModelFile.read(model, features) for model in models)
    served = _Served(files, None if shares is None else tuple(shares))
    tagger = served.tagger
    text_tokenizer(tagger)  # a model that needs more than words is refused now, and not at each text
    labels = tagger.labels
    if rules:
        rule_file = read_rule_file(rules, labels=labels)
        text = Path(rules).read_text(encoding="utf-8")
    else:
        text = "# Write rules here; “Help” above says how.\n" if files else starter_rules()
        rule_file = parse_rule_file(text, "rules", labels=labels, trusted=False)
    examples = _examples(corpus, options, served, limits) if corpus else [] if files else starter_examples()
    return partial(_make_workbench, served, text, rule_file, examples, limits)


def _examples(corpus: str, options: CorpusOptions, served: _Served, limits: Limits) -> list[dict[str, Any]]:
    sentences = open_input(
        corpus,
        options,
        columns=lambda source: columns_for(served.notes, source, options),
        tokenizer=lambda: text_tokenizer(served.tagger) or Tokenizer(),
    )
    examples = corpus_examples(sentences, limits)
    if not examples:
        raise InputError(f"{corpus} has no sequences that the playground can show")
    return examples


@dataclass(frozen=True)
class _Served:
    """The models that are served, as bytes; none stands for the small one of references."""

    files: tuple[ModelFile, ...]
    weights: tuple[float, ...] | None

    @property
    def tagger(self) -> Tagger:
        return _tagger(self.files, self.weights) if self.files else _starter()

    @property
    def notes(self) -> Mapping[str, Any]:
        return voting_model(self.files[:1]).notes if self.files else {}

    @property
    def name(self) -> str:
        if not self.files:
            return "a small HMM of references"
        names = [Path(file.name).name for file in self.files]
        if len(names) > 1:
            return f"a vote of {len(names)} models: {', '.join(names)}"
        return f"{names[0]} ({type(self.tagger).__name__})"


def _make_workbench(
    served: _Served, text: str, rules: RuleFile, examples: list[dict[str, Any]], limits: Limits
) -> Workbench:
    return Workbench(served.tagger, text, rules, examples=examples, model=served.name, limits=limits)


@cache
def _tagger(files: tuple[ModelFile, ...], weights: tuple[float, ...] | None) -> Tagger:
    return voting_model(files, weights).for_tokens()


@cache
def _starter() -> Tagger:
    return starter_model()


def _open(address: str) -> None:
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)
