"""All experiments, in the order of the paper."""

from __future__ import annotations

from experiments.all_systems import AllSystems
from experiments.constraints import Constraints
from experiments.distance import Distance
from experiments.fig4_tradeoff import Tradeoff
from experiments.fig5_network import Network
from experiments.fig6_breakdown import Breakdown
from experiments.fig7_synthetic import Synthetic
from experiments.harness import Experiment
from experiments.table1_example import Example
from experiments.table2_generations import Generations

EXPERIMENTS: list[Experiment] = [
    Example(), Tradeoff(), Network(), Breakdown(), Synthetic(), Generations(), Constraints(), Distance(), AllSystems(),
]  # fmt: skip
