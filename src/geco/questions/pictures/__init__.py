"""Pictures of the answers, drawn by matplotlib (extra ``plot``), which is imported only when one is asked for.

style.py       colours that everybody can tell apart, axes and names
curve.py       smallest: the model along one feature
front.py       tradeoffs
bars.py        summary
prices.py      obstacles and reasons
staircase.py   the steps of an answer
strips.py      where x and an answer stand among the people of D
"""
