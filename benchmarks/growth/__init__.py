"""How time and memory grow with the size of D, of the model and of the question: ``python -m benchmarks.growth``."""
