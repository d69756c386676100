"""Records what NumPy answers at the edges of its functions: arrays without axes, without elements, dtypes and shapes of out.

    pip install numpy==2.4.6
    python record.py            # writes numpy/*.json and numpy/*.npz beside itself; the same bytes each time

Each chapter below enumerates calls; of every function some are kept, drawn by a checksum; with EVERY=1 in the
environment all are, to be run by `go run ./testing/conform -golden DIR` where OUT=DIR/numpy says where they go. Left out is what this
library does otherwise on purpose: negative floats as unsigned integers, which saturate here; variances in integer dtypes;
complex variances in a real dtype, of which NumPy drops half; quantiles of nothing, whose shape NumPy forgets q's axes in.
"""
import itertools

import numpy as np

from chapter import ALL, REALS, Chapter, given, values


def reductions():
    c = Chapter("reductions", 10)
    plain = {"cupy.sum": np.sum, "cupy.prod": np.prod, "cupy.mean": np.mean, "cupy.var": np.var, "cupy.std": np.std,
             "numpy.nansum": np.nansum, "numpy.nanprod": np.nanprod, "numpy.nanmean": np.nanmean,
             "numpy.nanvar": np.nanvar, "numpy.nanstd": np.nanstd}
    others = {"cupy.amax": np.amax, "cupy.amin": np.amin, "numpy.all": np.all, "numpy.any": np.any, "numpy.nanmax": np.nanmax,
              "numpy.nanmin": np.nanmin, "numpy.ptp": np.ptp, "numpy.median": np.median, "numpy.nanmedian": np.nanmedian,
              "cupy.argmax": np.argmax, "cupy.argmin": np.argmin, "numpy.nanargmax": np.nanargmax, "numpy.nanargmin": np.nanargmin}
    for (function, f), of in itertools.product({**plain, **others}.items(), ALL):
        x = values(of, (2, 3))
        deviates = function.endswith(("var", "std"))
        for to in ALL:
            if function.endswith("prod") and x.dtype.kind == "c" and np.dtype(to).kind not in "fc":
                continue  # the real part is negative
            c.case(function, f, ["out"], a=x, out=values(to, ()))
            c.case(function, f, ["out"], a=x, axis=0, out=values(to, (3,)))
            if function in plain and not (deviates and np.dtype(to).kind not in ("c" if x.dtype.kind == "c" else "fc")):
                c.case(function, f, a=x, dtype=np.dtype(to))
                for out in ["bool", "int8", "uint32", "float32", "complex128"]:
                    if not (function.endswith("prod") and "c" in np.dtype(to).kind + x.dtype.kind):
                        c.case(function, f, ["out"], a=x, axis=1, dtype=np.dtype(to), out=values(out, (2,)))
        for shape, axis in itertools.product([(1,), (1, 1), (3,), (1, 3), (2, 3), (0,)], [None, 0]):
            out = values("int64" if "arg" in function else "complex128" if x.dtype.kind == "c" else "float64", shape)
            c.case(function, f, ["out"], a=x, out=out, **given(axis=axis))
    c.save()


