"""report: what an officer prints and a validator keeps.

The ledger of answers given out, records and their replay, and pages to hand out. It reads explanations and asks an
Explainer; nothing below knows of it.
"""
