"""geco.toml: one file that names table, model, rules and words; one reader for commands, service, batches and Python.

May touch everything up to the Explainer; knows nothing of the command line.
"""
