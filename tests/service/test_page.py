"""The page: what it is served with, and the questions that it asks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

import geco.service
from geco.answers.texts.screen import SCREENS
from geco.demo.written import write_demo
from geco.service.answering import answer
from geco.service.source import Source
from geco.service.told import Told

X = dict[str, Any]
PAGE = Path(geco.service.__file__).with_name("page")
MODULES = sorted(PAGE.rglob("*.js"))


def imported(module: Path, seen: set[Path]) -> set[Path]:
    """What a module brings with it."""
    for name in re.findall(r'^import .*"(\./[\w.]+)";$', module.read_text(encoding="utf-8"), re.MULTILINE):
        found = (module.parent / name).resolve()
        if found not in seen:
            seen |= {found} | imported(found, seen | {found})
    return seen


@pytest.mark.parametrize("name", ["index.html", "desk/index.html", "evidence/index.html"])
def test_a_page_asks_for_all_its_modules_at_once(name: str) -> None:
    page = PAGE / name
    text = page.read_text(encoding="utf-8")
    (script,) = re.findall(r'<script type="module" src="(.*?)">', text)
    early = {(page.parent / each).resolve() for each in re.findall(r'rel="modulepreload" href="(.*?)"', text)}

    assert early == imported((page.parent / script).resolve(), set())


def test_plans_are_those_of_the_library_in_the_language_asked_for(client: httpx.Client, x: X) -> None:
    said = client.post("/v1/plans", json={"x": x, "k": 3, "language": "de"}).json()
    explanation = geco.Explanation.from_dict(said["explanation"])

    assert said["plans"]["decision"] == explanation.plans("de").decision
    assert [plan["outcome"] for plan in said["plans"]["plans"]] == [p.outcome for p in explanation.plans("de").plans]
    assert (said["limit"], said["limit_told"]) == (0.5, "50")


def test_what_is_hard_moves_behind_what_is_not(client: httpx.Client, x: X) -> None:
    easy = client.post("/v1/plans", json={"x": x}).json()["explanation"]["counterfactuals"]
    first = {change["feature"] for change in easy[0]["changes"]}
    hard = client.post("/v1/plans", json={"x": x, "hard": sorted(first)}).json()["explanation"]["counterfactuals"]

    assert {change["feature"] for change in hard[0]["changes"]}.isdisjoint(first)


def test_limits_that_leave_no_plan_are_named_as_what_stands_in_the_way(client: httpx.Client, x: X) -> None:
    fixed = [name for name in x if name not in ("sex", "purpose")]
    none = client.post("/v1/plans", json={"x": x, "fixed": fixed}).json()
    why = client.post("/v1/obstacles", json={"x": x, "fixed": fixed, "language": "de"}).json()

    assert none["plans"]["plans"] == []
    assert why["told"]["blocking"]
    for each in why["told"]["blocking"]:
        assert each["feature"] in fixed and each["rule"].startswith("FIXED ") and each["then"]
        assert each["text"].startswith("Die Regeln lassen es")


def test_reasons_are_told_in_sentences(client: httpx.Client, x: X) -> None:
    said = client.post("/v1/reasons", json={"x": x, "n": 2}).json()

    assert len(said["told"]) == len(said["reasons"]) == 2
    assert all(text[0].isupper() and text.endswith(".") for text in said["told"])


def test_what_if_and_tradeoffs_are_those_of_the_library(client: httpx.Client, loaded: geco.Explainer, x: X) -> None:
    said = client.post("/v1/what_if", json={"x": x, "changes": {"age": 50}}).json()
    told = said.pop("told")

    assert (said, told) == (loaded.what_if(x, age=50).to_dict(), {"outside": []})
    points = client.post("/v1/tradeoffs", json={"x": x, "k": 2}).json()["points"]
    assert [p["distance"] for p in points] == [p["distance"] for p in loaded.tradeoffs(x, k=2).to_dict()["points"]]


def test_what_may_be_tried_keeps_the_rules_that_are_sent(client: httpx.Client, x: X) -> None:
    rules = "PLAF x_cf.age <= 40"
    said = client.post("/v1/what_if", json={"x": x, "changes": {"age": 50}, "rules": rules}).json()
    allowed = client.post("/v1/schema", json={"x": x, "rules": rules}).json()

    assert rules in said["broken"] and rules in allowed["rules"]
    assert next(each for each in allowed["features"] if each["name"] == "age")["maximum"] in (None, 40)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "No row of the table has 1,000 as age; near it is 75"),
        ("de", "Keine Zeile der Tabelle hat 1.000 als age; nahe daran ist 75"),
    ],
)
def test_what_no_row_has_is_told_in_plain_words(client: httpx.Client, x: X, language: str, told: str) -> None:
    said = client.post("/v1/what_if", json={"x": x, "changes": {"age": 1000}, "language": language}).json()

    assert said["told"]["outside"] == [told]


def test_rows_are_for_staff_and_need_a_table(service: Any, client: httpx.Client) -> None:
    with service.client("applicant-of-the-tests") as applicant:
        assert applicant.get("/v1/rows/3").status_code == 403
    refused = client.get("/v1/rows/3")

    assert refused.status_code == 422 and "geco.toml" in refused.json()["detail"]


def test_staff_finds_a_row_by_its_key_and_some_rows_by_their_numbers(tmp_path: Path, xs: list[X]) -> None:
    project = write_demo(tmp_path / "loans") / "geco.toml"
    project.write_text(project.read_text().replace('label = "risk"', 'label = "risk"\nkey = "customer"'))
    head, *lines = project.with_name("german.csv").read_text().splitlines()
    keyed = [f"customer,{head}", *(f"C{number},{line}" for number, line in enumerate(lines))]
    project.with_name("german.csv").write_text("\n".join(keyed))
    served = Source(None, project=str(project)).load()
    found = json.loads(answer(served, "row", {"key": "C3"}, Told()).body)
    schema = json.loads(answer(served, "schema", {}, Told()).body)
    some = json.loads(answer(served, "rows", {"first": 998, "count": 5}, Told()).body)

    assert schema["keyed"]
    assert found == {"x": xs[3]}
    assert len(some["rows"]) == 2


@pytest.mark.parametrize("path", ["/", "/applicant.js", "/page.css", "/plans.js"])
def test_the_page_needs_no_token_and_lets_only_itself_run(service: Any, path: str) -> None:
    with service.client(None) as nobody:
        reply = nobody.get(path)

    policy = reply.headers["content-security-policy"]
    assert reply.status_code == 200
    assert "script-src 'self'" in policy and "unsafe" not in policy and "default-src 'none'" in policy


@pytest.mark.parametrize("language", list(SCREENS))
def test_the_texts_of_the_page_are_those_of_the_catalogue(service: Any, language: str) -> None:
    with service.client(None) as nobody:
        texts = nobody.get(f"/texts/{language}").json()

    assert texts == SCREENS[language]
    states = (PAGE / "states.js").read_text(encoding="utf-8")
    for key in ("error_title", "error_gone", "try_again"):
        assert f'{key}: "{texts[key]}"' in states


def test_every_text_that_the_page_speaks_of_is_in_the_catalogue() -> None:
    source = "\n".join(module.read_text(encoding="utf-8") for module in MODULES)
    spoken = set(re.findall(r"\btexts\.(\w+)", source))

    assert spoken <= set(SCREENS["en"])
    assert spoken  # or the pattern is wrong


@pytest.mark.parametrize("file", sorted(PAGE.rglob("*.html")), ids=lambda f: str(f.relative_to(PAGE)))
def test_no_file_has_script_or_style_in_itself_or_asks_another_host(file: Path) -> None:
    text = file.read_text(encoding="utf-8")

    assert not re.search(r"<style|\sstyle=|\son\w+=|https?://", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.name)
def test_no_module_is_long_or_writes_html(module: Path) -> None:
    text = module.read_text(encoding="utf-8")

    assert text.count("\n") <= 300
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\beval\(|setAttribute\(.style", text)
