"""What people ask next, one file each.

    recheck.py   do earlier answers hold under a new model, and what replaces the others?

Each asks an Explainer or its parts; none is asked by algorithm1.py.
"""
