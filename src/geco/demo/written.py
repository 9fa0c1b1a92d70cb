"""The demo as a project to play with: geco.toml, rules, table and model in a folder."""

from __future__ import annotations

from importlib.resources import files
from os import PathLike
from pathlib import Path

from geco.demo import GOOD, LABEL, load
from geco.errors import SettingsError
from geco.given import path_of
from geco.project.files import write_new

TOML = f"""# The demo of geco as a project: German credit. All keys: docs/project.md

[data]
source = "german.csv"
label = "{LABEL}"

[model]
file = "model.skops"
target = "{GOOD}"

[rules]
file = "rules.plaf"

[search]
k = 5

[features.job]
kind = "ordinal"
label = "skill level"
values = {{ 0 = "unskilled, not resident", 1 = "unskilled", 2 = "skilled", 3 = "highly skilled" }}

[features.job.de]
label = "Qualifikation"
values = {{ 0 = "ungelernt, nicht ansässig", 1 = "ungelernt", 2 = "gelernt", 3 = "hoch qualifiziert" }}

[features.credit_amount]
label = "amount of the loan"
unit = "DM"
de = {{ label = "Höhe des Kredits" }}

[features.duration]
label = "months to repay"
de = {{ label = "Monate der Laufzeit" }}

[features.age]
unit = "years"
de = {{ label = "Alter", unit = "Jahre" }}

[features.sex]
de = {{ label = "Geschlecht", values = {{ male = "männlich", female = "weiblich" }} }}

[features.housing]
values = {{ own = "own home", rent = "rented", free = "rent-free" }}
de = {{ label = "Wohnung", values = {{ own = "Eigentum", rent = "Miete", free = "mietfrei" }} }}

[features.checking_account]
label = "checking account"
values = {{ not_known = "not known" }}

[features.checking_account.de]
label = "Girokonto"
values = {{ little = "wenig", moderate = "mittel", rich = "viel", not_known = "unbekannt" }}

[features.saving_accounts]
label = "savings"
values = {{ not_known = "not known", "quite rich" = "quite rich" }}

[features.saving_accounts.de]
label = "Ersparnisse"
values = {{ little = "wenig", moderate = "mittel", "quite rich" = "viel", rich = "sehr viel", not_known = "unbekannt" }}

[features.purpose.de]
label = "Zweck"

[features.purpose.de.values]
car = "Auto"
"radio/TV" = "Radio oder Fernseher"
"furniture/equipment" = "Möbel oder Ausstattung"
business = "Geschäft"
education = "Ausbildung"
repairs = "Reparaturen"
"domestic appliances" = "Haushaltsgeräte"
"vacation/others" = "Urlaub oder anderes"

[reasons]
credit_amount = {{ code = "01", text = "The amount of the loan", de = "Die Höhe des Kredits" }}
checking_account = {{ code = "02", text = "The balance of the checking account", de = "Der Stand des Girokontos" }}
saving_accounts = {{ code = "03", text = "The savings", de = "Die Ersparnisse" }}
sex = {{ never = true }}
duration = {{ code = "04", text = "The months to repay", de = "Die Laufzeit" }}
"""


def write_demo(folder: str | PathLike[str]) -> Path:
    """Write the project; the folder is made if need be, and no file in it is overwritten."""
    try:
        from skops.io import dumps
    except ImportError as error:
        raise SettingsError("writing the demo needs skops: pip install 'geco-explain[demo]'") from error
    to = Path(path_of(folder))
    demo = files("geco.demo")
    texts: dict[str, str | bytes] = {
        "german.csv": demo.joinpath("german.csv").read_text(encoding="utf-8"),
        "rules.plaf": demo.joinpath("german.plaf").read_text(encoding="utf-8"),
        "model.skops": dumps(load().model),
        "geco.toml": TOML,
    }
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"cannot make the folder {to}: {error.strerror or error}") from error
    write_new({to / name: text for name, text in texts.items()})
    return to
