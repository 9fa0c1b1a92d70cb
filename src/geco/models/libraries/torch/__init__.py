"""PyTorch: geco.Torch and what it makes of a module; layers.py finds the chain of layers that read.py compiles."""
