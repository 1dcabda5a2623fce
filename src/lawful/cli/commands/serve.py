"""`lawful serve`: the playground, in the browser."""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Annotated

from lawful.cli.options.declarations import Option
from lawful.cli.options.files import FeaturesOption, RulesOption
from lawful.cli.work.models import ModelFile, SentenceTagger
from lawful.decoding.predicting import text_tokenizer
from lawful.errors import InputError
from lawful.lattice import Tagger
from lawful.playground import Workbench
from lawful.playground.limits import Limits
from lawful.playground.serving import Playground, needed_packages
from lawful.playground.starter import starter_examples, starter_model, starter_rules
from lawful.rules.files import RuleFile, parse_rule_file, read_rule_file

__all__ = ["serve"]

DEFAULT = Limits()


def serve(
    model: Annotated[
        str,
        Option("--model", "-m", metavar="FILE", help="Model file; by default a small model of references."),
    ] = "",
    rules: RulesOption = None,
    host: Annotated[str, Option("--host", metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, Option("--port", metavar="N", min=0, max=65535, help="Port; 0 takes any free port.")
    ] = 0,
    token: Annotated[
        str,
        Option(
            "--token",
            metavar="TEXT",
            envvar="LAWFUL_TOKEN",
            help="Secret that requests must carry; generated if one is needed.",
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
) -> None:
    """Open the playground: edit a text and its rules in the browser.

    Type a text, switch rules on and off, change their prices, edit the rule file, and see which labels change and why.
    The page works without a network. Other programs can use the same server: see docs/playground.md.
    On any address but this machine's own, requests need a token: anyone who reaches the server could use it.
    Each request has limits of time and memory: one that needs more gets an error, and the others go on.

    \b
    Examples:
      lawful serve
      lawful serve --model citations.lawful --rules rules.toml --port 8080
      lawful serve --host 0.0.0.0 --no-open
    """  # noqa: D301 - click reads the \b
    needed_packages()
    limits = Limits(
        workers=workers, answering=timeout, memory=max_memory * 2**20, connections=max_connections
    )
    make_workbench = _read(model, rules, features, limits)
    playground = Playground(make_workbench, host=host, port=port, token=token or None)

    def announce() -> None:
        print(f"playground: {playground.address}\nPress Ctrl-C to stop it.", flush=True)
        if not no_open:
            threading.Thread(target=_open, args=(playground.address,), daemon=True).start()

    with contextlib.suppress(KeyboardInterrupt):  # the way to stop it
        playground.run(announce)


def _read(model: str, rules: str | None, features: str | None, limits: Limits) -> Callable[[], Workbench]:
    """What makes the workbench, here and in the workers. Files are read once: a worker that starts later gets the same."""
    if rules == "-":
        raise InputError("`lawful serve` reads its rules from a file, not from stdin")
    file = ModelFile.read(model, features) if model else None
    tagger = _tagger(file)
    text_tokenizer(tagger)  # a model that needs more than words is refused now, and not at each text
    labels = tagger.labels
    if rules:
        rule_file = read_rule_file(rules, labels=labels)
        text = Path(rules).read_text(encoding="utf-8")
    else:
        text = starter_rules() if file is None else "# Write rules here: see docs/rule-files.md\n"
        rule_file = parse_rule_file(text, "rules", labels=labels, trusted=False)
    return partial(_make_workbench, file, text, rule_file, limits)


def _make_workbench(file: ModelFile | None, text: str, rules: RuleFile, limits: Limits) -> Workbench:
    tagger = _tagger(file)
    name = f"{Path(file.name).name} ({type(tagger).__name__})" if file else "a small HMM of references"
    examples = [] if file else starter_examples()
    return Workbench(tagger, text, rules, examples=examples, model=name, limits=limits)


@cache
def _tagger(file: ModelFile | None) -> Tagger:
    return starter_model() if file is None else SentenceTagger(file).for_tokens()


def _open(address: str) -> None:
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)
