"""Slow, independent versions of what geco computes; each kernel must agree with them."""
