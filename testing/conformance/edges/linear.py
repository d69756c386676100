"""Records what NumPy answers to products, linear algebra, polynomials and windows: what the older suites do not have.

    python linear.py            # writes numpy/*.json and numpy/*.npz beside itself; the same bytes each time
"""
import itertools

import numpy as np

from chapter import Chapter, given, values

SOME = ["int32", "float64", "complex64"]


def signed(dtype, shape, start=0):
    """values, some of them negative where the dtype has such."""
    x = values(dtype, shape, start)
    if x.dtype.kind in "ifc":
        x.reshape(-1)[1::3] *= -1
    return x


def products():
    c = Chapter("products", 2)
    la = np.linalg
    for dtype, other in itertools.product(["bool"] + SOME, ["float64", "complex64", "int32"]):
        a = signed(dtype, (2, 3, 4))
        for shape in [(4,), (3, 4), (2, 1, 4), (3,)]:
            x = signed(other, shape, 2)
            c.case("numpy.matvec", np.matvec, places=2, x1=a, x2=x)
            for name, f in {"matmul": np.matmul, "linalg.matmul": la.matmul}.items():
                c.case("numpy." + name, f, places=2, x1=a, x2=x)
        for shape in [(3,), (2, 3), (5, 1, 3), (4,)]:
            c.case("numpy.vecmat", np.vecmat, places=2, x1=signed(other, shape, 2), x2=a)
        c.case("numpy.matvec", np.matvec, places=2, x1=signed(dtype, (4,)), x2=signed(other, (4,)))
        c.case("numpy.linalg.outer", la.outer, places=2, x1=signed(dtype, (3,)), x2=signed(other, (2,), 3))
    places = [((2, 3), (3,), -1), ((3, 4), (3, 1), 0), ((3, 4), (2, 3, 4), -2), ((3, 1, 2), (3, 5, 1), 0), ((3,), (2, 3), 1)]
    for dtype, other, (one, two, axis) in itertools.product(SOME, SOME, places):
        x, y = signed(dtype, one), signed(other, two, 2)
        for name, f in {"vecdot": np.vecdot, "linalg.vecdot": la.vecdot, "cross": np.cross, "linalg.cross": la.cross}.items():
            if name == "cross" and axis == -2:
                continue  # vectors of two elements, which NumPy is about to drop
            c.case("numpy." + name, f, places=2, **{"a" if name == "cross" else "x1": x, "b" if name == "cross" else "x2": y}, axis=axis)
        for axes in [(0, -1, 0), (0, 0, -1), (1, 2, 5)] if 2 not in two else []:
            c.case("numpy.cross", np.cross, places=2, a=x, b=y, **dict(zip(["axisa", "axisb", "axisc"], axes)))
    for dtype, to in itertools.product(SOME, SOME):
        a, x = signed(dtype, (2, 3)), signed(dtype, (3,), 1)
        c.case("numpy.matmul", np.matmul, ["out"], 2, x1=a, x2=a.T, out=values(to, (2, 2)))
        for name, f, y in [("matmul", np.matmul, a.T), ("matvec", np.matvec, x)]:
            c.case("numpy." + name, f, places=2, x1=a, x2=y, dtype=np.dtype(to))
        c.case("numpy.matvec", np.matvec, ["out"], 2, x1=a, x2=x, out=values(to, (2,)))
        c.case("numpy.vecmat", np.vecmat, ["out"], 2, x1=x, x2=a.T, out=values(to, (2,)))
    for to in ["int16", "uint8", "int64"]:
        x, y = signed("int8", (3, 70)) * 3, signed("int8", (70, 2), 5) * 5
        c.case("numpy.matmul", np.matmul, places=2, x1=x, x2=y, dtype=np.dtype(to))
        c.case("numpy.matvec", np.matvec, places=2, x1=x, x2=y[:, 0], dtype=np.dtype(to))
    c.save()


