"""Rich tables: an explanation with features as rows and ways as columns, which fits a terminal of 80 columns.

Unchanged values are dots, so changes stand out without colour too.
"""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from geco.answers.explanation import Action, Explanation
from geco.answers.speech import Speech
from geco.answers.text import fewer_ways, proof_in_words
from geco.answers.values import shorten

NAME, WAY = 16, 7  # narrowest columns: what is longer folds; a distance such as 0.00012 fits
MOST = 10  # that the value of x takes where not all ways fit beside each other


def explanation_tables(explanation: Explanation, every_feature: bool = False) -> list[Table]:
    """x in the first column, then one column per way; in several tables if the terminal is too narrow for one.

    Only changed features are shown unless all are wanted.
    """
    found = len(explanation.counterfactuals)
    together = max(1, (Console().width - NAME - MOST - 4) // (WAY + 2))  # two spaces between columns
    return [_table(explanation, slice(n, n + together), every_feature) for n in range(0, found, together)]


def _table(explanation: Explanation, ways: slice, every_feature: bool) -> Table:
    cfs, speech = explanation.counterfactuals[ways], Speech(explanation.wording)
    part = len(cfs) < len(explanation.counterfactuals)
    changes = [{action.feature: action for action in cf.changes} for cf in cfs]
    before = {name: action.before for change in changes for name, action in change.items()}
    shown = {**explanation.x, **before} if every_feature else before
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("", overflow="fold", min_width=min(NAME, max(len(speech.title(name)) for name in shown)))
    table.add_column("now", overflow="fold", max_width=MOST if part else None)
    widest = WAY if part else None
    for number in range(ways.start + 1, ways.start + len(cfs) + 1):
        table.add_column(f"way {number}", overflow="fold", min_width=WAY, max_width=widest)
    for name, value in shown.items():
        cells = [_cell(change.get(name), speech) for change in changes]
        table.add_row(Text(speech.title(name)), Text(speech.value(name, value)), *cells)
    table.add_section()
    table.add_row("outcome", shorten(explanation.outcome), *(shorten(cf.outcome) for cf in cfs))
    table.add_row("distance", "", *(f"{cf.distance:.2g}" for cf in cfs))
    return table


def _cell(action: Action | None, speech: Speech) -> Text:
    if action is None:
        return Text("·", style="dim")
    return Text(speech.value(action.feature, action.after) + ("*" if action.required_by else ""), style="bold green")


def sentences(explanation: Explanation) -> Table:
    """One sentence per way, numbered, with a hanging indent."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right")
    grid.add_column(overflow="fold")
    for number, cf in enumerate(explanation.counterfactuals, 1):
        grid.add_row(f"{number}.", Text(explanation.sentence(cf)))
    if any(action.required_by for cf in explanation.counterfactuals for action in cf.changes):
        grid.add_row("*", Text("a rule asks for this change", style="dim"))
    for line in fewer_ways(explanation, Speech(explanation.wording)):
        grid.add_row("", Text(line, style="dim"))
    if explanation.counterfactuals and explanation.proven is not None:
        told = proof_in_words(explanation, Speech(explanation.wording))
        grid.add_row("✓" if explanation.proven else "?", Text(told, style="dim"))
    return grid


def effort(explanation: Explanation) -> str:
    """How long it took and how often the model was asked."""
    trace, found = explanation.trace, len(explanation.counterfactuals)
    ways = {0: "Answered", 1: "1 way"}.get(found, f"{found} different ways")
    return (
        f"{ways} in {explanation.seconds:.2f} s, {trace.model_seconds:.2f} s of it in the model "
        f"({trace.model_rows:,} rows, {trace.model_calls} call{'s' if trace.model_calls != 1 else ''})."
    )
