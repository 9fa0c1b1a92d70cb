"""The summary on the page of many: groups side by side, the most frequent steps, rules in the way, differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from html import escape
from typing import Any

from geco.answers.speech import Speech, written
from geco.answers.texts.batch import BATCHES, BatchTexts
from geco.answers.values import is_missing, shorten

MOST = 8  # steps and rules that are listed


def summary_part(summary: Any, language: str) -> str:
    """``summary`` is what ``explainer.summary`` gave."""
    speech, texts = Speech(summary.wording, language), BATCHES[language]
    everyone = summary.everyone
    found = round(everyone.helped * everyone.asking) if everyone.asking else 0
    moves = [(_move(move, speech, texts), move.people, found) for move in everyone.moves[:MOST]]
    rules = [(each.rule, each.people, each.asked) for each in everyone.blocking[:MOST]]
    return "".join(
        [
            f"<h2>{escape(texts.summary)}</h2>{_groups(summary, speech, texts)}",
            _shares(texts.moves, texts.moves_note, moves, speech, texts),
            _shares(texts.blocking, texts.blocking_note.format(asked=summary.asked), rules, speech, texts),
            _differences(summary.differences, speech, texts),
        ]
    )


def _groups(summary: Any, speech: Speech, texts: BatchTexts) -> str:
    each = [summary.everyone, *summary.groups]
    lines = {
        "people": [whole(group.people, speech) for group in each],
        "already_good": [whole(group.already_good, speech) for group in each],
        "asking": [whole(group.asking, speech) for group in each],
        "helped": [percent(group.helped, speech) for group in each],
        "cost": [point(shorten(group.cost.get(0.5)), speech) for group in each],
        "changes": [_mean(group.changes, speech) for group in each],
    }
    by = "" if summary.by is None else speech.title(summary.by)
    values = [_group(summary.by, group.name, speech) for group in summary.groups]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (texts.everyone, *values))
    rows = "".join(
        f'<tr><th scope="row">{escape(texts.measures[name])}</th>{cells(figures)}</tr>'
        for name, figures in lines.items()
    )
    table = f"<table><thead><tr><td>{escape(by)}</td>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="rows" tabindex="0" role="region" aria-label="{escape(texts.summary)}">{table}</div>'


def cells(figures: Iterable[str]) -> str:
    return "".join(f"<td>{escape(figure)}</td>" for figure in figures)


def _group(by: str | None, name: str, speech: Speech) -> str:
    """The group's value as people know it."""
    if by is None:
        return name
    if by in speech.wording.flags and name in ("0", "1"):
        return speech.value(by, int(name))
    return speech.named(by, name) or name


def _move(move: Any, speech: Speech, texts: BatchTexts) -> str:
    """A frequent step in the words of a plan."""
    name, label = speech.name(move.feature), speech.label(move.feature)
    if move.verb in ("raise", "lower"):
        verb = (label.up or speech.texts.up) if move.verb == "raise" else (label.down or speech.texts.down)
        size = point(shorten(move.typical), speech) + (f" {label.unit}" if label.unit else "")
        text = texts.typical.format(text=f"{verb} {name}", number=size)
    elif move.verb == "leave blank":
        text = speech.texts.leave.format(name=name)
    else:
        text = texts.becomes.format(name=name, value=speech.value(move.feature, move.to))
    return f"{text[0].upper()}{text[1:]}"


def _shares(title: str, note: str, rows: Sequence[tuple[str, int, int]], speech: Speech, texts: BatchTexts) -> str:
    if not rows:
        return ""
    body = "".join(
        f'<tr><th scope="row">{escape(text)}</th><td>{bar(people / max(1, of))}'
        f"{escape(texts.people_of.format(people=whole(people, speech), all=whole(of, speech)))}</td></tr>"
        for text, people, of in rows
    )
    return (
        f'<h2>{escape(title)}</h2><table class="shares"><tbody>{body}</tbody></table>'
        f'<p class="soft small">{escape(note)}</p>'
    )


def bar(share: float) -> str:
    """A share as a bar; the figure stands beside it."""
    wide = f"{100 * min(1.0, share):.1f}"
    return (
        '<svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="100" height="6"/><rect class="part" width="{wide}" height="6"/></svg>'
    )


def _differences(differences: Iterable[Any], speech: Speech, texts: BatchTexts) -> str:
    lines = []
    for each in differences:
        helped = each.measure == "helped"
        form = texts.more_helped if helped else texts.dearer
        if each.too_few:
            about = form.partition(":")[0]
            lines.append(texts.too_few.format(measure=about, group=each.group, than=each.than, people=each.people))
            continue
        value, low, high = (
            point(f"{100 * number:.1f}" if helped else shorten(number), speech)
            for number in (each.value, each.low, each.high)
        )
        lines.append(form.format(group=each.group, than=each.than, value=value, low=low, high=high))
    if not lines:
        return ""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    note = f'<p class="soft small">{escape(texts.differences_note)}</p>'
    return f"<h2>{escape(texts.differences)}</h2><ul>{items}</ul>{note}"


def whole(number: int, speech: Speech) -> str:
    return written(Decimal(number), speech.texts)


def percent(share: float, speech: Speech) -> str:
    return "–" if is_missing(share) else f"{point(f'{100 * share:.1f}', speech)}\N{NO-BREAK SPACE}%"


def _mean(changes: dict[int, int], speech: Speech) -> str:
    people = sum(changes.values())
    return point(f"{sum(n * count for n, count in changes.items()) / people:.1f}", speech) if people else "–"


def point(text: str, speech: Speech) -> str:
    """A short number with the point of the language; what is none stays."""
    try:
        number = Decimal(text)
    except ArithmeticError:
        return text
    return f"{number:f}".replace(".", speech.texts.decimal) if abs(number) < 1_000 else written(number, speech.texts)
