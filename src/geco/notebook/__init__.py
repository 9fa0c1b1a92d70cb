"""The page's elements in a notebook: Python answers what they ask, and no service runs.

    widget.py    what a user calls          element.py   the widget itself, the only module that needs anywidget
    modules.py   the page's modules as one  answers.py   what the elements ask, answered by the explainer

It may use every other room but the command line.
"""