def einsums():
    c = Chapter("einsums", 7)

    def einsum(subscripts, operands, **options):
        if isinstance(subscripts, str):
            return np.einsum(subscripts, *operands, **options)
        lists = [[Ellipsis if k == -1 else k for k in axes] for axes in subscripts]
        terms = [v for pair in zip(operands, lists) for v in pair]
        return np.einsum(*terms, *lists[len(operands):], **options)

    for dtype, other in itertools.product(SOME, SOME):
        a, b = signed(dtype, (2, 3)), signed(other, (3, 4), 1)
        for lists in [[[0, 1], [1, 2], [0, 2]], [[0, 1], [1, 2]], [[30, 1], [1, 2], []], [[-1, 1], [1, -1]]]:
            c.case("numpy.einsum", einsum, places=2, subscripts=lists, operands=[a, b])
        c.case("numpy.einsum", einsum, ["out"], 2, subscripts="ij,jk->ik", operands=[a, b], out=values("float32", (2, 4)))
        c.case("numpy.einsum", einsum, ["out"], 2, subscripts="ij,jk->ki", operands=[a, b], out=values("complex128", (4, 2)))
        c.case("numpy.einsum", einsum, places=2, subscripts="ij,jk->ik", operands=[a, b], dtype=np.dtype("float64"))
    c.case("numpy.einsum", einsum, places=2, subscripts=[[0, 52]], operands=[values("float64", (2, 3))])
    for shapes in [[(10, 3), (3, 40), (40, 2)], [(2, 9), (9, 9), (9, 2)], [(4, 5), (5, 4)]]:
        text = ["ij,jk->ik", "ij,jk,kl->il"][len(shapes) - 2]
        c.case("numpy.einsum_path", lambda subscripts, operands: [np.array(np.einsum_path(subscripts, *operands)[0][1:])],
               places=2, subscripts=text, operands=[np.zeros(s) for s in shapes])
    c.save()


def pairs():
    c = Chapter("pairs", 4)
    for of, one, two in itertools.product(["int8", "float32", "float64"], ["int16", "float32", "float64"], ["int32", "float64"]):
        x, y = signed(of, (2, 3)), signed(of, (2, 3), 3)
        outs = lambda shape: (values(one, shape), values(two, shape, 1))
        for shape, masked in itertools.product([(2, 3), (2, 2, 3), (3,)], [False, True]):
            given_ = {"where": values("bool", (2, 3), 1)} if masked else {}
            both = ["out[0]", "out[1]"]
            c.case("numpy.divmod", np.divmod, both, 2, x1=x, x2=y, out=outs(shape), **given_)
            c.case("cupy.modf", np.modf, both, x=x, out=outs(shape), **given_)
            c.case("cupy.frexp", np.frexp, both, x=x, out=outs(shape), **given_)
        c.case("numpy.divmod", np.divmod, ["out[1]"], 2, x1=x, x2=y, out=(None, values(two, (2, 3))))
    c.save()


