"""What D does not have: values, and combinations in a GROUP; in words, and what of D is near them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from geco.answers.speech import Speech
from geco.answers.texts.outside import PYTHON, OutsideTexts
from geco.data.domain import Domain
from geco.data.grouptable import GroupTable

MOST_LISTED = 8  # values of D in a message


def outside(
    domain: Domain, x: Mapping[str, Any], values: Mapping[str, Any], speech: Speech, texts: OutsideTexts = PYTHON
) -> tuple[str, ...]:
    """What of these values D does not have, where they are not x's own."""
    told = []
    for group, table in enumerate(domain.tables):
        if any(values[f] != x[f] for f in table.features) and not domain.find(group, values):
            told += list(_of_group(domain, table, values, speech, texts))
    return tuple(told)


def _of_group(
    domain: Domain, table: GroupTable, values: Mapping[str, Any], speech: Speech, texts: OutsideTexts
) -> Iterator[str]:
    def said(form: str, f: str) -> str:
        return form.format(name=speech.title(f), value=speech.value(f, values[f]))

    new = [f for f in table.features if values[f] is not None and not occurs(domain, f, values[f])]
    for f in new:
        yield said(texts.value, f) + _instead(domain, f, values[f], speech, texts)
    if not new and len(table.features) == 1:
        yield said(texts.missing, table.features[0])
    elif not new:
        yield texts.together.format(pairs=", ".join(said(texts.pair, f) for f in table.features))


def _instead(domain: Domain, feature: str, value: Any, speech: Speech, texts: OutsideTexts) -> str:
    """What of D is near it; of a category whose name is like no other, what there is."""
    if domain.features[feature].kind != "categorical":
        return texts.near.format(value=speech.value(feature, nearest(domain, feature, value)))
    known = known_values(domain, feature)
    like = get_close_matches(str(value), [str(v) for v in known], n=1)
    if like:
        [meant] = [v for v in known if str(v) == like[0]][:1]
        return texts.near.format(value=speech.value(feature, meant))
    more = ", …" if len(known) > MOST_LISTED else ""
    return texts.known.format(values=", ".join(speech.value(feature, v) for v in known[:MOST_LISTED]) + more)


def known_values(domain: Domain, feature: str) -> list[Any]:
    """The values of a feature in D, in order."""
    table = domain.tables[domain.group_of[feature]]
    _, rows = table.distinct(feature)
    return [value for value in table.values[feature][rows].tolist() if value is not None]


def occurs(domain: Domain, feature: str, value: Any) -> bool:
    """Has any row of D this value?"""
    return value is not None and len(domain.rows_with(feature, value)) > 0


def nearest(domain: Domain, feature: str, value: Any) -> Any:
    """The value of D nearest to this one; of text without an order the most frequent."""
    table = domain.tables[domain.group_of[feature]]
    if domain.features[feature].kind == "categorical":
        return table.values[feature][int(np.argmax(table.counts))]
    apart = np.abs(table.numbers[feature] - domain.number(feature, value))
    return table.values[feature][int(np.nanargmin(apart))]