def axes():
    """Axes of arrays that have none, and of arrays without elements."""
    c = Chapter("axes", 9)
    along = {"numpy.sort": (np.sort, "a"), "cupy.flip": (np.flip, "a"), "numpy.cumsum": (np.cumsum, "a"), "numpy.cumprod": (np.cumprod, "a"),
             "numpy.nancumsum": (np.nancumsum, "a"), "numpy.diff": (np.diff, "a"), "numpy.trapezoid": (np.trapezoid, "y"),
             "numpy.packbits": (np.packbits, "a"), "numpy.unpackbits": (np.unpackbits, "a"), "cupy.squeeze": (np.squeeze, "a"),
             "cupy.expand_dims": (np.expand_dims, "a"), "numpy.unique": (np.unique, "ar"), "cupy.sum": (np.sum, "a"), "cupy.mean": (np.mean, "a"),
             "cupy.amax": (np.amax, "a"), "cupy.amin": (np.amin, "a"), "numpy.all": (np.all, "a"), "cupy.var": (np.var, "a"), "numpy.ptp": (np.ptp, "a"),
             "numpy.nanmean": (np.nanmean, "a"), "numpy.nanmax": (np.nanmax, "a"), "numpy.nanstd": (np.nanstd, "a"), "cupy.argmax": (np.argmax, "a"),
             "numpy.nanargmin": (np.nanargmin, "a"), "numpy.median": (np.median, "a"), "numpy.nanmedian": (np.nanmedian, "a")}
    places = [np.array(0), np.array([0]), np.array([], int), np.array([[0, 0]]), np.array([True])]
    for dtype, shape in itertools.product(["bool", "uint8", "float64", "complex64"], [(), (), (0,), (1,), (0, 3), (3, 0), (0, 0)]):
        x = values(dtype, shape)
        for (function, (f, name)), axis in itertools.product(along.items(), [0, -1, 1, -2]):
            c.case(function, f, **{name: x, "axis": axis})
        for axis in [0, -1, 1, None]:
            at = given(axis=axis)
            c.case("numpy.argsort", np.argsort, a=x, kind="stable", **at)
            for kth in ([0], [-1], [5]):
                c.case("numpy.partition", np.partition, a=x, kth=kth, **at)
                c.case("numpy.argpartition", np.argpartition, a=x, kth=kth, **at)
            for n in (0, 2):
                c.case("cupy.repeat", np.repeat, a=x, repeats=n, **at)
            c.case("cupy.roll", np.roll, a=x, shift=1, **at)
            for indices in [] if shape == (0, 0) else places:
                c.case("cupy.take", np.take, a=x, indices=indices, **at)
                c.case("numpy.take_along_axis", np.take_along_axis, places=2, arr=x, indices=indices, axis=axis or 0)
        c.case("numpy.lexsort", np.lexsort, keys=[x, x])
        c.case("numpy.trim_zeros", np.trim_zeros, filt=x)
        for other, mode in itertools.product([(), (0,), (2,), (3,)], ["full", "same", "valid"]):
            c.case("numpy.convolve", np.convolve, places=2, a=x, v=values(dtype, other, 3), mode=mode)
        for v, ind, mode in itertools.product([(0,), (), (2,)], places, ["raise", "wrap", "clip"]):
            c.case("numpy.put", np.put, ["a"], 3, a=x, ind=ind, v=values(dtype, v), mode=mode)
        c.case("numpy.place", np.place, ["arr"], 3, arr=x, mask=values("bool", shape), vals=values(dtype, (0,)))
        c.case("numpy.putmask", np.putmask, ["a"], 3, a=x, mask=values("bool", shape), values=values(dtype, (0,)))
    for dtype, shape in itertools.product(["bool", "float64"], [(3,), (2, 3), (1, 1, 2)]):
        c.case("numpy.trapezoid", np.trapezoid, places=2, y=values(dtype, shape), x=values("float64", (2, 3), 3))
    c.save()


def empty():
    """Matrices without elements."""
    c = Chapter("empty", 12)
    la = np.linalg
    shapes = [(0, 0), (0, 3), (3, 0), (2, 0, 0), (0, 2, 2), (2, 0, 3), (2, 3, 0), (0, 0, 0), (0, 3, 2)]
    for dtype, shape in itertools.product(["float64", "float32", "int32", "bool"], shapes):
        x = values(dtype, shape)
        c.case("cupy.linalg.cholesky", la.cholesky, a=x)
        for mode in ["reduced", "complete", "r", "raw"]:
            c.case("cupy.linalg.qr", la.qr, a=x, mode=mode)
        for full, vectors in itertools.product([True, False], [True, False]):
            c.case("cupy.linalg.svd", la.svd, a=x, full_matrices=full, compute_uv=vectors)
        for name in ["det", "slogdet", "inv", "eigh", "eigvalsh", "pinv", "matrix_rank", "cond"]:
            c.case("numpy.linalg." + name, getattr(la, name), a=x)
        c.case("numpy.linalg.pinv", la.pinv, a=x, rcond=0.1)
        c.case("numpy.linalg.matrix_rank", la.matrix_rank, a=x, tol=0.1)
        for order in [1, -1, 2, -2, np.inf, -np.inf, "fro", "nuc"]:
            c.case("numpy.linalg.cond", la.cond, places=2, a=x, p=order)
            for axis, keep in itertools.product([None, 0, -1, (0, 1), (-2, -1), (1, 0)], [False, True]):
                c.case("numpy.linalg.norm", la.norm, x=x, ord=order, keepdims=keep, **given(axis=axis))
        for n in (-1, 0, 1, 2):
            c.case("numpy.linalg.matrix_power", la.matrix_power, places=2, a=x, n=n)
        for other in [(0,), (2,), (0, 2), (2, 2), (3, 2), (2, 0, 2), (3,)]:
            b = values(dtype, other)
            c.case("numpy.linalg.solve", la.solve, places=2, a=x, b=b)
            c.case("numpy.matmul", np.matmul, places=2, x1=x, x2=b)
            if len(shape) == 2:
                c.case("numpy.linalg.lstsq", lambda a, b: la.lstsq(a, b)[::3], a=x, b=b)
    c.save()


