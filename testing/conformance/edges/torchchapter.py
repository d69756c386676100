"""What the scripts that record torch share: chapters of calls of its functions."""
from operator import attrgetter

import numpy as np
import torch

from chapter import Chapter


class Torch(Chapter):
    """Cases of functions of torch, with all results, or those of the given names."""

    system, version = "torch", torch.__version__.split("+")[0]

    def case(self, name, /, results=(), **args):
        super().case("torch." + name, called(attrgetter(name)(torch), *results), **args)


def called(function, *results):
    """Calls a function with arrays as tensors, and returns all results, or those of the given names, as arrays."""
    def call(*values, **named):
        r = function(*map(tensor, values), **{k: tensor(v) for k, v in named.items()})
        if results:
            r = tuple(getattr(r, name) for name in results)
        return tuple(x.numpy() for x in r) if isinstance(r, tuple) else r.resolve_conj().numpy()

    return call


def tensor(v):
    return torch.tensor(v) if isinstance(v, np.ndarray) else v
