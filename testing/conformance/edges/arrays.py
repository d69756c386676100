"""Records what NumPy answers where arrays are made, joined and rearranged, as record.py does at its edges: numpy/arrays*.json and .npz.

    python arrays.py
"""
import itertools

import numpy as np

from chapter import ALL, INTEGERS, REALS, Chapter, given, values

SHAPES = [(2, 3), (3,), (), (0,), (2, 0), (2, 2, 2)]
FEW = ["bool", "uint8", "int64", "float32", "complex128"]


def joining():
    """What appends, inserts, deletes and repeats."""
    c = Chapter("arrays", 4)
    for of, shape in itertools.product(FEW, SHAPES):
        x = values(of, shape)
        for axis, to in itertools.product([None, 0, -1, 1, 5], [(2,), (1, 3), (2, 1), (), (2, 3)]):
            at = given(axis=axis)
            c.case("numpy.append", np.append, places=2, arr=x, values=values("float32", to, 2), **at)
            for obj in [0, 1, -1, 9, [1], [0, 2], [1, 1], [], [2, 0, -1]]:
                if not (isinstance(obj, int) and axis is None and to != ()):
                    c.case("numpy.insert", np.insert, places=3, arr=x, obj=obj, values=values(of, to, 2), **at)
            for obj in [0, -1, 2, 9, [0, 1], [-1, 0, 0], [], slice(1, None), slice(None, None, -2), slice(5, 1), np.array([True, False, True])]:
                c.case("numpy.delete", np.delete, places=2, arr=x, obj=np.array(obj, int) if obj == [] else obj, **at) if not isinstance(obj, np.ndarray) \
                    else c.case("numpy.delete", np.delete, places=2, arr=x, obj=obj, **at)
        for to in [(4,), (2, 5), (), (0, 3), (3, 1, 2), (7,)]:
            c.case("numpy.resize", np.resize, places=2, a=x, new_shape=list(to))
        y = values("float32", shape, 2)
        for blocks in [[[x, y], [y, x]], [[x], [y]], [[x, y]], [[x, y[:1] if y.ndim else y], [y]]]:
            c.case("numpy.block", np.block, arrays=blocks)
        for name, k in itertools.product(["tril", "triu"], [0, 1, -1]):
            f = getattr(np, name + "_indices_from")
            c.case("numpy.%s_indices_from" % name, f, places=1, arr=x, k=k)
            c.case("numpy.mask_indices", lambda n, mask_func, k: np.mask_indices(n, getattr(np, mask_func), k), n=3, mask_func=name, k=k)
        window = np.lib.stride_tricks.sliding_window_view
        for lengths, axis in itertools.product([2, 1, 3, [2, 2], [1, 2], 0], [None, 0, -1, [0, 1], [1, 1]]):
            c.case("numpy.lib.stride_tricks.sliding_window_view", window, places=2, x=x, window_shape=lengths, **given(axis=axis))
        applied = lambda func1d, axis, arr: np.apply_along_axis(NAMED[func1d], axis, arr)
        for name, axis in itertools.product(["negative", "sum", "cumsum", "diag"], [0, 1, -1]):
            c.case("numpy.apply_along_axis", applied, func1d=name, axis=axis, arr=x)
        over = lambda func, a, axes: np.apply_over_axes(getattr(np, func), a, axes)
        for name, axes in itertools.product(["sum", "cumsum"], [[0], [0, 1], [-1, 0]]):
            if shape:
                c.case("numpy.apply_over_axes", over, func=name, a=x, axes=axes)
        for names, conditions in itertools.product([["negative", "square"], ["square", "negative", "square"], ["square"]], [0, 3]):
            if of != "bool":
                conditions = [values("bool", shape, conditions), values("bool", shape, 1)]
                piecewise = lambda x, condlist, funclist: np.piecewise(x, condlist, [NAMED[f] for f in funclist])
                c.case("numpy.piecewise", piecewise, x=x, condlist=conditions, funclist=names)
    for shape, dtype, name in itertools.product([(3,), (2, 3), (2, 0)], ["float64", "int32"], ["negative", "square"]):
        made = lambda function, shape, dtype: np.fromfunction(lambda *at: NAMED[function](at[0] - sum(at[1:])), shape, dtype=dtype)
        c.case("numpy.fromfunction", made, function=name, shape=list(shape), dtype=np.dtype(dtype))
    c.save()


NAMED = {"negative": np.negative, "square": np.square, "sum": np.sum, "cumsum": np.cumsum, "diag": lambda x: np.diag(x)}


