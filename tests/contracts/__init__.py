"""Suites that every Search and every Model must pass."""
