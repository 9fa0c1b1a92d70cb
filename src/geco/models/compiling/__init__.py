"""The user's object ▶ a compiled model over encoded group tables, tried before it is used.

    adapt.py           the object in arrays, or why it stays a black box
    preprocessing.py   the user's preprocessing as geco calls it
    encode.py          that, run once over each group's table; separable.py checks that this is all there is to it
    compiled.py        arrays and tables in the native core, held against the user's answers
    conditions.py      what good means in sums before the link, for proofs

Asks the user's object on rows of D only, when an Explainer is built.
"""
