"""One module per library: how its fitted models are read into arrays."""
