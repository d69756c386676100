"""Records what PyTorch answers for special functions: torch/special.* and torch/orthogonal.*.

    python special.py
"""
import itertools

import numpy as np
import torch

from chapter import Chapter
from torchchapter import Torch, called


REAL = [-3.5, -1.25, -0.5, 0.25, 0.75, 1.5, 2.25, 4.5]
POSITIVE = [0.125, 0.5, 0.75, 1.5, 2.25, 4.5, 9.0, 17.5]
PARTS = [0.01, 0.1, 0.25, 0.375, 0.5, 0.625, 0.9, 0.99]


def special():
    c = Torch("special", 1)
    of = {"erfcx": [v / 2 for v in REAL], "ndtri": PARTS, "entr": POSITIVE, "i1": REAL, "i0e": REAL, "i1e": REAL, "bessel_j0": REAL, "bessel_j1": REAL,
          "bessel_y0": POSITIVE, "bessel_y1": POSITIVE, "modified_bessel_k0": POSITIVE, "modified_bessel_k1": POSITIVE,
          "scaled_modified_bessel_k0": POSITIVE, "scaled_modified_bessel_k1": POSITIVE}
    for name, points in of.items():
        dtype = "float32" if name.startswith("bessel") else "float64"  # torch's of float64 have 10 digits
        c.case("special." + name, input=np.array(points, dtype).reshape(2, 4))
    x = np.array(POSITIVE).reshape(2, 4)
    Chapter.case(c, "torch.special.polygamma", called(lambda x, n: torch.special.polygamma(n, x)), input=x + 0.5, n=2)
    c.case("special.multigammaln", input=x + 1, p=3)
    for name in ["zeta", "gammainc", "gammaincc", "xlogy", "xlog1py"]:
        c.case("special." + name, places=2, input=np.array([[1.5], [3.0]]), other=x)
    c.save()


def orthogonal():
    c = Torch("orthogonal", 2)
    families = ["chebyshev_polynomial_" + kind for kind in "tuvw"] + ["hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"]
    families += ["shifted_" + name for name in families[:4]]
    for name, dtype in itertools.product(families, ["float64", "float32"]):
        x = np.array(REAL + [-1, 0, 1, 0.5, np.nan, 0.125], dtype)
        for n in [np.arange(-1, 6).reshape(-1, 1), np.array(3), np.array([0, 4] * 7), np.array(12)]:
            c.case("special." + name, places=2, input=x, n=n)
    c.save()


special()
orthogonal()
