"""Sec. 6: the systems the paper compares with, as further methods.

    base.py                           what they share: rows of D as candidates, counting what breaks a rule
    wit.py, certifai.py, simcf.py     searches that only ask
    mace.py                           satisfiability on z3: structure.py, unknowns.py, clauses.py, formula.py, solved.py

May use models/ where a system reads the model's structure (MACE does); nothing imports a baseline but methods.py.
"""
