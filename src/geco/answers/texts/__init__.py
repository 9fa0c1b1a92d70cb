"""The catalogue: every text that people are told, one file per language, as a value of one type.

mypy sees a text that a language lacks; docs/decisions/0009-texts.md says why it is not gettext or Fluent.
"""

from __future__ import annotations

from geco.answers.texts.english import ENGLISH
from geco.answers.texts.german import GERMAN
from geco.answers.texts.texts import Texts
from geco.errors import SettingsError, shown

LANGUAGES = {"en": ENGLISH, "de": GERMAN}

__all__ = ["LANGUAGES", "Texts", "texts_of"]


def texts_of(language: str) -> Texts:
    """The texts of a language.

    Examples
    --------
    >>> texts_of("de").yes
    'ja'
    """
    if language not in LANGUAGES:
        raise SettingsError(f"language must be one of {', '.join(map(repr, LANGUAGES))}, got {shown(language)}")
    return LANGUAGES[language]
