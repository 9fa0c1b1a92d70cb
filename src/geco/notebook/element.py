"""Element: the widget, which carries questions and answers between the page's elements and an explainer."""

from __future__ import annotations

import json
from typing import Any

import anywidget
import traitlets

from geco.answers.explanation import Explanation
from geco.answers.texts.screen import SCREENS
from geco.notebook.answers import Message, reply
from geco.notebook.modules import one_module
from geco.service.source import Served


class Element(anywidget.AnyWidget):
    """What ``geco.widget`` gives; its ``language`` and ``hide`` may be set later on.

    Attributes
    ----------
    explanation : the last answer that was shown, an ``Explanation``; None before the first one.
    what_if : what the model last said of values that somebody tried, as plain data; None before that.
    """

    _esm = one_module()
    language = traitlets.Enum(list(SCREENS), "en").tag(sync=True)
    hide = traitlets.Unicode("").tag(sync=True)
    show = traitlets.Unicode("plans", read_only=True).tag(sync=True)
    _x = traitlets.Dict(None, allow_none=True).tag(sync=True)
    _texts = traitlets.Dict(SCREENS).tag(sync=True)
    explanation = traitlets.Any(None)
    what_if = traitlets.Any(None)

    def __init__(self, served: Served, x: dict[str, Any] | None, show: str, language: str, hide: str) -> None:
        self._served = served
        self.set_trait("show", show)
        super().__init__(_x=x, language=language, hide=hide)
        self.on_msg(self._heard)

    def _heard(self, _: Any, message: Message, __: Any) -> None:
        said = reply(self._served, message)
        self.send(said)
        if said["status"] != 200:
            return
        if message["path"] == "/v1/plans":
            self.explanation = Explanation.from_dict(json.loads(said["text"])["explanation"])
        elif message["path"] == "/v1/what_if":
            self.what_if = {name: value for name, value in json.loads(said["text"]).items() if name != "told"}

    def __repr__(self) -> str:
        return f"geco.widget(show={self.show!r}), which needs a notebook that shows widgets"