def stacks():
    c = Chapter("stacks", 3)
    la = np.linalg
    for dtype, shape in itertools.product(SOME, [(2, 3), (3, 2, 2), (3,), (0, 2, 3), (2, 0)]):
        x = signed(dtype, shape)
        c.case("numpy.matrix_transpose", np.matrix_transpose, x=x)
        c.case("numpy.linalg.matrix_transpose", la.matrix_transpose, x=x)
        c.case("numpy.linalg.svdvals", la.svdvals, x=x)
        for offset in [0, 1, -1]:
            c.case("numpy.linalg.diagonal", la.diagonal, x=x, offset=offset)
            c.case("numpy.linalg.trace", la.trace, x=x, offset=offset)
            c.case("numpy.linalg.trace", la.trace, x=x, offset=offset, dtype=np.dtype("complex64"))
        for order, keep in itertools.product(["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf], [False, True]):
            c.case("numpy.linalg.matrix_norm", la.matrix_norm, x=x, ord=order, keepdims=keep)
        for order, keep, axis in itertools.product([2, 1, 0, -1, 3, np.inf, -np.inf], [False, True], [None, 0, -1, (0, 1), (0, 2)]):
            c.case("numpy.linalg.vector_norm", la.vector_norm, x=x, ord=order, keepdims=keep, **given(axis=axis))
    rng = np.random.default_rng(1)
    for dtype, (shape, ind) in itertools.product(SOME, [((2, 3, 6), 2), ((6, 2, 3), 1), ((4, 4), 1), ((2, 2, 4), 1), ((4, 4), 0)]):
        x = (rng.integers(-4, 5, shape) + 5 * np.arange(np.prod(shape)).reshape(shape) % 7).astype(dtype)
        c.case("numpy.linalg.tensorinv", la.tensorinv, a=x, ind=ind)
        for axes in [None, (1,), (0, 2)]:
            for b in [values(dtype, shape[:1]), values(dtype, shape[:2]), values(dtype, shape[1:2])]:
                c.case("numpy.linalg.tensorsolve", la.tensorsolve, a=x, b=b, **given(axes=axes))
    c.save()


def polynomials():
    c = Chapter("polynomials", 2)
    for dtype, other, m, n in itertools.product(SOME, SOME, [1, 2, 4], [1, 3]):
        p, q = signed(dtype, (m,)), signed(other, (n,), 2)
        for name in ["polyadd", "polysub", "polymul"]:
            c.case("numpy." + name, getattr(np, name), places=2, a1=p, a2=q)
        c.case("numpy.polydiv", np.polydiv, places=2, u=p, v=q)
        for shape in [(), (3,), (2, 2), (0,)]:
            c.case("numpy.polyval", np.polyval, places=2, p=p, x=signed(other, shape, 2))
        for times in [0, 1, 2]:
            if p.dtype.kind == "i" or np.finfo(p.dtype).eps < 1e-10:  # NumPy makes float64 of float32
                c.case("numpy.polyder", np.polyder, p=p, m=times)
                c.case("numpy.polyint", np.polyint, p=p, m=times)
                c.case("numpy.polyint", np.polyint, p=p, m=times, k=signed("float64", (max(times, 1),)))
        c.case("numpy.poly", np.poly, seq_of_zeros=p[:3] if p.dtype.kind != "c" else p[:1])
    for p in [[1, -6, 11, -6], [0, 2, -3, 1, 0, 0], [1, 2, 5], [3], [0, 0], [2.0, 1], [1, 0, 0, -8]]:
        c.case("numpy.roots", lambda p: np.sort_complex(np.roots(p).astype(complex)), p=np.array(p))
    x = np.array([0, 1, 2, 3, 5, 6, 8.0])
    for dtype, shape, deg in itertools.product(["int32", "float32", "float64", "complex128"], [(7,), (7, 2)], [0, 1, 2, 3]):
        y = signed(dtype, shape, 1)
        for weights, cov in itertools.product([None, np.array([1, 2, 1, 1, 0.5, 1, 1])], [False, True, "unscaled"]):
            c.case("numpy.polyfit", np.polyfit, x=x, y=y, deg=deg, cov=cov, **given(w=weights))
    for name, m in itertools.product(["bartlett", "blackman", "hamming", "hanning"], [0, 1, 2, 5, 8]):
        c.case("numpy." + name, getattr(np, name), M=m)
    for beta, m in itertools.product([0.0, 5.0, 14.0], [1, 2, 5, 8]):
        c.case("numpy.kaiser", np.kaiser, places=2, M=m, beta=beta)
    c.save()


def ufuncs():
    c = Chapter("ufuncs", 5)
    names = ["add", "subtract", "multiply", "divide", "maximum", "logical_and", "bitwise_xor", "hypot"]
    for name, dtype in itertools.product(names, ["int8", "float64", "complex64"]):
        f = getattr(np, name)
        for shape, other in itertools.product([(), (3,), (2, 3)], [(), (2,)]):
            c.case("numpy.ufunc.outer", lambda ufunc, A, B, f=f: f.outer(A, B), places=3, ufunc=name, A=signed(dtype, shape), B=values("float64", other, 2))
        x = signed(dtype, (6, 3), 2)
        for axis in [0, 1, -1]:
            c.case("numpy.ufunc.reduce", lambda ufunc, x, axis, f=f: f.reduce(x, axis), places=3, ufunc=name, array=x, axis=axis)
            c.case("numpy.ufunc.accumulate", lambda ufunc, x, axis, f=f: f.accumulate(x, axis), places=3, ufunc=name, array=x, axis=axis)
        for indices, axis in [([0, 2, 2, 5], 0), ([3, 0, 4, 1], 0), ([1], 1), ([2, 0], -1), ([0, 6], 0), ([0, 1, 4], 0)]:
            c.case("numpy.ufunc.reduceat", lambda ufunc, x, at, axis, f=f: f.reduceat(x, at, axis), places=4, ufunc=name, array=x, indices=indices, axis=axis)
    c.save()


def ranks():
    """Tolerances that are arrays, and symmetric matrices of which one triangle is read."""
    c = Chapter("ranks", 3)
    la = np.linalg
    for dtype, n in itertools.product(["int32", "float32", "float64", "complex128"], [2, 3]):
        a = signed(dtype, (2, n, n))
        a[1, n - 1] = a[1, 0]
        for tol, one in itertools.product([0.05, 0.5, np.array(0.5), np.array([0.01, 0.9]), np.array([[0.01], [0.7], [0.9]])], [False, True]):
            x = a[1] if one else a
            if np.ndim(tol) < x.ndim - 1:
                c.case("numpy.linalg.pinv", la.pinv, a=x, rcond=tol)
                c.case("numpy.linalg.pinv", la.pinv, a=x, rtol=tol, hermitian=True)
            for symmetric in [False, True]:
                c.case("numpy.linalg.matrix_rank", la.matrix_rank, a=x, tol=tol, hermitian=symmetric)
                c.case("numpy.linalg.matrix_rank", la.matrix_rank, a=x, rtol=tol, hermitian=symmetric)
    c.save()


def spectra():
    """Complex matrices, and eigenvalues of general ones, sorted, with vectors whose first element is positive."""
    c = Chapter("spectra", 2)
    la = np.linalg

    def eig(a):
        w, v = la.eig(a)
        order = np.argsort(w.astype(complex), axis=-1)
        w, v = np.take_along_axis(w, order, -1), np.take_along_axis(v, order[..., None, :], -1)
        return [x.astype(np.result_type(w.dtype, "complex64")) for x in (w, v * np.conj(np.sign(v[..., :1, :])))]

    rng = np.random.default_rng(3)
    for dtype, shape in itertools.product(["int32", "float32", "float64", "complex64", "complex128"], [(1, 1), (3, 3), (2, 4, 4)]):
        a = rng.integers(-9, 10, shape).astype(dtype)
        if a.dtype.kind == "c":
            a = (a + 1j * rng.integers(-9, 10, shape)).astype(dtype)
        c.case("numpy.linalg.eig", eig, a=a)
        c.case("numpy.linalg.eigvals", lambda a: eig(a)[0], a=a)
        if a.dtype.kind == "c":
            positive = a @ a.conj().swapaxes(-1, -2) + np.eye(shape[-1], dtype=dtype)
            c.case("cupy.linalg.cholesky", la.cholesky, a=positive)
            for mode in ["reduced", "complete", "r", "raw"]:
                c.case("cupy.linalg.qr", la.qr, a=a[..., :2], mode=mode)
            c.case("numpy.linalg.det", la.det, a=a)
            c.case("numpy.linalg.slogdet", la.slogdet, a=a)
            c.case("numpy.linalg.inv", la.inv, a=positive)
            c.case("numpy.linalg.solve", la.solve, places=2, a=positive, b=a[..., :2])
            c.case("numpy.linalg.pinv", la.pinv, a=a[..., :2])
            c.case("numpy.linalg.cond", la.cond, places=2, a=a, p="fro")
            c.case("numpy.linalg.eigvalsh", la.eigvalsh, places=2, a=positive, UPLO="U")
            c.case("cupy.linalg.svd", la.svd, a=a, compute_uv=False)
    for p in [[1, 2j - 1, 3], [1j, 1, 0, 8], [0, 2, 1 - 1j, 0]]:
        c.case("numpy.roots", lambda p: np.sort_complex(np.roots(p).astype(complex)), p=np.array(p))
    c.save()


if __name__ == "__main__":
    for chapter in [products, einsums, pairs, stacks, polynomials, ufuncs, ranks, spectra]:
        chapter()
