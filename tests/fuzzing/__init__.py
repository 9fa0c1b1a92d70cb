"""A fuzzer of arguments: valid ones with one or two replaced by hostile values. ``tests/fuzz.py`` runs it."""
