"""Records what NumPy answers to options of its functions, as record.py does for their edges: numpy/options-*.json and .npz.

    python options.py
"""
import itertools

import numpy as np

from chapter import ALL, Chapter, given, values


def pad():
    """Values by axis and side, lengths of statistics, ends of ramps and odd reflections, and what is refused."""
    c = Chapter("options-pad", 20)
    big = [np.array([2**60 + 1, -2**60], "int64"), np.array([[2**63 + 1]], "uint64")]
    widths = [1, [2, 0], [[1, 2], [0, 3]], [[5, 4]], [[1], [2]], [[0, 0], [0, 0], [0, 0]], [1, 2, 3]]
    amounts = [3, 2.5, True, [1, 7], [[1, 2], [3, 4]], [[5], [6]], np.array(2.5), np.array([1, 2, 3]), np.array([[1, 0]], "uint8")]
    lengths = [1, 2, [2, 1], [[1, 9], [2, 2]], 0, [[1, 1], [2, 2], [3, 3]]]
    for of, shape in itertools.product(ALL, [(2, 3), (3,), (), (0, 2), (1, 3)]):
        x = values(of, shape)
        for w in widths:
            def case(mode, **options):
                c.case("numpy.pad", np.pad, places=3, array=x, pad_width=w, mode=mode, **options)
            for v in amounts:
                if x.dtype.kind in "fc" or not isinstance(v, list):
                    case("constant", constant_values=v)
                if x.dtype.kind != "b":
                    case("linear_ramp", end_values=v)
            for mode, n in itertools.product(["mean", "median", "maximum", "minimum"], lengths):
                if x.dtype.kind in "biu" or n != 0:
                    if not (n == 0 and mode in ("mean", "median")) and not (mode == "median" and x.dtype.kind == "c"):
                        case(mode, stat_length=n)
            for mode, kind in itertools.product(["reflect", "symmetric"], ["even", "odd"]):
                case(mode, reflect_type=kind)
            case("edge", constant_values=1)
            case("wrap", reflect_type="odd")
    for x in big:
        for v in [2**60 + 3, big[0]]:
            c.case("numpy.pad", np.pad, places=3, array=x, pad_width=1, mode="constant", constant_values=v)
        c.case("numpy.pad", np.pad, places=3, array=x, pad_width=1, mode="reflect", reflect_type="odd")
    c.save()


def casting():
    """Which conversions of operands and results each rule allows."""
    c = Chapter("options-casting", 2)
    rules = ["no", "safe", "same_kind", "unsafe"]
    two = {"add": ALL, "maximum": ALL, "divide": ALL, "power": ["int8", "int64", "float32", "float64", "complex128"], "less": ALL,
           "hypot": ["int8", "float16", "float64"], "bitwise_and": ["bool", "int8", "uint16", "int64"], "logical_and": ["int8", "float64"]}
    one = {"sqrt": ALL, "negative": ALL[1:], "isfinite": ["int8", "float32"]}
    for function, types in two.items():
        f = getattr(np, function)
        for a, b, rule in itertools.product(types, types, rules):
            x, y = values(a, (3,)), values(b, (3,), 2) + np.ones(3, b)
            c.case("cupy." + function, f, places=2, x1=x, x2=y, casting=rule)
            for to in ALL:
                if not (rule == "unsafe" and function in ["divide", "power", "hypot"] and np.dtype(to).kind in "iu" or a == b == "int8" and function == "hypot"):
                    c.case("cupy." + function, f, ["out"], places=2, x1=x, x2=y, casting=rule, out=values(to, (3,)))
                if np.dtype(to).kind not in "iub" or function in ["add", "maximum"]:
                    c.case("cupy." + function, f, places=2, x1=x, x2=y, casting=rule, dtype=np.dtype(to))
    for function, types in one.items():
        f = getattr(np, function)
        for a, rule in itertools.product(types, rules):
            x = values(a, (3,))
            c.case("cupy." + function, f, x=x, casting=rule)
            for to in ALL:
                if not (rule == "unsafe" and np.dtype(to).kind in "iu") and np.result_type(a, "int8").itemsize > 1:
                    c.case("cupy." + function, f, ["out"], x=x, casting=rule, out=values(to, (3,)))
                    c.case("cupy." + function, f, x=x, casting=rule, dtype=np.dtype(to))
    for function, a, rule in itertools.product(["add", "less"], ALL, rules):
        for v in [1, 2.5, True]:
            c.case("cupy." + function, getattr(np, function), places=2, x1=values(a, (3,)), x2=v, casting=rule)
            c.case("cupy." + function, getattr(np, function), places=2, x1=values(a, (3,)), x2=v, casting=rule, out=values("float32", (3,)))
    c.save()


