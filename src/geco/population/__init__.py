"""Sec. 5.1: what has been chosen. Candidates as Δ-representation or naive listing, and what a search proposes.

    base.py      Candidates, Proposal, Outcome: what searches and evaluators say to each other
    delta.py     the Δ-representation
    listing.py   the naive listing

Knows row numbers only: neither rules nor models nor values.
"""
