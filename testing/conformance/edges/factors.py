"""Records what torch answers to factorisations of matrices that no document names: torch/factors.*.

    python factors.py           # EVERY=1 OUT=folder for all cases
"""
import itertools

import numpy as np
import torch

from chapter import given
from torchchapter import Torch


class Factors(Torch):
    """Cases of functions of torch, whose arrays are given by their places."""

    def case(self, name, /, **args):
        results = ["solution"] if name == "linalg.lstsq" else []
        super().case(name, results, places=sum(isinstance(v, np.ndarray) for v in args.values()), **args)


def factors():
    c = Factors("factors", 2)
    rng = np.random.default_rng(5)
    for dtype, shape in itertools.product(["float64", "float32", "complex128"], [(3, 3), (2, 3, 3), (4, 2), (2, 4), (1, 1)]):
        a = rng.integers(-8, 9, shape) / 4
        if dtype == "complex128":
            a = a + 1j * rng.integers(-8, 9, shape) / 4
        a = a.astype(dtype)
        c.case("linalg.lu", A=a)
        c.case("linalg.lu_factor", A=a)
        lu, pivots = (x.numpy() for x in torch.linalg.lu_factor(torch.tensor(a)))
        c.case("lu_unpack", LU_data=lu, LU_pivots=pivots)
        tau = a[..., 0, : min(shape[-2:])].copy()
        for left, transpose in itertools.product([True, False], [True, False]):
            other = a[..., ::-1].copy() if left else a.swapaxes(-1, -2).copy()
            c.case("ormqr", input=a, tau=tau, other=other, left=left, transpose=transpose)
        if shape[-2] >= shape[-1]:
            tau = a[..., 0, :].copy()
            c.case("linalg.householder_product", A=a, tau=tau)
            c.case("linalg.householder_product", A=a, tau=tau[..., :1])
            c.case("linalg.lstsq", A=a + 3 * np.eye(*shape[-2:], dtype=dtype), B=a[..., :1])
        if shape[-2] != shape[-1]:
            continue
        for by in [1, 9, 0.01]:
            c.case("linalg.matrix_exp", A=(a * by).astype(dtype))
        b = a[..., :2] if shape[-1] > 1 else a
        for adjoint in [None, True]:
            c.case("linalg.lu_solve", LU=lu, pivots=pivots, B=b, **given(adjoint=adjoint))
        for hermitian in [False, True]:
            m = a + (a.conj() if hermitian else a).swapaxes(-1, -2)
            if shape[-1] > 1:
                m[..., 0, 0] = 0
            m = m.astype(dtype)
            c.case("linalg.ldl_factor", A=m, hermitian=hermitian)
            ld, exchanges = (x.numpy() for x in torch.linalg.ldl_factor(torch.tensor(m), hermitian=hermitian))
            c.case("linalg.ldl_solve", LD=ld, pivots=exchanges, B=b, hermitian=hermitian)
        for upper in [False, True]:
            l = np.linalg.cholesky(a @ a.conj().swapaxes(-1, -2) + np.eye(shape[-1], dtype=dtype), upper=upper)
            c.case("cholesky_solve", B=b, L=l, upper=upper)
            c.case("cholesky_inverse", L=l, upper=upper)
    c.save()


if __name__ == "__main__":
    factors()
