"""The schema the wrong programs of golden/ and the tests of the checker are checked against."""

from __future__ import annotations

from geco.data.schema import Feature, Schema

PEOPLE = Schema(
    (
        Feature("age", "integer", "continuous"),
        Feature("gender", "text", "categorical"),
        Feature("education", "integer", "ordinal"),
        Feature("income", "number", "continuous"),
        Feature("job", "text", "categorical"),
        Feature("hours-per-week", "integer", "continuous"),
        Feature("degree", "text", "categorical"),
        Feature("rank", "text", "categorical"),
        Feature("member", "boolean", "categorical"),
        Feature("since", "date", "ordinal"),
        Feature("color_red", "integer", "categorical"),
        Feature("color_green", "integer", "categorical"),
        Feature("color_blue", "integer", "categorical"),
    )
)
