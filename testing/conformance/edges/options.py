"""Records what NumPy answers to options of its functions, as record.py does for their edges: numpy/options-*.json and .npz.

    python options.py
"""
import itertools

import numpy as np

from chapter import ALL, Chapter, values


def pad():
    """Values by axis and side, lengths of statistics, ends of ramps and odd reflections, and what is refused."""
    c = Chapter("options-pad", 64)
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


if __name__ == "__main__":
    for chapter in [pad]:
        chapter()
