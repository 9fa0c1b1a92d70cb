"""Code: how the notice of a refusal names a feature, by a table feature ▶ code and text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from geco.data.domain import Domain
from geco.errors import SettingsError, did_you_mean, shown


@dataclass(frozen=True)
class Code:
    """Code and text of one feature, or of a ONEHOT set; either may be empty.

    ``de`` is the text in German. What is ``never`` is no reason that anybody is told, such as the sex of a person.
    """

    code: str = ""
    text: str = ""
    de: str = ""
    never: bool = False


def read_codes(given: Any, domain: Domain) -> dict[str, Code]:
    """As the user gave them: by feature a pair (code, text) or the two and the German text, a dict, or the text alone.

    Examples
    --------
    >>> read_codes(None, None)
    {}
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SettingsError(f"codes must be a dict by feature, got {shown(given)}")
    known = [*domain.names, *(table.onehot for table in domain.tables if table.onehot)]
    for name in given:
        if name not in known:
            raise SettingsError(f"codes: D has no feature {shown(name)}{did_you_mean(name, known)}")
    return {str(name): _code(name, each) for name, each in given.items()}


def _code(name: object, given: Any) -> Code:
    if isinstance(given, Code):
        return given
    try:
        if isinstance(given, str):
            made = Code(text=given)
        else:
            made = Code(**given) if isinstance(given, Mapping) else Code(*given)
    except TypeError:
        made = Code(code=None)  # type: ignore[arg-type]
    if not all(isinstance(each, str) for each in (made.code, made.text, made.de)) or not isinstance(made.never, bool):
        raise SettingsError(f"codes[{shown(name)}] must be a pair (code, text) of texts, got {shown(given)}")
    return made
