"""Records what NumPy returns, for tests beside it: python record.py, with NumPy 2.4.

Every table is lines of words. A value is as Python writes it; "-" stands in for the dtype of what is refused.
  weak.txt.gz       ufunc, the array's dtype, the weak scalar, which operand it is, the result's dtype and values
  integers.txt.gz   function, the array's dtype, the result's dtype and values
  interp.txt.gz     x, xp, fp, as lists with commas, then the values
  index.txt.gz      rank of the array, the items of an index as letters, shape of what it means, a sum over its elements
"""
import gzip
import itertools
import os
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")

TYPES = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()


def elements(code):
    t = np.dtype(code)
    if t.kind == "b":
        return np.array([False, True])
    if t.kind in "iu":
        return np.array([0, 3, np.iinfo(t).min, np.iinfo(t).max], t)
    return np.array([0, 0.1, -2.5, 300], t)


def word(v):
    if isinstance(v, np.bool_):
        return str(int(v))
    if isinstance(v, np.complexfloating):
        return f"{float(v.real)!r},{float(v.imag)!r}"
    return repr(v.item())


def result(f):
    """The dtype and the values of what f returns, or a dash."""
    try:
        y = f()
    except (TypeError, ValueError, OverflowError):
        return ["-"]
    y = np.asarray(y)
    return [y.dtype.str[1:]] + [word(v) for v in y.ravel()]


UFUNCS = """add subtract multiply divide floor_divide remainder fmod power float_power maximum minimum fmax fmin arctan2
hypot copysign nextafter heaviside logaddexp logaddexp2 equal not_equal less less_equal greater greater_equal logical_and
logical_or logical_xor left_shift right_shift bitwise_and bitwise_or bitwise_xor gcd lcm""".split()

SCALARS = [0.1, 1 / 3, 1e-8, 65504.0, 65520.0, -65535.0, 1e300, float("nan"), float("inf"), True, 0, 2, -1, 300, 65520,
           2**31, 2**63, 10**30, 0.1j]


def weak():
    for name, code, v in itertools.product(UFUNCS, TYPES, SCALARS):
        f, x = getattr(np, name), elements(code)
        yield [name, code, repr(v), "b"] + result(lambda: f(x, v))
        yield [name, code, repr(v), "a"] + result(lambda: f(v, x))


UNARY = """absolute positive negative sign square reciprocal fabs floor ceil trunc rint fix exp exp2 expm1 log log2 log10
log1p sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh deg2rad rad2deg sinc i0 spacing
signbit isnan isinf isfinite logical_not invert angle real imag conj round nan_to_num cumsum cumprod sum prod mean var std
max min ptp median average nansum nanprod nanmean nanvar nanstd nanmedian count_nonzero any all argmax argmin diff gradient
sort cov trapezoid modf frexp""".split()


def integers():
    for name, code in itertools.product(UNARY, TYPES[:9]):
        x = elements(code)
        first = lambda y: y[0] if isinstance(y, tuple) else y
        yield [name, code] + result(lambda: first(getattr(np, name)(x)))


def interp():
    inf, nan = float("inf"), float("nan")
    line = lambda v: ",".join(repr(float(u)) for u in v)
    x = [-inf, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, inf, nan]
    cases = [([p], [f]) for p in (-inf, 0, inf, nan) for f in (-inf, 10, nan)]
    places = [-inf, -inf, 0, 1, inf, inf, nan]
    values = [-inf, -10, 10, inf, nan]
    cases += [(p, f) for p in sorted(set(itertools.combinations(places, 2)), key=str) for f in itertools.product(values, repeat=2)]
    rng = np.random.default_rng(1)
    for _ in range(150):
        p = np.sort(rng.choice([-inf, -1, 0, 0, 1, 1.5, 2, inf, nan], rng.integers(3, 7)))
        p = p[np.cumsum(np.isnan(p)) < 2]  # what is found among several not-a-numbers is chance
        cases.append((p, rng.choice([-inf, -10, 10, 10, 3, inf, nan], len(p))))
    for p, f in cases:
        p, f = [float(v) for v in p], [float(v) for v in f]
        yield [line(x), line(p), line(f)] + [word(v) for v in np.interp(x, p, f)]


def item(letter, lengths):
    """What a letter is in an index, and how many axes it stands for, before axes of the given lengths."""
    n, m = (list(lengths) + [1, 1])[:2]
    one, two = np.zeros(n, bool), np.zeros((n, m), bool)
    one[[0, -1]] = two[0, 0] = two[-1, -1] = True
    return {
        "a": (1, 1), "b": (-1, 1), ":": (slice(None), 1), "s": (slice(None, 0, -1), 1), "0": (slice(0, 0), 1),
        "n": (None, 0), "e": (Ellipsis, None), "i": (np.array([0, 1]), 1), "j": (np.array([[1], [0]]), 1),
        "z": (np.array(1), 1), "o": (np.array([9, 0]), 1), "m": (one, 1), "M": (two, 2), "t": (np.array(True), 0),
        "f": (np.array(False), 0),
    }[letter]


def index():
    letters = "ab:s0neijzomMtf"
    sequences = [s for k in range(4) for s in itertools.product(letters, repeat=k)]
    rng = np.random.default_rng(1)
    sequences += [tuple(rng.choice(list(letters[:-3]), rng.integers(4, 7))) for _ in range(1500)]
    for rank, letters in itertools.product((2, 3), sequences):
        x = np.arange(12 if rank == 2 else 60).reshape((3, 4, 5)[:rank])
        used = sum(item(c, (9, 9))[1] or 0 for c in letters)
        axis, items = 0, []
        for c in letters:
            it, axes = item(c, x.shape[axis:])
            items.append(it)
            axis += max(rank - used, 0) if axes is None else axes
        try:
            y = x[tuple(items)]
        except IndexError:
            yield [str(rank), "".join(letters) or "-", "-"]
            continue
        total = int((np.arange(1, y.size + 1) * y.ravel()).sum())
        yield [str(rank), "".join(letters) or "-", ",".join(map(str, y.shape)) or "()", str(total)]


for table in weak, integers, interp, index:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), table.__name__ + ".txt.gz")
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as text:
        text.write("".join(" ".join(row) + "\n" for row in table()).encode())
