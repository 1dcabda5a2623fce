"""Every error of a rule file names the file, the line, the rule and the key, and all come at once."""

from __future__ import annotations

import time
import tomllib
import tracemalloc
from pathlib import Path

import pytest

import lawful
from lawful.errors import FileError, MissingFileError, RuleFileError
from lawful.rules.files.toml import parse_toml

LABELS = 'labels = ["O", "Street", "City"]\n'


def problems(text: str, **options: object) -> tuple[lawful.errors.RuleProblem, ...]:
    with pytest.raises(RuleFileError) as caught:
        lawful.rules.files.parse_rules(text, "r.toml", **options)
    return caught.value.problems


# (what stands in the only rule, line in it, key, what the message says, suggestion)
CASES = [
    ('kind = "at_most_segment"', 1, "kind", "unknown kind of rule 'at_most_segment'", "at_most_segments"),
    ("kind = 3", 1, "kind", "unknown kind of rule 3; the kinds of rules are", None),
    ('labels = "O"', 0, None, "a rule needs its kind: one of at_most", None),
    ("at_most = 1", 0, None, "did you mean kind = 'at_most'?", "kind = 'at_most'"),
    ('kind = "forbid"', 0, None, "forbid needs 'labels': the labels", None),
    ('kind = "forbid"\nlabel = "O"\nlabels = "O"', 2, "label", "unknown key of forbid: 'label'", "labels"),
    ('kind = "forbid"\nlabels = ["O", "Stret"]', 2, "labels", "unknown label 'Stret'", "Street"),
    ('kind = "forbid"\nlabels = [\n"O",\n"@plce"\n]', 4, "labels", "unknown group 'plce'", "place"),
    ('kind = "forbid"\nlabels = [["O"]]', 2, "labels", "expected the name of a label, got ['O']", None),
    ('kind = "forbid"\nlabels = []', 2, "labels", "expected a label, '@' and the name of a group", None),
    ('kind = "forbid"\nlabels = { contex = "x" }', 2, "labels", "unknown key 'contex'", "context"),
    ('kind = "forbid"\nlabels = { context = 1 }', 2, "labels", 'expected { context = "name" }', None),
    ('kind = "at_most"\nlabels = "O"\nn = true', 3, "n", "expected a whole number >= 0, got True", None),
    ('kind = "at_most"\nlabels = "O"\nn = 1.0', 3, "n", "expected a whole number >= 0, got 1.0", None),
    ('kind = "forbid"\nlabels = "O"\nprice = -1', 3, "price", "expected 'hard', 'learn' or a number", None),
    ('kind = "forbid"\nlabels = "O"\nprice = nan', 3, "price", "expected 'hard', 'learn' or a number", None),
    ('kind = "forbid"\nlabels = "O"\nper = "token"', 3, "per", "expected 'sequence' or 'violation'", None),
    ('kind = "forbid"\nlabels = "O"\nname = ""', 3, "name", "expected a name, got ''", None),
    ('kind = "valid_tags"\nscheme = "BI0"', 2, "scheme", "unknown scheme 'BI0'", "BIO"),
    ('kind = "segment_length"\nlabels = "O"\nmin = 3\nmax = 2', 0, None, "needs min <= max", None),
    ('kind = "when"\ntest = "digts"\nthen = "O"', 2, "test", "unknown test 'digts'", "digits"),
    ('kind = "when"\ntest = "digits"', 0, None, "when needs either 'then' or 'never'", None),
    ('kind = "when"\ntest = "digits"\nthen = "O"\nnever = "City"', 0, None, "got 'then' and 'never'", None),
    ('kind = "when"\ntest = { matchs = "a" }\nthen = "O"', 2, "test", "unknown test 'matchs'", "matches"),
    ('kind = "when"\ntest = { matches = "(" }\nthen = "O"', 2, "test", "does not parse at character 0", None),
    (
        'kind = "when"\ntest = { matches = "a", words = [] }\nthen = "O"',
        2,
        "test",
        "needs one of the keys",
        None,
    ),
    ('kind = "when"\ntest = { column = 1 }\nthen = "O"', 2, "test", "'column' needs 'is' beside it", None),
    ('kind = "when"\ntest = { column = 1, is = [[1]] }\nthen = "O"', 2, "test", "expected a string", None),
    ('kind = "when"\ntest = { words = "a" }\nthen = "O"', 2, "test", "expected a list of words", None),
    ('kind = "when"\ntest = { all = ["digits"] }\nthen = "O"', 2, "test", "at least two tests", None),
    ('kind = "when"\ntest = { function = "f" }\nthen = "O"', 2, "test", "pass functions={'f': ...}", None),
    ('kind = "when"\ntest = { words_file = "w" }\nthen = "O"', 2, "test", "may not open other files", None),
    ('kind = "pattern"\npattern = "O* Citty"', 2, "pattern", "unknown label 'Citty'", "City"),
    ('kind = "pattern"\npattern = "O* ("', 2, "pattern", "expected a label", None),
    ('kind = "pattern"\npattern = "O/digts"', 2, "pattern", "unknown test 'digts'", "digits"),
    ('kind = "pattern"\npattern = "@plce"', 2, "pattern", "unknown group 'plce'", "place"),
    ('kind = "and"\nrules = ["x"]', 2, "rules", "expected a list of at least two rules", None),
    ('kind = "not"\nrule = "part"', 2, "rule", "unknown rule 'part'", "parts1"),
    ('kind = "not"\nrule = { kind = "forbid", labels = "X" }', 2, "labels", "unknown label 'X'", None),
    ('kind = "not"\nrule = "soft"', 0, None, "logic combines hard rules, but 'soft' has price 2.0", None),
    ('kind = "automaton"\nstates = [{ to = [1] }]', 2, "states", "the states 0 to 0, got 1", None),
    ('kind = "automaton"\nstates = [{ to = [0, 0] }, { to = [0] }]', 2, "states", "as many numbers", None),
    ('kind = "automaton"\nstates = [{ too = [0] }]', 2, "states", "expected a state", None),
    ('kind = "automaton"\nstates = [{ to = [0] }]\nclasses = { X = 0 }', 3, "classes", "unknown label", None),
    ('kind = "automaton"\nstates = [{ to = [0] }]\nclasses = { O = 5 }', 0, None, "has class 5", None),
    ('kind = "allowed_transitions"\npairs = [["O"]]', 2, "pairs", "expected a pair", None),
    ('kind = "label_at"\nposition = "1"\nlabels = "O"', 2, "position", "expected a whole number", None),
    ('kind = "label_at"\nposition = []\nlabels = "O"', 0, None, "at least one position", None),
    ('kind = "uniform"\nspans = [[1, 2, 3]]', 2, "spans", "a list of spans", None),
]
REST = """

[groups]
place = ["Street", "City"]

[tests]
digits = { matches = "[0-9]+" }

[parts]
parts1 = { kind = "forbid", labels = "O" }
soft = { kind = "forbid", labels = "O", price = 2 }
"""


