"""Jobs: long work, followed, cancelled and forgotten."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from tests.service.conftest import APPLICANT, Running
from tests.service.test_routes import without_clocks

X = dict[str, Any]


def ended(client: httpx.Client, id: str) -> X:
    """The job once it has ended; looks a few times."""
    for _ in range(300):
        job: X = client.get(f"/v1/jobs/{id}").json()
        if job["state"] not in ("waiting", "running"):
            return job
        time.sleep(0.1)
    raise AssertionError(f"the job did not end: {job['state']}")


def test_a_job_ends_with_the_answer_of_explain(client: httpx.Client, x: X) -> None:
    begun = client.post("/v1/jobs", json={"explain": {"x": x, "k": 2}})
    job = ended(client, begun.json()["id"])
    expected = client.post("/v1/explain", json={"x": x, "k": 2}).json()

    assert begun.status_code == 202 and begun.headers["location"] == f"/v1/jobs/{job['id']}"
    assert job["state"] == "done" and job["progress"]["round"] >= 1
    assert job["result"]["counterfactuals"] == expected["counterfactuals"]


def test_many_rows_as_a_job_are_those_of_explain_many(client: httpx.Client, xs: list[X]) -> None:
    asked = {"rows": xs[:40], "k": 1, "deadline": 10}
    job = ended(client, client.post("/v1/jobs", json={"explain_many": asked}).json()["id"])
    expected = client.post("/v1/explain_many", json=asked).json()["explanations"]

    assert job["progress"]["rows_done"] == 40
    assert list(map(without_clocks, job["result"]["explanations"])) == list(map(without_clocks, expected))


def test_the_events_of_a_job_tell_rounds_and_the_end(client: httpx.Client, x: X) -> None:
    id = client.post("/v1/jobs", json={"explain": {"x": x, "k": 2}}).json()["id"]
    with client.stream("GET", f"/v1/jobs/{id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in stream.iter_lines() if line]
    kinds = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    first = json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))

    assert kinds[-1] == "done" and kinds[:-1] == ["progress"] * (len(kinds) - 1) and len(kinds) > 1
    assert first["round"] == 1 and set(first) == {"round", "model_rows", "seconds", "best"}
    late = client.get(f"/v1/jobs/{id}/events", headers={"Last-Event-ID": str(len(kinds) - 1)}).text
    assert late.count("event: ") == 1 and "event: done" in late


def test_a_job_that_is_cancelled_leaves_its_worker_to_the_next(client: httpx.Client, xs: list[X], x: X) -> None:
    long = client.post("/v1/jobs", json={"explain_many": {"rows": xs * 20, "k": 20}}).json()["id"]
    cancelled = client.delete(f"/v1/jobs/{long}").json()
    started = time.monotonic()
    after = ended(client, client.post("/v1/jobs", json={"explain": {"x": x, "k": 1}}).json()["id"])

    assert cancelled["state"] == "cancelled" and after["state"] == "done"
    assert time.monotonic() - started < 20
    assert client.delete(f"/v1/jobs/{long}").status_code == 200
    assert client.get(f"/v1/jobs/{long}").status_code == 404


def test_a_job_that_cannot_be_done_says_why(client: httpx.Client) -> None:
    job = ended(client, client.post("/v1/jobs", json={"explain": {"x": {"age": 3}}}).json()["id"])

    assert job["state"] == "failed" and job["problem"]["type"] == "urn:geco:problem:instance"


def test_an_applicant_sees_no_job_of_others(service: Running, client: httpx.Client, x: X) -> None:
    id = client.post("/v1/jobs", json={"explain": {"x": x, "k": 1}}).json()["id"]
    with service.client(APPLICANT) as applicant:
        assert applicant.get(f"/v1/jobs/{id}").status_code == 404
        assert applicant.delete(f"/v1/jobs/{id}").status_code == 404
        own = applicant.post("/v1/jobs", json={"explain": {"x": x, "k": 1}}).json()["id"]

    assert client.get(f"/v1/jobs/{own}").status_code == 200


@pytest.mark.parametrize(
    "body", [{}, {"explain": None}, {"explain": {"x": {"a": 1}}, "explain_many": {"rows": [{"a": 1}]}}]
)
def test_a_job_is_one_of_two_things(client: httpx.Client, body: X) -> None:
    assert client.post("/v1/jobs", json=body).status_code == 422


def test_the_same_key_begins_one_job(client: httpx.Client, x: X) -> None:
    headers = {"Idempotency-Key": "job-1"}
    first, again = (client.post("/v1/jobs", json={"explain": {"x": x}}, headers=headers) for _ in range(2))

    assert first.json()["id"] == again.json()["id"] and again.headers["location"] == first.headers["location"]


def test_no_more_jobs_than_the_service_keeps(client: httpx.Client, xs: list[X]) -> None:
    body = {"explain_many": {"rows": xs * 4, "k": 20}}
    replies = [client.post("/v1/jobs", json=body) for _ in range(20)]
    begun = [reply.json()["id"] for reply in replies if reply.status_code == 202]
    for id in begun:
        client.delete(f"/v1/jobs/{id}")
    refused = [reply for reply in replies if reply.status_code != 202]

    assert {reply.status_code for reply in refused} == {429} and len(begun) <= 14  # twelve, and what ended meanwhile
    assert all(int(reply.headers["retry-after"]) >= 1 for reply in refused)
