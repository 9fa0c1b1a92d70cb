"""What the routes answer, over a real connection."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

import geco
from conftest import REPOSITORY

X = dict[str, Any]


def without_clocks(explanation: X) -> X:
    """An explanation without what no two calls have in common."""
    trace = {name: value for name, value in explanation["trace"].items() if "seconds" not in name}
    made = {name: value for name, value in explanation["made"].items() if name != "at"}
    return {**explanation, "seconds": 0, "trace": trace, "made": made}


def test_an_answer_is_the_one_of_explain_and_fits_the_published_schema(
    client: httpx.Client, loaded: geco.Explainer, x: X
) -> None:
    reply = client.post("/v1/explain", json={"x": x, "k": 3, "seed": 7})
    schema = json.loads((REPOSITORY / "docs" / "explanation.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(reply.json())

    assert reply.status_code == 200
    assert without_clocks(reply.json()) == without_clocks(loaded.explain(x, k=3, seed=7, deadline=10.0).to_dict())


def test_many_rows_get_the_answers_of_each(client: httpx.Client, xs: list[X]) -> None:
    many = client.post("/v1/explain_many", json={"rows": xs[:4], "k": 2}).json()["explanations"]
    single = [client.post("/v1/explain", json={"x": x, "k": 2}).json() for x in xs[:4]]

    assert [without_clocks(each) for each in many] == [without_clocks(each) for each in single]


def test_predictions_are_the_models_with_new_values_too(
    client: httpx.Client, explainer: geco.Explainer, xs: list[X]
) -> None:
    rows = [*xs[:3], {**xs[3], "credit_amount": 7_883}]
    said = client.post("/v1/predict", json={"rows": rows}).json()["predictions"]
    expected = [explainer.explain(x, k=1, max_evals=4).outcome for x in rows]

    assert [each["outcome"] for each in said] == pytest.approx(expected, abs=1e-12)
    assert [each["good"] for each in said] == [outcome > 0.5 for outcome in expected]


def test_the_schema_has_every_feature_with_its_values_and_counts(client: httpx.Client) -> None:
    said = client.get("/v1/schema").json()
    features = {feature["name"]: feature for feature in said["features"]}

    assert said["rows"] == 1_000 and said["target"] == "P(good) > 0.5"
    assert features["sex"]["fixed"] and {v["value"]: v["count"] for v in features["sex"]["values"]} == {
        "female": 310,
        "male": 690,
    }
    assert features["credit_amount"]["values"] is None and features["credit_amount"]["minimum"] == 250
    assert sum(features["credit_amount"]["histogram"]["counts"]) == 1_000
    assert len(features["age"]["histogram"]["counts"]) == 40
    assert features["age"]["only_up"] and not features["age"]["only_down"]
    assert ["credit_amount", "duration"] in said["groups"]


def test_what_the_rules_allow_depends_on_x(client: httpx.Client, x: X) -> None:
    said = client.post("/v1/schema", json={"x": x}).json()["features"]
    features = {feature["name"]: feature for feature in said}

    assert not features["sex"]["may_change"] and features["sex"]["values"] == []
    assert features["age"]["minimum"] == 46 and features["age"]["maximum"] == 50
    assert [each["value"] for each in features["job"]["values"]] == [3]


def test_rules_are_checked_with_the_place_of_every_mistake(client: httpx.Client) -> None:
    said = client.post("/v1/rules:check", json={"rules": "FIXED sexx\nPLAF x_cf.age >= "}).json()

    assert not said["ok"]
    assert {(each["line"], each["code"]) for each in said["diagnostics"]}
    assert all(each["line"] > 0 and each["column"] > 0 for each in said["diagnostics"])
    assert client.post("/v1/rules:check", json={"rules": "FIXED sex"}).json()["rules"] == ["FIXED sex"]


def test_a_problem_says_which_feature_is_missing(client: httpx.Client, x: X) -> None:
    reply = client.post("/v1/explain", json={"x": {**x, "agee": 3, "age": None} | {"age": "old"}})

    assert reply.status_code == 422 and reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["detail"] == "age = 'old': expected an integer"
    assert reply.json()["type"] == "urn:geco:problem:instance"


def test_kserve_gets_predictions_and_explanations_of_objects_and_lists(client: httpx.Client, x: X) -> None:
    assert client.get("/v1/models").json() == {"models": ["geco"]}
    assert client.get("/v1/models/geco").json() == {"name": "geco", "ready": True}
    assert client.get("/v1/models/other").status_code == 404

    asked = {"instances": [x, list(x.values())]}
    predicted = client.post("/v1/models/geco:predict", json=asked).json()
    explained = client.post("/v1/models/geco:explain", json=asked).json()

    assert predicted["predictions"][0] == predicted["predictions"][1] == explained["predictions"][0]
    assert [each["status"] for each in explained["explanations"]] == ["found", "found"]


@pytest.mark.parametrize("path", ["/v2/health/live", "/v2/health/ready", "/openapi.json", "/docs"])
def test_health_and_documents_need_no_token(client: httpx.Client, path: str) -> None:
    assert httpx.get(client.base_url.join(path)).status_code == 200


def test_the_documents_ask_for_nothing_from_elsewhere(client: httpx.Client) -> None:
    page = client.get("/docs").text

    assert "/v1/explain" in page
    assert not re.search(r"<(script|link|img|iframe)|src=|url\(|@import", page)


def test_metrics_count_requests_and_are_for_staff(service: Any, client: httpx.Client, x: X) -> None:
    client.post("/v1/explain", json={"x": x, "k": 1})
    text = client.get("/metrics").text
    [count] = [line for line in text.splitlines() if 'count{route="/v1/explain",method="POST",status="200"}' in line]

    assert int(count.split()[-1]) >= 1 and "geco_queue_length 0" in text
    with service.client("applicant-of-the-tests") as applicant:
        assert applicant.get("/metrics").status_code == 403


def test_the_same_idempotency_key_gets_the_same_bytes_and_another_body_is_refused(client: httpx.Client, x: X) -> None:
    key = {"Idempotency-Key": "one-of-a-kind"}
    first, again = (client.post("/v1/explain", json={"x": x, "k": 1}, headers=key) for _ in range(2))
    other = client.post("/v1/explain", json={"x": x, "k": 2}, headers=key)

    assert first.content == again.content and again.headers["idempotency-replayed"] == "true"
    assert other.status_code == 422 and other.json()["type"] == "urn:geco:problem:idempotency-key"


def test_a_request_id_comes_back_unless_it_is_strange(client: httpx.Client) -> None:
    assert client.get("/v1/models", headers={"X-Request-ID": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert client.get("/v1/models", headers={"X-Request-ID": "a b;c"}).headers["x-request-id"] != "a b;c"


def test_limits_of_a_question_are_those_of_explain(client: httpx.Client, loaded: geco.Explainer, x: X) -> None:
    words: X = {"fixed": ["duration"], "rules": "PLAF x_cf.age <= 46", "margin": 0.02, "k": 3}
    reply = client.post("/v1/explain", json={"x": x, **words, "params": {"alpha": 0.5, "beta": 0.5}})
    expected = loaded.explain(x, **words, deadline=10.0, params=geco.Params(alpha=0.5, beta=0.5))

    assert without_clocks(reply.json()) == without_clocks(expected.to_dict())


@pytest.mark.parametrize("target", [0.7, "bad", {"labels": ["good"], "threshold": 0.6}])
def test_another_target_is_taken_in_every_form(
    client: httpx.Client, loaded: geco.Explainer, x: X, target: float | str | X
) -> None:
    reply = client.post("/v1/explain", json={"x": x, "k": 1, "target": target})
    expected = geco.Target(**target) if isinstance(target, dict) else target

    assert reply.json()["target"] == loaded.explain(x, k=1, target=expected).target


def test_rules_that_do_not_fit_come_back_with_their_place(client: httpx.Client, x: X) -> None:
    document = client.post("/v1/explain", json={"x": x, "rules": "FIXED sex\nPLAF x_cf.agee >= 3"}).json()

    assert document["type"] == "urn:geco:problem:rules" and document["status"] == 422
    [found] = document["diagnostics"]
    assert (found["line"], found["column"], found["help"]) == (2, 11, "did you mean 'age'?")


@pytest.mark.parametrize("words", [{"fixed": ["agee"]}, {"rules": "GROUP sex, age"}, {"target": "splendid"}])
def test_words_that_mean_nothing_are_refused_with_a_sentence(client: httpx.Client, x: X, words: X) -> None:
    reply = client.post("/v1/explain", json={"x": x, **words})

    assert reply.status_code == 422 and len(reply.json()["detail"]) > 20