@pytest.mark.parametrize(("rule", "line", "key", "says", "suggestion"), CASES)
def test_one_problem(rule: str, line: int, key: str | None, says: str, suggestion: str | None) -> None:
    (problem,) = problems(f"{LABELS}[[rule]]\n{rule}{REST}")
    assert problem.source == "r.toml"
    assert problem.line == 2 + line
    assert problem.rule == "rule 1"
    assert problem.key == key
    assert says in problem.message
    assert problem.suggestion == suggestion


def test_all_problems_come_at_once_from_top_to_bottom() -> None:
    found = problems(
        LABELS
        + "lables = 1\ngroups.a = '@b'\ngroups.b = ['@a']\n[[rule]]\nname = 'x'\nkind = 'at_most'\nn = -1\n"
        + "labels = ['Cty', 'Stret']\n[[rule]]\nkind = 'x'\n"
    )
    assert [(one.line, one.rule, one.key) for one in found] == [
        (2, None, "lables"),
        (4, "group 'b'", None),
        (8, "rule 'x'", "n"),
        (9, "rule 'x'", "labels"),
        (9, "rule 'x'", "labels"),
        (11, "rule 2", "kind"),
    ]
    assert str(RuleFileError(found)).splitlines()[0] == (
        "r.toml, line 2, key 'lables': unknown key 'lables'; did you mean 'labels'?"
    )


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a = ", 1, "this is not TOML: Invalid value"),
        ("\n[[rule]\n", 2, "this is not TOML"),
        ('x = "', 1, "Unterminated string"),
        ("a = 1\na = 2", 2, "this is not TOML"),
        ("\na = " + "[" * 5000, 2, "nested too deep: at most 250 brackets may be open"),
        ("a = " + "{a = " * 5000, 1, "nested too deep"),
        ("\na = " + "1" * 5000, 2, "a number, or a key without quotes, has at most 1,000 characters"),
        ("a = 0x" + "f" * 5000, 1, "at most 1,000 characters"),
        ("# a.b\na" + ".a" * 32 + " = 1", 2, "a dotted key has at most 32 parts"),
        ("['a'" + ' . "a"' * 32 + "]", 1, "a dotted key has at most 32 parts"),
        ("a = 1\0", 1, "this is not TOML"),
        ("rule = 1", 1, "write [[rule]]"),
        ("[rule]\nkind = 'forbid'", 1, "write [[rule]]"),
        ("groups = 1", 1, "expected a table of groups"),
        ("tests = []", 1, "expected a table of tests"),
        ("labels = 'O'", 1, "expected a list of label names"),
        ("labels = ['O', 'O']", 1, "label 'O' is at 0 and again at 1"),
        ("include = 1", 1, "expected the path of a rule file"),
        ("include = 'x.toml'", 1, "may not open other files"),
        ("rule = [1]", 1, "expected a table with the kind"),
        (
            "[[rule]]\nname='a'\nkind='forbid'\nlabels='O'\n[[rule]]\nname='a'\nkind='forbid'\nlabels='O'",
            5,
            "line 1",
        ),
        ("tests.a = {not = 'b'}\ntests.b = {not = 'a'}", 2, "refers to itself: a -> b -> a"),
    ],
)
def test_problems_of_the_whole_file(text: str, line: int | None, says: str) -> None:
    (problem,) = problems(text)
    assert problem.line == line
    assert says in problem.message


