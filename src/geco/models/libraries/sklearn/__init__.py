"""scikit-learn: trees.py, meta.py (models made of models) and read.py (all others); asked as they are."""
