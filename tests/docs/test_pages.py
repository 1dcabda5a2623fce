"""The README and the pages of docs/ run.

Every ```python block is executed; the blocks of a page share their names, from top to bottom. A block that a
```text block follows, with nothing but blank lines between them, must print exactly that text.
"""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```(?P<language>[^\n]*)\n(?P<body>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)

# What a page needs beyond the group `test`; `make test-extras` has it.
NEEDS = {"docs/spacy.md": "spacy", "docs/transformers.md": "transformers"}


class Snippet(NamedTuple):
    """Code of a page, the line it starts on, and what it must print if the page says so."""

    line: int
    code: str
    output: str | None


def snippets(page: str) -> list[Snippet]:
    """The python blocks of a page."""
    blocks = list(FENCED.finditer(page))
    found = []
    for block, following in zip_longest(blocks, blocks[1:]):
        if block["language"].strip() != "python":
            continue
        told = (
            following is not None
            and following["language"].strip() == "text"
            and not page[block.end() : following.start()].strip()
        )
        line = page.count("\n", 0, block.start("body")) + 1
        found.append(Snippet(line, block["body"], following["body"] if told and following else None))
    return found


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

```console
$ make
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
    assert snippets(PAGE) == [Snippet(4, "x = 1\nprint(x)\n", "1\n"), Snippet(17, "print(x + 1)\n", None)]


def test_blocks_share_their_names() -> None:
    names: dict[str, Any] = {}
    assert [run(one, names, "page") for one in snippets(PAGE)] == ["1\n", "2\n"]
