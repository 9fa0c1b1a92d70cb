"""Candidates ▶ outcomes: a proposal is scored by an evaluator, which is made anew for each x.

    materialize.py   the black box way: full feature vectors for the user's own object
    onrows.py        the compiled way, from row numbers: sweep.py whole lines, specialize.py M_Δ
    together.py      several models that must all agree
    evaluator.py     which of them it is

Knows proposals and nothing of the search that made them.
"""
