"""Records what NumPy answers to options of its functions, as record.py does for their edges: numpy/options-*.json and .npz.

    python options.py
"""
import itertools

import numpy as np

from chapter import ALL, Chapter, values


def pad():
    """Values by axis and side, lengths of statistics, ends of ramps and odd reflections, and what is refused."""
    c = Chapter("options-pad", 40)
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
    c = Chapter("options-casting", 5)
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


if __name__ == "__main__":
    for chapter in [pad, casting]:
        chapter()
