"""LightGBM: its Booster, and the trees of it and of its scikit-learn interface."""
