"""PyTorch modules explained from end to end: compiled, asked, and what is said where a module cannot be understood."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import geco
from geco.models.compiling.adapt import NotCompiled, adapt
from geco.models.libraries.reading import Adapted

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
NUMERIC = ["income", "debt", "years"]


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "income": rng.normal(size=400).round(2),
            "debt": rng.normal(size=400).round(2),
            "years": rng.integers(0, 9, 400),
            "job": rng.choice(["clerk", "nurse", "pilot"], 400),
        }
    )


@pytest.fixture(scope="module")
def encoder(frame: pd.DataFrame) -> Any:
    made = make_column_transformer((OneHotEncoder(), ["job"]), (StandardScaler(), NUMERIC), sparse_threshold=0)
    return made.fit(frame)


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


def sequential(width: int = 3, *end: Any) -> Any:
    return wide(nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, 1), *end)).eval()


def wide(module: Any) -> Any:
    """With larger weights and no biases: answers on both sides of the threshold without training."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            parameter *= 0 if name.endswith("bias") else 4
    return module


def explained(model: Any, frame: pd.DataFrame, **options: Any) -> tuple[str, geco.Explanation]:
    """What became of the model, and the explanation of an instance that it does not call good."""
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), **options)
    explanations = explainer.explain_many(frame[:20], k=1)
    return explainer.describe(), next(e for e in explanations if e.status != "already_good")


class Net(nn.Module):  # type: ignore[misc,name-defined]
    """As the tutorials write it."""

    def __init__(self, width: int = 3) -> None:
        super().__init__()
        self.stack = nn.Sequential(nn.Linear(width, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.out = nn.Linear(8, 1)

    def forward(self, x):  # type: ignore[no-untyped-def]
        hidden = F.dropout(F.leaky_relu(self.stack(torch.flatten(x, 1)), 0.3), 0.2, training=self.training)
        return torch.sigmoid(self.out(hidden)).squeeze(-1)


class Skip(nn.Module):  # type: ignore[misc,name-defined]
    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 1)

    def forward(self, x: Any) -> Any:
        return torch.sigmoid(self.two(x + torch.relu(self.one(x))))


def test_a_module_that_ends_in_sigmoid_is_taken_as_it_is_and_compiled(frame: pd.DataFrame) -> None:
    described, explanation = explained(sequential(3, nn.Sigmoid()), frame[NUMERIC])

    assert "Sequential.predict_proba on array input, compiled: a network over 3 encoded columns" in described
    assert explanation.counterfactuals[0].confirmed and explanation.trace.model_calls == 1


def test_a_module_behind_a_transformer_is_compiled_with_it(frame: pd.DataFrame, encoder: Any) -> None:
    model = geco.Torch(sequential(6), output="logit", preprocess=encoder)
    described, explanation = explained(model, frame)

    assert "compiled: a network over 6 encoded columns" in described
    assert explanation.counterfactuals[0].confirmed


def test_a_module_behind_a_function_of_the_table_is_compiled_with_it(frame: pd.DataFrame) -> None:
    def numbers(table: pd.DataFrame) -> Any:
        return torch.tensor(table[NUMERIC].to_numpy() / 3, dtype=torch.float32)

    model = geco.Torch(sequential(), output="logit", preprocess=numbers, columns=NUMERIC)
    described, _ = explained(model, frame)

    assert "compiled: a network over 3 encoded columns" in described
    assert "job: 3 rows, categorical, not read by the model" in described


def test_a_forward_written_by_the_user_is_traced_and_compiled(frame: pd.DataFrame) -> None:
    described, explanation = explained(wide(Net()).eval(), frame[NUMERIC])

    assert "Net.predict_proba on array input, compiled: a network" in described
    assert explanation.counterfactuals[0].confirmed


@pytest.mark.parametrize("make", ["script", "trace", "export"])
def test_scripted_and_exported_programs_are_asked(make: str, frame: pd.DataFrame) -> None:
    net, sample = wide(Net()).eval(), torch.zeros(2, 3)
    batch = {0: torch.export.Dim("batch")}
    made = {
        "script": lambda: torch.jit.script(net),
        "trace": lambda: torch.jit.trace(net, sample),
        "export": lambda: torch.export.export(net, (sample,), dynamic_shapes=(batch,)),
    }[make]()
    described, explanation = explained(geco.Torch(made, output="probability"), frame[NUMERIC])

    assert "a black box" in described
    assert explanation.counterfactuals[0].confirmed


def test_a_module_that_is_not_a_chain_is_a_black_box_with_the_reason(frame: pd.DataFrame) -> None:
    described, explanation = explained(geco.Torch(wide(Skip()).eval(), output="probability"), frame[NUMERIC])

    assert "a black box: the forward of Skip is not one straight chain" in described
    assert explanation.counterfactuals[0].confirmed


def test_a_module_of_two_arguments_takes_what_its_preprocessing_gives(frame: pd.DataFrame) -> None:
    class Two(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.jobs, self.out = nn.Embedding(3, 2), nn.Linear(5, 1)

        def forward(self, job: Any, x: Any) -> Any:
            return self.out(torch.cat([self.jobs(job), x], dim=1))

    def tensors(table: pd.DataFrame) -> Any:
        job = torch.tensor(table.job.map({"clerk": 0, "nurse": 1, "pilot": 2}).to_numpy())
        return job, torch.tensor(table[NUMERIC].to_numpy(), dtype=torch.float32)

    described, explanation = explained(geco.Torch(wide(Two()).eval(), output="logit", preprocess=tensors), frame)

    assert "a black box" in described and explanation.counterfactuals[0].confirmed


def test_several_classes_have_the_labels_they_are_given(frame: pd.DataFrame) -> None:
    module = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3)).eval()
    model = geco.Torch(module, output="logit", classes=["low", "mid", "high"])
    described, _ = explained(model, frame[NUMERIC], target="high")

    assert "prediction 'high'" in described and "compiled" in described


