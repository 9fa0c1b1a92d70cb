"""What every search and every model must do. Methods and libraries are enrolled by their registries, not by hand.

searches.py plays the games that test_searches.py judges; models.py is inherited by every class of test_models.py.
"""
