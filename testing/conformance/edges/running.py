"""Records what torch answers to functions of arrays that NumPy does not have: torch/running.json and torch/running.npz.

    python running.py            # EVERY=1 OUT=folder for all cases
"""
import itertools

import numpy as np
import torch

from chapter import Chapter

torch.set_num_threads(1)


def call(function, *results):
    """Calls a function of torch with arrays as tensors, and returns the results of those names, or the result."""
    def f(**named):
        named = {k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in named.items()}
        r = function(**named)
        return tuple(getattr(r, name).numpy() for name in results) if results else r.numpy()
    return f


def running():
    c = Chapter("running", 4)
    c.system, c.version = "torch", torch.__version__.split("+")[0]
    rows = np.array([[1, 3, 2, 3, 5], [2, 2, 0, -1, 2], [0, 0, 4, 4, 4]])
    for dtype, shape in itertools.product(["float32", "float64", "int32", "uint8"], [(3, 5), (5, 3, 1), (0, 2)]):
        x = np.resize(np.abs(rows) if dtype == "uint8" else rows, shape).astype(dtype)
        for dim in range(-1, len(shape) - 1):
            for f in [torch.cummax, torch.cummin]:
                c.case("torch." + f.__name__, call(f, "values", "indices"), input=x, dim=dim, places=0)
            if x.dtype.kind == "f":
                c.case("torch.logcumsumexp", call(torch.logcumsumexp), input=x, dim=dim, places=0)
            if x.size:
                c.case("torch.mode", call(torch.mode, "values"), input=x, dim=dim, places=0)
    x = np.array([[1, 2, 3], [4, 5, 6]])
    at, v = np.array([[0, 0, 2], [1, 1, 1]]), np.array([[2, 8, 3], [0, 7, -1]])
    for dtype, reduce, own in itertools.product(["float32", "float64", "int64"], ["sum", "prod", "mean", "amax", "amin"], [True, False]):
        c.case("torch.scatter_reduce", call(torch.scatter_reduce), input=x.astype(dtype), dim=1, index=at, src=v.astype(dtype), reduce=reduce,
               include_self=own, places=0)
        if reduce != "sum":
            c.case("torch.index_reduce", call(torch.index_reduce), input=x.astype(dtype), dim=1, index=np.array([0, 2, 2]), source=v.astype(dtype),
                   reduce=reduce, include_self=own, places=0)
    c.save()


if __name__ == "__main__":
    running()
