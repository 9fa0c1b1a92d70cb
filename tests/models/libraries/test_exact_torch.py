"""Modules of PyTorch give the same numbers compiled as asked themselves, up to the rounding of their float32 sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from exact_data import Data, adult, compas, credit, german, number, plain, three, title
from exactness import Case, compare
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import geco

torch = pytest.importorskip("torch")
nn = torch.nn
SINGLE = 1e-6  # this near the threshold the rounding of float32 decides


def network(*layers: Any) -> Callable[[int], Any]:
    """A module on so many columns; the first Linear is put in front of the layers."""
    return lambda width: nn.Sequential(nn.Linear(width, 16), *layers)


def trained(
    options: str,
    layers: Callable[[int], Any],
    data: Data = plain,
    output: str | None = None,
    double: bool = False,
    within: float = SINGLE,
) -> Case:
    """Behind a scaler and a one-hot encoder, and trained for a few steps, so that its norms have something to say."""

    def fit() -> tuple[Any, Any]:
        torch.manual_seed(0)
        x, y = data()
        encoder = make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include="category")),
            remainder=StandardScaler(),
            sparse_threshold=0,
        )
        kind = torch.float64 if double else torch.float32
        inputs = torch.as_tensor(encoder.fit_transform(x), dtype=kind)
        module = layers(inputs.shape[1]).to(kind)
        learn(module, inputs, torch.as_tensor(np.asarray(y, np.float64), dtype=kind))
        return geco.Torch(module.eval(), output=output, preprocess=encoder), x

    return Case("nn.Sequential", options, title(data), fit, unseen=True, within=within, exempt=within)


def learn(module: Any, inputs: Any, wanted: Any) -> None:
    """A few steps towards the wanted numbers; what the loss is does not matter here."""
    steps = torch.optim.Adam(module.parameters(), 0.01)
    for _ in range(40):
        steps.zero_grad()
        answer = module(inputs)
        loss = ((answer[:, -1] - wanted) ** 2).mean() - 0.01 * answer.std()
        loss.backward()
        steps.step()


def end(outputs: int = 1) -> tuple[Any, ...]:
    return nn.Linear(16, outputs), nn.Sigmoid() if outputs == 1 else nn.Softmax(dim=1)


ACTIVATIONS = [
    nn.ReLU(),
    nn.Tanh(),
    nn.Sigmoid(),
    nn.LeakyReLU(0.2),
    nn.ELU(0.7),
    nn.GELU(),
    nn.GELU(approximate="tanh"),
]
CASES = [
    *(trained(str(activation), network(activation, *end())) for activation in ACTIVATIONS),
    trained("BatchNorm1d after Linear", network(nn.BatchNorm1d(16), nn.ReLU(), *end())),
    trained("BatchNorm1d after ReLU", network(nn.ReLU(), nn.BatchNorm1d(16), *end())),
    trained(
        "BatchNorm1d between ReLU and Tanh", network(nn.ReLU(), nn.BatchNorm1d(16, affine=False), nn.Tanh(), *end())
    ),
    trained(
        "BatchNorm1d first",
        lambda n: nn.Sequential(nn.BatchNorm1d(n), nn.Flatten(), nn.Linear(n, 16), nn.ReLU(), *end()),
    ),
    trained("LayerNorm", network(nn.LayerNorm(16), nn.ReLU(), nn.Dropout(0.3), *end())),
    trained("LayerNorm first", lambda n: nn.Sequential(nn.LayerNorm(n), nn.Linear(n, 16), nn.GELU(), *end())),
    trained(
        "nested", network(nn.Sequential(nn.ReLU(), nn.Sequential(nn.Linear(16, 16), nn.ELU())), nn.Identity(), *end())
    ),
    trained(
        "logits, three layers", network(nn.ReLU(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1)), credit, "logit"
    ),
    trained("logits of three classes", network(nn.ReLU(), nn.Linear(16, 3)), three, "logit"),
    trained("Softmax of two classes", network(nn.ReLU(), *end(2)), compas),
    trained("Softmax of three classes", network(nn.Tanh(), nn.LayerNorm(16), *end(3)), three),
    trained("number", network(nn.ReLU(), nn.Linear(16, 1)), number, "number"),
    trained("number, ends in ELU", network(nn.ReLU(), nn.Linear(16, 1), nn.ELU()), number, "number"),
    trained("float64", network(nn.GELU(), nn.BatchNorm1d(16), *end()), german, double=True, within=1e-12),
    trained("ReLU", network(nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), *end()), adult),
    trained("Linear only", lambda n: nn.Sequential(nn.Linear(n, 1), nn.Sigmoid())),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_compiled_module_decides_as_the_users_model_on_every_row(case: Case) -> None:
    result = compare(case, rows=2_000)

    assert result.disagreements == 0
    assert result.difference <= case.within
