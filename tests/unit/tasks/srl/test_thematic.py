"""Numbered roles as thematic ones: links, groups, descriptions, subdivided labels."""

from __future__ import annotations

import io

import numpy as np
import pytest

import lawful
from lawful.corpus import Frames, read_frame_file
from lawful.errors import InputError
from lawful.tasks.srl.thematic import (
    ARG1_GROUPS,
    ARG2_GROUPS,
    SubdividedLabels,
    describe_roles,
    group_of,
    link_roles,
    role_by_description,
    summed,
    thematic_name,
)

FRAMES = Frames(
    read_frame_file(
        io.StringIO("""<frameset><predicate lemma="sell"><roleset id="sell.01"><roles>
<role n="0" f="PAG" descr="Seller"><rolelinks><rolelink class="give-13.1" resource="VerbNet">agent</rolelink></rolelinks></role>
<role n="1" f="PPT" descr="Thing Sold"><rolelinks><rolelink class="a" resource="VerbNet">theme</rolelink>
  <rolelink class="b" resource="VerbNet">patient</rolelink><rolelink class="c" resource="VerbNet">patient</rolelink></rolelinks></role>
<role n="2" f="GOL" descr="Buyer"><rolelinks><rolelink class="give-13.1" resource="VerbNet">Recipient</rolelink></rolelinks></role>
<role n="3" f="VSP" descr="Price Paid"><rolelinks><rolelink class="x" resource="VerbNet">nm</rolelink></rolelinks></role>
<role n="4" f="GOL" descr="Benefactive"><rolelinks><rolelink class="x" resource="FrameNet">beneficiary</rolelink></rolelinks></role>
<role n="m" f="TMP" descr="from when"/>
</roles></roleset></predicate></frameset>""")
    )
)


def test_links_give_thematic_roles() -> None:
    assert link_roles(FRAMES) == {
        ("sell.01", "A0"): "agent",
        ("sell.01", "A1"): "patient",  # twice, theme once
        ("sell.01", "A2"): "recipient",
    }
    assert thematic_name("initial_location") == thematic_name("intial-location") == "source"


def test_every_thematic_role_is_in_at_most_one_group() -> None:
    for groups in (ARG1_GROUPS, ARG2_GROUPS):
        roles = [role for members in groups.values() for role in members]
        assert len(roles) == len(set(roles))
        assert group_of("recipient", groups) is not None
    assert group_of("asset", ARG2_GROUPS) == "group2"


def test_descriptions_give_labels_where_they_match() -> None:
    assert describe_roles(FRAMES) == {
        ("sell.01", "A2"): "destination",
        ("sell.01", "A3"): "amount",
        ("sell.01", "A4"): "beneficiary",
    }
    assert role_by_description("tool") is None  # "to" is a word of its own
    assert role_by_description("given to (from whom)") == "destination"
    assert role_by_description("extent, amount risen") == "extent"


def test_probabilities_are_summed_over_subdivisions() -> None:
    random = np.random.default_rng(0)
    labels = SubdividedLabels.of(["A1:theme", "A2:theme", "A2:recipient", "A2", "AM-TMP"])
    scores = np.log(random.dirichlet(np.ones(5), size=7))
    for part in ("number", "theme"):
        names, found = summed(scores, labels.labels, labels, part)
        np.testing.assert_allclose(np.exp(found).sum(axis=1), 1.0)
        for t in range(7):
            for k, name in enumerate(names):
                expected = sum(
                    np.exp(scores[t, i])
                    for i, label in enumerate(labels.labels)
                    if labels.part(label, part) == name
                )
                assert np.exp(found[t, k]) == pytest.approx(expected)
    with pytest.raises(InputError, match=r"expected an array \(T, 5\)"):
        summed(scores[:, :2], labels.labels, labels, "number")


def test_only_the_groups_of_numbers_are_the_model_of_the_numbers() -> None:
    # With features of numbered roles alone, subdivisions of one role are equally likely, and sums are the plain model's at the same penalty.
    random = np.random.default_rng(1)
    X = [[[f"a{random.integers(6)}", f"b{random.integers(4)}"] for _ in range(5)] for _ in range(30)]
    numbers = [[f"A{random.integers(2)}" for _ in row] for row in X]
    y = [[f"{number}:{random.choice(['x', 'y'])}" for number in row] for row in numbers]
    labels = SubdividedLabels.of(label for row in y for label in row)
    grouped = lawful.MaxEnt(
        c2=0.5, groups=labels.groups("number"), label_features=False, tolerance=1e-10
    ).fit(X, y)
    plain = lawful.MaxEnt(c2=0.5, tolerance=1e-10).fit(X, numbers)
    names, found = summed(grouped.lattice(X[0]).emissions, list(grouped.labels), labels, "number")
    assert names == list(plain.labels)
    np.testing.assert_allclose(found, plain.lattice(X[0]).emissions, atol=1e-4)
