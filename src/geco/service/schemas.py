"""What may be asked: request bodies, unknown fields refused."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from geco.service.settings import MOST_FEATURES, MOST_K, MOST_ROWS, MOST_RULES

Value = StrictBool | StrictInt | StrictFloat | StrictStr | None
X = Annotated[
    dict[str, Value],
    Field(min_length=1, max_length=MOST_FEATURES, description="A value for every feature; null where it is missing."),
]
Rows = Annotated[list[X], Field(min_length=1, max_length=MOST_ROWS, description="Instances to ask about.")]
Features = Annotated[list[Annotated[str, Field(max_length=1_000)]], Field(max_length=MOST_FEATURES)]
Rules = Annotated[str, Field(max_length=MOST_RULES, description="PLAF text.", examples=["PLAF x_cf.duration <= 24"])]


class Asked(BaseModel):
    """What all requests have in common: nothing unknown, and no text where a number is meant."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def arguments(self) -> dict[str, Any]:
        """What was said; the rest is left to geco's own defaults."""
        return self.model_dump(exclude_unset=True)


class Search(Asked):
    """How to search, as in ``Explainer.explain``."""

    k: int = Field(5, ge=1, le=MOST_K, description="How many answers at most.")
    seed: int = Field(0, ge=0, le=2**64 - 1, description="Same inputs and seed, same answer.")
    deadline: float | None = Field(
        None, gt=0, le=3_600, description="Seconds, waiting included; the service has a limit of its own."
    )
    max_evals: int | None = Field(None, ge=1, le=10**9, description="Rows the model may be asked about.")


class Explain(Search):
    """What to change in x to make the outcome good."""

    x: X


class ExplainMany(Search):
    """The same for several instances."""

    rows: Rows


class Predict(Asked):
    """What does the model say of these rows?"""

    rows: Rows


class OneX(Asked):
    """A question about one instance."""

    x: X


class CheckRules(Asked):
    """Do these rules fit the features?"""

    rules: Rules


class KServe(Asked):
    """KServe's V1 payload: ``instances``, or ``inputs``; objects by feature, or lists in the order of the schema."""

    instances: list[X | list[Value]] | None = Field(None, min_length=1, max_length=MOST_ROWS)
    inputs: list[X | list[Value]] | None = Field(None, min_length=1, max_length=MOST_ROWS)
