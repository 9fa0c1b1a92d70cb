"""Parts: all that an Explainer is made of, built once per deployment, the same for every x."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from geco.answers.codes import Code, read_codes
from geco.answers.labels import Label, Wording
from geco.data.domain import Domain
from geco.data.joint import RowsOfD
from geco.errors import DataError, SettingsError, shown
from geco.given import switch
from geco.methods import method_of
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.inputs import Source
from geco.models.compiling.compiled import Compiled
from geco.models.goal.target import Asked, Target
from geco.models.scoring.panel import Panel, models_of, panel_of
from geco.models.scoring.ways import WAYS
from geco.params import Params
from geco.plaf.checker import CheckedProgram, check_program
from geco.plaf.syntax import Program
from geco.question import read_prove
from geco.search.base import Method, Prove, Searches
from geco.space.deployment import Deployment
from geco.space.distance import Distance
from geco.space.forms import RuleForm
from geco.words import Recent, Words

if TYPE_CHECKING:
    from geco.data.database import Database


@dataclass(eq=False)
class Kept:
    """What questions found out once: per feature the row of its group's table that is typical of the good."""

    typical: npt.NDArray[np.int32] | None = None


@dataclass(frozen=True, eq=False)
class Parts:
    """What is the same for every x.

    Attributes
    ----------
    deployment : the tables of D, the rules and the distance.
    panel : the model, or several.
    method : how to search, ready for this deployment.
    asked : what the user said of the model.
    verify : confirm every answer by the user's model object.
    rows : the rows of D, for questions about whole rows.
    wording : how people are told of the features.
    codes : how a refusal names the features.
    kept : what questions have found out about the deployment.
    added : the rules that were added for one question, by what was said.
    words : all that was said for that question.
    usual : the parts without these words.
    prove : how far proofs go, where a question does not say.
    recent : the parts of the last questions that something was added to.
    """

    deployment: Deployment
    panel: Panel
    method: Searches
    asked: Asked
    verify: bool
    rows: RowsOfD
    wording: Wording = field(default_factory=Wording)
    codes: Mapping[str, Code] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)
    added: Mapping[str, RuleForm] = field(default_factory=dict)
    words: Words | None = None
    usual: Parts | None = None
    prove: Prove = "quick"
    recent: Recent[Parts] = field(default_factory=Recent, init=False, repr=False)

    @property
    def domain(self) -> Domain:
        return self.deployment.domain

    @property
    def program(self) -> CheckedProgram:
        return self.deployment.program

    @property
    def params(self) -> Params:
        return self.deployment.distance.params

    @property
    def model(self) -> BlackBox:
        """The first model, most often the only one."""
        return self.panel.members[0].box

    @property
    def compiled(self) -> Compiled | None:
        """The same in the native core, if it is there."""
        return self.panel.members[0].compiled

    @property
    def rows_per_run(self) -> int:
        """Rows of tables that an explanation under way holds something for: what is asked by place costs nothing."""
        tables, by_place = self.domain.tables, self.deployment.by_place if self.panel.by_place else frozenset()
        return sum(table.rows for group, table in enumerate(tables) if group not in by_place)

    def asked_with(self, words: Words | None) -> Parts:
        """The same for one question, with what somebody adds to it; all that the words do not touch is shared."""
        return self if words is None else self.recent.get(words.key, lambda: self._asked_with(words))

    def _asked_with(self, words: Words) -> Parts:
        asked, panel, kept = self.asked, self.panel, self.kept
        if words.aims:
            asked = replace(asked, target=words.aim(asked.target))
            panel, kept = panel.aimed_at(asked), Kept()
        distance = self.deployment.distance
        if words.params is not None:
            distance = Distance(self.domain, self.method.near(words.params))
        program, texts = words.program(self.program)
        rules = range(len(self.program.rules))
        deployment = self.deployment.asked_with(program, rules, distance)
        added = dict(zip(texts, deployment.rules[len(rules) :], strict=False))
        method = self.method.renewed(deployment, panel.members[0].read)
        more: dict[str, Any] = {"asked": asked, "kept": kept, "added": added, "words": words}
        return replace(self, deployment=deployment, panel=panel, method=method, usual=self, **more)

    def renewed(self, model: Any) -> Parts:
        """The same for a new model, or several."""
        asked = replace(self.asked, input="array") if self.model.inputs.form == "array" else self.asked
        panel = _panel(model, self.model.inputs.source, self.domain, asked, self.method)
        deployment = replace(self.deployment, used=panel.used)
        method = self.method.renewed(deployment, panel.members[0].read)
        return replace(self, deployment=deployment, panel=panel, method=method, asked=asked, kept=Kept())


def build(
    model: Any,
    database: Database,
    program: Program | None,
    *,
    target: Any,
    margin: float,
    method: str | Method,
    params: Params | None,
    verify: bool,
    input: Literal["auto", "frame", "array"],
    compile: bool,
    labels: Mapping[str, Label],
    codes: Any,
    strict: bool,
    prove: object,
) -> Parts:
    """Check what the user gave and build everything; see ``Explainer``."""
    from geco.data.database import Database  # with it comes DuckDB, which a saved explainer does without
    from geco.doubts import doubts_about_data, doubts_about_model, refuse

    if not isinstance(database, Database):
        raise DataError(
            f"database must be a geco.Database, got {type(database).__name__}; use Database.from_frame(...)"
        )
    checked = check_program(_program(program), database.schema, database.excluded)
    for feature in checked.schema:
        if feature.type == "text" and feature.kind == "ordinal" and feature.order is None:
            raise DataError(
                f"{feature.name!r} is ordinal text without an order; write ORDER {feature.name}: 'low' < 'high' in PLAF"
            )
    if params is not None and not isinstance(params, Params):
        raise SettingsError(f"params must be geco.Params(...), got {shown(params)}")
    chosen, verify, proves = method_of(method), switch("verify", verify), read_prove(prove)
    groups = checked.groups
    domain = Domain.build(database, [g.features for g in groups], checked.schema, [g.onehot for g in groups])
    asked = Asked(Target.of(target, margin), input, switch("compile", compile))
    panel = _panel(model, database, domain, asked, chosen)
    params = chosen.near(params or Params())
    warnings = (*doubts_about_data(checked, domain, params), *doubts_about_model(checked, panel))
    if switch("strict", strict):
        refuse(warnings)
    checked = replace(checked, warnings=warnings)
    deployment = Deployment(domain, checked, Distance(domain, params), panel.used)
    prepared = chosen.prepare(database, deployment, panel.members[0].read)
    rows, wording = RowsOfD(domain, database), Wording.of(domain, database.narrow, labels)
    parts = Parts(deployment, panel, prepared, asked, verify, rows, wording, read_codes(codes, domain))
    return replace(parts, prove=proves)


def _panel(model: Any, source: Database | Source, domain: Domain, asked: Asked, method: Method) -> Panel:
    models = models_of(model)
    if len(models) > 1 and not method.several_models:
        raise SettingsError(f"{method!r} takes one model, not {len(models)}")
    return panel_of(models, source, domain, asked, method.way(WAYS))


def _program(program: Program | None) -> Program:
    if program is None:
        return Program()
    if not isinstance(program, Program):
        raise SettingsError(
            f"program must come from geco.read_plaf(path) or geco.parse_plaf(text), got {type(program).__name__}"
        )
    return program
