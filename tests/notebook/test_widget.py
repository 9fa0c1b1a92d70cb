"""geco.widget without a browser: what it is given, what it is asked, what it answers."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pandas as pd
import pytest

import geco
import geco.demo
from geco.demo.written import write_demo
from geco.notebook.modules import PAGE, one_module

X = dict[str, Any]


@pytest.fixture(scope="module")
def demo() -> Any:
    return geco.demo.load()


@pytest.fixture(scope="module")
def explainer(demo: Any) -> geco.Explainer:
    return geco.Explainer(demo.model, demo.database, demo.program, target="good")


@pytest.fixture(scope="module")
def x(demo: Any) -> pd.Series:
    row: pd.Series = demo.frame.iloc[3]
    return row


def asked(widget: Any, path: str, body: X | None = None, method: str = "POST") -> X:
    """What the widget sends back to the browser."""
    sent: list[X] = []
    widget.send = sent.append
    widget._heard(None, {"id": "7", "path": path, "method": method, "body": body}, None)
    [reply] = sent
    assert reply["id"] == "7"
    return reply


def test_plans_are_those_of_the_library_and_python_has_the_explanation(explainer: geco.Explainer, x: pd.Series) -> None:
    widget = geco.widget(explainer, x)
    assert widget.explanation is None
    reply = asked(widget, "/v1/plans", {"x": widget._x, "k": 3, "language": "en"})

    same = explainer.explain(x, k=3)
    assert reply["status"] == 200
    assert json.loads(reply["text"])["plans"]["decision"] == same.plans("en").decision
    assert [way.values for way in widget.explanation.counterfactuals] == [way.values for way in same.counterfactuals]


def test_what_somebody_tries_is_in_python_too(explainer: geco.Explainer, x: pd.Series) -> None:
    widget = geco.widget(explainer, x, show="whatif")
    asked(widget, "/v1/what_if", {"x": widget._x, "changes": {"age": 50}})

    assert widget.what_if == explainer.what_if(x, age=50).to_dict()


@pytest.mark.parametrize("path", ["schema", "predict", "obstacles", "reasons", "tradeoffs", "rules:check", "report"])
def test_every_question_of_the_elements_is_answered(explainer: geco.Explainer, x: pd.Series, path: str) -> None:
    widget = geco.widget(explainer, x, show="desk")
    body = {"predict": {"rows": [widget._x]}, "rules:check": {"rules": "FIXED age"}}.get(path, {"x": widget._x})
    reply = asked(widget, f"/v1/{path}", body)

    assert reply["status"] == 200
    assert reply["type"] == ("text/html" if path == "report" else "application/json")


def test_a_path_that_the_modules_ask_for_is_known(explainer: geco.Explainer) -> None:
    spoken = {
        path
        for module in ("api", "plans", "whatif", "desk", "rules", "case", "form", "below")
        for path in re.findall(r"[\"`](/v1/[\w:]+)", (PAGE / f"{module}.js").read_text(encoding="utf-8"))
    }
    widget = geco.widget(explainer)

    assert len(spoken) > 7
    for path in spoken:
        assert {asked(widget, path, {}, method)["status"] for method in ("GET", "POST")} != {404}


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ({"path": "/v1/plans", "method": "POST", "body": {"x": {"age": 1}}}, 422),
        ({"path": "/v1/plans", "method": "POST", "body": None}, 404),
        ({"path": "/v1/rows/3", "method": "GET", "body": None}, 422),
        ({"path": "/etc/passwd", "method": "GET"}, 404),
        ({"path": "/v1/rows/٣", "method": "GET"}, 404),
        ({}, 404),
    ],
)
def test_nonsense_is_answered_with_a_problem(explainer: geco.Explainer, message: X, status: int) -> None:
    sent: list[X] = []
    widget = geco.widget(explainer)
    widget.send = sent.append
    widget._heard(None, {"id": "1", **message}, None)

    assert sent[0]["status"] == status
    assert json.loads(sent[0]["text"])["detail"]


def test_a_project_brings_its_rows(tmp_path: Any, x: pd.Series) -> None:
    project = geco.open(write_demo(tmp_path / "loans") / "geco.toml")
    widget = geco.widget(project, show="desk")

    assert json.loads(asked(widget, "/v1/rows/3", None, "GET")["text"])["x"]["age"] == x["age"]
    assert widget.hide == ""


def test_x_is_checked_where_it_is_given(explainer: geco.Explainer, x: pd.Series) -> None:
    with pytest.raises(geco.GecoError, match="x has no value for 'age'"):
        geco.widget(explainer, x.drop("age"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"show": "plan"}, "show='plan' is none of plans, whatif, desk (did you mean 'plans'?)"),
        ({"language": "fr"}, "language='fr' is none of en, de"),
        ({"show": "desk"}, "show='desk' needs an x, or a project whose rows it can show"),
    ],
)
def test_words_that_it_does_not_know_are_refused(explainer: geco.Explainer, words: X, message: str) -> None:
    with pytest.raises(geco.GecoError, match=re.escape(message)):
        geco.widget(explainer, **words)


def test_something_else_than_an_explainer_is_refused(demo: Any) -> None:
    with pytest.raises(geco.GecoError, match="needs an Explainer or a Project first, got Demo"):
        geco.widget(demo)


def test_without_anywidget_it_says_what_to_install(
    explainer: geco.Explainer, x: pd.Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "geco.notebook.element", raising=False)

    with pytest.raises(geco.GecoError, match=r"geco\.widget needs anywidget: pip install 'geco-explain\[notebook\]'"):
        geco.widget(explainer, x)


def test_the_one_module_holds_the_files_of_the_page_as_they_are() -> None:
    sources, _, entry = one_module().partition(";\n// The elements in a notebook")
    held = json.loads(sources.removeprefix("const SOURCES = "))

    assert held == {f.name: f.read_text(encoding="utf-8") for f in PAGE.glob("*.js") if f.name != "widget.js"}
    assert entry.rstrip().endswith("export default { render };")


def test_a_widget_says_what_it_is_where_it_cannot_be_shown(explainer: geco.Explainer, x: pd.Series) -> None:
    assert "needs a notebook" in repr(geco.widget(explainer, x))
