"""Typical mistakes of rules that are nearly right: each is seen, and its message says what to do, as in doubtful/.

GECO_GOLDEN=write writes the messages instead of comparing them; read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from applicants import APPLICANTS

from conftest import dataset_path
from geco.data.database import Database
from geco.data.domain import Domain
from geco.doubts import doubts_about_data
from geco.errors import PlafError, report
from geco.params import Params
from geco.plaf.checker import check_program
from geco.plaf.diagnostics import Diagnostic
from geco.plaf.parser import parse_plaf, read_plaf

DOUBTFUL = Path(__file__).parent / "doubtful"
PROGRAMS = sorted(DOUBTFUL.glob("*.plaf"))
MAD = Params(scale="mad")  # so that the sentinels of the table stay out of it


def seen(text: str, name: str, database: Database = APPLICANTS, params: Params = MAD) -> tuple[Diagnostic, ...]:
    try:
        checked = check_program(parse_plaf(text, name), database.schema, database.excluded)
    except PlafError as error:
        return error.diagnostics
    groups = checked.groups
    domain = Domain.build(database, [g.features for g in groups], checked.schema, [g.onehot for g in groups])
    return doubts_about_data(checked, domain, params)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_a_doubtful_program_gets_exactly_this_message(path: Path) -> None:
    found = seen(path.read_text(encoding="utf-8"), path.name)
    message = report(found, "warnings") + "\n"
    expected = path.with_suffix(".txt")
    if os.environ.get("GECO_GOLDEN") == "write":
        expected.write_text(message, encoding="utf-8")

    assert message == expected.read_text(encoding="utf-8")
    assert all(diagnostic.help and diagnostic.span.line for diagnostic in found)


def test_there_are_sixty_of_them_and_each_is_seen() -> None:
    assert len(PROGRAMS) >= 60
    assert {p.stem for p in PROGRAMS} == {p.stem for p in DOUBTFUL.glob("*.txt")}
    assert all(path.read_text(encoding="utf-8").strip() for path in DOUBTFUL.glob("*.txt"))


@pytest.mark.parametrize(
    "program",
    [
        "FIXED gender; INCREASE age; PLAF x_cf.age <= x.age + 5; PLAF x_cf.job IN ('clerk', 'nurse')",
        "PLAF IF x_cf.job != x.job and x.age < 25 THEN x_cf.income <= 3000; ONEHOT car: car_bus, car_own",
        "PLAF IF x_cf.bonus > 0 THEN 1 = 2; ALLOW MISSING bonus; PLAF x_cf.bonus <= 470",
        "ORDER degree: 'none' < 'bachelor' < 'master' < 'doctor'; INCREASE degree; PLAF x_cf.degree != 'none'",
        'PLAF x_cf.since <= x.since + 30; PLAF x_cf.income / x_cf."hours-per-week" <= 500',
    ],
)
def test_a_program_that_says_something_gets_no_warning(program: str) -> None:
    assert seen(program, "good.plaf") == ()


def test_a_code_that_stretches_the_range_of_a_column_is_named() -> None:
    [found] = seen("FIXED age", "fixed.plaf", params=Params())

    assert str(found) == (
        "data: warning: the range of 'days_since_default' is 21,739 times larger because of 999,999; is that a code?\n"
        'help: mark codes as missing, or divide by the usual spread: params=geco.Params(scale="mad")'
    )


def test_a_fixed_column_may_have_codes() -> None:
    assert seen("FIXED days_since_default", "fixed.plaf", params=Params()) == ()


@pytest.mark.parametrize("name", ["adult", "adult_mace", "credit", "compas", "german", "give_me_some_credit"])
def test_no_program_of_the_shared_data_gets_a_warning(name: str) -> None:
    facts = json.loads(dataset_path("datasets.json").read_text(encoding="utf-8"))[name]
    database = Database.from_file(dataset_path(facts["file"]), exclude=[facts["label"]])
    program = read_plaf(dataset_path(f"{name}.plaf"))

    assert seen(str(program), name, database, Params()) == ()
