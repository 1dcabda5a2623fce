"""`lawful serve`: the playground, in the browser."""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from lawful.cli.options.files import FeaturesOption, RulesOption
from lawful.cli.work.models import open_model
from lawful.errors import InputError
from lawful.playground import Workbench
from lawful.playground.serving import Playground, needed_packages
from lawful.playground.starter import starter_examples, starter_model, starter_rules
from lawful.rules.files import parse_rule_file, read_rule_file

__all__ = ["serve"]


def serve(
    model: Annotated[
        str,
        typer.Option(
            "--model", "-m", metavar="FILE", help="Model file; by default a small model of references."
        ),
    ] = "",
    rules: RulesOption = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port; 0 takes any free port.")
    ] = 0,
    token: Annotated[
        str,
        typer.Option(
            "--token",
            metavar="TEXT",
            envvar="LAWFUL_TOKEN",
            help="Secret that requests must carry; generated if one is needed.",
        ),
    ] = "",
    features: FeaturesOption = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Open the playground: edit a text and its rules in the browser.

    Type a text, switch rules on and off, change their prices, edit the rule file, and see which labels change and why.
    The page works without a network. Other programs can use the same server: see docs/playground.md.
    On any address but this machine's own, requests need a token: anyone who reaches the server could use it.

    \b
    Examples:
      lawful serve
      lawful serve --model citations.lawful --rules rules.toml --port 8080
      lawful serve --host 0.0.0.0 --no-open
    """  # noqa: D301 - click reads the \b
    needed_packages()
    playground = Playground(_workbench(model, rules, features), host=host, port=port, token=token or None)

    def announce() -> None:
        print(f"playground: {playground.address}\nPress Ctrl-C to stop it.", flush=True)
        if not no_open:
            threading.Thread(target=_open, args=(playground.address,), daemon=True).start()

    with contextlib.suppress(KeyboardInterrupt):  # the way to stop it
        playground.run(announce)


def _workbench(model: str, rules: str | None, features: str | None) -> Workbench:
    tagger = open_model(model, features).for_tokens() if model else starter_model()
    name = f"{Path(model).name} ({type(tagger).__name__})" if model else "a small HMM of references"
    if rules == "-":
        raise InputError("`lawful serve` reads its rules from a file, not from stdin")
    if rules:
        file = read_rule_file(rules, labels=tagger.labels)
        text = Path(rules).read_text(encoding="utf-8")
    else:
        text = starter_rules() if not model else "# Write rules here: see docs/rule-files.md\n"
        file = parse_rule_file(text, "rules", labels=tagger.labels, trusted=False)
    examples = [] if model else starter_examples()
    return Workbench(tagger, text, file, examples=examples, model=name)


def _open(address: str) -> None:
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)
