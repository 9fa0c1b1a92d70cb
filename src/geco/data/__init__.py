"""Sec. 3: the database D, its schema, and its active domain."""

from geco.data.database import Database
from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.data.schema import Feature, Kind, Schema, Type
from geco.data.spread import Spread

__all__ = ["Database", "Domain", "Feature", "GroupTable", "Kind", "Schema", "Spread", "Type"]
