"""Sec. 4.2: where x may go. C ▶ C_x, the distance, and the rows of each group that the rules leave to choose from.

    deployment and feasible space   feasible.py   all that is known before x; x put into it
    rules                           ground.py     C ▶ C_x; forms.py and truth.py: rules over group tables
    distance                        distance.py   dist(x, x_cf), group by group
    check                           check.py      rules on raw values, independent of all the above

Touches data/ and plaf/ only; knows neither candidates nor models.
"""
