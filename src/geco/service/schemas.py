"""What may be asked: request bodies, unknown fields refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from geco.service.settings import MOST_FEATURES, MOST_JOB_ROWS, MOST_K, MOST_ROWS, MOST_RULES

Value = StrictBool | StrictInt | StrictFloat | StrictStr | None
Label = StrictBool | StrictInt | StrictFloat | StrictStr
X = Annotated[
    dict[str, Value],
    Field(min_length=1, max_length=MOST_FEATURES, description="A value for every feature; null where it is missing."),
]
Rows = Annotated[list[X], Field(min_length=1, max_length=MOST_ROWS, description="Instances to ask about.")]
Language = Literal["en", "de"]
Features = Annotated[list[Annotated[str, Field(max_length=1_000)]], Field(max_length=MOST_FEATURES)]
Rules = Annotated[str, Field(max_length=MOST_RULES, description="PLAF text.", examples=["PLAF x_cf.duration <= 24"])]


class Asked(BaseModel):
    """What all requests have in common: nothing unknown, and no text where a number is meant."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def arguments(self) -> dict[str, Any]:
        """What was said; the rest is left to geco's own defaults."""
        return {name: value for name, value in self.model_dump(exclude_unset=True).items() if value is not None}


Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
Weights = Annotated[dict[str, float], Field(max_length=MOST_FEATURES)]


class Wanted(Asked):
    """What counts as good, as in ``geco.Target``."""

    labels: Label | list[Label] | None = None
    threshold: float | None = Field(None, ge=0, lt=1)
    interval: list[float | None] | None = Field(
        None, min_length=2, max_length=2, description="Low and high end; null is open."
    )


class Distance(Asked):
    """What counts as near, as in ``geco.Params``."""

    alpha: float | None = Field(None, ge=0, le=1)
    beta: float | None = Field(None, ge=0, le=1)
    gamma: float | None = Field(None, ge=0, le=1)
    weights: Weights | None = None
    costs: dict[str, Pair] | None = Field(None, max_length=MOST_FEATURES)
    steps: Weights | None = None
    scale: Literal["range", "mad", "std"] | None = None
    min_support: int | None = Field(None, ge=1, le=10**9)


class Words(Asked):
    """Limits that somebody adds to one question."""

    fixed: Features | None = Field(None, description="Features that may not change.", examples=[["age"]])
    only: Features | None = Field(None, description="The features that may change; all others are fixed.")
    rules: Rules | None = None
    target: Label | Wanted | None = Field(None, description="A label, a threshold such as 0.7, or an object.")
    margin: float | None = Field(None, ge=0, le=1e300, description="How far beyond the bare minimum to stay.")
    params: Distance | None = None


class Search(Words):
    """How to search, as in ``Explainer.explain``."""

    k: int = Field(5, ge=1, le=MOST_K, description="How many answers at most.")
    seed: int = Field(0, ge=0, le=2**64 - 1, description="Same inputs and seed, same answer.")
    deadline: float | None = Field(
        None, gt=0, le=3_600, description="Seconds for the search; the service has a limit of its own."
    )
    ways: Literal["minimal", "sets", "top"] | None = Field(None, description="Which answers stand beside each other.")
    prove: Literal["quick", False] | Annotated[float, Field(gt=0, le=3_600)] | None = Field(
        None, description="How long to look for a proof that nothing is nearer: quick, seconds, or false."
    )
    max_evals: int | None = Field(None, ge=1, le=10**9, description="Rows the model may be asked about.")


class Given(Search):
    """An answer that is given to somebody."""

    person: str | None = Field(None, max_length=200, description="Whom it is for, in the ledger, if one is kept.")


class Explain(Given):
    """What to change in x to make the outcome good."""

    x: X


class ExplainMany(Given):
    """The same for several instances."""

    rows: Rows


class ExplainRows(Given):
    """The same as a job: more of them."""

    rows: Annotated[list[X], Field(min_length=1, max_length=MOST_JOB_ROWS)]


class BeginJob(Asked):
    """What to work at: one of these."""

    explain: Explain | None = None
    explain_many: ExplainRows | None = None


class Predict(Asked):
    """What does the model say of these rows?"""

    rows: Rows


class AllowedFor(Asked):
    """What may become of this instance?"""

    x: X
    rules: Rules | None = None


class Plans(Explain):
    """The same, told to a person."""

    language: Language = "en"
    hard: Features | None = Field(None, description="Features whose change is hard for this person.")


class Obstacles(Words):
    """What stands in the way of this x?"""

    x: X
    seed: int = Field(0, ge=0, le=2**64 - 1)
    deadline: float | None = Field(None, gt=0, le=3_600)
    language: Language = "en"


class Reasons(Asked):
    """Why was this x refused?"""

    x: X
    n: int = Field(4, ge=1, le=20, description="How many at most.")
    against: Literal["typical", "best"] = "typical"
    language: Language = "en"


class WhatIf(Asked):
    """What would the model say if x did this?"""

    x: X
    changes: Annotated[dict[str, Value], Field(max_length=MOST_FEATURES, description="New values by feature.")]
    rules: Rules | None = None
    language: Language = "en"


class Tradeoffs(Words):
    """What may be had for what?"""

    x: X
    k: int = Field(5, ge=1, le=20)
    seed: int = Field(0, ge=0, le=2**64 - 1)
    deadline: float | None = Field(None, gt=0, le=3_600)


class FindRow(Asked):
    """Which row of the table has this key?"""

    key: Annotated[str, Field(min_length=1, max_length=1_000)]


class CheckRules(Asked):
    """Do these rules fit the features?"""

    rules: Rules


class KServe(Asked):
    """KServe's V1 payload: ``instances``, or ``inputs``; objects by feature, or lists in the order of the schema."""

    instances: list[X | list[Value]] | None = Field(None, min_length=1, max_length=MOST_ROWS)
    inputs: list[X | list[Value]] | None = Field(None, min_length=1, max_length=MOST_ROWS)


class Timed(Words):
    """A question with limits of its own."""

    x: X
    deadline: float | None = Field(None, gt=0, le=3_600, description="Seconds for the search.")


class Seeded(Timed):
    """The same, with a seed."""

    seed: int = Field(0, ge=0, le=2**64 - 1)


class Smallest(Seeded):
    """How far must this one thing move?"""

    feature: str = Field(max_length=1_000, examples=["duration"])
    k: int = Field(1, ge=1, le=MOST_K)


class NearestRow(Timed):
    """Who is like x and was approved?"""


class Summary(Search):
    """How many can be helped, by what?"""

    rows: Rows
    by: str | None = Field(None, max_length=1_000, description="The feature whose values make the groups.")
    obstacles: int = Field(0, ge=0, le=20, description="How many people are asked what stands in their way.")


class Report(Explain):
    """A page to hand out."""

    language: Literal["en", "de"] = "en"
    plans: int = Field(3, ge=1, le=20, description="How many plans are shown.")
    reasons: bool = Field(True, description="Principal reasons, under a heading of their own.")
