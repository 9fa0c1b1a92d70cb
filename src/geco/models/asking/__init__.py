"""The user's own object: what it takes, what it says, and how much may still be asked of it.

    blackbox.py           the object with all geco needs to know to call it
    wrap.py               objects that are not callable on tables ▶ ones that are
    inputs.py, layouts.py row numbers ▶ the table the model takes, in the user's dtypes
    batches.py, stack.py  requests of one or many explanations ▶ few calls
    meter.py              the budget of rows and the clock

The only room that calls the user's object once an Explainer is built. Imports no library: the registry does, by name.
"""
