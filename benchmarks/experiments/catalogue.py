"""All experiments, in the order of the paper."""

from __future__ import annotations

from benchmarks.experiments.all_systems import AllSystems
from benchmarks.experiments.constraints import Constraints
from benchmarks.experiments.distance import Distance
from benchmarks.experiments.fig4_tradeoff import Tradeoff
from benchmarks.experiments.fig5_network import Network
from benchmarks.experiments.fig6_breakdown import Breakdown
from benchmarks.experiments.fig7_synthetic import Synthetic
from benchmarks.experiments.harness import Experiment
from benchmarks.experiments.table1_example import Example
from benchmarks.experiments.table2_generations import Generations

EXPERIMENTS: list[Experiment] = [
    Example(), Tradeoff(), Network(), Breakdown(), Synthetic(), Generations(), Constraints(), Distance(), AllSystems(),
]  # fmt: skip
