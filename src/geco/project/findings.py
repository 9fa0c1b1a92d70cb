"""Everything that is wrong with a project, found at once: file, table, rules, model, and how they fit together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from geco.data.database import Database
from geco.data.domain import Domain
from geco.doubts import doubts_about_data
from geco.errors import GecoError, ProjectError, ProjectProblem
from geco.plaf.checker import CheckedProgram, check_program
from geco.plaf.diagnostics import Diagnostic, closest
from geco.project.checks import line_of
from geco.project.project import Project

UNREVIEWED = "# unreviewed"


@dataclass
class Findings:
    """Errors keep the project from being used; warnings and rules that nobody has reviewed do not."""

    errors: list[GecoError] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unreviewed: int = 0
    program: CheckedProgram | None = None

    @property
    def clean(self) -> bool:
        return not (self.errors or self.warnings or self.unreviewed)


def findings(project: Project, without_model: bool = False) -> Findings:
    """Try every part by itself, then together; ``without_model`` is for a table and rules alone."""
    found = Findings()

    def works(part: Callable[[], object]) -> bool:
        try:
            part()
        except GecoError as error:
            if str(error) not in map(str, found.errors):
                found.errors.append(error)
            return False
        return True

    data, rules = works(lambda: project.database), works(lambda: project.program)
    model = not without_model and works(lambda: project.model)
    if data:
        works(lambda: _check_feature_names(project))
    if data and rules:
        rules = works(lambda: _check_rules(project, found))
    if data and model and rules and not found.errors:
        works(lambda: project.explainer)
    works(lambda: found.warnings.extend(map(str, _warnings(project, found))))
    found.unreviewed = project.program.source.count(UNREVIEWED) if rules else 0
    return found


def _check_rules(project: Project, found: Findings) -> None:
    database = project.database
    found.program = check_program(project.program, database.schema, database.excluded)


def _warnings(project: Project, found: Findings) -> Sequence[Diagnostic]:
    """Of the explainer, or of rules and table alone where there is none."""
    if "explainer" in vars(project):
        return project.explainer.warnings
    if found.program is None or found.errors:
        return ()
    return doubts_about_data(found.program, domain_of(project.database, found.program), project.params)


def domain_of(database: Database, program: CheckedProgram) -> Domain:
    """The tables of the groups."""
    groups = program.groups
    return Domain.build(database, [g.features for g in groups], program.schema, [g.onehot for g in groups])


def _check_feature_names(project: Project) -> None:
    """Names under [features] and [reasons], and in [distance], must be columns."""
    settings, names = project.settings, project.database.schema.names
    onehots = [group.onehot for group in project.program.groups if group.onehot] if _has_rules(project) else []
    known = [*names, *onehots]
    places: list[tuple[str, ...]] = [("features", name) for name in settings.table("features")]
    places += [("reasons", name) for name in settings.table("reasons")]
    for key in ("weights", "costs", "steps"):
        places += [("distance", key, name) for name in settings.get("distance", key, ())]
    problems = []
    for place in places:
        if place[-1] not in known:
            match = closest(place[-1], known)
            hint = f"; did you mean {match!r}?" if match else ""
            message = f"[{'.'.join(place[:-1])}] names {place[-1]!r}, and the table has no such column{hint}"
            problems.append(ProjectProblem(line_of(place, settings.lines), message))
    if problems:
        raise ProjectError(settings.file or "geco", sorted(problems))


def _has_rules(project: Project) -> bool:
    try:
        return bool(project.program.statements)
    except GecoError:
        return False
