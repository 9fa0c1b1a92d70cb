"""What a PyTorch module does, layer by layer, where that is one straight chain.

A Sequential is read as it is; the ``forward`` of any other module is traced by ``torch.fx``, which finds the layers and
functions it goes through. Functions come out as the layers they stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

NOTHING = ("Identity", "Dropout", "Dropout1d", "AlphaDropout", "FeatureAlphaDropout")  # in eval mode


class NotAChain(Exception):
    """The module is not one chain of layers; the text says where it leaves off being one."""


def chain(module: Any) -> list[Any]:
    """The layers in order, without those that do nothing in eval mode; raises NotAChain."""
    return [layer for layer in _layers(module) if not _does_nothing(layer)]


def own_name(layer: Any) -> str:
    """The class of a layer of torch.nn; empty for all others, which may do anything."""
    return type(layer).__name__ if type(layer).__module__.startswith("torch.nn.modules.") else ""


def _does_nothing(layer: Any) -> bool:
    name = own_name(layer)
    return name in NOTHING or (name == "Flatten" and layer.start_dim == 1)


def _layers(module: Any) -> Iterator[Any]:
    if getattr(module, "_forward_hooks", None) or getattr(module, "_forward_pre_hooks", None):
        raise NotAChain(f"its {type(module).__name__} has a forward hook")
    if own_name(module) == "Sequential" and "forward" not in vars(module):
        for layer in module:
            yield from _layers(layer)
    elif own_name(module) and "forward" not in vars(module):
        yield module
    else:
        yield from _traced(module)


def _traced(module: Any) -> Iterator[Any]:
    """The layers that ``forward`` goes through."""
    from torch import jit
    from torch.fx import symbolic_trace

    name = type(module).__name__
    if isinstance(module, jit.ScriptModule) or not hasattr(module, "forward"):
        raise NotAChain(f"a {name} is not one of the modules geco can compile")
    try:
        graph = symbolic_trace(module).graph
    except Exception as error:  # whatever the user's forward does to something that is not a tensor
        raise NotAChain(f"the forward of {name} cannot be traced: {type(error).__name__}") from error
    before = None
    for node in graph.nodes:
        straight = node.all_input_nodes == ([] if before is None else [before]) and len(node.users) <= 1
        if not straight or (before is None) != (node.op == "placeholder"):
            raise NotAChain(f"the forward of {name} is not one straight chain")
        before = node
        if node.op == "call_module":
            yield from _layers(module.get_submodule(node.target))
        elif node.op not in ("placeholder", "output"):
            yield _layer_for(node)


def _layer_for(node: Any) -> Any:
    """The layer that does what a call of a function or of a method of the tensor does."""
    called = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    library = "torch" if isinstance(node.target, str) else str(getattr(node.target, "__module__", None))
    given = {**dict(zip(_ARGUMENTS.get(called, ()), node.args[1:], strict=False)), **node.kwargs}
    given.pop("inplace", None)
    if called not in _CALLS or not library.startswith(("torch", "None", "_operator")):
        raise NotAChain(f"its forward calls {called or node.target}, which geco cannot compile")
    try:
        return _CALLS[called](**given)
    except TypeError as error:
        raise NotAChain(f"its forward calls {called} with arguments that geco cannot compile") from error


def _nn(name: str) -> Callable[..., Any]:
    def make(**given: Any) -> Any:
        from torch import nn

        return getattr(nn, name)(**{key: value for key, value in given.items() if key not in ("dtype", "_stacklevel")})

    return make


def _dropout(p: float = 0.5, training: bool = True) -> Any:
    if training:
        raise NotAChain("its forward calls dropout in training mode")
    return _nn("Identity")()


def _one_column(dim: int) -> Any:
    if dim not in (1, -1):
        raise TypeError(dim)
    return _nn("Identity")()


def _flat(start_dim: int = 0) -> Any:
    return _nn("Flatten")(start_dim=start_dim)


_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "softmax": ("dim",),
    "squeeze": ("dim",),
    "flatten": ("start_dim",),
    "dropout": ("p", "training"),
    "leaky_relu": ("negative_slope",),
    "elu": ("alpha",),
}
_CALLS: dict[str, Callable[..., Any]] = {
    "relu": _nn("ReLU"),
    "tanh": _nn("Tanh"),
    "sigmoid": _nn("Sigmoid"),
    "softmax": _nn("Softmax"),
    "leaky_relu": _nn("LeakyReLU"),
    "elu": _nn("ELU"),
    "gelu": _nn("GELU"),
    "dropout": _dropout,
    "squeeze": _one_column,
    "flatten": _flat,
}
