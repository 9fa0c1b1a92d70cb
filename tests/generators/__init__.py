"""The parts of a random problem: group tables, programs, models. ``strategies.py`` puts them together."""
