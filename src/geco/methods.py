"""Names ▶ methods: ours, the paper's, and the systems that the paper compares with.

Classes are named by text and imported when asked for: the paper's peers are seldom wanted.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from geco.errors import SettingsError, did_you_mean, shown
from geco.search.base import Method

METHODS = {
    "frontier": "geco.search.frontier:Frontier",
    "genetic": "geco.search.genetic:Genetic",
    "exact": "geco.search.exact:Exact",
    "wit": "geco.baselines.wit:Wit",
    "certifai": "geco.baselines.certifai:Certifai",
    "simcf": "geco.baselines.simcf:SimCF",
    "mace": "geco.baselines.mace:Mace",
}
# What the others prepare is made of D or of the model itself, and a file holds neither.
SAVED = ("frontier", "genetic", "exact", "simcf")


def class_of(name: str) -> type[Method]:
    """The class that a name stands for.

    Examples
    --------
    >>> class_of("wit").__name__
    'Wit'
    """
    module, _, made = METHODS[name].partition(":")
    return cast("type[Method]", getattr(import_module(module), made))


def saved_name(made: str) -> str | None:
    """The name of the method that a file may hold under the name of its class."""
    return next((name for name in SAVED if METHODS[name].endswith(f":{made}")), None)


def method_of(given: str | Method) -> Method:
    """The method of this name, with its usual settings; an object that is a method as it is."""
    if isinstance(given, str):
        if given not in METHODS:
            hint = did_you_mean(given, list(METHODS))
            raise SettingsError(f"there is no method {shown(given)}{hint}; choose from {', '.join(METHODS)}")
        return class_of(given)()
    if isinstance(given, type) or not hasattr(given, "prepare"):
        raise SettingsError(f"method must be a name or an object such as geco.Genetic(), got {shown(given)}")
    return given