def quantiles():
    c = Chapter("quantiles", 30)
    qs = [0.5, 1, np.array(0.25), np.array([0.25, 0.75]), np.array([[0.1, 0.5], [1, 0]]), np.array([1, 0]), np.array([True, False]),
          np.array([], float), np.array([0.5], "float32"), np.array([[[0.5]]]), 1.5]
    for function in ["quantile", "nanquantile", "percentile", "nanpercentile"]:
        f, whole = getattr(np, function), 100 if "percentile" in function else 1
        function = "numpy." + function
        for of, q, shape in itertools.product(REALS, qs, [(), (1,), (3,), (2, 3)]):
            q = q * np.int64(whole) if isinstance(q, np.ndarray) and q.dtype.kind in "bi" and whole > 1 else q if whole == 1 else q * whole
            for axis, method, keep in itertools.product([None, 0, -1], ["linear", "lower", "midpoint", "inverted_cdf"], [False, True]):
                c.case(function, f, places=2, a=values(of, shape), q=q, method=method, keepdims=keep, **given(axis=axis))
        for of, to, method in itertools.product(REALS, ALL, ["linear", "lower"]):
            c.case(function, f, ["out"], a=values(of, (2, 3)), q=0.5, method=method, out=values(to, ()))
        for shape, q, method in itertools.product([(1,), (1, 1), (3,), (2, 3), (2, 1)], [0.5, np.array([0.5])], ["linear", "lower"]):
            c.case(function, f, ["out"], a=values("float64", (2, 3)), q=q, axis=0, method=method, out=values("float64", shape))
            c.case(function, f, ["out"], a=values("float64", (3,)), q=q, method=method, out=values("float64", shape))
    c.save()


def others():
    c = Chapter("others", 24)
    for dtype in ALL:
        for shape, n in itertools.product([(), (3,), (0,), (2, 3)], [0, 1, 2]):
            c.case("numpy.round", np.round, a=values(dtype, shape), decimals=n)
            for out in [(), (1,), (3,), (1, 3), (2, 3)]:
                c.case("numpy.round", np.round, ["out"], a=values(dtype, shape), decimals=n, out=values("complex128", out))
        for to in ALL:
            c.case("numpy.round", np.round, ["out"], a=values(dtype, (3,)), out=values(to, (3,)))
            for function in ["gcd", "lcm"]:
                f = getattr(np, function)
                c.case("numpy." + function, f, places=2, x1=values(dtype, (3,)), x2=values(to, (3,), 2))
            c.case("numpy.select", np.select, condlist=[values(dtype, (3,))], choicelist=[values(to, (3,))])
        for shape in [(3,), (2, 3), (), (0,)]:
            c.case("numpy.gradient", np.gradient, f=values(dtype, shape))
            x = values(dtype, shape)
            c.case("cupy.bincount", np.bincount, x=x)
            c.case("cupy.bincount", np.bincount, x=x, minlength=9)
            c.case("cupy.bincount", np.bincount, x=x, weights=values("float32", shape))
            c.case("numpy.conj", np.conj, x=x)
            for mode in ["raise", "wrap", "clip"]:
                c.case("numpy.ravel_multi_index", np.ravel_multi_index, places=2, multi_index=[x, x], dims=[2, 9], mode=mode)
            c.case("numpy.unravel_index", np.unravel_index, places=2, indices=x, shape=[3, 9])
    for dtype, v in itertools.product(["float16", "float32", "float64"], [-1, 0, 1, 3, -1074, 1023, np.inf, -np.inf, np.nan]):
        x = np.array(v, dtype)
        c.case("cupy.logaddexp2", np.logaddexp2, places=2, x1=x, x2=x)
        c.case("cupy.logaddexp", np.logaddexp, places=2, x1=x, x2=x)
    for (start, stop), n, end in itertools.product([(0.0, 2.5e-323), (0.0, 5e-324), (5e-324, 0.0), (-1e-323, 1e-323), (1.0, 1.0), (0.0, 1.0)],
                                                   [0, 1, 2, 3, 5, 10, 50], [True, False]):
        c.case("cupy.linspace", np.linspace, start=start, stop=stop, num=n, endpoint=end)
    c.save()


if __name__ == "__main__":
    for chapter in [reductions, axes, empty, quantiles, others]:
        chapter()
