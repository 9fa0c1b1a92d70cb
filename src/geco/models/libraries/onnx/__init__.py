"""ONNX, run by onnxruntime: sessions and files; graph.py walks the graph, trees, ensemble and dense read it."""
