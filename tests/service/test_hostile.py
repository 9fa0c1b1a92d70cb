"""Two hundred requests that nobody should send: refused cleanly, and the service goes on as before."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.service.conftest import APPLICANT, STAFF, Running

JSON = {"Content-Type": "application/json"}
X = {
    "sex": "male", "job": 2, "housing": "free", "saving_accounts": "little", "checking_account": "little",
    "credit_amount": 7882, "duration": 42, "purpose": "furniture/equipment", "age": 45,
}  # fmt: skip
VALID = json.dumps({"x": X, "k": 1})
POSTS = ["/v1/explain", "/v1/explain_many", "/v1/predict", "/v1/schema", "/v1/rules:check",
         "/v1/models/geco:predict", "/v1/models/geco:explain"]  # fmt: skip
GETS = ["/v1/schema", "/v1/models", "/v1/models/geco", "/metrics"]


@pytest.fixture(scope="module", autouse=True)
def goes_on_as_before(service: Running) -> Iterator[None]:
    """After all of it: the same worker, nothing waits, and an answer is what it was."""
    with service.client() as client:
        before = client.post("/v1/explain", content=VALID, headers=JSON).json()["counterfactuals"]
        yield
        after = client.post("/v1/explain", content=VALID, headers=JSON).json()["counterfactuals"]
        text = client.get("/metrics").text

    assert before == after
    assert "geco_worker_restarts_total 0" in text and "geco_queue_length 0" in text


def refused(reply: httpx.Response, *statuses: int) -> dict[str, Any]:
    """The problem document; nothing of ours or of the machine is in it."""
    assert reply.status_code in statuses, reply.text[:300]
    assert reply.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = reply.json()
    assert document["status"] == reply.status_code and document["detail"] and document["title"]
    assert "Traceback" not in reply.text and "site-packages" not in reply.text
    return document


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer wrong-token-but-long-enough", f"Basic {STAFF}", f"bearer{STAFF}",
     f"Bearer {STAFF}x", f"Bearer {STAFF[:-1]}", "Bearer " + "a" * 5_000],
)  # fmt: skip
def test_without_a_good_token_nothing_is_read(service: Running, path: str, authorization: str | None) -> None:
    headers = JSON if authorization is None else {**JSON, "Authorization": authorization}
    reply = httpx.post(service.url + path, content=VALID, headers=headers)

    assert refused(reply, 401)["type"] == "urn:geco:problem:token"
    assert reply.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", GETS)
def test_what_is_read_needs_a_token_too(service: Running, path: str) -> None:
    refused(httpx.get(service.url + path), 401)


def test_an_applicant_does_not_see_what_is_for_staff(service: Running) -> None:
    with service.client(APPLICANT) as client:
        refused(client.get("/metrics"), 403)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "body",
    [
        "", "{", "[", "null", "[]", "1", '"x"', "{}",
        '{"x": }', "{'x': 1}", '{"x": 1}', '{"x": []}', '{"x": null}', "\0",
        '{"x": {}}', '{"rows": []}', '{"rows": {}}', '{"instances": []}', '{"rules": 3}', '{"a": NaN}',
    ],
)  # fmt: skip
def test_what_is_not_a_request_is_refused(client: httpx.Client, path: str, body: str) -> None:
    refused(client.post(path, content=body, headers=JSON), 422)


@pytest.mark.parametrize(
    "body",
    [
        '{"x": {"age": NaN}}', '{"x": {"age": Infinity}}', '{"x": {"age": -Infinity}}', '{"x": {"age": 1e999}}',
        '{"x": {"age": -1e400}}', '{"x": {"age": ' + "9" * 400 + "}}", '{"x": {"age": ' + "9" * 5_000 + "}}",
        '{"x": {"age": 0x10}}', '{"x": {"age": 01}}', '{"x": {"age": .5}}', '{"x": {"age": +1}}',
        '{"x": {"sex": "\\ud800"}}', '{"x": {"sex": "\\udfff x"}}', '{"x": {"age": [1]}}', '{"x": {"age": {"a": 1}}}',
        "[" * 40 + "]" * 40, "[" * 100_000, '{"x":' * 50 + "1" + "}" * 50, '{"a":' * 20_000, "[{" * 400_000,
    ],
)  # fmt: skip
def test_strange_json_is_refused_before_it_is_used(client: httpx.Client, body: str) -> None:
    refused(client.post("/v1/explain", content=body, headers=JSON), 422)


@pytest.mark.parametrize(
    "body", [b"\xff\xfe{}", b'{"x": {"sex": "\xed\xa0\x80"}}', VALID.encode("utf-16"), b"\xef\xbb\xbf{}"]
)
def test_what_is_not_utf_8_is_refused(client: httpx.Client, body: bytes) -> None:
    refused(client.post("/v1/explain", content=body, headers=JSON), 422)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"k": 0}, 422), ({"k": -1}, 422), ({"k": 101}, 422), ({"k": 10**18}, 422), ({"k": "5"}, 422),
        ({"k": 1.5}, 422),
        ({"k": True}, 422), ({"k": None}, 422), ({"seed": -1}, 422), ({"seed": 2**64}, 422), ({"seed": "0"}, 422),
        ({"deadline": 0}, 422), ({"deadline": -1}, 422), ({"deadline": 1e9}, 422), ({"deadline": "soon"}, 422),
        ({"max_evals": 0}, 422), ({"max_evals": 1e300}, 422), ({"unknown": 1}, 422), ({"on_round": "print"}, 422),
        ({"model": "other"}, 422), ({"__class__": "x"}, 422), ({"threads": 1_000}, 422), ({"self": 1}, 422),
    ],
)  # fmt: skip
def test_settings_out_of_bounds_are_refused(client: httpx.Client, change: dict[str, Any], status: int) -> None:
    refused(client.post("/v1/explain", json={"x": X, **change}), status)


@pytest.mark.parametrize(
    "change",
    [
        {"age": "old"}, {"age": True}, {"age": "45"}, {"sex": 3}, {"sex": True}, {"housing": 1.5}, {"job": 2.5},
        {"credit_amount": "1e5"}, {"duration": ""}, {"age": 10**19}, {"age": 2**64 + 1},
    ],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused(client: httpx.Client, change: dict[str, Any]) -> None:
    reply = client.post("/v1/explain", json={"x": {**X, **change}})

    assert reply.status_code in (200, 422) and "Traceback" not in reply.text
    if reply.status_code == 422:
        refused(reply, 422)


@pytest.mark.parametrize(
    "change", [{"age": 1e308}, {"age": -1e308}, {"credit_amount": 2**63}, {"age": 5e-324}, {"sex": "x" * 9_000}]
)
def test_huge_values_are_answered_or_refused(client: httpx.Client, change: dict[str, Any]) -> None:
    assert client.post("/v1/explain", json={"x": {**X, **change}, "k": 1}).status_code in (200, 422)


def test_too_many_features_rows_and_instances_are_refused(client: httpx.Client) -> None:
    refused(client.post("/v1/explain", json={"x": {**X, **{f"f{i}": 1 for i in range(10_001)}}}), 422)
    refused(client.post("/v1/explain_many", json={"rows": [{"a": 1}] * 1_001}), 422)
    refused(client.post("/v1/models/geco:predict", json={"instances": [[1]] * 1_001}), 422)


@pytest.mark.parametrize(
    "rules",
    [
        "PLAF x_cf.age >= 1\n" * 1_001, "FIXED " + "a," * 10_000, "(" * 10_000, "PLAF " + "(" * 5_000,
        "PLAF " + "1+" * 9_000,
        "'" * 15_000, "PLAF x_cf.age >= 'a", "\0" * 100, "\ufeff" * 100, "PLAF IF " + "x_cf.age > 1 AND " * 1_000,
        "PLAF x_cf.age IN (" + "1," * 9_000, "DROP TABLE x; --", "FIXED " + "é" * 10_000, "-" * 19_000,
        "ORDER a: " + "'a' < " * 3_000,
    ],
)  # fmt: skip
def test_rules_that_are_meant_to_explode_do_not(client: httpx.Client, rules: str) -> None:
    reply = client.post("/v1/rules:check", json={"rules": rules[:20_000]})

    assert reply.status_code in (200, 422)
    assert reply.elapsed.total_seconds() < 5


def test_rules_beyond_their_limit_are_refused(client: httpx.Client) -> None:
    refused(client.post("/v1/rules:check", json={"rules": "PLAF x_cf.age >= 1\n" * 10_000}), 422)


@pytest.mark.parametrize(
    "media",
    [
        None,
        "text/plain",
        "application/xml",
        "application/jsonx",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "a/b, application/json",
    ],
)
def test_what_is_not_called_json_is_415(client: httpx.Client, media: str | None) -> None:
    refused(client.post("/v1/explain", content=VALID, headers={} if media is None else {"Content-Type": media}), 415)


def test_a_body_too_large_is_413_announced_or_not(client: httpx.Client) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(200):
            yield b" " * 10_000

    refused(client.post("/v1/explain", content=b" " * 1_000_001, headers=JSON), 413)
    refused(client.post("/v1/explain", content=chunks(), headers=JSON), 413)


@pytest.mark.parametrize(
    "path",
    [
        "/v1", "/v1/", "/v1/explain/", "/v1//explain", "/v1/explain/../schema", "/v1/%2e%2e/metrics",
        "/v1/explain%00", "/v1/jobs/../explain",
        "/V1/explain", "/v1/models/..%2f..%2fetc%2fpasswd", "/v1/models/" + "a" * 3_000, "/../../etc/passwd",
        "/..%2f..%2fetc/passwd", "//etc/passwd",
        "/%c0%ae%c0%ae/", "/.git/config", "/index.php", "/v1/models/geco:train", "/v1/rows/1", "/static/../app.py",
    ],
)  # fmt: skip
def test_paths_that_are_not_there_are_404(service: Running, path: str) -> None:
    head = f"Host: a\r\nAuthorization: Bearer {STAFF}\r\nConnection: close\r\n\r\n"
    said = spoken(service, f"GET {path} HTTP/1.1\r\n{head}".encode())

    assert said[:12] in (b"HTTP/1.1 404", b"HTTP/1.1 405", b"HTTP/1.1 422")
    assert b"application/problem+json" in said and b"root:" not in said


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "OPTIONS", "BREW"])
def test_methods_that_a_path_does_not_have_are_405(client: httpx.Client, method: str) -> None:
    reply = client.request(method, "/v1/explain")

    assert refused(reply, 405) and reply.headers["allow"] == "POST"


@pytest.mark.parametrize("given", ["a\tb", "a;b", "<script>", "é", "x" * 65, "a b", "%0d%0aSet-Cookie: a=b", "..", ""])
def test_a_request_id_cannot_bring_anything_into_headers(client: httpx.Client, given: str) -> None:
    reply = client.get("/v1/models", headers={"X-Request-ID": given.encode()})

    assert reply.status_code == 200 and "set-cookie" not in reply.headers
    assert reply.headers["x-request-id"] == given or len(reply.headers["x-request-id"]) == 16


@pytest.mark.parametrize("key", ["", "a b", "x" * 129, "é"])
def test_strange_idempotency_keys_are_refused(client: httpx.Client, key: str) -> None:
    refused(client.post("/v1/explain", content=VALID, headers={**JSON, "Idempotency-Key": key.encode()}), 422)


def spoken(service: Running, sent: bytes, seconds: float = 5.0) -> bytes:
    """What the service says to raw bytes, until it closes the connection or says nothing more."""
    said = b""
    with socket.create_connection(("127.0.0.1", service.port), timeout=seconds) as connection:
        connection.sendall(sent)
        try:
            while part := connection.recv(65_536):
                said += part
        except (TimeoutError, ConnectionError):
            pass
    return said


HEAD = f"POST /v1/explain HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {STAFF}\r\nContent-Type: application/json\r\n"


def test_a_body_that_never_comes_is_given_up(service: Running) -> None:
    said = spoken(service, f"{HEAD}Content-Length: 100\r\n\r\n{{".encode())

    assert said.startswith(b"HTTP/1.1 408 ") and b"urn:geco:problem:slow" in said


@pytest.mark.parametrize(
    "sent",
    [
        f"{HEAD}Content-Length: -1\r\n\r\n", f"{HEAD}Content-Length: 1e3\r\n\r\n",
        f"{HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
        f"{HEAD}Content-Length: 99999999999999999999999\r\n\r\n", f"{HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        f"{HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET /v1/models HTTP/9.9\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "GET /v1/models HTTP/1.1\r\nHost: a\r\nX: " + "a" * 100_000 + "\r\n\r\n",
        "GET /" + "a" * 100_000 + " HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /v1/models HTTP/1.1\r\nHost: a\r\nX-Request-ID: a\r\n b\r\n\r\n",
        "GET /v1/models HTTP/1.1\r\nBad Header: a\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_not_http_gets_a_4xx_and_the_connection_ends(service: Running, sent: str) -> None:
    said = spoken(service, sent.encode(), seconds=0.4)

    assert said == b"" or said.startswith(b"HTTP/1.1 4")
    assert b"Traceback" not in said
