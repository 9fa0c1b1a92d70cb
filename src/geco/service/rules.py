"""Rules that a person sends: do they fit, and where not."""

from __future__ import annotations

from typing import Any

from geco.errors import MOST_SHOWN, PlafError
from geco.plaf.checker import CheckedProgram, check_program
from geco.plaf.parser import parse_plaf
from geco.plaf.printer import print_rule
from geco.service.problems import said


def checked_rules(text: str, deployed: CheckedProgram) -> dict[str, Any]:
    """Check a program against the schema: all diagnostics with their places, and the rules as geco prints them."""
    try:
        program = parse_plaf(text, "rules")
        checked = check_program(program, deployed.schema)
    except PlafError as error:
        return {"ok": False, "diagnostics": [said(each) for each in error.diagnostics[:MOST_SHOWN]], "rules": []}
    return {
        "ok": True,
        "diagnostics": [said(each) for each in checked.warnings[:MOST_SHOWN]],
        "rules": [print_rule(rule) for rule in program.rules],
    }
