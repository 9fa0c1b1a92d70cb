"""geco.widget: plans, what-if and the desk in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geco.answers.texts.page import PAGES
from geco.data.instance import read_instance
from geco.errors import GecoError, SettingsError, did_you_mean
from geco.service.source import Served
from geco.service.telling import row_of

if TYPE_CHECKING:
    from geco.explainer import Explainer
    from geco.notebook.element import Element
    from geco.project.project import Project

SHOWS = ("plans", "whatif", "desk")
HIDDEN = {"plans": "keep", "whatif": "", "desk": "case"}  # a notebook is kept as a whole; x comes from Python


def widget(
    explainer: Explainer | Project, x: Any = None, *, show: str = "plans", language: str = "en", hide: str | None = None
) -> Element:
    """The page's elements in a notebook, answered by this very process: no service, no other host.

    Needs anywidget: ``geco-explain[notebook]``.

    Parameters
    ----------
    explainer : who answers; a project (``geco.open``) brings its table along, so that the desk can show any row of it.
    x : whom it is about, as for ``explain``. Without it a form asks.
    show : ``"plans"`` as an applicant sees them, ``"whatif"`` every feature to move, ``"desk"`` what an officer has.
    language : ``"en"`` or ``"de"``.
    hide : parts to leave out, by name with blanks between them, as in docs/page.md.

    Returns
    -------
    A widget. Its ``explanation`` is the last answer shown, its ``what_if`` the last values tried.

    Examples
    --------
    >>> import geco.demo
    >>> frame, model, database, program = geco.demo.load()
    >>> widget(geco.Explainer(model, database, program, target="good"), frame.iloc[3])
    geco.widget(show='plans'), which needs a notebook that shows widgets
    """
    _check(show, language)
    served = _served(explainer)
    try:
        from geco.notebook.element import Element
    except ImportError as error:
        raise GecoError(f"geco.widget needs {error.name}: pip install 'geco-explain[notebook]'") from error
    given = None if x is None else row_of(read_instance(x, served.explainer.domain))
    if given is None and show != "plans" and served.project is None:
        raise SettingsError(f"show={show!r} needs an x, or a project whose rows it can show")
    hidden = HIDDEN[show] if hide is None and served.project is None else hide or ""
    return Element(served, given, show, language, hidden)


def _served(explainer: Any) -> Served:
    from geco.explainer import Explainer
    from geco.project.project import Project

    if isinstance(explainer, Project):
        return Served(explainer.explainer, explainer)
    if not isinstance(explainer, Explainer):
        raise SettingsError(f"widget needs an Explainer or a Project first, got {type(explainer).__name__}")
    return Served(explainer)


def _check(show: str, language: str) -> None:
    if show not in SHOWS:
        raise SettingsError(f"show={show!r} is none of {', '.join(SHOWS)}{did_you_mean(str(show), SHOWS)}")
    if language not in PAGES:
        raise SettingsError(f"language={language!r} is none of {', '.join(PAGES)}")
