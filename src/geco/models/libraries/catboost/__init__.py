"""CatBoost: its plain model, and the trees of all its models; columns.py and cityhash.py: what trees ask of a row."""
