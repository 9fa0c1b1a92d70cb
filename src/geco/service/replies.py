"""What is answered, for the OpenAPI document; the Explanation has a schema of its own, which is published."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from geco.service.problems import MEDIA, TITLES
from geco.service.schemas import Value


class Diagnostic(BaseModel):
    """What is wrong with rules, and where; lines and columns from 1."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    help: str | None
    line: int
    column: int
    end_line: int
    end_column: int
    source_line: str


class Misfit(BaseModel):
    """Where a request does not fit, and why."""

    where: list[str]
    what: str


class Problem(BaseModel):
    """RFC 9457."""

    type: str = Field(examples=["urn:geco:problem:instance"])
    title: str
    status: int
    detail: str = Field(examples=["x has no value for 'age'; give all 9 features of the schema"])
    diagnostics: list[Diagnostic] | None = Field(None, description="where rules are wrong")
    errors: list[Misfit] | None = Field(None, description="where the body does not fit")


class Prediction(BaseModel):
    """What the model says of one row."""

    outcome: float | None = Field(description="the model's number; null where it is none")
    good: bool
    target: str = Field(description="what counts as good, in words", examples=["P(good) > 0.5"])


class Predictions(BaseModel):
    predictions: list[Prediction]


class Counted(BaseModel):
    """A value, and how many rows of D have it."""

    value: Value
    count: int


class Histogram(BaseModel):
    """How a number is spread: one count fewer than edges."""

    edges: list[float]
    counts: list[int]


class Values(BaseModel):
    minimum: Value = Field(description="null for text without an order")
    maximum: Value
    distinct: int
    values: list[Counted] | None = Field(description="null for numbers with many; text: the most frequent")


class Feature(Values):
    """A feature of D."""

    name: str
    label: str
    unit: str | None
    up: str | None = Field(description="what one does to raise it")
    down: str | None
    names: dict[str, str] = Field(description="what its values are called, where they are codes")
    de: dict[str, Any] | None = Field(description="label, unit, up, down and names in German")
    type: Literal["integer", "number", "text", "boolean", "date", "datetime"]
    kind: Literal["categorical", "ordinal", "continuous"]
    order: list[str] | None = Field(description="text from lowest to highest")
    group: str | None = Field(description="features that change together only")
    fixed: bool
    only_up: bool
    only_down: bool
    may_be_missing: bool
    used: bool = Field(description="whether the model reads it")
    missing: int = Field(description="rows of D without a value")
    histogram: Histogram | None


class SchemaReply(BaseModel):
    """All that a page needs to ask for an x."""

    target: str
    model: str = Field(description="which model, whether it is compiled, and why if it is not")
    confirms: bool = Field(description="whether answers are confirmed by the model itself")
    rows: int
    keyed: bool = Field(description="whether a row can be found by a key")
    features: list[Feature]
    groups: list[list[str]]
    rules: list[str]


class Allowed(Values):
    """What the rules allow a feature to become for this x, as far as its own group is concerned."""

    name: str
    value: Value
    may_change: bool


class AllowedReply(BaseModel):
    features: list[Allowed]
    notes: list[str]
    rules: list[str] = Field(description="those of the project, then those that were sent")


class CheckedRules(BaseModel):
    ok: bool
    diagnostics: list[Diagnostic]
    rules: list[str]


class Explanation(BaseModel):
    """Stands for docs/explanation.schema.json, which takes its place in the OpenAPI document."""


class Explanations(BaseModel):
    explanations: list[Explanation]


class PlansReply(BaseModel):
    """An answer, told to a person."""

    explanation: Explanation
    plans: dict[str, Any] = Field(description="what Explanation.plans(language) gives")
    limit: float | None = Field(description="the probability above which a yes begins; null where it is none")
    limit_told: str | None
    rules: list[str] = Field(description="the rules of the project in words")


class Question(BaseModel):
    """As docs/questions.schema.json has it; in ``told`` are texts in the language that was asked for."""

    model_config = ConfigDict(extra="allow")

    x: dict[str, Any]
    target: str


class Row(BaseModel):
    """A row of D."""

    x: dict[str, Any]


class SomeRows(BaseModel):
    """Rows of D, one after the other."""

    rows: list[dict[str, Any]]


class JobReply(BaseModel):
    """A job: how far it is, and its result once it is done."""

    id: str
    do: Literal["explain", "explain_many"]
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    created: str
    progress: dict[str, Any] | None = Field(description="the last event: round and best so far, or rows done")
    problem: Problem | None = Field(description="why it failed")
    result: Explanation | Explanations | None


class RowReply(BaseModel):
    key: str
    x: dict[str, Value]


class ModelNames(BaseModel):
    models: list[str]


class ModelReady(BaseModel):
    name: str
    ready: bool


class KServePredictions(BaseModel):
    predictions: list[float | None]


class KServeExplanations(BaseModel):
    predictions: list[float | None]
    explanations: list[Explanation]


class Live(BaseModel):
    live: bool


class Ready(BaseModel):
    ready: bool


Responses = dict[int | str, dict[str, Any]]


def replies(model: type[BaseModel] | None, *problems: int, status: int = 200) -> Responses:
    """What a route may answer: this, or one of these problems."""
    document = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    said: Responses = {code: {"description": TITLES[code], "content": document} for code in problems}
    return {**({} if model is None else {status: {"model": model, "description": "The answer"}}), **said}


ASKED = (400, 401, 408, 409, 413, 415, 422, 429, 500, 503)


def published(name: str, *problems: int) -> Responses:
    """The same for a question, whose schema is published (docs/questions.schema.json)."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    return {200: {"description": "The answer", "content": content}, **replies(None, *problems, *ASKED)}
