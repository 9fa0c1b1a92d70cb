"""The printed page of many: a summary, and one line per person with the first plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from geco.answers.batchsummary import bar, percent, point, summary_part, whole
from geco.answers.labels import Wording
from geco.answers.sheet import in_short, page
from geco.answers.speech import Speech
from geco.answers.texts.batch import BATCHES, BatchTexts
from geco.answers.texts.sheet import SHEETS
from geco.answers.values import shorten, show

if TYPE_CHECKING:
    from geco.answers.explanation import Explanation

# The one script of a page: a click on a heading sorts by its column. Without it the table is as it was written.
SORT = """
for (const head of document.querySelectorAll(".people thead th")) {
  if (!head.textContent.trim()) continue;
  const button = document.createElement("button");
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const body = head.closest("table").tBodies[0], column = head.cellIndex;
    const down = head.ariaSort === "ascending" ? -1 : 1;
    for (const other of head.parentNode.cells) other.ariaSort = null;
    head.ariaSort = down > 0 ? "ascending" : "descending";
    const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
    const by = (a, b) => down * key(a).localeCompare(key(b), undefined, { numeric: true });
    body.append(...[...body.rows].sort(by));
  });
}
"""


@dataclass(frozen=True)
class Drawn:
    """Of more rows than a page can show: the numbers of those that are shown, and how all of them ended."""

    numbers: Sequence[int]
    statuses: Mapping[str, int]


def batch_sheet(
    explanations: Sequence[Explanation],
    ids: Sequence[Any] | None,
    language: str,
    summary: Any,
    script: bool,
    drawn: Drawn | None = None,
) -> str:
    """The file: ``summary`` is what ``explainer.summary`` gave, or None."""
    texts, speech = BATCHES[language], Speech(Wording(), language)
    statuses = Counter(drawn.statuses if drawn else [explanation.status for explanation in explanations])
    numbers, all_rows = drawn.numbers if drawn else range(len(explanations)), statuses.total()
    counts = "".join(
        f'<tr><th scope="row">{escape(SHEETS[language].statuses[status])}</th><td>{bar(count / all_rows)}'
        f"{whole(count, speech)}\N{NO-BREAK SPACE}({percent(count / all_rows, speech)})</td></tr>"
        for status, count in statuses.most_common()
    )
    told = texts.drawn.format(rows=whole(len(explanations), speech), all=whole(all_rows, speech))
    note = f"<p>{escape(told)}</p>" if all_rows > len(explanations) else ""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in _head(texts, ids))
    rows = "".join(
        _row(numbers[i], explanation, None if ids is None else ids[i], language, speech)
        for i, explanation in enumerate(explanations)
    )
    body = (
        f'<h1>{escape(texts.title)}</h1><table class="shares"><tbody>{counts}</tbody></table>{note}'
        f"{'' if summary is None else summary_part(summary, language)}"
        f'<h2>{escape(texts.rows)}</h2><div class="rows people" tabindex="0" role="region" '
        f'aria-label="{escape(texts.rows)}"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )
    return page(texts.title, body + (f"<script>{SORT}</script>" if script else ""), language)


def _head(texts: BatchTexts, ids: Sequence[Any] | None) -> list[str]:
    return [name for position, name in enumerate(texts.head) if position != 1 or ids is not None]


def _row(row: int, explanation: Explanation, id: Any, language: str, speech: Speech) -> str:
    first = explanation.counterfactuals[0] if explanation.counterfactuals else None
    told = explanation.sentence(first, language) if first else in_short(explanation, language)
    named = [] if id is None else [f"<td>{escape(show(id))}</td>"]
    cells = [
        f"<td>{row}</td>",
        *named,
        f"<td>{escape(SHEETS[language].statuses[explanation.status])}</td>",
        f'<td class="plan-text">{escape(told)}</td>',
        *(_number(each, speech) for each in (first and first.distance, explanation.outcome, first and first.outcome)),
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _number(number: Any, speech: Speech) -> str:
    if number is None:
        return "<td></td>"
    return f'<td data-key="{escape(str(number))}">{escape(point(shorten(number), speech))}</td>'