def statistics():
    """Weights, means, tolerances, sorters and rules for bins."""
    c = Chapter("options-statistics", 5)
    floats = ["float16", "float32", "float64"]
    def returned(a, **options):
        return np.average(a, **options)
    for of, shape in itertools.product(["uint8"] + floats[1:], [(4,), (2, 3), (0,)]):
        x = values(of, shape)
        for axis, w in itertools.product([None, 0, (1, 0)], ["float64", "int8"]):
            for lengths in [shape, shape[:1], tuple(shape[k] for k in np.atleast_1d(axis)) if axis is not None and len(shape) > max(np.atleast_1d(axis)) else (2,)]:
                weights = values(w, lengths) + np.ones(1, w)
                if x.size and (x.dtype.kind != "f" or x.dtype.itemsize > 2):
                    c.case("numpy.average", np.average, a=x, weights=weights, **given(axis=axis))
                    c.case("numpy.average", returned, a=x, weights=weights, returned=True, keepdims=True, **given(axis=axis))
                for q, keep in itertools.product([0.2, np.array([0.25, 1]), np.array([0.4], "float32")], [False]):
                    for name, whole in [("quantile", 1), ("nanquantile", 1), ("percentile", 100), ("nanpercentile", 100)]:
                        if name[0] == "n" and (not x.size or lengths != shape):
                            continue  # NumPy fails in a loop of its own
                        y = x.copy()
                        if name[0] == "n" and x.dtype.kind == "f" and x.size > 1:
                            y.ravel()[1] = np.nan
                        for method, less in [("inverted_cdf", 0), ("inverted_cdf", 1), ("linear", 0), ("inverted_cdf", 9)]:
                            c.case("numpy." + name, getattr(np, name), places=2, a=y, q=q * whole if whole > 1 else q, method=method, keepdims=keep,
                                   weights=np.asarray(weights - np.asarray(less, w), w), **given(axis=axis))
            c.case("numpy.average", returned, a=x, returned=True, **given(axis=axis))
        for axis, name, to in itertools.product([None, 0, -1], ["var", "std", "nanvar", "nanstd"], floats + ["int32"]):
            f = getattr(np, name)
            mean = np.mean(x, axis=axis, keepdims=True).astype(to)
            c.case(("numpy." if "nan" in name else "cupy.") + name, f, a=x, mean=mean, ddof=1, **given(axis=axis))
            c.case(("numpy." if "nan" in name else "cupy.") + name, f, a=x, mean=values(to, (3,)), **given(axis=axis))
        for to, equal in itertools.product(floats, [False, True]):
            y = x + values(to, shape, 3) / 8
            for rtol, atol in itertools.product([1e-5, 0.25, values(to, shape[-1:])], [1e-8, 0.5, values(to, shape, 2)]):
                if (x.dtype.kind == "f" or of == "int8") and x.dtype.itemsize != 2 and to != "float16":
                    c.case("numpy.isclose", np.isclose, places=2, a=x, b=y, rtol=rtol, atol=atol, equal_nan=equal)
        if x.dtype.kind == "f" or of == "int8":
            y = x / values(of, shape, 1)
            for value in [2.5, values(of, shape), values(of, shape[-1:]), values(of, (7,))]:
                c.case("numpy.nan_to_num", np.nan_to_num, x=y, nan=value)
                c.case("numpy.nan_to_num", np.nan_to_num, x=y, posinf=value, neginf=values(of, shape, 4))
        if len(shape) == 1:
            order = np.argsort(x, kind="stable")
            for sorter, side in itertools.product([order, order[:2], order.astype("int8"), order.astype("float64"), order + 2], ["left", "right"]):
                c.case("numpy.searchsorted", np.searchsorted, places=2, a=x, v=values(of, (3,), 1), side=side, sorter=sorter)
    rng = np.random.RandomState(5)
    for n, of, rule in itertools.product([0, 1, 2, 30, 200], ["float64", "int32", "uint8"],
                                         ["auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt", "none"]):
        for x in [np.round(rng.gamma(2, 20, n), 2).astype(of), np.full(n, 3, of)]:
            c.case("numpy.histogram_bin_edges", np.histogram_bin_edges, places=2, a=x, bins=rule)
            c.case("numpy.histogram", np.histogram, places=2, a=x, bins=rule, range=(1.5, 60.0))
            if n == 2:
                c.case("numpy.histogram_bin_edges", np.histogram_bin_edges, places=2, a=x, bins=rule, weights=np.ones(n))
    c.save()


def chosen():
    """Initial values and masks of reductions."""
    c = Chapter("options-chosen", 2)
    started = {"cupy.sum": np.sum, "cupy.prod": np.prod, "cupy.amax": np.amax, "cupy.amin": np.amin, "numpy.nansum": np.nansum,
               "numpy.nanprod": np.nanprod, "numpy.nanmax": np.nanmax, "numpy.nanmin": np.nanmin}
    others = {"cupy.mean": np.mean, "cupy.var": np.var, "cupy.std": np.std, "numpy.nanmean": np.nanmean, "numpy.nanvar": np.nanvar,
              "numpy.nanstd": np.nanstd, "numpy.all": np.all, "numpy.any": np.any}
    masks = [np.array([True, False, True]), np.array([False]), np.array([[True], [False]]), np.array([True, False]), np.array([1, 0, 1])]
    for of, shape, axis, keep in itertools.product(["bool", "int8", "uint16", "float32", "float64", "complex64"], [(2, 3), (3,), (0, 3)], [None, 0, -1],
                                                   [False, True]):
        x = values(of, shape)
        if x.size and x.dtype.kind == "f":
            x.ravel()[1] = np.nan
        for (function, f), mask in itertools.product({**started, **others}.items(), masks):
            if mask.dtype.kind != "b" and ("nan" in function or function in ["numpy.all", "numpy.any", "cupy.mean", "cupy.var", "cupy.std"]):
                continue  # some of NumPy's take truth values of any kind
            if mask.ndim == 2 and shape != (2, 3):
                continue  # the result takes on the shape of a mask of more axes
            options = given(axis=axis, keepdims=keep)
            c.case(function, f, a=x, where=mask, **options)
            if function in started:
                for v in [2, 7, 3] if x.dtype.kind in "iu" else [2.5, 3]:
                    if x.dtype.kind != "b":
                        c.case(function, f, a=x, initial=v, **options)
                        c.case(function, f, a=x, initial=v, where=mask, **options)
    c.save()


if __name__ == "__main__":
    for chapter in [pad, casting, statistics, chosen]:
        chapter()
