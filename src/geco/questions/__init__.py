"""What people ask next, one file each.

    asked.py        what if I cannot change this, or not so far? The words of one question, and which of them bind
    what_if.py      what if I did this? outside.py: what D does not have
    smallest.py     how far must this one thing move? along.py: the search along it
    obstacles.py    what stands in the way? tried.py: without these rules; blame.py: a smallest set of them to give up
    tradeoffs.py    what may be had for what?
    reasons.py      why was I refused?
    nearest_row.py  who is like me and was approved?
    summary.py      how many can be helped, by what? groups.py: who they are; intervals.py: how sure differences are;
                    moves.py: what they are told to do
    recheck.py      do earlier answers hold under a new model, and what replaces the others?

asks.py is what an Explainer has of them, asking.py how they ask, shown.py how they read, pictures/ how they look. Each
asks an Explainer's parts; none is asked by algorithm1.py.
"""
