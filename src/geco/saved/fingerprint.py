"""fingerprint: digests of what an Explainer is made of, so that a record can say later what has changed since."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from geco.data.domain import Domain
from geco.errors import SavedFileError
from geco.models.kinds.blend import Blend
from geco.parts import Parts
from geco.plaf.printer import print_program
from geco.saved.fields import state_of


@dataclass(frozen=True)
class Fingerprint:
    """SHA-256 digests, and in words what was digested.

    Attributes
    ----------
    model : of the model's arrays as they were compiled (what its preprocessing makes of values is not among them), or of
        the bytes of its file; None for a black box.
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
    return Fingerprint(model, model_is, _data(parts.domain), digest(print_program(parts.program.program)))


def digest(tree: Any) -> str:
    """Of plain values and arrays, whatever order their mappings are in."""
    sha = hashlib.sha256()

    def place(array: Any) -> dict[str, Any]:
        flat = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        sha.update(flat.tobytes())
        return {"dtype": flat.dtype.str, "shape": list(flat.shape)}

    sha.update(json.dumps(tree, default=place, sort_keys=True, separators=(",", ":")).encode())
    return sha.hexdigest()


def _model(parts: Parts) -> tuple[str | None, str]:
    compiled = parts.compiled
    if len(parts.panel.members) > 1:
        return None, f"{len(parts.panel.members)} models together, of which no digest is made"
    if compiled is None:
        return None, f"not compiled, so its arrays are not known: {parts.model.why}"
    if isinstance(compiled.kind, Blend):
        return None, "made of models that are put together by their own code"
    try:
        return digest([state_of(compiled.kind), compiled.wanted_only]), "its compiled arrays, preprocessing aside"
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
