"""Explanations: the answers to many questions, in the order they were asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from geco.answers.batchsheet import batch_sheet
from geco.answers.columns import column_dtype, free_name, range_columns
from geco.answers.explanation import Explanation
from geco.errors import MOST_SHOWN, GecoError
from geco.files import write_text
from geco.given import switch
from geco.whole import counted

if TYPE_CHECKING:
    import pandas as pd


UNKNOWN = math.nan  # one object, so that two batches with such a row can be equal


class Explanations(Sequence[Explanation]):
    """One Explanation per row, in row order; a list that cannot be changed.

    Examples
    --------
    >>> Explanations([never_begun({"age": 22}, "P(good) > 0.5")])
    <Explanations of 1 row: 1 none found>

    ``ids`` are those of the rows, in the same order, if a column of them was named.
    """

    def __init__(
        self, explanations: Iterable[Explanation], ids: Iterable[Any] | None = None, id: str | None = None
    ) -> None:
        self._all = tuple(explanations)
        self.ids = None if ids is None else tuple(ids)
        self._id = id

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, row: int) -> Explanation: ...
    @overload
    def __getitem__(self, row: slice) -> Explanations: ...
    def __getitem__(self, row: int | slice) -> Explanation | Explanations:
        if not isinstance(row, slice):
            return self._all[row]
        return Explanations(self._all[row], None if self.ids is None else self.ids[row], self._id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explanations) and self._all == other._all

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        statuses = Counter(explanation.status.replace("_", " ") for explanation in self._all)
        shown = ", ".join(f"{number} {status}" for status, number in statuses.most_common())
        return f"<Explanations of {counted(len(self), 'row')}{': ' if shown else ''}{shown}>"

    def _repr_html_(self) -> str:
        shown = "".join(self._html_row(row, each) for row, each in enumerate(self._all[:MOST_SHOWN]))
        more = len(self) - MOST_SHOWN
        below = f"<div>… and {more:,} more</div>" if more > 0 else ""
        head = "<tr><th>row</th><th>status</th><th>ways</th><th>the nearest</th></tr>"
        return f"<div>{escape(repr(self)[1:-1])}<table>{head}{shown}</table>{below}</div>"

    def _html_row(self, row: int, explanation: Explanation) -> str:
        found = explanation.counterfactuals
        told = explanation.sentence(found[0]) if found else explanation.reason
        name = row if self.ids is None else self.ids[row]
        cells = (name, explanation.status.replace("_", " "), len(found), told)
        return f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>"

    def to_dicts(self) -> list[dict[str, Any]]:
        """``to_dict`` of each, see docs/explanation.schema.json."""
        return [explanation.to_dict() for explanation in self._all]

    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        *,
        language: str = "en",
        summary: object = None,
        script: bool = True,
    ) -> str:
        """One self-contained page about all of them; gives the HTML, and writes it where a path is given.

        Parameters
        ----------
        path : of the file; an older one is replaced.
        language : ``"en"`` or ``"de"``.
        summary : what ``explainer.summary`` gave, to stand before the rows.
        script : let a click on a heading sort the rows; a page without any script is the same but for that.
        """
        html = batch_sheet(self._all, self.ids, language, summary, switch("script", script))
        if path is not None:
            write_text(path, html)
        return html

    def to_frame(self) -> pd.DataFrame:
        """One row per counterfactual: the number of its row (from 0), its id if rows have one, its place, the features,
        distance and outcome, then per changed feature what else would do, as `Explanation.to_frame` has it.

        Rows without counterfactuals do not appear. A feature called row, place, distance or outcome keeps its name; our
        column gets an underscore at its end.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise GecoError("to_frame needs pandas, which is not installed; install it or use to_dicts()") from error
        found = [
            (row, place, cf)
            for row, explanation in enumerate(self._all)
            for place, cf in enumerate(explanation.counterfactuals, 1)
        ]
        features = list(found[0][2].values) if found else []
        row, place, distance, outcome = (free_name(n, features) for n in ("row", "place", "distance", "outcome"))
        columns: dict[str, list[Any]] = {row: [r for r, _, _ in found]}
        if self.ids is not None:
            columns[self._id or "id"] = [self.ids[r] for r, _, _ in found]
        columns[place] = [p for _, p, _ in found]
        columns |= {name: [cf.values[name] for _, _, cf in found] for name in features}
        columns |= {distance: [cf.distance for _, _, cf in found], outcome: [cf.outcome for _, _, cf in found]}
        columns |= range_columns([cf for _, _, cf in found], columns)
        return pd.DataFrame({name: pd.Series(values, dtype=column_dtype(values)) for name, values in columns.items()})


def failed(x: Any, target: str, error: GecoError) -> Explanation:
    """What stands for a row that could not be explained."""
    return Explanation(_as_given(x), UNKNOWN, target, "failed", "error", str(error))


def never_begun(x: Any, target: str) -> Explanation:
    """What stands for a row that the deadline did not reach."""
    reason = "The deadline was reached before this row was begun."
    return Explanation(_as_given(x), UNKNOWN, target, "none_found", "deadline", reason)


def _as_given(x: Any) -> dict[str, Any]:
    try:
        if isinstance(x, Mapping):
            return dict(x)
        return dict(x.items()) if getattr(x, "ndim", None) == 1 and hasattr(x, "items") else {}
    except Exception:  # an object of the user's that raises
        return {}
