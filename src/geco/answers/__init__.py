"""What comes out: Explanation and Explanations, how they are concluded, and how they read.

    explanation.py    Explanation, Counterfactual, Action
    explanations.py   many of them, in row order
    conclude.py       the end of a search: confirm its best by the user's object, say how it ended and why
    progress.py       what can be seen while a search runs
    labels.py         what the project calls its features; texts/ the languages; speech.py a value in one of them
    text.py, html.py, sentences.py   all of it in words; asked.py what a rule asks for
    range.py          what else would do

Asks the model through its evaluator only, for the confirmation.
"""
