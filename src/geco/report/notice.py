"""notice: the principal reasons of a refusal in the lender's codes and words, in a neutral frame, as plain text.

What a notice must say is a matter of law and of the lender; this is the part that the model can tell (docs/report.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from geco.answers.labels import Wording
from geco.answers.speech import Speech
from geco.errors import SettingsError, shown
from geco.questions.reasons import Reason, Reasons


@dataclass(frozen=True)
class _Frame:
    begin: str
    nothing: str
    end: str
    compared: dict[str, str]
    coded: str


FRAMES = {
    "en": _Frame(
        "The application could not be approved. The principal reasons for this decision are:",
        "No single item of the application speaks against it by itself.",
        "The reasons are listed by their weight in the decision.",
        {
            "typical": "{name}: {value}, compared with {against} in approved applications",
            "best": "{name}: {value}, compared with {against}, the most favourable value",
        },
        "{text} (code {code})",
    ),
    "de": _Frame(
        "Dem Antrag konnte nicht entsprochen werden. Die wesentlichen Gründe dieser Entscheidung sind:",
        "Keine einzelne Angabe des Antrags spricht für sich genommen dagegen.",
        "Die Gründe sind nach ihrem Gewicht in der Entscheidung geordnet.",
        {
            "typical": "{name}: {value}, gegenüber {against} bei bewilligten Anträgen",
            "best": "{name}: {value}, gegenüber {against}, dem günstigsten Wert",
        },
        "{text} (Code {code})",
    ),
}


def reason_lines(reasons: Reasons, wording: Wording, language: str = "en") -> list[str]:
    """One line per reason: the lender's code and text, or the feature beside what it was compared with."""
    frame, speech = _frame(language), Speech(wording, language)

    def line(reason: Reason) -> str:
        text = reason.told(language)
        if reason.code or text:
            return frame.coded.format(text=text, code=reason.code) if reason.code and text else reason.code or text
        name = speech.name(reason.feature)
        value, against = (speech.value(reason.feature, v) for v in (reason.value, reason.against))
        told = frame.compared[reasons.against].format(name=name, value=value, against=against)
        return told[0].upper() + told[1:]

    return [line(reason) for reason in reasons]


def notice(reasons: Reasons, wording: Wording, language: str = "en") -> str:
    """The text of a notice; there is none where the decision was a yes."""
    if reasons.good:
        raise SettingsError(f"the decision is a yes ({reasons.target}), so there is no refusal to give reasons for")
    frame, lines = _frame(language), reason_lines(reasons, wording, language)
    if not lines:
        return f"{frame.begin}\n\n{frame.nothing}\n"
    numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    return f"{frame.begin}\n\n{numbered}\n\n{frame.end}\n"


def _frame(language: str) -> _Frame:
    if language not in FRAMES:
        raise SettingsError(f"language must be one of {', '.join(map(repr, FRAMES))}, got {shown(language)}")
    return FRAMES[language]
