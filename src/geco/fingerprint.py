"""fingerprint: digests of what an Explainer is made of, so that a record can say later what has changed since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from geco.data.domain import Domain
from geco.errors import SavedFileError
from geco.models.kinds.blend import Blend
from geco.parts import Parts
from geco.plaf.printer import print_program
from geco.state import digest, state_of

_MADE: WeakKeyDictionary[object, str] = WeakKeyDictionary()


@dataclass(frozen=True)
class Fingerprint:
    """SHA-256 digests, and in words what was digested.

    Attributes
    ----------
    model : of the model's arrays as they were compiled, or of the bytes of its file; None for a black box. What its
        preprocessing makes of values is not among the arrays.
    model_is : what ``model`` is a digest of, or why there is none.
    data : of the group tables: features, values and counts.
    rules : of the PLAF program in its canonical form.
    """

    model: str | None
    model_is: str
    data: str
    rules: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def fingerprint(parts: Parts) -> Fingerprint:
    """Of what the parts hold; the same in every process, and after saving and loading."""
    model, model_is = _model(parts)
    data = _once(parts.domain, lambda: _data(parts.domain))
    return Fingerprint(model, model_is, data, digest(print_program(parts.program.program)))


def settings_of(parts: Parts) -> dict[str, Any]:
    """Method, target, distance and confirmation as plain data."""
    return {
        "method": repr(parts.method),
        "target": state_of(parts.asked.target),
        "params": state_of(parts.params),
        "verify": parts.verify,
    }


def _once(of: object, make: Callable[[], str]) -> str:
    """Tables and arrays never change, so their digest is made once for each of them."""
    if of not in _MADE:
        _MADE[of] = make()
    return _MADE[of]


def _model(parts: Parts) -> tuple[str | None, str]:
    compiled = parts.compiled
    if len(parts.panel.members) > 1:
        return None, f"{len(parts.panel.members)} models together, of which no digest is made"
    if compiled is None:
        return None, f"not compiled, so its arrays are not known: {parts.model.why}"
    if isinstance(compiled.kind, Blend):
        return None, "made of models that are put together by their own code"
    try:
        arrays = _once(compiled.kind, lambda: digest(state_of(compiled.kind)))
        return arrays, "its compiled arrays, preprocessing aside"
    except SavedFileError as error:
        return None, str(error)


def _data(domain: Domain) -> str:
    """Numbers are compared as they are; of text, the texts."""
    return digest([
        [
            [[f, _column(domain, f, table.values[f], table.numbers[f])] for f in table.features],
            table.onehot,
            np.asarray(table.counts, np.int64),
        ]
        for table in domain.tables
    ])  # fmt: skip


def _column(domain: Domain, feature: str, values: Any, numbers: Any) -> Any:
    if domain.features[feature].type == "text":
        return list(values)
    return np.asarray(numbers, np.float64)
