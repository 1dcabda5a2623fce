from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import lawful
from lawful import errors
from lawful.adapters.spacy.factory import DEFAULTS, RuledEntities, make_component

spacy = pytest.importorskip("spacy")

LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
RULES = lawful.Rules(lawful.valid_tags("BIO"), lawful.at_most(1, "B-LOC").named("one place"))


class Capitals:
    """Likes B-LOC at capitals, I-LOC after them, and names that it was taught."""

    def __init__(self) -> None:
        self.labels = lawful.LabelSet(LABELS)
        self.people: set[str] = set()
        self.batches = 0

    def lattice(self, tokens):
        scores = []
        for token in tokens:
            text = token if isinstance(token, str) else token["text"]
            person = 3.0 if text in self.people else 0.0
            place = 1.0 + 0.1 * len(text) if text.istitle() else -3.0
            scores.append([0.0, person, person / 2, place, place / 2])
        return lawful.Lattice(scores, labels=self.labels, tokens=tokens)

    def lattices(self, sequences):
        self.batches += 1
        return [self.lattice(tokens) for tokens in sequences]

    def to_bytes(self) -> bytes:
        return json.dumps(sorted(self.people)).encode()

    def from_bytes(self, data: bytes) -> None:
        self.people = set(json.loads(data))

    def to_disk(self, path: Path) -> None:
        path.write_bytes(self.to_bytes())

    def from_disk(self, path: Path) -> None:
        self.from_bytes(path.read_bytes())


@spacy.registry.misc("test.capitals.v1")
def make_capitals() -> Capitals:
    return Capitals()


@spacy.registry.misc("test.rules.v1")
def make_rules() -> lawful.Rules:
    return RULES


CONFIG = {"tagger": {"@misc": "test.capitals.v1"}, "rules": {"@misc": "test.rules.v1"}}


def pipeline(**config):
    nlp = spacy.blank("en")
    return nlp, nlp.add_pipe("lawful", config={**CONFIG, **config})


def found(doc) -> list[tuple[str, str]]:
    return [(entity.text, entity.label_) for entity in doc.ents]


def test_entities_under_rules() -> None:
    nlp, component = pipeline()
    assert isinstance(component, RuledEntities)
    assert component.labels == ("LOC", "PER")
    assert found(nlp("from Bonn to Cologne")) == [("Cologne", "LOC")]
    component.rules = lawful.Rules(lawful.valid_tags("BIO"))
    assert found(nlp("from Bonn to Cologne")) == [("Bonn", "LOC"), ("Cologne", "LOC")]


def test_entities_that_are_there_stay_and_count() -> None:
    nlp, _ = pipeline()
    ruler = nlp.add_pipe("entity_ruler", before="lawful")
    ruler.add_patterns(
        [
            {"label": "LOC", "pattern": "old Bonn", "id": "Q586"},
            {"label": "PRODUCT", "pattern": "Cologne water"},
        ]
    )
    doc = nlp("from old Bonn to Trier with Cologne water")
    assert found(doc) == [("old Bonn", "LOC"), ("Cologne water", "PRODUCT")]  # one place: Trier gives way
    assert doc.ents[0].ent_id_ == "Q586"


def test_an_entity_does_not_run_on_into_its_neighbours() -> None:
    nlp, component = pipeline(rules=None)
    doc = nlp.make_doc("near Bonn Beuel")
    doc.ents = [spacy.tokens.Span(doc, 1, 2, label="LOC")]
    assert found(component(doc)) == [("Bonn", "LOC"), ("Beuel", "LOC")]
    free = nlp.make_doc("near Bonn Beuel")
    free.ents = [spacy.tokens.Span(free, 0, 2, label="PER")]
    component.keep_entities = False
    assert ("near Bonn", "PER") not in found(component(free))


def test_batches_are_scored_together_and_equal_single_documents() -> None:
    nlp, component = pipeline()
    texts = ["from Bonn to Cologne", "", "Trier", "Ann went to Aachen and Ulm"] * 10
    single = [found(nlp(text)) for text in texts]
    component.tagger.batches = 0
    assert [found(doc) for doc in nlp.pipe(texts, batch_size=20)] == single
    assert component.tagger.batches == 2


def test_a_failing_document_goes_to_the_error_handler_alone() -> None:
    rules = lawful.Rules(
        RULES, lawful.when(lawful.token.is_in(["boom"])).then("B-PER"), lawful.forbid("B-PER")
    )
    nlp, component = pipeline()
    component.rules = rules
    with pytest.raises(errors.InfeasibleError):
        list(nlp.pipe(["fine", "boom"]))
    failed = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.append((name, docs[0].text, type(error))))
    assert [doc.text for doc in nlp.pipe(["fine", "boom", "Bonn"])] == ["fine", "Bonn"]
    assert failed == [("lawful", "boom", errors.InfeasibleError)]


def test_a_callable_may_give_logits_or_lattices() -> None:
    nlp = spacy.blank("en")
    rows = RuledEntities(
        tagger=lambda doc: [[0.0, 3.0 * token.is_upper - 2.0] for token in doc],
        labels=["O", "LOUD"],
        scheme="flat",
        rules=lawful.at_most_segments(1, "LOUD"),
    )
    assert found(rows(nlp("WELL said the OLD MAN"))) == [("OLD MAN", "LOUD")]
    capitals = Capitals()
    whole = RuledEntities(tagger=lambda doc: capitals.lattice([t.text for t in doc]), labels=LABELS)
    assert found(whole(nlp("to Bonn"))) == [("Bonn", "LOC")]


