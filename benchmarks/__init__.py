"""What is measured, run from the root of the repository: ``python -m benchmarks.acceptance.compiled time``.

acceptance/ has the figures that a change must keep, growth/ how time and memory grow with the size of the problem,
peers/ other systems on the same rows, experiments/ the paper's. Shared parts are beside them: data sets, fitted
models, the methods by name, the protocol that other tools were measured with, synthetic tables, the report. Judges
come from tests/oracles.
"""
