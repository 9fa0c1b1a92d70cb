"""Sec. 4: how to choose. ``ask`` proposes candidates, ``tell`` takes what the model said of them.

    base.py                           what every search and method must do, and the archive of all that was scored
    frontier.py                       ours, the default
    genetic.py                        the paper's: mutate.py, crossover.py, select.py
    exact.py                          trees and forests: the nearest answer, proved

Never imports models/: a search sees outcomes and no model.
"""
