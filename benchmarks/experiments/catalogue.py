"""All experiments, in the order of the paper."""

from __future__ import annotations

from experiments.fig4_tradeoff import Tradeoff
from experiments.fig5_network import Network
from experiments.harness import Experiment
from experiments.table1_example import Example

EXPERIMENTS: list[Experiment] = [Example(), Tradeoff(), Network()]
