"""`lawful explain`, `evaluate`, `lint` and `mine`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import run
from lawful.rules.files.describing import describe

Stdin = Callable[[bytes], None]
Shown = pytest.CaptureFixture[str]


@pytest.fixture(scope="session")
def labelled(made) -> dict[str, str]:
    """What `decode` writes with and without rules."""
    paths = {name: str(made.folder / f"{name}.conll") for name in ("plain", "ruled")}
    assert run(["decode", made.test, "-m", made.model, "-o", paths["plain"]]) == 0
    assert run(["decode", made.test, "-m", made.model, "-r", made.rules, "-o", paths["ruled"]]) == 0
    return paths


class TestExplain:
    def test_the_sequences_that_rules_changed(self, made, labelled: dict[str, str], capsys: Shown) -> None:
        assert run(["explain", made.test, "-m", made.model, "-r", made.rules, "--json", "--most", "3"]) == 0
        data = json.loads(capsys.readouterr().out)
        pairs = zip(lawful.read_corpus(labelled["plain"]), lawful.read_corpus(labelled["ruled"]), strict=True)
        changed = [n for n, (one, other) in enumerate(pairs, 1) if one.labels != other.labels]
        assert [one["number"] for one in data] == changed[:3]
        assert all(one["changes"] and one["source"] == made.test for one in data)
        assert run(["explain", made.test, "-m", made.model, "-r", made.rules, "--most", "1"]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith(f"sequence {changed[0]} ({made.test}, line {data[0]['line']})\n")
        assert "because of" in shown and "proved best" in shown

    def test_one_sequence_by_number_line_and_text(self, made, capsys: Shown) -> None:
        base = ["explain", "-m", made.model, "-r", made.rules, "--json", "--runners-up", "0"]
        [first, second] = lawful.read_corpus(made.test)[:2]
        for where in (["-n", "2"], ["--line", str(second.lines[1])]):
            assert run([*base, made.test, *where]) == 0
            assert json.loads(capsys.readouterr().out)[0]["tokens"] == list(second.tokens)
        assert run([*base, "--text", " ".join(first.tokens)]) == 0
        assert json.loads(capsys.readouterr().out)[0]["tokens"] == list(first.tokens)

    def test_why_not(self, made, give_stdin: Stdin, capsys: Shown) -> None:
        give_stdin(b"J\n.\nSmith\n.\n")
        base = ["explain", "-m", made.model, "-r", made.rules, "-n", "1", "--why-not"]
        assert run([*base, "title,title,title,title"]) == 0
        assert "these labels break a hard rule" in capsys.readouterr().out
        give_stdin(b"J\n.\nSmith\n.\n")
        assert run([*base, "title"]) == 2
        assert "--why-not has 1 labels, but the sequence has 4 tokens" in capsys.readouterr().err

    def test_nothing_changed(self, made, capsys: Shown) -> None:
        assert run(["explain", made.test, "-m", made.model]) == 0
        shown = capsys.readouterr()
        assert (shown.out, shown.err) == ("", "the rules change nothing\n")

    def test_an_empty_file_is_no_answer(self, made, tmp_path: Path, capsys: Shown) -> None:
        (tmp_path / "empty.conll").write_text("")
        for more in ([], ["--all"], ["-n", "1"]):
            assert run(["explain", str(tmp_path / "empty.conll"), "-m", made.model, *more]) == 2
            assert "empty.conll has no sequences" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (["-n", "99"], "--number 99: there is no such sequence; the file has 40"),
            (["--line", "100000"], "--line 100000: there is no such sequence"),
            (["--why-not", "title"], "--why-not explains one sequence"),
            (["--text", " "], "--text has no tokens"),
            (["--runners-up", "100000"], "--runners-up"),
        ],
    )
    def test_bad_input(self, made, more: list[str], message: str, capsys: Shown) -> None:
        assert run(["explain", made.test, "-m", made.model, "-r", made.rules, *more]) == 2
        assert message in capsys.readouterr().err


class TestEvaluate:
    def test_two_files_one_file_and_stdin(
        self, made, labelled: dict[str, str], give_stdin: Stdin, capsys: Shown
    ) -> None:
        gold, guess = lawful.read_corpus(made.test), lawful.read_corpus(labelled["ruled"])
        wanted = str(lawful.evaluate(gold, guess)) + "\n"
        assert run(["evaluate", made.test, labelled["ruled"]]) == 0
        assert capsys.readouterr().out == wanted
        assert run(["evaluate", labelled["ruled"]]) == 0
        assert capsys.readouterr().out == wanted
        give_stdin(Path(labelled["ruled"]).read_bytes())
        assert run(["evaluate", made.test, "-"]) == 0
        assert capsys.readouterr().out == wanted

    def test_rules_intervals_comparison_and_confusion(
        self, made, labelled: dict[str, str], capsys: Shown
    ) -> None:
        base = [
            "evaluate",
            made.test,
            labelled["plain"],
            "--rules",
            made.rules,
            "--compare",
            labelled["ruled"],
        ]
        assert run([*base, "--bootstrap", "50", "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["violations"]["one title"]["gold"] == 0
        low, high = data["intervals"]["token_accuracy"]
        assert low <= data["token_accuracy"] <= high
        assert data["comparison"]["first"] == data["micro"]["f1"]
        assert run([*base, "--confusion", "--metric", "token_accuracy"]) == 0
        shown = capsys.readouterr().out
        assert "approximate randomization" in shown and "gold" in shown

    def test_named_columns_and_replaced_labels(self, tmp_path: Path, capsys: Shown) -> None:
        gold, guess = tmp_path / "gold.txt", tmp_path / "guess.txt"
        gold.write_text("the DT O x\npound NN B x\n")
        guess.write_text("the DT O x\npound NN O x\n")
        columns = ["--columns", "word,pos,tag,more", "--label", "tag"]
        assert run(["evaluate", str(gold), str(guess), *columns, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["token_accuracy"] == 0.5
        guess.write_text("the DT O x O\npound NN B x B\n")
        assert run(["evaluate", str(gold), str(guess), *columns, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["token_accuracy"] == 1.0

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["{test}", "{gold}"], "sequence 1 has 37 gold labels, but 40 predicted ones"),
            (["{test}"], "no gold labels beside the predicted ones"),
            (["{test}", "{test}", "--scheme", "XYZ"], "XYZ"),
            (["{test}", "{test}", "--compare", "{test}", "--metric", "luck"], "luck"),
            (["{test}", "{test}", "--bootstrap", "9", "--seed", "-1"], "--seed"),
            (["-", "-"], "only one of the files can be stdin"),
        ],
    )
    def test_bad_input(self, made, arguments: list[str], message: str, capsys: Shown) -> None:
        assert run(["evaluate", *(one.format(**made._asdict()) for one in arguments)]) == 2
        printed = capsys.readouterr().err
        assert message in printed and "bug in lawful" not in printed


class TestLint:
    def test_the_report(self, made, capsys: Shown) -> None:
        assert run(["lint", made.rules, made.gold, "--model", made.model]) == 0
        shown = capsys.readouterr().out
        assert f"one title  ({made.rules}, line 6)" in shown
        assert "none of 120 sequences breaks it; advice: hard" in shown
        assert "in the model's labels: " in shown
        assert "no contradiction" in shown
        breach = next(line for line in shown.splitlines() if line.startswith(f"    {made.gold}, line "))
        assert "/" in breach

    def test_json_from_stdin(self, made, give_stdin: Stdin, capsys: Shown) -> None:
        give_stdin(Path(made.gold).read_bytes())
        assert run(["lint", made.rules, "-", "--json", "--examples", "1"]) == 0
        data = json.loads(capsys.readouterr().out)
        found = lawful.lint(lawful.read_rules(made.rules), lawful.read_corpus(made.gold), examples=1)
        assert [one["advice"] for one in data["rules"]] == [one.advice for one in found.rules]
        assert data["rules"][0]["line"] == 6
        assert data["check"]["ok"] is True

    def test_rules_from_stdin(self, made, give_stdin: Stdin, capsys: Shown) -> None:
        assert run(["lint", made.rules, made.gold, "--json"]) == 0
        wanted = json.loads(capsys.readouterr().out)
        give_stdin(Path(made.rules).read_bytes())
        assert run(["lint", "-", made.gold, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert {one.pop("source") for one in data["rules"]} == {"<stdin>"}
        assert {one.pop("source") for one in wanted["rules"]} == {made.rules}
        assert data == wanted

    def test_prices_are_written_as_advised(self, made, tmp_path: Path) -> None:
        out = tmp_path / "priced.toml"
        assert run(["lint", made.rules, made.gold, "--write-prices", str(out)]) == 0
        found = lawful.lint(lawful.read_rules(made.rules), lawful.read_corpus(made.gold))
        advice = {one.rule.name: one for one in found.rules}
        assert {one.advice for one in found.rules} == {"hard", "soft", "drop"}
        priced = {rule.name: rule.price for rule in lawful.read_rules(out)}
        for name, one in advice.items():
            if one.advice == "drop":
                assert name not in priced and f'# name = "{name}"' in out.read_text()
            else:
                assert priced[name] == ("hard" if one.advice == "hard" else round(one.price, 3))

    def test_a_contradiction_ends_with_1(self, made, tmp_path: Path, capsys: Shown) -> None:
        clash = tmp_path / "clash.toml"
        clash.write_text(
            '[[rule]]\nkind = "forbid"\nlabels = "title"\n[[rule]]\nkind = "at_least"\nn = 1\nlabels = "title"\n'
        )
        assert run(["lint", str(clash), made.gold]) == 1
        assert "contradiction: " in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["{gold}", "{gold}"], "gold.conll, line 1"),
            (["{rules}", "none.conll"], "none.conll: cannot be opened"),
            (["{rules}", "{gold}", "--model", "{gold}"], "not a model file"),
            (["-", "-"], "only one of the files can be stdin"),
        ],
    )
    def test_bad_input(self, made, arguments: list[str], message: str, capsys: Shown) -> None:
        assert run(["lint", *(one.format(**made._asdict()) for one in arguments)]) == 2
        assert message in capsys.readouterr().err


class TestMine:
    def test_a_rule_file_and_a_table(self, made, tmp_path: Path, capsys: Shown) -> None:
        out = tmp_path / "rules.toml"
        assert run(["mine", made.gold, "-o", str(out), "--families", "once,order"]) == 0
        found = lawful.mine(lawful.read_corpus(made.gold), families=["once", "order"])
        assert out.read_text() == found.to_toml()
        assert lawful.read_rules(out) == found.rules
        shown = capsys.readouterr().out
        assert f"{len(found.found)} rules written to {out}" in shown
        assert all(describe(one.rule) in shown for one in (*found.found, *found.refuted))

    def test_stdin_to_stdout_and_json(self, made, give_stdin: Stdin, capsys: Shown) -> None:
        give_stdin(Path(made.gold).read_bytes())
        assert run(["mine", "-", "-o", "-", "--seed", "3"]) == 0
        found = lawful.mine(lawful.read_corpus(made.gold), seed=3)
        assert capsys.readouterr().out == found.to_toml()
        assert run(["mine", made.gold, "--json", "--seed", "3"]) == 0
        assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.to_dict()))

    def test_beside_a_model(self, made, tmp_path: Path, capsys: Shown) -> None:
        out = tmp_path / "rules.toml"
        assert (
            run(
                ["mine", made.gold, "--model", made.model, "-o", str(out), "--families", "once,order,lengths"]
            )
            == 0
        )
        shown = capsys.readouterr().out
        model = lawful.load_model(made.model)
        found = lawful.mine(lawful.read_corpus(made.gold), model=model, families=["once", "order", "lengths"])
        alone = lawful.mine(lawful.read_corpus(made.gold), families=["once", "order", "lengths"])
        assert out.read_text() == found.to_toml()
        assert lawful.read_rules(out) == found.rules
        assert f"looked at {found.looked_at}" in shown and found.judged == found.sequences
        assert f"sequences that it had not seen: {found.effect}" in shown
        dearest = {one.rule.name: one.rule.price for one in alone.found}
        assert {one.rule.name for one in (*found.found, *found.needless)} == set(dearest)
        assert found.needless and f"{len(found.needless)} more rules hold in the data but do not pay" in shown
        for one in found.found:
            most = dearest[one.rule.name]
            assert one.tally is not None and f"+{one.tally.better} -{one.tally.worse}" in shown
            assert one.rule.price == most if most == "hard" else 0.5 <= float(one.rule.price) <= float(most)
        for one in found.needless:
            assert one.tally is not None and f"# Added to the others: {one.tally}" in found.to_toml()
        assert run(["mine", made.gold, "--jobs", "0"]) == 2

    def test_a_model_that_cannot_be_trained_again(self, made, tmp_path: Path, capsys: Shown) -> None:
        scores = tmp_path / "scores.json"
        scores.write_text('{"labels": ["author", "title"]}')
        assert run(["mine", made.gold, "--model", str(scores)]) == 2
        assert "lawful lint RULES DEV --model FILE" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (["--families", "ones"], "unknown family of rules 'ones'"),
            (["--held-out", "2"], "lawful: --held-out must be a number above 0 and below 1"),
            (["--label", "none"], "there are no gold labels"),
            (["--seed", "-1"], "--seed"),
        ],
    )
    def test_bad_input(self, made, more: list[str], message: str, capsys: Shown) -> None:
        assert run(["mine", made.gold, *more]) == 2
        assert message in capsys.readouterr().err
