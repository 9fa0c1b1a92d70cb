"""The user's object: what it takes, what it says, and how much may still be asked of it.

    called.py, wrap.py    the object as it is called; objects that take no tables ▶ ones that do
    blackbox.py           that, with what it is shown and what its answers mean
    inputs.py, layouts.py row numbers ▶ the table the model takes, in the user's dtypes
    batches.py, stack.py  requests of one or many explanations ▶ few calls
    meter.py              the budget of rows and the clock

The only room that calls the user's object once an Explainer is built. Imports no library: the registry does, by name.
"""
