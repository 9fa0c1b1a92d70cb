"""The questions over HTTP are those of the explainer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

import geco
from conftest import REPOSITORY
from geco.service.settings import Settings
from geco.service.source import Source
from tests.service.conftest import APPLICANT, Running, Served

X = dict[str, Any]
ASKED: dict[str, X] = {
    "what_if": {"changes": {"duration": 20}},
    "smallest": {"feature": "duration"},
    "obstacles": {},
    "tradeoffs": {"k": 2},
    "reasons": {"n": 2},
}


@pytest.mark.parametrize("question", ASKED)
def test_a_question_fits_its_published_schema(client: httpx.Client, x: X, question: str) -> None:
    reply = client.post(f"/v1/{question}", json={"x": x, **ASKED[question]})
    schema = json.loads((REPOSITORY / "docs" / "questions.schema.json").read_text(encoding="utf-8"))

    assert reply.status_code == 200, reply.text
    Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{question}"}]}).validate(
        {name: each for name, each in reply.json().items() if name != "told"}
    )


def test_what_if_is_the_explainers(client: httpx.Client, loaded: geco.Explainer, x: X) -> None:
    said = client.post("/v1/what_if", json={"x": x, "changes": {"duration": 20, "credit_amount": 7057}}).json()

    assert said.pop("told") == {"outside": []}
    assert said == json.loads(json.dumps(loaded.what_if(x, duration=20, credit_amount=7057).to_dict()))


def test_a_report_is_a_page_that_runs_nothing(client: httpx.Client, x: X) -> None:
    reply = client.post("/v1/report", json={"x": x, "language": "de"})

    assert reply.status_code == 200 and reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "<html" in reply.text and "script-src" not in reply.headers["content-security-policy"]
    assert "default-src 'none'" in reply.headers["content-security-policy"]


def test_a_summary_counts_people_and_is_for_staff(service: Running, client: httpx.Client, xs: list[X]) -> None:
    asked = {"rows": xs[:12], "k": 1, "by": "sex"}
    said = client.post("/v1/summary", json=asked)
    with service.client(APPLICANT) as applicant:
        refused = applicant.post("/v1/summary", json=asked)

    assert said.status_code == 200, said.text
    assert refused.status_code == 403


def test_a_real_row_needs_staff_and_a_file_that_has_rows(service: Running, client: httpx.Client, x: X) -> None:
    with service.client(APPLICANT) as applicant:
        assert applicant.post("/v1/nearest_row", json={"x": x}).status_code == 403
    refused = client.post("/v1/nearest_row", json={"x": x})

    assert refused.status_code == 422 and "rows" in refused.json()["detail"]
    assert client.get("/v1/rows/1").status_code == 422


def test_a_project_serves_its_rows_labels_and_defaults(tmp_path: Path, xs: list[X]) -> None:
    frame, model, _, _ = geco.demo.load()
    frame.insert(0, "customer", range(100, 100 + len(frame)))
    frame.to_csv(tmp_path / "german.csv", index=False)
    from skops.io import dump

    dump(model, tmp_path / "model.skops")
    (tmp_path / "rules.plaf").write_text("FIXED sex\n")
    (tmp_path / "geco.toml").write_text(
        '[data]\nsource = "german.csv"\nlabel = "risk"\nkey = "customer"\n[model]\nfile = "model.skops"\n'
        'target = "good"\n[rules]\nfile = "rules.plaf"\n[search]\nk = 1\n'
        '[features.age]\nlabel = "Alter"\nunit = "Jahre"\n'
    )
    with Served(Source(project=str(tmp_path)), Settings()) as running, running.client() as client:
        row = client.get("/v1/rows/3").json()
        features = {each["name"]: each for each in client.get("/v1/schema").json()["features"]}
        found = client.post("/v1/explain", json={"x": row["x"]}).json()["counterfactuals"]
        absent = client.get("/v1/rows/100000")

    assert row["x"] == xs[3] and absent.status_code == 422
    assert (features["age"]["label"], features["age"]["unit"]) == ("Alter", "Jahre")
    assert len(found) == 1 and found[0]["confirmed"]
