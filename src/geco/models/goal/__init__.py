"""What counts as good: from what the user says to M(x') in [0, 1], good above 0.5.

    target.py      what the user says: a label, a threshold, an interval, a margin
    goal.py        the same for one model, as a judge of its raw answers
    threshold.py   the threshold that a model brings along

Touches kinds/ for the link only; asks nothing of a model.
"""
