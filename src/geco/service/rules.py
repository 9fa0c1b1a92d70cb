"""Rules that a person sends with a question: do they fit, and where not; and the explainer that keeps them, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geco.errors import MOST_SHOWN, PlafError
from geco.plaf.checker import CheckedProgram
from geco.plaf.extra import check_extra
from geco.plaf.parser import parse_plaf
from geco.plaf.printer import print_rule
from geco.service.problems import said
from geco.words import Words

if TYPE_CHECKING:
    from geco.explainer import Explainer


def with_rules(explainer: Explainer, rules: str) -> Explainer:
    """For questions that take no rules themselves."""
    return type(explainer)._of(explainer._parts.asked_with(Words.of({"rules": rules})))


def checked_rules(text: str, deployed: CheckedProgram) -> dict[str, Any]:
    """Check rules as `explain` would: all diagnostics with their places, and the rules as geco prints them."""
    try:
        program = parse_plaf(text, "rules")
        checked = check_extra(deployed, program)
    except PlafError as error:
        return {"ok": False, "diagnostics": [said(each) for each in error.diagnostics[:MOST_SHOWN]], "rules": []}
    warnings = [each for each in checked.warnings if each not in deployed.warnings]
    return {
        "ok": True,
        "diagnostics": [said(each) for each in warnings[:MOST_SHOWN]],
        "rules": [print_rule(rule) for rule in program.rules],
    }
