"""The printed page of many: a summary, and one line per person with the first plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any

from geco.answers.sheet import page
from geco.answers.speech import written
from geco.answers.texts import texts_of
from geco.answers.texts.sheet import SHEETS, SheetTexts
from geco.answers.values import shorten, show

if TYPE_CHECKING:
    from geco.answers.explanation import Explanation

# The one script of a page: a click on a heading sorts by its column. Without it the table is as it was written.
SORT = """
for (const head of document.querySelectorAll(".rows thead th")) {
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


def batch_sheet(
    explanations: Sequence[Explanation], ids: Sequence[Any] | None, language: str, summary: Any, script: bool
) -> str:
    """The file: ``summary`` is what ``explainer.summary`` gave, or None."""
    numbers, texts = texts_of(language), SHEETS[language]
    statuses = Counter(explanation.status for explanation in explanations)
    counts = "".join(
        f'<tr><th scope="row">{escape(texts.statuses[status])}</th><td>{written(Decimal(count), numbers)}</td>'
        f"<td>{100 * count / len(explanations):.1f} %</td></tr>"
        for status, count in statuses.most_common()
    )
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in _head(texts, ids))
    rows = "".join(
        _row(row, explanation, None if ids is None else ids[row], language, texts)
        for row, explanation in enumerate(explanations)
    )
    body = (
        f"<h1>{escape(texts.batch_title)}</h1><table><tbody>{counts}</tbody></table>{_summary(summary)}"
        f'<h2>{escape(texts.batch_rows)}</h2><div class="rows" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    return page(texts.batch_title, body + (f"<script>{SORT}</script>" if script else ""), language)


def _summary(summary: Any) -> str:
    return "" if summary is None else f'<div class="rows" tabindex="0">{summary._repr_html_()}</div>'


def _head(texts: SheetTexts, ids: Sequence[Any] | None) -> list[str]:
    return [name for position, name in enumerate(texts.batch_head) if position != 1 or ids is not None]


def _row(row: int, explanation: Explanation, id: Any, language: str, texts: SheetTexts) -> str:
    first = explanation.counterfactuals[0] if explanation.counterfactuals else None
    told = explanation.sentence(first, language) if first else (explanation.reason if language == "en" else "")
    named = [] if id is None else [f"<td>{escape(show(id))}</td>"]
    cells = [
        f"<td>{row}</td>",
        *named,
        f"<td>{escape(texts.statuses[explanation.status])}</td>",
        f'<td class="plan-text">{escape(told)}</td>',
        _number(None if first is None else first.distance),
        _number(explanation.outcome),
        _number(None if first is None else first.outcome),
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _number(number: Any) -> str:
    if number is None:
        return "<td></td>"
    return f'<td data-key="{escape(str(number))}">{escape(shorten(number))}</td>'