def test_a_long_dotted_key_costs_next_to_nothing() -> None:
    # tomllib takes 7 s and 1.7 GB for it. The margin is tenfold: on a machine of 2 cores it takes 0.02 s and 0.1 MB.
    text = "a" + ".a" * 20_000 + " = 1"
    tracemalloc.start()
    began = time.process_time()
    (problem,) = problems(text)
    spent, memory = time.process_time() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (problem.line, problem.column) == (1, 1)
    assert spent < 0.5
    assert memory < 2**22


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 31 + " = 1",
        "a = " + "[" * 250 + "]" * 250,
        'a = "' + "a." * 40_000 + '"',
        "a = 1  # " + "a." * 40_000,
        "a = '''\n" + "[a.b.c" * 1_000 + "'''",
        'a = """\n' + '\\"""[[a.b' * 1_000 + '"""',
        '"' + "a" * 5_000 + '" = 1',
    ],
)
def test_the_limits_of_toml_look_at_keys_and_brackets_only(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


def test_deep_nesting_ends_in_an_error_and_not_in_a_crash() -> None:
    text = "[[rule]]\nkind = 'not'\nrule = " + "{ kind = 'not', rule = " * 150 + "'x'" + " }" * 150
    assert "nested deeper" in problems(text)[0].message
    chain = (
        "".join(f"tests.t{i} = {{ not = 't{i + 1}' }}\n" for i in range(3000))
        + "tests.t3000 = { words = [] }\n"
    )
    assert "nested too deep" in problems(chain)[-1].message


def test_rules_that_double_by_reference_are_refused_before_they_grow() -> None:
    text = "parts.p0 = { kind = 'forbid', labels = 'O' }\n" + "".join(
        f"parts.p{i + 1} = {{ kind = 'xor', rules = ['p{i}', 'p{i}'] }}\n" for i in range(60)
    )
    (problem,) = problems(text)
    assert "may combine 10000 rules, got 16383" in problem.message
    assert (problem.line, problem.rule) == (14, "part 'p13'")


def test_unknown_functions_are_named() -> None:
    text = "[[rule]]\nkind = 'when'\ntest = { function = 'is_lod' }\nthen = 'A'\n"
    (problem,) = problems(text, functions={"is_loud": str.isupper})
    assert problem.suggestion == "is_loud"


class TestFiles:
    def read(self, path: Path, **options: object) -> str:
        with pytest.raises(RuleFileError) as caught:
            lawful.read_rules(path, **options)
        return str(caught.value)

    def test_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(MissingFileError, match=r"no\.toml: cannot be read: No such file"):
            lawful.read_rules(tmp_path / "no.toml")
        (tmp_path / "r.toml").write_text('include = "no.toml"\n')  # one that a file names has a place in it
        assert "r.toml, line 1, key 'include': no.toml cannot be read: No such file" in self.read(
            tmp_path / "r.toml"
        )

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="cannot be read: it is a folder"):
            lawful.read_rules(tmp_path)

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "r.toml").write_bytes(b"a = '\xff'")
        assert "is not UTF-8 text: byte 5 is 0xff" in self.read(tmp_path / "r.toml")

    def test_a_circle_of_includes_is_named(self, tmp_path: Path) -> None:
        for name, other in ("ab", "bc", "ca"):
            (tmp_path / f"{name}.toml").write_text(f"\ninclude = ['{other}.toml']")
        said = self.read(tmp_path / "a.toml")
        assert (
            said
            == "c.toml, line 2, key 'include': this file includes itself: a.toml -> b.toml -> c.toml -> a.toml"
        )

    @pytest.mark.parametrize("path", ["../outside.toml", "/etc/passwd", "link.toml"])
    def test_nothing_outside_the_folder_is_opened(self, tmp_path: Path, path: str) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "outside.toml").write_text("")
        (tmp_path / "in/link.toml").symlink_to(tmp_path / "outside.toml")
        (tmp_path / "in/r.toml").write_text(f"include = '{path}'")
        assert "is outside" in self.read(tmp_path / "in/r.toml")
        if path != "/etc/passwd":
            assert lawful.read_rules(tmp_path / "in/r.toml", root=tmp_path) == lawful.Rules()

    def test_too_many_levels(self, tmp_path: Path) -> None:
        for number in range(20):
            (tmp_path / f"{number}.toml").write_text(f"include = '{number + 1}.toml'")
        assert "through more than 16 others" in self.read(tmp_path / "0.toml")

    def test_a_large_file(self, tmp_path: Path) -> None:
        (tmp_path / "r.toml").write_text("#" * (5 * 2**20))
        assert "too large for a rule file" in self.read(tmp_path / "r.toml")

    def test_errors_of_included_files_name_them(self, tmp_path: Path) -> None:
        (tmp_path / "a.toml").write_text("include = ['b.toml', 'none.toml']\n[[rule]]\nkind='x'")
        (tmp_path / "b.toml").write_text("groups.g = 1\n")
        said = self.read(tmp_path / "a.toml").splitlines()
        assert len(said) == 3
        assert said[0].startswith(f"{tmp_path / 'a.toml'}, line 1, key 'include': none.toml cannot be read")
        assert said[1].startswith(f"{tmp_path / 'a.toml'}, line 3, rule 1, key 'kind'")
        assert said[2].startswith("b.toml, line 1, group 'g': expected a label")

    def test_labels_that_disagree(self, tmp_path: Path) -> None:
        (tmp_path / "a.toml").write_text("include = 'b.toml'\nlabels = ['A']")
        (tmp_path / "b.toml").write_text("labels = ['B']\n")
        assert "declare different labels" in self.read(tmp_path / "a.toml")
