"""PropBank's frame files: what is read, and what is refused."""

from __future__ import annotations

import io

import pytest

from lawful.corpus import read_frame_file, read_frames
from lawful.errors import CorpusError, MissingFileError

FILE = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE frameset PUBLIC "-//PB//PropBank Frame v3.4 Transitional//EN" "http://propbank.org/specification/dtds/v3.4/frameset.dtd">
<frameset>
  <predicate lemma="keep">
    <roleset id="keep.01" name="maintain &amp; hold">
      <aliases><alias pos="v">keep</alias><alias pos="n">keeping</alias></aliases>
      <roles>
        <role descr="keeper" f="PAG" n="0">
          <rolelinks><rolelink class="keep-15.2" resource="VerbNet" version="verbnet3.3">agent</rolelink></rolelinks>
        </role>
        <role descr="thing kept" f="PPT" n="1"/>
        <role descr="for how long" f="TMP" n="M"/>
      </roles>
      <lexlinks>
        <lexlink class="Storing" resource="FrameNet" version="1.7" confidence="1" src="x"/>
        <lexlink class="keep-15.2" resource="VerbNet" version="verbnet3.3" confidence="1" src="x"/>
        <lexlink class="keep-15.2" resource="VerbNet" version="verbnet3.4" confidence="1" src="x"/>
      </lexlinks>
    </roleset>
  </predicate>
  <predicate lemma="keep_up">
    <roleset id="keep_up.05" name=""><aliases><alias pos="v">keep_up</alias></aliases><roles/></roleset>
  </predicate>
  <predicate lemma="upkeep">
    <roleset id="upkeep.01"><roles><role n="1" f="PPT" descr=""/></roles></roleset>
  </predicate>
</frameset>
"""


def test_a_frame_file() -> None:
    keep, keep_up, upkeep = read_frame_file(io.StringIO(FILE))
    assert (keep.id, keep.name, keep.lemma) == ("keep.01", "maintain & hold", "keep")
    assert keep.aliases == (("keep", "v"), ("keeping", "n"))
    assert [(role.number, role.function, role.description) for role in keep.roles] == [
        ("0", "PAG", "keeper"),
        ("1", "PPT", "thing kept"),
        ("m", "TMP", "for how long"),
    ]
    assert keep.roles[0].links == (("VerbNet", "keep-15.2", "agent"),)
    assert keep.roles[1].links == ()
    assert keep.numbers() == {"0", "1"}
    assert keep.classes == ("keep-15.2",)
    assert (keep_up.lemma, keep_up.roles, keep_up.classes) == ("keep_up", (), ())
    assert upkeep.aliases == ()


def test_a_folder_of_them(tmp_path) -> None:
    (tmp_path / "keep.xml").write_text(FILE)
    (tmp_path / "other.txt").write_text("not a frame file")
    frames = read_frames(tmp_path)
    assert len(frames) == 3
    assert [sense.id for sense in frames.senses("keep")] == ["keep.01", "keep_up.05"]
    assert [sense.id for sense in frames.senses("upkeep")] == ["upkeep.01"]
    assert frames.senses("keeping") == ()  # a noun
    assert sorted(frames.verbs()) == ["keep", "upkeep"]


def test_a_folder_without_them(tmp_path) -> None:
    with pytest.raises(
        MissingFileError, match=r"no frame files .* https://github.com/propbank/propbank-frames"
    ):
        read_frames(tmp_path)


BOMB = """<!DOCTYPE frameset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<frameset><predicate lemma="x"><roleset id="x.01" name="&b;"/></predicate></frameset>"""


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (BOMB, 1, "the entity 'a' is declared"),
        (
            '<!DOCTYPE f SYSTEM "x.dtd" [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>\n<frameset/>',
            1,
            "the entity 'p' is declared",
        ),
        (
            '<!DOCTYPE f SYSTEM "x.dtd">\n<frameset>&secret;</frameset>',
            2,
            "the entity &secret; is not one of XML's own",
        ),
        ("<frameset>\n<predicate></predicate></frameset>", 2, "<predicate> has no 'lemma'"),
        ('<frameset><predicate lemma="x"><roleset/></predicate></frameset>', 1, "<roleset> has no 'id'"),
        ('<frameset>\n\n<roleset id="x.01"/></frameset>', 3, "expected <roleset> inside <predicate>"),
        (
            '<frameset><predicate lemma="x"><roleset id="1"><roleset id="2"/></roleset></predicate></frameset>',
            1,
            "and none inside another",
        ),
        (
            '<frameset><predicate lemma="x"><roleset id="1"/>\n<roleset id="1"/></predicate></frameset>',
            2,
            "the roleset '1' appears twice",
        ),
        (
            '<frameset><predicate lemma="x"><roleset id="1"><roles><role f="A"/></roles></roleset></predicate></frameset>',
            1,
            "<role> has no 'n'",
        ),
        ("<frameset>\n<g></frameset>", 2, "not XML: mismatched tag"),
        ("", 1, "not XML: no element found"),
        ('<?xml version="1.0" encoding="klingon"?><frameset/>', 1, "unknown encoding: klingon"),
        ('<?xml version="1.0" encoding="utf-7"?><frameset/>', 1, "not XML that can be read"),
        ("<html><body/></html>", 1, "expected <frameset>, PropBank's root element, found <html>"),
        (
            f"<frameset a='{'x' * (3 << 20)}'/>",
            1,
            "a tag, comment or declaration of more than 1,048,576 bytes",
        ),
        ("<frameset>" * 40, 1, "elements are more than 32 deep"),
        (f"<frameset>{'x' * (1 << 17)}</frameset>", 1, "a text of more than 65,536 characters"),
    ],
)
def test_what_is_refused(text: str, line: int, problem: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read_frame_file(io.BytesIO(text.encode()))
    assert problem in str(caught.value)
    assert caught.value.line == line


def test_bytes_that_are_not_utf8(tmp_path) -> None:
    (tmp_path / "x.xml").write_bytes(b"<frameset>\n\xff</frameset>")
    with pytest.raises(CorpusError, match=r"x.xml, line 2: not XML"):
        read_frames(tmp_path)
