"""Δ-representation (Sec. 5.1): per candidate only the groups of its Δ set with their row numbers, in flat arrays.

R_Δ of the paper is the slice of candidates with one Δ set. The arrays live in the native core.
"""

from geco._core import Delta

__all__ = ["Delta"]
