"""The examples of docs/plaf.md are correct, and its messages are the real ones."""

from __future__ import annotations

import re

import pytest
from people import PEOPLE

from conftest import REPOSITORY
from geco.errors import PlafError
from geco.plaf.checker import check_program
from geco.plaf.parser import parse_plaf

GUIDE = (REPOSITORY / "docs" / "plaf.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```plaf\n(.*?)```", GUIDE, re.DOTALL)
MESSAGES = re.findall(r"```text\n(.*?)\n```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_guide_is_a_correct_program(example: str) -> None:
    assert check_program(parse_plaf(example), PEOPLE).warnings == ()


def test_the_guide_shows_every_statement() -> None:
    words = {type(s).__name__ + getattr(s, "word", "") for e in EXAMPLES for s in parse_plaf(e).statements}
    lists = {f"FeatureList{w}" for w in ("FIXED", "INCREASE", "DECREASE", "ALLOW MISSING")}

    assert words == {"Rule", "Group", "Order", *lists}


def test_the_unknown_feature_of_the_guide_gets_the_message_shown() -> None:
    program = parse_plaf("# Adult\n\n\nPLAF IF x_cf.eduction > x.education\nTHEN x_cf.age > x.age", "adult.plaf")
    with pytest.raises(PlafError) as caught:
        check_program(program, PEOPLE)

    assert str(caught.value) == MESSAGES[0]


def test_the_circle_of_the_guide_gets_the_message_shown() -> None:
    rules = re.findall(r"line \d: (.*?)   \(", MESSAGES[1])
    with pytest.raises(PlafError) as caught:
        check_program(parse_plaf("\n".join(rules), "loan.plaf"), PEOPLE)

    assert str(caught.value) == MESSAGES[1]
