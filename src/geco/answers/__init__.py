"""What comes out: Explanation and Explanations, how they are concluded, and how they read.

    explanation.py    Explanation, Counterfactual, Action
    explanations.py   many of them, in row order
    conclude.py       the end of a search: confirm its best by the user's object, say how it ended and why
    progress.py       what can be seen while a search runs
    values.py         how a single value reads; text.py, html.py, sentences.py: how all of it does

Asks the model through its evaluator only, for the confirmation.
"""
