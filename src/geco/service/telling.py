"""What the page shows: an answer as plans for a person, what stands in the way and reasons in words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from geco.answers.explanation import Counterfactual, Explanation
from geco.answers.plans import plans
from geco.answers.rules import rules_in_words
from geco.answers.scale import Scale
from geco.answers.sentences import Told
from geco.answers.speech import Speech
from geco.answers.text import rule_in_words
from geco.answers.texts.outside import OUTSIDES
from geco.answers.texts.page import PAGES, PageTexts
from geco.answers.texts.sheet import SHEETS
from geco.answers.values import plain
from geco.params import Params
from geco.plaf.extra import as_written
from geco.questions.outside import outside
from geco.service.wording import in_words

if TYPE_CHECKING:
    from geco.explainer import Explainer
    from geco.questions.obstacles import Obstacles
    from geco.questions.reasons import Reasons
    from geco.questions.what_if import WhatIf

HARD = 4.0  # times as far counts a change that a person calls hard
LISTS = {"FIXED": "blocked_fixed", "INCREASE": "blocked_up", "DECREASE": "blocked_down"}


def asked(explainer: Explainer, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The words of ``explain`` and the language; ``hard`` becomes weights on top of those of the explainer."""
    said = dict(arguments)
    language, hard = said.pop("language", "en"), said.pop("hard", ())
    words = in_words(said)
    if hard:
        params: Params = words.get("params") or explainer.params
        weights = {**params.weights, **{name: HARD * params.weights.get(name, 1.0) for name in hard}}
        words["params"] = replace(params, weights=weights)
    return words, language


def told_plans(explanation: Explanation, language: str) -> dict[str, Any]:
    """All that a page of plans needs: the answer, the sentences, and where a yes begins."""
    scale = Scale.of(explanation, Speech(explanation.wording, language))
    return {
        "explanation": explanation.to_dict(),
        "plans": plans(explanation, language).to_dict(),
        "limit": scale.limit,
        "limit_told": None if scale.limit is None else f"{100 * scale.limit:.6g}",
    }


def told_rules(explainer: Explainer, language: str) -> list[str]:
    """The rules that hold for everybody, in words."""
    written = as_written(explainer.program.program)
    return rules_in_words(written, SHEETS[language], Speech(explainer.wording, language))


def told_obstacles(found: Obstacles, explainer: Explainer, language: str) -> dict[str, Any]:
    """What stands in the way, each rule in words and with what could be done without it."""
    speech, texts = Speech(explainer.wording, language), PAGES[language]
    blocking = [
        {"rule": rule, **_rule(rule, speech, texts), "then": _sentence(found.without, found.x, speech)}
        for rule in found.give_up
    ]
    priced = [
        {"rule": each.rule, **_rule(each.rule, speech, texts), "then": _sentence(each.answer, found.x, speech)}
        for each in found.obstacles
        if each.answer is not None
    ]
    return {**found.to_dict(), "told": {"blocking": blocking, "priced": priced}}


def told_reasons(found: Reasons, explainer: Explainer, language: str) -> dict[str, Any]:
    """Reasons in the project's own words, where it has some."""
    speech, texts = Speech(explainer.wording, language), PAGES[language]
    told = [
        reason.told(language)
        or texts.reason.format(
            name=speech.name(reason.feature),
            value=speech.value(reason.feature, reason.value),
            against=speech.value(reason.feature, reason.against),
        )
        for reason in found.reasons
    ]
    return {**found.to_dict(), "told": [f"{text[:1].upper()}{text[1:]}" for text in told]}


def told_what_if(found: WhatIf, explainer: Explainer, language: str) -> dict[str, Any]:
    """What comes of some changes; what the table does not have in plain words, as ``told``."""
    speech = Speech(explainer.wording, language)
    lacking = outside(explainer.domain, found.x, found.values, speech, OUTSIDES[language])
    return {**found.to_dict(), "told": {"outside": list(lacking)}}


def row_of(found: dict[str, Any]) -> dict[str, Any]:
    """A row of D as JSON has it."""
    return {name: plain(value) for name, value in found.items()}


def _rule(rule: str, speech: Speech, texts: PageTexts) -> dict[str, Any]:
    """A list of PLAF in words, with the feature that it is about; any other rule as it was written."""
    word, _, name = rule.partition(" ")
    if word in LISTS:
        name = name.strip('"').replace('""', '"')
        return {"feature": name, "text": getattr(texts, LISTS[word]).format(name=speech.name(name))}
    return {"feature": None, "text": texts.blocked_rule.format(rule=rule_in_words(rule))}


def _sentence(answer: Counterfactual | None, x: Any, speech: Speech) -> str:
    return "" if answer is None else Told(answer, x, speech).text()
