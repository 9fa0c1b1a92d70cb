"""Runs of Algorithm 1 side by side, so that they share model calls; one x is one run.

    lockstep.py    drives the runs: who waits for the model, who for the native core, who may begin
    instances.py   the rows of a frame, one at a time
    collector.py   Python's garbage collector, looking less often meanwhile

Knows runs by what they yield, and nothing of what they search for.
"""