def spaces():
    """Ranges between arrays, powers, and what looks at parts of numbers."""
    c = Chapter("arrays-spaces", 5)
    ends = [np.array(1.0), np.array(4, "int64"), np.array([1, 2, 4], "float32"), np.array([[2], [8]], "float64"), np.array([1 + 1j, 3]), np.array([0.5, 2], "float16"),
            2, 0.5, 1 - 1j]
    for start, stop, n, end, axis in itertools.product(ends, ends, [0, 1, 2, 5], [True, False], [0, -1, 1]):
        for function in ["linspace", "logspace", "geomspace"]:
            f = getattr(np, function)
            c.case("numpy." + function, f, places=2, start=start, stop=stop, num=n, endpoint=end, axis=axis)
        c.case("numpy.logspace", np.logspace, places=2, start=start, stop=stop, num=n, endpoint=end, base=2.0)
    for start, stop in [(np.array([-1.0, -8]), np.array([-27.0, -1])), (np.array([0.0, 1]), np.array(2.0)), (-1.0, np.array([-4.0, -9]))]:
        for function, n, to in itertools.product(["linspace", "geomspace"], [3, 4], [None, "int32", "float32"]):
            c.case("numpy." + function, getattr(np, function), places=2, start=start, stop=stop, num=n, **given(dtype=to and np.dtype(to)))
    c.case("numpy.logspace", np.logspace, places=2, start=np.array([0.0, 1]), stop=np.array(2.0), num=3, base=np.array([2.0, 3]))
    for of in ALL:
        for shape in [(3,), (0,), (2, 2), ()]:
            x = values(of, shape, 1)
            for n, up in itertools.product([None, 0, 1, 2, 4], [True, False]):
                c.case("numpy.vander", np.vander, x=x, increasing=up, **given(N=n))
            c.case("numpy.sort_complex", np.sort_complex, a=x)
            for near in [x, x.real + 0j, (x.real + 1e-15j) if x.dtype.kind == "f" else x]:
                for tol in [100, 1000, 0.5]:
                    c.case("numpy.real_if_close", np.real_if_close, a=near, tol=tol)
            c.case("numpy.iscomplex", np.iscomplex, x=x)
            c.case("numpy.isreal", np.isreal, x=x)
            z = np.concatenate([x.ravel(), np.array([np.inf, -np.inf, np.nan]).astype(of if x.dtype.kind in "fc" else "float32")])
            c.case("numpy.isposinf", np.isposinf, x=z)
            c.case("numpy.isneginf", np.isneginf, x=z)
            c.case("numpy.isposinf", np.isposinf, x=x)
            c.case("numpy.isneginf", np.isneginf, x=x)
            if x.dtype.kind == "c":
                continue
            for axis, period, jump in itertools.product([-1, 0, 1], [None, 4, 3, 2.5], [None, 1.0, 3.0]):
                if x.dtype.kind not in "bu" and (x.dtype.kind == "f" or period != 2.5):
                    c.case("numpy.unwrap", np.unwrap, p=x * x.dtype.type(2), axis=axis, **given(period=period, discont=jump))
    for of in INTEGERS + ["bool", "float32"]:
        low = 0 if np.dtype(of).kind != "i" else np.iinfo(of).min
        x = np.array([0, 1, 2, 3, 100, 127, low, low + 1] if of != "bool" else [0, 1], of)
        c.case("numpy.bitwise_count", np.bitwise_count, x=x)
        c.case("numpy.bitwise_count", np.bitwise_count, ["out"], x=x, out=np.zeros(x.shape, "int32"))
    c.save()


def options():
    """Options of what joins and places."""
    c = Chapter("arrays-options", 7)
    rules = [None, "no", "equiv", "safe", "same_kind", "unsafe"]
    for first, second, rule, axis in itertools.product(FEW, FEW, rules, [0, None, -1]):
        xs = [values(first, (2, 3)), values(second, (2, 3), 2)]
        for to in [None] + FEW:
            if "complex128" in (first, second) and to not in (None, "complex128"):
                continue
            c.case("numpy.concatenate", np.concatenate, arrays=xs, axis=axis, **given(casting=rule, dtype=to and np.dtype(to)))
            if to and axis != -1:
                c.case("numpy.concatenate", np.concatenate, ["out"], arrays=xs, axis=axis, out=values(to, (12,) if axis is None else (4, 3)), **given(casting=rule))
    c.case("numpy.concatenate", np.concatenate, arrays=[values("float64", ()), values("int8", (2, 1))], axis=None)
    for shape, trim, axis in itertools.product([(5,), (3, 4), (2, 2, 3), ()], ["fb", "f", "b"], [None, 0, -1, [0], [0, 1], [], 3]):
        for x in [values("int64", shape), np.pad(values("float32", shape, 1), 1), np.zeros(shape)]:
            c.case("numpy.trim_zeros", np.trim_zeros, filt=x, trim=trim, **given(axis=axis))
    at = [np.array([-1, 0, 2]), np.array([3, 1, -2])]
    for modes, order in itertools.product(itertools.product(["raise", "wrap", "clip"], repeat=2), ["C", "F"]):
        for x in [at, [np.array([0, 1]), np.array([[5], [-7]])], [np.array([0, 1]), np.array([1, 1])]]:
            c.case("numpy.ravel_multi_index", np.ravel_multi_index, places=2, multi_index=x, dims=[2, 3], mode=list(modes), order=order)
    for of, shape, axis, initial in itertools.product(FEW, [(3,), (2, 3), (0,), (2, 0)], [None, 0, -1], [False, True]):
        for name, to in itertools.product(["cumulative_sum", "cumulative_prod"], [None, "float32", "int16"]):
            if (axis is not None or len(shape) == 1) and (of != "complex128" or to is None):
                c.case("numpy." + name, getattr(np, name), x=values(of, shape), include_initial=initial, **given(axis=axis, dtype=to and np.dtype(to)))
    c.save()


if __name__ == "__main__":
    for chapter in [joining, spaces, options]:
        chapter()
