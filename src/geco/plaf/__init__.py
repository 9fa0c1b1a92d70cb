"""Sec. 3: PLAF, the constraint language. Text ▶ Program ▶ CheckedProgram, and back to text."""

from geco.plaf.checker import CheckedProgram, check_program
from geco.plaf.diagnostics import Diagnostic
from geco.plaf.parser import parse_plaf, read_plaf
from geco.plaf.printer import print_predicate, print_program, print_rule
from geco.plaf.syntax import Program

__all__ = [
    "CheckedProgram",
    "Diagnostic",
    "Program",
    "check_program",
    "parse_plaf",
    "print_predicate",
    "print_program",
    "print_rule",
    "read_plaf",
]
