"""Records what torch answers to functions of arrays that NumPy does not have: torch/running.json and torch/running.npz.

    python running.py            # EVERY=1 OUT=folder for all cases
"""
import itertools

import numpy as np
import torch

from torchchapter import Torch

torch.set_num_threads(1)


def running():
    c = Torch("running", 4)
    rows = np.array([[1, 3, 2, 3, 5], [2, 2, 0, -1, 2], [0, 0, 4, 4, 4]])
    for dtype, shape in itertools.product(["float32", "float64", "int32", "uint8"], [(3, 5), (5, 3, 1), (0, 2)]):
        x = np.resize(np.abs(rows) if dtype == "uint8" else rows, shape).astype(dtype)
        for dim in range(-1, len(shape) - 1):
            for name in ["cummax", "cummin"]:
                c.case(name, ["values", "indices"], input=x, dim=dim, places=0)
            if x.dtype.kind == "f":
                c.case("logcumsumexp", input=x, dim=dim, places=0)
            if x.size:
                c.case("mode", ["values"], input=x, dim=dim, places=0)
    x = np.array([[1, 2, 3], [4, 5, 6]])
    at, v = np.array([[0, 0, 2], [1, 1, 1]]), np.array([[2, 8, 3], [0, 7, -1]])
    for dtype, reduce, own in itertools.product(["float32", "float64", "int64"], ["sum", "prod", "mean", "amax", "amin"], [True, False]):
        c.case("scatter_reduce", input=x.astype(dtype), dim=1, index=at, src=v.astype(dtype), reduce=reduce,
               include_self=own, places=0)
        if reduce != "sum":
            c.case("index_reduce", input=x.astype(dtype), dim=1, index=np.array([0, 2, 2]), source=v.astype(dtype),
                   reduce=reduce, include_self=own, places=0)
    for dtype, shape in itertools.product(["float32", "float64", "complex128", "int32"], [(3, 5), (2, 4, 3), (1, 2)]):
        y = (np.resize(rows, shape) * (1 + 1j if dtype == "complex128" else 1)).astype(dtype)
        for dim in range(-1, len(shape) - 1):
            n = shape[dim]
            if dtype == "int32":
                break  # torch makes float32 of integers
            c.case("cumulative_trapezoid", y=y, dim=dim, places=0)
            c.case("cumulative_trapezoid", y=y, dx=0.25, dim=dim, places=0)
            if dtype[0] == "f":
                c.case("cumulative_trapezoid", y=y, x=(np.arange(n) ** 2 / 8).astype(dtype), dim=dim, places=0)
        for offset, (one, two) in itertools.product([-1, 0, 1, 2], [(0, 1), (1, 0), (-1, 0), (0, -1), (-2, -1)]):
            src = y.diagonal(offset, one, two)
            c.case("diagonal_scatter", input=y, src=(np.arange(src.size).reshape(src.shape) + 10).astype(dtype),
                   offset=offset, dim1=one, dim2=two, places=0)
    c.save()


if __name__ == "__main__":
    running()
