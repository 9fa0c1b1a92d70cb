"""Other systems on the rows of the protocol; dice_runner.py is run by the Python of DiCE's environment."""
