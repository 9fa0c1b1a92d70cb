"""The reader of geco.toml: every problem at once, with its line and what was meant."""

# ruff: noqa: E501  (messages are shown as they are)

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import REPOSITORY
from geco.errors import ProjectError
from geco.project.places import places
from geco.project.reader import read_project
from geco.project.schema import schema_text


def problems(tmp_path: Path, text: str) -> str:
    (tmp_path / "geco.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ProjectError) as caught:
        read_project(tmp_path / "geco.toml")
    return str(caught.value).replace(str(tmp_path) + "/", "")


DATA = '[data]\nsource = "t.csv"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DATA + 'lable = "y"', "geco.toml:3: unknown key 'lable' in [data]; did you mean 'label'?"),
        (DATA + "[modle]\n", "geco.toml:3: unknown table [modle]; did you mean [model]?"),
        ('source = "t.csv"', "geco.toml:1: unknown key 'source' outside of any table; it belongs into [data]"),
        (DATA + '[search]\nk = "5"', "geco.toml:4: k in [search] must be a whole number of at least 1, got '5'"),
        (DATA + "[search]\nk = true", "geco.toml:4: k in [search] must be a whole number of at least 1, got True"),
        (DATA + "[model]\nthreshold = 1", "geco.toml:4: threshold in [model] must be a number of at least 0 and below 1, got 1"),
        (DATA + "features = 3", "geco.toml:3: unknown key 'features' in [data]"),
        (DATA + "[features]\nincome = 3", "geco.toml:4: [features.income] must be a table with keys such as label, got 3"),
        (DATA + '[features."net pay"]\nunti = "€"', "geco.toml:4: unknown key 'unti' in [features.net pay]; did you mean 'unit'?"),
        (DATA + "[reasons]\nincome = { cod = '7' }", "geco.toml:4: unknown key 'cod' in [reasons.income]; did you mean 'code'?"),
        ('[data]\nconnection = "a.db"', "geco.toml:1: [data] has a connection and no query"),
        ('[data]\nquery = "SELECT 1"', "geco.toml:2: [data] has a query and no connection"),
        ("[model]\n", '[data] names no table; add source = "table.csv"'),
        (DATA + '[model]\nfile = "m.json"\npython = "a:b"', "geco.toml:5: [model] has file and python; give one of them"),
        (DATA + '[model]\ninterval = [1, "any"]\ntarget = 1', "geco.toml:4: [model] has an interval"),
        (DATA + "label = repaid", "geco.toml:3:9: invalid value, so this is not TOML; text is written in quotes"),
        (DATA + 'label = "a"\nlabel = "b"', "cannot overwrite a value, so this is not TOML; a key may be"),
        (DATA + DATA, "cannot declare ('data',) twice, so this is not TOML; put all keys"),
        (DATA + "[model", "so this is not TOML"),
        (DATA + "[rules]\nfile = 'a\n", "geco.toml:4"),
    ],
)  # fmt: skip
def test_a_problem_is_named_with_its_line_and_what_was_meant(text: str, message: str, tmp_path: Path) -> None:
    assert message in problems(tmp_path, text)


def test_all_problems_of_a_file_come_at_once_in_the_order_of_its_lines(tmp_path: Path) -> None:
    text = '[search]\nk = 0\nsed = 1\n[data]\nsource = 3\n[distance]\nscale = "ranges"\n'
    lines = [message.split(":")[1] for message in problems(tmp_path, text).splitlines()]

    assert lines == ["2", "3", "5", "7"]


def test_a_folder_stands_for_the_geco_toml_in_it(tmp_path: Path) -> None:
    (tmp_path / "geco.toml").write_text(DATA)

    assert read_project(tmp_path).path("data", "source") == tmp_path / "t.csv"


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "make one with: geco init"), (b"\xff\xfe[data]", "is not UTF-8 text"), (b"a = " + b"[" * 9999, "TOML")],
    ids=["absent", "not UTF-8", "nested without end"],
)
def test_a_file_that_cannot_be_read_says_why(content: bytes | None, message: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "geco.toml").write_bytes(content)
    with pytest.raises(ProjectError, match=r"geco\.toml") as caught:
        read_project(tmp_path / "geco.toml")

    assert message in str(caught.value) or "nested too deeply" in str(caught.value)


def test_the_schema_for_editors_is_the_one_the_reader_follows() -> None:
    published = (REPOSITORY / "docs" / "geco.schema.json").read_text(encoding="utf-8")

    assert published == schema_text()


def test_lines_are_found_past_long_texts_lists_and_comments() -> None:
    text = "# [no]\n[a]\nlist = [\n  1,  # b = 2\n  [2, 3],\n]\ntext = '''\n[fake]\nb = 1\n'''\nb.c = \"x # [y]\"\n[d.\"e f\"]\nlast = {g = 1}\n"
    found = places(text)

    assert found[("a", "list")] == 3
    assert found[("a", "b", "c")] == 11
    assert found[("d", "e f", "last")] == 13
    assert ("fake",) not in found
