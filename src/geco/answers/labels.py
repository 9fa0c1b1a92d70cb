"""Label and Wording: how features and their values are called when people are told of them; plain data, no text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from geco.data.domain import Domain
from geco.errors import SettingsError, did_you_mean, shown

Narrow = Literal["float16", "float32"]
_YEARS = (1800, 2200)


@dataclass(frozen=True)
class Label:
    """How to speak of one feature, or of a ONEHOT set.

    Parameters
    ----------
    label : its name for people, such as "monthly income".
    unit : what stands behind its numbers, such as "€".
    up, down : what one does to change it, such as "raise" and "lower".
    values : what its values are called, where they are codes: {2: "skilled", 3: "highly skilled"}.
    de : all of this in German, as far as it differs; a Label or a dict. The verbs of another language are not taken.

    Examples
    --------
    >>> job = Label("skill level", values={3: "highly skilled"}, de={"label": "Qualifikation"})
    >>> job.told("de").label, job.told("de").values
    ('Qualifikation', {'3': 'highly skilled'})
    """

    label: str | None = None
    unit: str | None = None
    up: str | None = None
    down: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    de: Label | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _names(self.values))
        if self.de is not None:
            object.__setattr__(self, "de", _label("de", self.de))
        for name in ("label", "unit", "up", "down"):
            text = getattr(self, name)
            if text is not None and (not isinstance(text, str) or not text.strip()):
                raise SettingsError(f"{name} of a Label must be some text, got {shown(text)}")

    def told(self, language: str) -> Label:
        """In this language, as far as it was given."""
        other = self.de if language == "de" else None
        if other is None:
            return self
        words = {name: getattr(other, name) or getattr(self, name) for name in ("label", "unit")}
        return Label(**words, up=other.up, down=other.down, values={**self.values, **other.values})


def key_of(value: Any) -> str:
    """A value as the key of its name: the same for 2, 2.0 and "2"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) or type(value).__module__ == "numpy":
        return str(int(value)) if value == int(value) else str(value)
    return str(value)


def _names(given: Any) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise SettingsError(f"values of a Label must be a dict of names by value, got {shown(given)}")
    for value, name in given.items():
        if not isinstance(name, str) or not name.strip():
            raise SettingsError(f"values of a Label: the name of {shown(value)} must be some text, got {shown(name)}")
    return {key_of(value): name for value, name in given.items()}


@dataclass(frozen=True)
class Wording:
    """What the texts need to know of the features, the same for every x.

    Attributes
    ----------
    labels : by feature or ONEHOT set.
    narrow : features whose column has less than double precision: their values have fewer digits than a float shows.
    flags : features of 0 and 1 that are told as no and yes.
    years : whole numbers that are not counted in thousands.
    codes : numbers that are names, such as postcodes.
    alike : features whose names consist of the same words as another's.
    """

    labels: Mapping[str, Label] = field(default_factory=dict)
    narrow: Mapping[str, Narrow] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    years: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    alike: frozenset[str] = frozenset()

    @classmethod
    def of(cls, domain: Domain, narrow: Mapping[str, Narrow], labels: Mapping[str, Label]) -> Wording:
        """Of the features of D; a label for something that it does not have is an error."""
        known = [*domain.names, *(table.onehot for table in domain.tables if table.onehot)]
        for name in labels:
            if name not in known:
                raise SettingsError(f"labels: D has no feature {shown(name)}{did_you_mean(name, known)}")
        flags = frozenset(name for name in domain.names if _is_flag(domain, name))
        years = frozenset(name for name in domain.names if _is_year(domain, name))
        codes = frozenset(f.name for f in domain.schema if f.kind == "categorical" and f.type != "text") - flags
        return cls(dict(labels), dict(narrow), flags, years, codes, _alike(known))

    def label(self, feature: str) -> Label:
        """An empty one where nobody gave any."""
        return self.labels.get(feature, _NONE)


def _alike(names: Sequence[str]) -> frozenset[str]:
    letters = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]
    return frozenset(name for name, same in zip(names, letters, strict=True) if letters.count(same) > 1)


def read_labels(given: Any) -> dict[str, Label]:
    """As the user gave them: by feature a Label, a dict of its parts, or its name for people."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SettingsError(f"labels must be a dict by feature, got {shown(given)}")
    return {feature: _label(feature, label) for feature, label in given.items()}


def _label(feature: object, given: Any) -> Label:
    if isinstance(given, Label):
        return given
    if isinstance(given, str):
        return Label(given)
    try:
        return Label(**given)
    except TypeError as error:
        raise SettingsError(
            f"labels[{shown(feature)}] must be a geco.Label(label, unit, up, down, values, de), got {shown(given)}"
        ) from error


def _is_flag(domain: Domain, name: str) -> bool:
    feature, spread = domain.features[name], domain.spread[name]
    if feature.type == "boolean":
        return True
    if feature.type not in ("integer", "number") or (spread.minimum, spread.maximum) != (0.0, 1.0):
        return False
    numbers = domain.tables[domain.group_of[name]].numbers[name][1:]
    return not ((numbers > 0) & (numbers < 1)).any()


def _is_year(domain: Domain, name: str) -> bool:
    spread = domain.spread[name]
    return domain.features[name].type == "integer" and _YEARS[0] <= spread.minimum <= spread.maximum <= _YEARS[1]


_NONE = Label()
