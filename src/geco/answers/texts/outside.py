"""What is said of values that the table does not have: to whoever writes Python, and to people on a screen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OutsideTexts:
    """One language; {name} and {value} are those of a feature.

    Attributes
    ----------
    value : no row has this value; behind it ``near``, the one most like it, or ``known``, all of them.
    missing : every row has some value.
    together, pair : the {pairs} of a GROUP occur, but not together.
    """

    value: str
    near: str
    known: str
    missing: str
    together: str
    pair: str


PYTHON = OutsideTexts(
    value="D has no {name} of {value}",
    near="; near it is {value}",
    known="; it has {values}",
    missing="D has no row where {name} is missing",
    together="D has no row with {pairs} together",
    pair="{name} = {value}",
)

ENGLISH_OUTSIDE = OutsideTexts(
    value="No row of the table has {value} as {name}",
    near="; near it is {value}",
    known="; it has {values}",
    missing="No row of the table is without {name}",
    together="No row of the table has these together: {pairs}",
    pair="{name} {value}",
)

GERMAN_OUTSIDE = OutsideTexts(
    value="Keine Zeile der Tabelle hat {value} als {name}",
    near="; nahe daran ist {value}",
    known="; es gibt {values}",
    missing="In jeder Zeile der Tabelle steht etwas für {name}",
    together="Keine Zeile der Tabelle hat dies zusammen: {pairs}",
    pair="{name} {value}",
)

OUTSIDES = {"en": ENGLISH_OUTSIDE, "de": GERMAN_OUTSIDE}
