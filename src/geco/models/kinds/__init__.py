"""What a compiled model is: arrays and the arithmetic of the library they come from, on encoded columns.

    forest.py    trees, alone or many
    network.py   layers of a network
    linear.py    a weighted sum
    blend.py     models made of these, and the name of all of them: Kind
    link.py      from sums to the number the model says

Plain values: nothing here knows where arrays came from, what is good, or a table of the user's.
"""
