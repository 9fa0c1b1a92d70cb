"""An independent reader of English sentences: what a person who knows the table would take from them.

Nothing of geco's texts is used: names, values and numbers are found by what they look like.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

NUMBER = r"-?[\d,]+(?:\.\d+)?(?:e[+-]?\d+)?"
PHRASES = (
    r"(?:raise|lower) {name}(?: from (?:about )?{n})? to at (?:least|most) (?P<v>{n})",
    r"(?:raise|lower) {name}(?: from (?:about )?{n})? to (?P<v>{n})",
    r"move {name} from .+? to (?P<v>\d{{4}}-\d\d-\d\d(?: [\d:.]+)?)",
    r"change {name} from (?P<b>{value}) to (?P<v>{value})",
    r"state {name}: (?P<v>{value}|{n})",
    r"leave {name} (?P<v>blank)",
)


def read_back(said: str, x: dict[str, Any], domain: Any, wording: Any) -> dict[str, Any]:
    """The values that the sentence asks for."""
    found: dict[str, Any] = {}
    for table in domain.tables:
        for feature in [table.onehot] if table.onehot else table.features:
            text = _value_of(said, feature, domain, table)
            if text is None:
                continue
            if table.onehot:
                found |= {f: type(x[f])(f.endswith(text)) for f in table.features}
            else:
                found[feature] = _plain(text, feature, domain, wording)
    return found


def _value_of(said: str, feature: str, domain: Any, table: Any) -> str | None:
    values = {str(v) for f in table.features for v in table.values[f][1:] if isinstance(v, str)} | {"yes", "no"}
    if table.onehot:
        values |= {part for f in table.features for part in (f, f.split("_")[-1])}
    told = "|".join(re.escape(form) for v in sorted(values, key=len, reverse=True) for form in (f"“{v}”", v) if form)
    # A name by its letters and digits, whatever stands between them.
    name = r"[ _.-]*".join(re.escape(sign) for sign in feature if sign.isalnum())
    for phrase in PHRASES:
        pattern = phrase.format(name=name, n=NUMBER, value=f"(?:{told}|{NUMBER})")
        match = re.search(rf"(?<!\w){pattern}", said, re.IGNORECASE)
        if match:
            return match["v"]
    return None


def _plain(text: str, feature: str, domain: Any, wording: Any) -> Any:
    if text == "blank":
        return None
    text = text.removeprefix("“").removesuffix("”")
    kind = domain.schema[feature].type
    if kind == "text":
        return text
    if text in ("yes", "no"):
        return (text == "yes") if kind == "boolean" else int(text == "yes")
    if kind in ("date", "datetime"):
        moment = dt.datetime.fromisoformat(text)
        return moment.date() if kind == "date" else moment
    number = float(text.replace(",", "")) if re.search(r"[.e]", text) else int(text.replace(",", ""))
    return number if kind == "integer" else float(number)
