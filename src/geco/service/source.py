"""Source: the files that the explainer of a worker comes from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geco.explainer import Explainer
    from geco.project.project import Project


@dataclass(frozen=True)
class Source:
    """A saved explainer and its model, both as files; or a project, perhaps saved before.

    Parameters
    ----------
    saved : made by ``geco save``; None if every worker builds the explainer of the project anew.
    model : a model file; without it a compiled model answers alone, and nothing is confirmed.
    trusted : types that a skops file may contain.
    pickle : whether the model file may be a pickle.
    project : a geco.toml, which names the model and the table.
    """

    saved: str | None = None
    model: str | None = None
    trusted: tuple[str, ...] = ()
    pickle: bool = False
    project: str | None = None

    def load(self) -> Served:
        """The explainer, with its model if there is one."""
        from geco.explainer import Explainer

        if self.project is not None:
            from geco.project.project import open

            project = open(self.project)
            if self.saved is None:
                return Served(project.explainer, project)
            return Served(Explainer.load(self.saved, project.model), project)
        return Served(Explainer.load(self.saved or "", self._model()))

    def _model(self) -> Any:
        from geco.project.modelfiles import Trusted, load_model

        return None if self.model is None else load_model(Path(self.model), Trusted(self.trusted, self.pickle))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Source:
        return cls(**{**given, "trusted": tuple(given["trusted"])})


@dataclass(frozen=True)
class Served:
    """What a worker holds."""

    explainer: Explainer
    project: Project | None = None

    @property
    def question(self) -> dict[str, Any]:
        """What [search] of the project says, for those who do not say it; the deadline is the service's."""
        said = {} if self.project is None else self.project.question
        return {name: value for name, value in said.items() if name != "deadline"}