def test_a_regression_has_an_interval_for_a_target(frame: pd.DataFrame) -> None:
    described, explanation = explained(geco.Torch(sequential(), output="number"), frame[NUMERIC], target=(0.2, None))

    assert "Torch.predict on" in described and explanation.counterfactuals[0].outcome >= 0.2


def test_the_module_itself_and_its_mode_are_not_changed(frame: pd.DataFrame) -> None:
    module = sequential(3, nn.Sigmoid()).train()
    before = [p.detach().clone() for p in module.parameters()]
    explained(module, frame[NUMERIC])

    assert module.training
    assert all(torch.equal(a, b) and b.grad is None for a, b in zip(before, module.parameters(), strict=True))


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (sequential(3), "ends in Linear, so it is not known what its numbers are; say geco.Torch"),
        (nn.Sequential(nn.Linear(3, 2), nn.LogSoftmax(1)), "ends in LogSoftmax"),
        (wide(Skip()).eval(), "does not end in a Sigmoid or Softmax that geco can see"),
        (nn.Sequential(nn.Linear(3, 8), nn.Dropout(), nn.Linear(8, 1), nn.Sigmoid()), "call its eval"),
        (Net(), "call its eval"),
        (sequential(5, nn.Sigmoid()), "fitted on 5 columns but D has 3"),
    ],
)
def test_a_module_that_cannot_be_understood_says_what_to_do(module: Any, message: str, frame: pd.DataFrame) -> None:
    with pytest.raises(geco.GecoError, match=message):
        geco.Explainer(module, geco.Database.from_frame(frame[NUMERIC]))


def test_text_without_preprocessing_says_what_to_give(frame: pd.DataFrame) -> None:
    with pytest.raises(geco.GecoError, match=r"column 'job' holds .* preprocess="):
        geco.Explainer(geco.Torch(sequential(4), output="logit"), geco.Database.from_frame(frame))


@pytest.mark.parametrize(
    ("options", "message"),
    [({"output": "logits"}, "output must be"), ({"output": "logit", "preprocess": 3}, "preprocess must be")],
)
def test_options_that_make_no_sense_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(geco.GecoError, match=message):
        geco.Torch(sequential(), **options)


@pytest.mark.parametrize("last", [nn.Sigmoid(), nn.Softmax(1)])
def test_probabilities_are_not_taken_for_logits(last: Any) -> None:
    with pytest.raises(geco.GecoError, match=r"ends in S\w+, so its numbers are probabilities and no logits"):
        geco.Torch(sequential(3, last), output="logit")


@pytest.mark.parametrize("module", [3, nn.Linear])
def test_something_that_is_not_a_module_is_refused(module: Any) -> None:
    with pytest.raises(geco.GecoError, match=r"module must be an nn\.Module"):
        geco.Torch(module, output="logit")


def hooked() -> Any:
    module = sequential(3, nn.Sigmoid())
    module[0].register_forward_hook(lambda layer, given, answer: answer * 2)
    return module


@pytest.mark.parametrize(
    ("module", "output", "reason"),
    [
        (hooked(), "probability", "has a forward hook"),
        (nn.Sequential(nn.Linear(3, 1), nn.SiLU()), "number", "SiLU layer"),
        (nn.Sequential(nn.Linear(3, 2), nn.Softmax(0)), "probability", "over rows"),
        (nn.Sequential(nn.BatchNorm1d(3, track_running_stats=False), nn.Linear(3, 1)), "logit", "other rows"),
        (nn.Sequential(nn.Flatten(), nn.Sigmoid()), "probability", "it has no Linear layer"),
        (
            nn.Sequential(torch.nn.utils.parametrizations.weight_norm(nn.Linear(3, 1))),
            "logit",
            "not one straight chain",
        ),
    ],
    ids=["hook", "unknown layer", "softmax over rows", "batch statistics", "no layer", "parametrized"],
)
def test_a_chain_that_cannot_be_compiled_says_why(module: Any, output: Any, reason: str) -> None:
    adapted = adapt(geco.Torch(module.eval(), output=output), "predict_proba")

    assert isinstance(adapted, NotCompiled) and reason in adapted.reason


def test_a_function_in_a_forward_is_compiled_as_the_layer_it_stands_for() -> None:
    class Functions(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(5)])

        def forward(self, x: Any) -> Any:
            calls = [torch.tanh, F.gelu, lambda v: F.elu(v, 0.5), lambda v: v.relu(), lambda v: F.softmax(v, dim=-1)]
            for layer, call in zip(self.layers, calls, strict=True):
                x = call(layer(x))
            return x

    model = geco.Torch(Functions().eval())
    adapted, X = adapt(model, "predict_proba"), np.random.default_rng(0).normal(size=(50, 3))

    assert isinstance(adapted, Adapted)
    np.testing.assert_allclose(adapted.kind.predict(adapted.columns(X)), model.predict_proba(X), atol=1e-6)
