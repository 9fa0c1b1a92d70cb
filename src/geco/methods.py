"""Names ▶ methods: ours, the paper's, and the systems that the paper compares with."""

from __future__ import annotations

from geco.baselines.certifai import Certifai
from geco.baselines.mace import Mace
from geco.baselines.simcf import SimCF
from geco.baselines.wit import Wit
from geco.errors import SettingsError, did_you_mean, shown
from geco.search.base import Method, Searches
from geco.search.exact import Exact
from geco.search.frontier import Frontier
from geco.search.genetic import Genetic

METHODS: dict[str, type[Method]] = {
    "frontier": Frontier,
    "genetic": Genetic,
    "exact": Exact,
    "wit": Wit,
    "certifai": Certifai,
    "simcf": SimCF,
    "mace": Mace,
}
# What the others prepare is made of D or of the model itself, and a file holds neither.
SAVED: dict[str, type[Searches]] = {"frontier": Frontier, "genetic": Genetic, "exact": Exact, "simcf": SimCF}


def method_of(given: str | Method) -> Method:
    """The method of this name, with its usual settings; an object that is a method as it is."""
    if isinstance(given, str):
        if given not in METHODS:
            hint = did_you_mean(given, list(METHODS))
            raise SettingsError(f"there is no method {shown(given)}{hint}; choose from {', '.join(METHODS)}")
        return METHODS[given]()
    if isinstance(given, type) or not hasattr(given, "prepare"):
        raise SettingsError(f"method must be a name or an object such as geco.Genetic(), got {shown(given)}")
    return given
