"""Naive listing: per candidate the row number of every group, changed or not; for the ablation of Sec. 6.4."""

from geco._core import Listing

__all__ = ["Listing"]
