"""What travels to a worker: the saved explainer and its model as bytes; their digests stand in the manifest."""

from __future__ import annotations

import hashlib
import os
import pickle
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from geco.engines.durable import digest_of
from geco.errors import BatchError, DataError, SettingsError, shown
from geco.explainer import Explainer
from geco.given import path_of
from geco.plaf.printer import print_program
from geco.project.modelfiles import Trusted, load_model
from geco.project.project import Project
from geco.saved.explainer import pack_parts


@dataclass(frozen=True, eq=False)
class Shipped:
    """An explainer that any process can have.

    Attributes
    ----------
    explainer : in this process.
    data : what `save` writes.
    model_digest : of the model's file, or of the model as pickle has it; None without a model.
    """

    explainer: Explainer
    data: bytes
    model_digest: str | None

    @cached_property
    def model(self) -> bytes:
        """As pickle has it, for other processes."""
        return pickled(self.explainer.model.own if self.model_digest else None)

    @property
    def digests(self) -> dict[str, str | None]:
        """Of all that answers depend on, the input aside."""
        rules = print_program(self.explainer.program.program)
        return {
            "explainer": hashlib.sha256(self.data).hexdigest(),
            "model": self.model_digest,
            "rules": hashlib.sha256(rules.encode()).hexdigest(),
        }


def ship(explainer: Any, model: Any = None, trusted: Trusted | None = None) -> Shipped:
    """An Explainer, a Project, or the path of a saved explainer.

    Parameters
    ----------
    model : for a saved explainer, its model or the path of the model's file.
    trusted : what that file may contain.
    """
    if isinstance(explainer, (str, os.PathLike)):
        file = Path(path_of(model)) if isinstance(model, (str, os.PathLike)) else None
        own = model if file is None else load_model(file, trusted or Trusted())
        loaded = Explainer.load(path_of(explainer), own)
        return Shipped(loaded, Path(path_of(explainer)).read_bytes(), _model_digest(loaded, file))
    if model is not None:
        raise SettingsError("model goes with the path of a saved explainer; an Explainer has its own already")
    if isinstance(explainer, Project):
        built = explainer.explainer
        return Shipped(built, pack_parts(built._parts), _model_digest(built, explainer.settings.path("model", "file")))
    if isinstance(explainer, Explainer):
        return Shipped(explainer, pack_parts(explainer._parts), _model_digest(explainer, None))
    raise SettingsError(
        f"explainer must be a geco.Explainer, a project or the path of a saved explainer, got {shown(explainer)}"
    )


def ship_renewed(explainer: Any, model: Any, trusted: Trusted | None = None) -> Shipped:
    """The same explainer around a new model; without one it is as it is, such as a project with its model of today."""
    if model is None:
        return ship(explainer)
    file = Path(path_of(model)) if isinstance(model, (str, os.PathLike)) else None
    own = model if file is None else load_model(file, trusted or Trusted())
    given = explainer if isinstance(explainer, Explainer) else ship(explainer).explainer
    new = Explainer._of(replace(given._parts.renewed(own), verify=True))
    return Shipped(new, pack_parts(new._parts), _model_digest(new, file))


def unship(data: bytes, model: bytes) -> Explainer:
    """The explainer, in a worker."""
    return Explainer._unpickled(data, pickle.loads(model))


def pickled(model: Any) -> bytes:
    try:
        return pickle.dumps(model, protocol=5)
    except Exception as error:  # a function inside a function, an open connection
        raise BatchError(
            f"the model cannot be sent to other processes ({type(error).__name__}: {error}); "
            "define it in a module, give a model file, or say workers=1"
        ) from error


def _model_digest(explainer: Explainer, file: Path | None) -> str | None:
    if file is not None:
        try:
            return digest_of(file)[1]
        except OSError as error:
            raise DataError(f"cannot read {str(file)!r}: {error.strerror or error}") from error
    own = explainer.model.own
    if own is None:
        return None
    try:
        data = pickle.dumps(own, protocol=5)
    except Exception:  # such a model works in this process alone; its name has to do
        data = f"{type(own).__module__}.{type(own).__qualname__}".encode()
    return hashlib.sha256(data).hexdigest()
