"""Candidates ▶ outcomes: a proposal is scored by an evaluator, which is made anew for each x.

    base.py          what an evaluator must do, and what scores row numbers for one
    panel.py         the models of an Explainer, one or several
    ways.py          the ways to score, of which a method chooses one
    own.py           the user's object, within the budget of one x
    materialize.py   the black box way: full feature vectors for the user's object
    onrows.py        the compiled way, from row numbers: sweep.py whole lines, specialize.py M_Δ
    together.py      several models that must all agree

Knows proposals and nothing of the search that made them.
"""
