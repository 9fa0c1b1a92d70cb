"""The fuzzer of arguments, one case of every call: whether it still runs, and finds nothing there."""

from __future__ import annotations

import pytest

import fuzz
from fuzzing.cases import carried_out

NUMBER = 20_261


@pytest.mark.parametrize("call", [name for name in fuzz.CALLS if name != "interrupt"])
def test_a_case_of_every_call_has_no_fault(call: str) -> None:
    assert carried_out(fuzz.case(call, NUMBER)).fault is None
