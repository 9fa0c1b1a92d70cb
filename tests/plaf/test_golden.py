"""Every wrong program of golden/ gets exactly the message in the file beside it.

GECO_GOLDEN=write writes the messages instead of comparing them; read the difference before you commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from people import PEOPLE

from geco.errors import PlafError
from geco.plaf.checker import check_program
from geco.plaf.parser import parse_plaf

GOLDEN = Path(__file__).parent / "golden"
PROGRAMS = sorted(GOLDEN.glob("*.plaf"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_a_wrong_program_gets_exactly_this_message(path: Path) -> None:
    with pytest.raises(PlafError) as caught:
        check_program(parse_plaf(path.read_text(encoding="utf-8"), path.name), PEOPLE)
    message = str(caught.value) + "\n"
    expected = path.with_suffix(".txt")
    if os.environ.get("GECO_GOLDEN") == "write":
        expected.write_text(message, encoding="utf-8")

    assert message == expected.read_text(encoding="utf-8")


def test_there_are_more_than_forty_wrong_programs_and_no_message_without_its_program() -> None:
    assert len(PROGRAMS) > 40
    assert {p.stem for p in PROGRAMS} == {p.stem for p in GOLDEN.glob("*.txt")}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_every_diagnostic_points_into_its_file_and_helps(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with pytest.raises(PlafError) as caught:
        check_program(parse_plaf(text, path.name), PEOPLE)
    diagnostics = caught.value.diagnostics
    places = [(d.span.line, d.span.col) for d in diagnostics]

    assert places == sorted(places)
    assert all(d.source_line == text.split("\n")[d.span.line - 1] for d in diagnostics)
    assert all(1 <= d.span.col <= len(d.source_line) + 1 for d in diagnostics)
    assert all(d.help for d in diagnostics)
