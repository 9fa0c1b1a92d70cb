"""Sec. 3: the database D, its schema, and its active domain."""
