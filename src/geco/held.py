"""Held: what an Explainer is made of, to look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from geco.answers.labels import Label, Wording
from geco.data.domain import Domain
from geco.describe import describe, describe_html, describe_shortly
from geco.fingerprint import Fingerprint, fingerprint, settings_of
from geco.models.asking.blackbox import BlackBox
from geco.models.compiling.compiled import Compiled
from geco.params import Params
from geco.parts import Parts
from geco.plaf.checker import CheckedProgram
from geco.plaf.diagnostics import Diagnostic
from geco.search.base import Prove, Searches
from geco.space.deployment import Deployment


class Held:
    """Read-only views of the parts."""

    _parts: Parts

    @property
    def domain(self) -> Domain:
        """The tables of D, one per group."""
        return self._parts.domain

    @property
    def program(self) -> CheckedProgram:
        """Groups and rules, checked."""
        return self._parts.program

    @property
    def params(self) -> Params:
        """The distance."""
        return self._parts.params

    @property
    def deployment(self) -> Deployment:
        """What the rows that may be chosen for an x are made of."""
        return self._parts.deployment

    @property
    def method(self) -> Searches:
        """How it searches."""
        return self._parts.method

    @property
    def model(self) -> BlackBox:
        """How the user's model is asked; the first of several."""
        return self._parts.model

    @property
    def compiled(self) -> Compiled | None:
        """The same model in the native core, if it is there."""
        return self._parts.compiled

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What is allowed and probably not meant, in the rules, the table and the model."""
        return self.program.warnings

    @property
    def labels(self) -> Mapping[str, Label]:
        """How people are told of the features."""
        return self._parts.wording.labels

    @property
    def wording(self) -> Wording:
        """What texts need to know of the features."""
        return self._parts.wording

    @property
    def verify(self) -> bool:
        """Whether answers are confirmed by the user's model."""
        return self._parts.verify

    @property
    def prove(self) -> Prove:
        """How far proofs go, where a question does not say."""
        return self._parts.prove

    @property
    def fingerprint(self) -> Fingerprint:
        """Digests of model, data and rules: what a record names if one of them has changed."""
        return fingerprint(self._parts)

    @property
    def settings(self) -> dict[str, Any]:
        """Method, target, distance and confirmation as plain data, as a record has them."""
        return settings_of(self._parts)

    def describe(self) -> str:
        """How the model is asked and why, the groups with their domain sizes, the rules and the memory used."""
        return describe(self._parts)

    def __repr__(self) -> str:
        return describe_shortly(self._parts)

    def _repr_html_(self) -> str:
        return describe_html(self._parts)
