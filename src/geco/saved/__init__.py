"""A whole Explainer in one file, and back: plain values and arrays only, so that reading it runs no code.

    container.py   a tree of plain values and arrays ◀▶ the file, checked for damage
    fields.py      a dataclass ◀▶ plain values and arrays, by its type hints
    domain.py      the group tables of D
    dtypes.py      the user's dtypes
    formulas.py    what the preprocessing makes of numbers that D does not have
    model.py       the black box, with the user's model or without
    explainer.py   all of it together

docs/saved.md describes the format.
"""