def test_rules_see_the_attributes_that_were_asked_for() -> None:
    rule = lawful.when(lawful.token.column("like_num", True)).then("B-PER")
    nlp, component = pipeline(attributes=["like_num"])
    component.rules = lawful.Rules(rule)
    assert found(nlp("room seven")) == [("seven", "PER")]


def test_what_was_decided_is_recorded_as_data() -> None:
    nlp, _ = pipeline(record=True)
    doc = nlp("from Bonn to Cologne")
    record = doc.user_data["lawful"]
    assert record["plain_labels"] == ["O", "B-LOC", "O", "B-LOC"]
    assert record["labels"] == ["O", "O", "O", "B-LOC"]
    assert (record["changed"], record["status"]) == ([1], "optimal")
    assert record["loss"] == pytest.approx(1.4)
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again.user_data["lawful"] == record


def test_a_saved_pipeline_comes_back_from_disk_and_bytes(tmp_path) -> None:
    nlp, component = pipeline(max_loss=9.0, attributes=["like_num"])
    component.tagger.people.add("Ann")
    expected = found(nlp("Ann saw Bonn and Cologne"))
    assert expected == [("Ann", "PER"), ("Cologne", "LOC")]
    nlp.to_disk(tmp_path / "saved")
    assert not [path for path in (tmp_path / "saved").rglob("*") if path.suffix in {".pkl", ".pickle"}]
    loaded = spacy.load(tmp_path / "saved")
    assert found(loaded("Ann saw Bonn and Cologne")) == expected
    assert loaded.get_pipe("lawful").options["max_loss"] == 9.0
    other, fresh = pipeline()
    other.from_bytes(nlp.to_bytes())
    assert found(other("Ann saw Bonn and Cologne")) == expected
    assert fresh.attributes == ("like_num",)


def test_what_does_not_fit_is_refused(tmp_path) -> None:
    _, component = pipeline()
    data = component.to_bytes()
    function = lawful.when(lawful.token.test(str.isupper)).then("B-PER").named("shouting")
    calling = RuledEntities(tagger=Capitals(), rules=function)
    assert calling.from_bytes(calling.to_bytes()) is calling
    with pytest.raises(errors.InputError, match=r"'shouting'.*give it the same rules"):
        component.from_bytes(calling.to_bytes())
    other = Capitals()
    other.labels = lawful.LabelSet(["O", "B-PER"])
    with pytest.raises(errors.LabelSetError):
        RuledEntities(tagger=other, rules=RULES).from_bytes(data)
    for bad in (b"\x80\x04", b"[]", b"{}"):
        with pytest.raises(errors.InputError, match="not what a lawful component"):
            component.from_bytes(bad)
    with pytest.raises(errors.InputError, match="format 99"):
        component.from_bytes(data.replace(b'"format": 1', b'"format": 99'))


FILE = """
[[rule]]
kind = "valid_tags"
scheme = "BIO"

[[rule]]
name = "one place"
kind = "at_most"
n = 1
labels = "B-LOC"
"""


def test_rules_from_a_rule_file_or_its_text_are_kept_with_the_pipeline(tmp_path) -> None:
    path = tmp_path / "rules.toml"
    for source in (FILE, str(path)):
        path.write_text(FILE)
        nlp, component = pipeline(rules=source)
        assert component.rules.names == ("valid_tags('BIO')", "one place")
        assert found(nlp("from Bonn to Cologne")) == [("Cologne", "LOC")]
        bare = RuledEntities(tagger=Capitals())
        assert bare.from_bytes(component.to_bytes()).rules == component.rules
        nlp.to_disk(tmp_path / "saved")
    path.unlink()  # the config still names it, but the pipeline has brought its rules along
    assert found(spacy.load(tmp_path / "saved")("from Bonn to Cologne")) == [("Cologne", "LOC")]
    with pytest.raises(errors.InputError, match=r"rules\.toml"):
        pipeline(rules=str(path))[0]("Bonn")
    text = (tmp_path / "saved" / "lawful" / "lawful.json").read_text()
    assert "at_most" in json.loads(text)["rule_file"]


def test_mistakes_say_what_was_expected() -> None:
    nlp = spacy.blank("en")
    assert RuledEntities().labels == ()
    with pytest.raises(errors.InputError, match="has no tagger"):
        RuledEntities()(nlp("Bonn"))
    with pytest.raises(errors.InputError, match="needs labels"):
        RuledEntities(tagger=lambda doc: [[0.0]])(nlp("Bonn"))
    with pytest.raises(errors.InputError, match="does not fit the scheme 'BIO'"):
        RuledEntities(tagger=lambda doc: [[0.0]], labels=["Name"])(nlp("Bonn"))
    with pytest.raises(errors.InputError, match="rules must be"):
        RuledEntities(rules=7)


def test_the_settings_of_the_factory_are_those_of_the_component() -> None:
    assert set(DEFAULTS) == set(make_component.__annotations__) - {"nlp", "name", "return"}


def test_the_entry_point_is_declared() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["spacy_factories"] == {
        "lawful": "lawful.adapters.spacy.factory:make_component"
    }


@pytest.mark.skipif(
    not any(one.name == "lawful" for one in entry_points(group="spacy_factories")),
    reason="lawful runs from its source folder here; an installed one has entry points",
)
def test_spacy_finds_the_component_without_any_import() -> None:
    code = 'import spacy; nlp = spacy.blank("en"); print(type(nlp.add_pipe("lawful")).__name__)'
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "RuledEntities"
