"""`lawful completion`: scripts that complete commands and options in a shell."""

from __future__ import annotations

from typing import Annotated, Any

from lawful.cli.boundary import DONE
from lawful.cli.options.declarations import Argument
from lawful.errors import InputError

__all__ = ["completion"]

SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, Argument(metavar="SHELL", help=f"One of {', '.join(SHELLS)}.")],
) -> int:
    """Print a script that completes commands and options in your shell.

    \b
    Examples:
      lawful completion bash > ~/.local/share/bash-completion/completions/lawful
      lawful completion zsh >> ~/.zshrc
      lawful completion fish > ~/.config/fish/completions/lawful.fish
    """  # noqa: D301 - click reads the \b
    if shell not in SHELLS:
        raise InputError(f"no completion for {shell!r}: the shells are {', '.join(SHELLS)}")
    options = _options()
    print(_fish(options) if shell == "fish" else _bash(options, zsh=shell == "zsh"))
    return DONE


def _options() -> dict[str, list[str]]:
    """The options of each command."""
    import typer

    from lawful.cli.main import COMMANDS, make_app

    options = {}
    for name in COMMANDS:
        command: Any = typer.main.get_command(make_app(name))
        spelled = [word for one in command.params for word in (*one.opts, *one.secondary_opts)]
        options[name] = ["--help", *(word for word in spelled if word.startswith("--"))]
    return options


def _bash(options: dict[str, list[str]], *, zsh: bool) -> str:
    cases = "\n".join(f'    {name}) words="{" ".join(words)}" ;;' for name, words in options.items())
    head = "autoload -U +X bashcompinit && bashcompinit\n" if zsh else ""
    return f"""{head}_lawful() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=( $(compgen -W "{" ".join([*options, "help"])}" -- "$word") )
    return
  fi
  case "${{COMP_WORDS[1]}}" in
    help) words="{" ".join(options)}" ;;
{cases}
  esac
  if [[ "$word" == -* || "${{COMP_WORDS[1]}}" == help ]]; then
    COMPREPLY=( $(compgen -W "$words" -- "$word") )
  fi
}}
complete -o default -o bashdefault -F _lawful lawful"""


def _fish(options: dict[str, list[str]]) -> str:
    lines = [f'complete -c lawful -n __fish_use_subcommand -f -a "{" ".join([*options, "help"])}"']
    for name, words in options.items():
        lines += [
            f'complete -c lawful -n "__fish_seen_subcommand_from {name}" -l {word.removeprefix("--")}'
            for word in words
        ]
    return "\n".join(lines)
