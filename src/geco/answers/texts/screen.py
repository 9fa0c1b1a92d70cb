"""All that the pages on a screen say, by name: the applicant's, the desk and the evidence."""

from __future__ import annotations

from dataclasses import asdict

from geco.answers.texts.desk import DESKS
from geco.answers.texts.evidence import EVIDENCES
from geco.answers.texts.page import PAGES

SCREENS: dict[str, dict[str, str]] = {
    language: {**asdict(PAGES[language]), **asdict(DESKS[language]), **asdict(EVIDENCES[language])}
    for language in PAGES
}
