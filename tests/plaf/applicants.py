"""The table that the programs of doubtful/ are checked against: 48 applicants, and a label that is excluded."""

from __future__ import annotations

import pandas as pd

from geco.data.database import Database

ROWS = range(48)
FRAME = pd.DataFrame(
    {
        "age": [21 + i % 40 for i in ROWS],
        "gender": [["female", "male"][i % 2] for i in ROWS],
        "job": [["clerk", "nurse", "driver", "none"][i % 4] for i in ROWS],
        "degree": [["none", "bachelor", "master"][i % 3] for i in ROWS],
        "income": [1200.0 + 125 * i for i in ROWS],
        "bonus": [None if i % 9 == 0 else 10.0 * i for i in ROWS],
        "hours-per-week": [10 + i % 31 for i in ROWS],
        "member": [i % 5 == 0 for i in ROWS],
        "since": pd.to_datetime([f"{2010 + i % 12}-03-01" for i in ROWS]),
        "car_bus": [int(i % 3 == 0) for i in ROWS],
        "car_own": [int(i % 3 == 1) for i in ROWS],
        "likes_tea": [int(i % 2 == 0) for i in ROWS],
        "likes_beer": [int(i % 3 == 0) for i in ROWS],
        "children": [i % 4 for i in ROWS],
        "days_since_default": [999999 if i % 7 == 0 else i for i in ROWS],
        "repaid": [["no", "yes"][i % 2] for i in ROWS],
    }
)
APPLICANTS = Database.from_frame(FRAME, exclude=["repaid"])
