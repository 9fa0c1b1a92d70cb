"""One module per library whose objects are asked in a way of their own, see wrap.py."""
