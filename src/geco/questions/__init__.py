"""What people ask next, one file each.

    asked.py     what if I cannot change this, or not so far? The words of one question, and which of them bind
    recheck.py   do earlier answers hold under a new model, and what replaces the others?

Each asks an Explainer or its parts; none is asked by algorithm1.py.
"""
