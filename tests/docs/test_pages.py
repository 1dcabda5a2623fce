"""The README and the pages of docs/ run.

Every ```python block is executed; the blocks of a page share their names, from top to bottom. A block that a
```text block follows, with nothing but blank lines between them, must print exactly that text.

In ```console blocks, `$ lawful ...` is run, in this process and in the page's folder, and must print what stands below it
(a line `...` stands for any lines); with nothing below it, it must only succeed. Other commands, such as pip's, are not run,
nor is `lawful serve`, which would wait for visitors.

A ```toml block whose first line is `# NAME.toml` is the file of that name.
"""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lawful.cli.main import run as run_command_line

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```(?P<language>[^\n]*)\n(?P<body>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# (\S+\.toml)\n")

# What a page needs beyond the group `test`; `make test-extras` has it.
NEEDS = {"docs/spacy.md": "spacy", "docs/transformers.md": "transformers"}


class Snippet(NamedTuple):
    """Code or a command of a page, the line it starts on, and what it must print if the page says so; or a file."""

    line: int
    code: str
    output: str | None
    language: str = "python"


def snippets(page: str) -> list[Snippet]:
    """The python blocks of a page and the commands of its console blocks, in order."""
    blocks = list(FENCED.finditer(page))
    found = []
    for block, following in zip_longest(blocks, blocks[1:]):
        line = page.count("\n", 0, block.start("body")) + 1
        if block["language"].strip() == "console":
            found += commands(block["body"], line)
        if block["language"].strip() == "toml" and FILE_NAME.match(block["body"]):
            found.append(Snippet(line, block["body"], None, "toml"))
        if block["language"].strip() != "python":
            continue
        told = (
            following is not None
            and following["language"].strip() == "text"
            and not page[block.end() : following.start()].strip()
        )
        found.append(Snippet(line, block["body"], following["body"] if told and following else None))
    return found


def commands(block: str, first: int) -> list[Snippet]:
    """The `lawful` commands of a console block, with what the page prints below each."""
    found = []
    for command in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        if command[1].startswith("lawful ") and not command[1].startswith("lawful serve"):
            line = first + block.count("\n", 0, command.start())
            found.append(Snippet(line, command[1], command[2] or None, "console"))
    return found


def run_command(snippet: Snippet) -> str:
    """What a command prints, on both streams; one whose output the page does not show must succeed."""
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(printed):
        code = run_command_line(shlex.split(snippet.code)[1:])
    assert code == 0 or snippet.output, f"line {snippet.line}: exit code {code}: {printed.getvalue()}"
    return printed.getvalue()


def matches(printed: str, promised: str) -> bool:
    """Whether a text is what was promised, in which a line `...` stands for any lines."""
    parts = re.split(r"^\.\.\.\n", promised, flags=re.MULTILINE)
    return re.fullmatch("(?:.*\\n)*".join(map(re.escape, parts)), printed) is not None


def run(snippet: Snippet, names: dict[str, Any], where: str) -> str:
    """What a snippet prints. Line numbers in tracebacks are those of the page."""
    code = compile("\n" * (snippet.line - 1) + snippet.code, where, "exec")
    with redirect_stdout(io.StringIO()) as printed:
        exec(code, names)  # noqa: S102 (our own pages)
    return printed.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs_and_prints_what_it_says(page: str, tmp_path, monkeypatch) -> None:
    if page in NEEDS:
        pytest.importorskip(NEEDS[page])
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__page__"}
    for snippet in snippets((ROOT / page).read_text()):
        if snippet.language == "toml":
            Path(snippet.code.split()[1]).write_text(snippet.code)
            continue
        if snippet.language == "console":
            printed = run_command(snippet)
            fits = snippet.output is None or matches(printed, snippet.output)
            assert fits, f"{page}, line {snippet.line}: it printed\n{printed}"
            continue
        printed = run(snippet, names, page)
        if snippet.output is not None:
            assert printed == snippet.output, f"{page}, line {snippet.line}"


PAGE = """\
# Title

```python
x = 1
print(x)
```

```text
1
```

```toml
# rules.toml
```

```console
$ make
made
$ lawful --version
lawful 1
$ lawful serve
```

```python
print(x + 1)
```
Words in between.
```text
not its output
```
"""


def test_blocks_and_their_outputs_are_found() -> None:
    assert snippets(PAGE) == [
        Snippet(4, "x = 1\nprint(x)\n", "1\n"),
        Snippet(13, "# rules.toml\n", None, "toml"),
        Snippet(19, "lawful --version", "lawful 1\n", "console"),
        Snippet(25, "print(x + 1)\n", None),
    ]


def test_blocks_share_their_names() -> None:
    names: dict[str, Any] = {}
    code = [one for one in snippets(PAGE) if one.language == "python"]
    assert [run(one, names, "page") for one in code] == ["1\n", "2\n"]


def test_commands_are_run() -> None:
    assert run_command(Snippet(1, "lawful --version", None, "console")).startswith("lawful ")
    with pytest.raises(AssertionError, match="line 1: exit code 2: lawful: unknown command 'nothing'"):
        run_command(Snippet(1, "lawful nothing", None, "console"))


def test_an_ellipsis_stands_for_lines() -> None:
    assert matches("a\nb\nc\nd\n", "a\n...\nd\n")
    assert matches("a\nd\n", "a\n...\nd\n")
    assert not matches("a\nb\n", "a\n...\nd\n")
    assert not matches("a\nb\n", "a\n")
