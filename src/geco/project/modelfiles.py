"""Model files by the end of their name ▶ the model. Types in skops files, and all pickles, have to be trusted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from geco.errors import ModelError

# Packages of scikit-learn whose classes hold what was fitted, and run nothing when they are made.
FITTED = (
    *("tree", "ensemble", "linear_model", "neural_network", "preprocessing", "compose", "pipeline", "impute", "svm"),
    *("neighbors", "naive_bayes", "calibration", "discriminant_analysis", "feature_selection", "decomposition"),
    *("_loss", "isotonic", "multiclass", "multioutput", "metrics._dist_metrics"),
)


@dataclass(frozen=True)
class Trusted:
    """What a file may contain: types of a skops file by name, and whether a pickle may be read at all."""

    types: Sequence[str] = ()
    pickle: bool = False


def load_model(path: Path, trusted: Trusted) -> Any:
    """The model in a file; an ONNX file stays a path, which an Explainer takes.

    Raises
    ------
    ModelError : there is no such file, it is damaged or of another kind, or it has to be trusted first.
    """
    if path.is_dir():
        raise ModelError(f"{path} is a folder, not a model file; {_kinds()}")
    if not path.exists():
        raise ModelError(f"there is no model file {path}; check the name, and the folder you are in")
    load = LOADERS.get(path.suffix.lower())
    if load is None:
        raise ModelError(f"{path} ends in {path.suffix or 'nothing'}, which says no kind of model; {_kinds()}")
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror or error}") from error
    return load(path, trusted)


def _kinds() -> str:
    return (
        "model files are .skops, .json or .ubj (XGBoost), .txt (LightGBM), .cbm (CatBoost), .onnx, .pt (TorchScript), "
        "and with trust .pkl and .joblib"
    )


def _skops(path: Path, trusted: Trusted) -> Any:
    try:
        from skops.io import get_untrusted_types, load
    except ImportError as error:
        raise ModelError("reading .skops files needs skops: pip install 'geco-explain[demo]'") from error
    try:
        found = get_untrusted_types(file=path)
    except Exception as error:
        raise ModelError(f"{path} is not a skops file ({_reason(error)}); save the model with skops.io.dump") from error
    fitted = [name for name in found if _is_fitted_type(name)]
    unknown = [name for name in found if name not in fitted and name not in trusted.types]
    if unknown:
        flags = " ".join(f"--trust {name}" for name in unknown)
        raise ModelError(
            f"{path} contains types that are not trusted: {', '.join(unknown)}; if you know where the file comes from, "
            f"add {flags}, or trust = {json.dumps(unknown)} to [model] in geco.toml"
        )
    try:
        return load(path, trusted=found)
    except Exception as error:  # a class that is not installed here, or another version of its library
        raise _not_here(path, error) from error


def _is_fitted_type(name: str) -> bool:
    """A class that scikit-learn itself defines in one of the packages for models.

    Functions are not, nor are names that a module of scikit-learn has only imported.
    """
    if not name.startswith(tuple(f"sklearn.{package}." for package in FITTED)):
        return False
    module, _, last = name.rpartition(".")
    try:
        found = getattr(import_module(module), last)
    except Exception:
        return False
    return isinstance(found, type) and found.__module__.startswith("sklearn.")


def _xgboost(path: Path, trusted: Trusted) -> Any:
    xgboost = _library("xgboost", path)
    start = path.read_bytes()[:1]
    if start != b"{":
        raise ModelError(f"{path} is not a model of XGBoost; save it with model.save_model('{path.stem}.json')")
    booster = xgboost.Booster()
    try:
        booster.load_model(path)
        objective = json.loads(booster.save_config())["learner"]["objective"]["name"]
        if not objective.startswith(("binary:logistic", "multi:")):
            return booster
        model = xgboost.XGBClassifier()
        model.load_model(path)
        return model
    except Exception as error:
        raise _damaged(path, "XGBoost", error) from error


def _lightgbm(path: Path, trusted: Trusted) -> Any:
    lightgbm = _library("lightgbm", path)
    if not path.read_bytes()[:5].startswith(b"tree\n"):  # else LightGBM would write to the screen before it raises
        raise ModelError(f"{path} is not a model of LightGBM; save it with model.booster_.save_model('{path.name}')")
    try:
        return lightgbm.Booster(model_file=str(path))
    except Exception as error:
        raise _damaged(path, "LightGBM", error) from error


def _catboost(path: Path, trusted: Trusted) -> Any:
    catboost = _library("catboost", path)
    try:
        return catboost.CatBoost().load_model(str(path))
    except Exception as error:
        raise _damaged(path, "CatBoost", error) from error


def _onnx(path: Path, trusted: Trusted) -> Any:
    _library("onnxruntime", path)
    return str(path)


def _torchscript(path: Path, trusted: Trusted) -> Any:
    torch = _library("torch", path)
    try:
        return torch.jit.load(str(path), map_location="cpu").eval()
    except Exception as error:
        raise ModelError(
            f"{path} is not a TorchScript file ({_reason(error)}); save the module with torch.jit.save, "
            "not with torch.save"
        ) from error


def _pickle(path: Path, trusted: Trusted) -> Any:
    if not trusted.pickle:
        raise ModelError(
            f"{path} is a pickle, which can run any code of whoever made it while it is read. Save the model with "
            "skops.io.dump or in its library's own format; or, if you made the file yourself, add --trust-pickle, or "
            "trust_pickle = true to [model] in geco.toml"
        )
    try:
        if path.suffix.lower() == ".joblib":
            return _library("joblib", path).load(path)
        import pickle

        with path.open("rb") as file:
            return pickle.load(file)
    except ModelError:
        raise
    except Exception as error:
        raise _not_here(path, error) from error


LOADERS: dict[str, Callable[[Path, Trusted], Any]] = {
    ".skops": _skops,
    ".json": _xgboost,
    ".ubj": _xgboost,
    ".txt": _lightgbm,
    ".lgb": _lightgbm,
    ".cbm": _catboost,
    ".onnx": _onnx,
    ".pt": _torchscript,
    ".pts": _torchscript,
    ".torchscript": _torchscript,
    ".pkl": _pickle,
    ".pickle": _pickle,
    ".joblib": _pickle,
}


def _library(name: str, path: Path) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ModelError(
            f"reading {path} needs {name}, which is not installed; install it with: pip install {name}"
        ) from error


def _damaged(path: Path, library: str, error: Exception) -> ModelError:
    return ModelError(f"{path} cannot be read by {library} ({_reason(error)}); it is damaged, or no model of {library}")


def _not_here(path: Path, error: Exception) -> ModelError:
    why = f"{type(error).__name__}: {_reason(error)}"
    return ModelError(f"{path} cannot be loaded here ({why}); install the libraries it was saved with")


def _reason(error: Exception) -> str:
    """The first line of what a library says, without the trace that some put below it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:200] if lines else type(error).__name__
