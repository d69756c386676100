#!/usr/bin/env python3
"""Writes derivatives.txt.gz: values and derivatives of the elementwise functions, computed with mpmath (PyPI).

    python3 nd/ops/testdata/derivatives.py

Each function is written here as mathematics has it, not as the library computes it, and is evaluated on truncated
Taylor series (Jet) in a thousand and more digits, so that nothing that cancels is left in the recorded float64.

The table is text. A line "name of x d0 d1 d2" lists, behind the name of the row and a word, hexadecimal float64 bits
(or the words 0, -0, inf, -inf, nan, and ? where nothing is said): the word "x" the arguments of functions of one number, the words "a" and "b" those of two,
"y" values, "x'" and "x''" derivatives, "a'", "b'", "aa", "ab", "bb" partial derivatives. Arguments that float32 can
hold are float32 numbers, so that one table serves both types.
"""

import gzip
import os
import struct
import time

import mpmath
from mpmath import mp, mpf

NAN = mpf("nan")
LEVELS = (100, 250, 800, 1700, 3600)  # decimal digits; a value counts when two levels agree
SURE = 800  # but not a 0 below these, which may be two numbers that were the same to so many digits
FAR = 400  # 10**FAR stands for infinity
NEAR = 3000  # 10**-NEAR stands for 0 where a function has a pole or a branch point there


class Jet:
    """A value and its derivatives; the entries are numbers or jets in another variable."""

    def __init__(self, c):
        self.c = list(c)

    def low(self):
        return Jet(self.c[:-1])

    def slope(self):
        return Jet(self.c[1:])

    def __add__(self, o):
        if not isinstance(o, Jet) or depth(o) < depth(self):
            return Jet([self.c[0] + o] + self.c[1:])
        if depth(o) > depth(self):
            return o + self
        return Jet([p + q for p, q in zip(self.c, o.c)])

    __radd__ = __add__

    def __neg__(self):
        return Jet([-p for p in self.c])

    def __sub__(self, o):
        return self + (-o)

    def __rsub__(self, o):
        return -self + o

    def __mul__(self, o):
        if not isinstance(o, Jet) or depth(o) < depth(self):
            return Jet([p * o for p in self.c])
        if depth(o) > depth(self):
            return o * self
        first = self.c[0] * o.c[0]
        if len(self.c) == 1:
            return Jet([first])
        return Jet([first] + (self.slope() * o.low() + self.low() * o.slope()).c)

    __rmul__ = __mul__

    def __truediv__(self, o):
        return self * reciprocal(o)

    def __rtruediv__(self, o):
        return reciprocal(self) * o


def depth(x):
    return 1 + depth(x.c[0]) if isinstance(x, Jet) else 0


def number(x):
    """The value, without derivatives."""
    return number(x.c[0]) if isinstance(x, Jet) else x


def lift(f, df):
    """Makes a function of numbers, with its derivative, one of jets."""

    known = {}

    def lifted(x):
        if not isinstance(x, Jet):
            if mpmath.isnan(x):
                return NAN
            if (x, mp.prec) not in known:
                known[x, mp.prec] = f(x)
            return known[x, mp.prec]
        first = lifted(x.c[0])
        if len(x.c) == 1:
            return Jet([first])
        return Jet([first] + (df(x.low()) * x.slope()).c)

    return lifted


def invert(x):
    if x == 0:
        raise ZeroDivisionError
    return 1 / x


def real(f):
    def checked(x):
        y = f(x)
        if isinstance(y, mpmath.mpc):
            raise ArithmeticError("not real")
        if mpmath.isinf(y):
            raise ZeroDivisionError("a pole")
        return y

    return checked


def constant(v):
    return lambda x: x * 0 + v


reciprocal = lift(invert, lambda x: -(reciprocal(x) * reciprocal(x)))
exp = lift(mp.exp, lambda x: exp(x))
log = lift(real(mp.log), reciprocal)
log1p = lift(real(mp.log1p), lambda x: 1 / (1 + x))
expm1 = lift(mp.expm1, exp)
sqrt = lift(real(mp.sqrt), lambda x: 1 / (2 * sqrt(x)))
cbrt = lift(lambda x: mp.sign(x) * mp.cbrt(abs(x)), lambda x: cbrt(x) / (3 * x))
sin = lift(mp.sin, lambda x: cos(x))
cos = lift(mp.cos, lambda x: -sin(x))
tan = lift(mp.tan, lambda x: 1 / (cos(x) * cos(x)))
asin = lift(real(mp.asin), lambda x: 1 / sqrt((1 - x) * (1 + x)))
acos = lift(real(mp.acos), lambda x: -1 / sqrt((1 - x) * (1 + x)))
atan = lift(mp.atan, lambda x: 1 / (1 + x * x))
sinh = lift(mp.sinh, lambda x: cosh(x))
cosh = lift(mp.cosh, lambda x: sinh(x))
sech = lift(mp.sech, lambda x: -(sech(x) * tanh(x)))
tanh = lift(mp.tanh, lambda x: sech(x) * sech(x))
asinh = lift(mp.asinh, lambda x: 1 / sqrt(1 + x * x))
acosh = lift(real(mp.acosh), lambda x: 1 / (sqrt(x - 1) * sqrt(x + 1)))
atanh = lift(real(mp.atanh), lambda x: 1 / ((1 - x) * (1 + x)))
erf = lift(mp.erf, lambda x: 2 / mp.sqrt(mp.pi) * exp(-(x * x)))
erfinv = lift(real(mp.erfinv), lambda x: mp.sqrt(mp.pi) / 2 * exp(erfinv(x) * erfinv(x)))
sigmoid = lift(lambda x: mp.exp(x) / (1 + mp.exp(x)) if x < 0 else 1 / (1 + mp.exp(-x)), lambda x: sigmoid(x) * sigmoid(-x))
softplus = lift(lambda x: mp.log1p(mp.exp(x)) if x < 0 else x + mp.log1p(mp.exp(-x)), sigmoid)
absolute = lift(abs, lambda x: sign(x))
sign = lift(mp.sign, constant(0))


def erfc_of(x):
    """exp(-x²)/√π over the continued fraction, where mpmath would add up very long series."""
    if x < 200:
        return mp.erfc(x)
    t = mpf(0)
    for k in range(150, 0, -1):
        t = mpf(k) / 2 / (x + t)
    return mp.exp(-x * x) / mp.sqrt(mp.pi) / (x + t)


erfc = lift(erfc_of, lambda x: -2 / mp.sqrt(mp.pi) * exp(-(x * x)))


def whole(x):
    return x <= 0 and x == mp.floor(x)


def gamma_of(x):
    if x == 0:
        raise ZeroDivisionError
    if whole(x):
        return NAN
    return mpf(10) ** 400 if x > 400 else mp.gamma(x)


def lgamma_of(x):
    if whole(x):
        return mpf(10) ** 400 if x else mp.log(mpf(10) ** NEAR)
    return log_gamma_reflected(x) if x < 0 else mp.loggamma(x)


def log_gamma_reflected(x):
    return mp.log(mp.pi / abs(mp.sinpi(x))) - mp.loggamma(1 - x)


def polygamma(n):
    def f(x):
        if x == 0:
            raise ZeroDivisionError
        return NAN if whole(x) else mp.psi(n, x)

    return lift(f, lambda x: POLYGAMMA[n + 1](x))


POLYGAMMA = [polygamma(n) for n in range(7)]
gamma = lift(gamma_of, lambda x: gamma(x) * POLYGAMMA[0](x))
lgamma = lift(lgamma_of, POLYGAMMA[0])


def bessel(n):
    return lift(lambda x: mp.besseli(n, x) if abs(x) < 2000 else mpf(10) ** 400 * (mp.sign(x) ** n),
                lambda x: (BESSEL[abs(n - 1)](x) + BESSEL[n + 1](x)) / 2)


BESSEL = [bessel(n) for n in range(5)]


def near_sums(n, x, sign):
    """Σ qᵏ/(k!(n+k)!), and that with the harmonic numbers of k and n+k as factors, for q = ±x²/4."""
    q, k, term = sign * (x / 2) ** 2, 0, 1 / mp.factorial(n)
    total, numbers, harmonic = mpf(0), sum(mpf(1) / j for j in range(1, n + 1)), mpf(0)
    while abs(term) > mp.eps * abs(total) or k < abs(x):
        total, harmonic = total + term, harmonic + term * numbers
        k += 1
        term *= q / (k * (n + k))
        numbers += mpf(1) / k + mpf(1) / (n + k)
    return total, harmonic


def far_sums(n, x):
    """Hankel's terms of the four kinds: Σ(-1)ᵏaₖ, Σaₖ, and the parts of Σiᵏaₖ."""
    sums, term, k = [mpf(0)] * 4, mpf(1), 0
    while abs(term) > mp.eps:
        sums[0] += (-1) ** k * term
        sums[1] += term
        sums[2 + k % 2] += (-1) ** (k // 2) * term
        k += 1
        term *= (4 * n * n - (2 * k - 1) ** 2) / (8 * k * x)
    return sums


def bessel_of(kind, n, x):
    """J, Y, and the scaled I and K of a positive number."""
    if x >= 2000:
        falling, rising, p, q = far_sums(n, x)
        if kind == "I":
            return falling / mp.sqrt(2 * mp.pi * x)
        if kind == "K":
            return rising * mp.sqrt(mp.pi / (2 * x))
        angle = x - (2 * n + 1) * mp.pi / 4
        s, c = mp.sin(angle), mp.cos(angle)
        return mp.sqrt(2 / (mp.pi * x)) * (p * c - q * s if kind == "J" else p * s + q * c)
    with mp.workdps(mp.dps + 2 * int(x) + 30):
        half = x / 2
        if kind in "JI":
            y = half ** n * near_sums(n, x, 1 if kind == "I" else -1)[0]
            return y * mp.exp(-x) if kind == "I" else y
        if n > 1:
            before, last = bessel_of(kind, n - 2, x), bessel_of(kind, n - 1, x)
            return 2 * (n - 1) / x * last + (before if kind == "K" else -before)
        total, harmonic = near_sums(n, x, 1 if kind == "K" else -1)
        logarithm = mp.log(half) + mp.euler
        if kind == "K":
            y = -((-1) ** n) * logarithm * half ** n * total + (-half) ** n * harmonic / 2
            return (y + (1 / x if n else 0)) * mp.exp(x)
        return (2 * logarithm * half ** n * total - half ** n * harmonic - (2 / x if n else 0)) / mp.pi


def bessel_kind(kind):
    """The functions of the orders 0 to 3, which have each other as derivatives; those of I and K with a factor exp(∓|x|)."""

    def of(n):
        def value(x):
            if kind in "YK" and x <= 0:
                raise ZeroDivisionError if x == 0 else ArithmeticError("outside")
            return bessel_of(kind, n, abs(x)) * (mp.sign(x) ** n if n else 1)

        def slope(x):
            below, above = orders[abs(n - 1)](x), orders[n + 1](x)
            if kind == "I":
                return (below + above) / 2 - sign(x) * orders[n](x)
            if kind == "K":
                return orders[n](x) - (below + above) / 2
            return (-above if n == 0 else (below - above) / 2)

        return lift(value, slope)

    orders = [of(n) for n in range(4)]
    return orders


BESSEL_J, BESSEL_Y, BESSEL_IE, BESSEL_KE = [bessel_kind(kind) for kind in "JYIK"]


def erfcx_of(x):
    if x < 200:
        return mp.exp(x * x) * mp.erfc(x)
    t = mpf(0)
    for k in range(150, 0, -1):
        t = mpf(k) / 2 / (x + t)
    return 1 / mp.sqrt(mp.pi) / (x + t)


def inside(f, low, high):
    def g(x):
        if x < low or x > high:
            raise ArithmeticError("outside")
        if x == low or x == high:
            raise ZeroDivisionError
        return f(x)

    return g


erfcx = lift(erfcx_of, lambda x: 2 * x * erfcx(x) - 2 / mp.sqrt(mp.pi))
ndtri = lift(inside(lambda x: mp.sqrt(2) * mp.erfinv(2 * x - 1), 0, 1), lambda x: mp.sqrt(2 * mp.pi) * exp(ndtri(x) * ndtri(x) / 2))


def gamma_part(a):
    """The incomplete gamma function of a whole a + 1/2: erf, and powers."""
    density = lambda x: x * sqrt(x) * exp(-x) / mp.gamma(a)
    return lift(inside(lambda x: mp.gammainc(a, 0, x, regularized=True) if x < 2000 else mpf(1), 0, mpf(10) ** 500), density)


def sinc_series(n):
    """The nth derivative of sin(x)/x: by its series near 0, by Leibniz' rule elsewhere."""

    def f(x):
        if abs(x) > 1e-3:
            # sin^(k)(x) · (1/x)^(n-k), binomially
            total = mpf(0)
            for k in range(n + 1):
                derivative = [mp.sin, mp.cos, lambda v: -mp.sin(v), lambda v: -mp.cos(v)][k % 4](x)
                total += mp.binomial(n, k) * derivative * (-1) ** (n - k) * mp.factorial(n - k) / x ** (n - k + 1)
            return total
        return sum((-1) ** m / mp.factorial(2 * m + 1) * mp.ff(2 * m, n) * x ** (2 * m - n) for m in range((n + 1) // 2, 60))

    return lift(f, lambda x: SINC[n + 1](x))


SINC = [sinc_series(n) for n in range(4)]
sinc = SINC[0]
normal_cdf = lambda x: erfc(-x / mp.sqrt(2)) / 2


def choose(condition, x, y):
    """x where the condition is true of the value, y where it is false; pieces are evaluated one alone."""

    def f(v):
        n = number(v)
        if mpmath.isnan(n):
            return v * NAN
        return x(v) if condition(n) else y(v)

    return f


def step(v, slope):
    """The number v with a slope that the library says, as a straight-through gradient."""
    return lift(v, constant(slope))


def binary_step(low, slope):
    return choose(lambda n: abs(n) < 1, lift(lambda n: mpf(1) if n > 0 else mpf(low), constant(slope)),
                  lift(lambda n: mpf(1) if n > 0 else mpf(low), constant(0)))


def half_away(n):
    return mp.sign(n) * mp.floor(abs(n) + mpf(1) / 2)


same = lambda x: x
flat = lambda v: choose(lambda n: True, constant(v), None)
F = mpf  # constants as the definitions print them

UNARY = {
    "Positive": same, "Negative": lambda x: -x, "Absolute": absolute, "Fabs": absolute, "Square": lambda x: x * x,
    "Reciprocal": reciprocal, "Exp": exp, "Exp2": lambda x: exp(x * mp.log(2)), "Exp10": lambda x: exp(x * mp.log(10)),
    "Expm1": expm1, "Log": log, "Log2": lambda x: log(x) / mp.log(2), "Log10": lambda x: log(x) / mp.log(10), "Log1p": log1p,
    "Sqrt": sqrt, "Rsqrt": lambda x: 1 / sqrt(x), "Cbrt": cbrt, "Sin": sin, "Cos": cos, "Tan": tan, "Arcsin": asin,
    "Arccos": acos, "Arctan": atan, "Sinh": sinh, "Cosh": cosh, "Tanh": tanh, "Arcsinh": asinh, "Arccosh": acosh,
    "Arctanh": atanh, "Deg2Rad": lambda x: x * (mp.pi / 180), "Rad2Deg": lambda x: x * (180 / mp.pi),
    "Sinc": lambda x: sinc(x * mp.pi), "UnnormalizedSinc": sinc, "Erf": erf, "Erfc": erfc, "Erfinv": erfinv,
    "Gamma": gamma, "Lgamma": lgamma, "Digamma": POLYGAMMA[0], "Ndtr": normal_cdf, "LogNdtr": lambda x: log(normal_cdf(x)) if number(x) < 0 else log1p(-normal_cdf(-x)),
    "Erfcx": erfcx, "Ndtri": ndtri, "Entr": lambda x: -x * log(x), "Polygamma of 1": POLYGAMMA[1], "Polygamma of 2": POLYGAMMA[2], "Polygamma of 4": POLYGAMMA[4],
    "Zeta of 4": lambda x: POLYGAMMA[3](x) / 6, "Gammainc of 2.5": gamma_part(F(2.5)), "Gammaincc of 2.5": lambda x: 1 - gamma_part(F(2.5))(x),
    "I1": BESSEL[1], "I0E": BESSEL_IE[0], "I1E": BESSEL_IE[1], "J0": BESSEL_J[0], "J1": BESSEL_J[1], "Y0": BESSEL_Y[0], "Y1": BESSEL_Y[1],
    "K0": lambda x: exp(-x) * BESSEL_KE[0](x), "K1": lambda x: exp(-x) * BESSEL_KE[1](x), "K0E": BESSEL_KE[0], "K1E": BESSEL_KE[1],
    "Logit": lambda x: log(x) - log1p(-x), "I0": BESSEL[0], "Sigmoid": sigmoid, "LogSigmoid": lambda x: -softplus(-x),
    "Softplus": softplus, "Softplus of 2": lambda x: softplus(2 * x) / 2,
    "Softsign": lambda x: x / (1 + absolute(x)) if number(x) != 0 else softsign_at_0(x),
    "Swish": lambda x: x * sigmoid(x), "Mish": lambda x: x * tanh(softplus(x)),
    "GELU": lambda x: x * sigmoid(2 * mp.sqrt(2 / mp.pi) * (x + F("0.044715") * x * x * x)), "GELUErf": lambda x: x * normal_cdf(x),
    "TanhShrink": lambda x: x - tanh(x),
    # At corners, the pieces that docs/gradients.md names.
    "HardSigmoid": choose(lambda n: abs(n) <= 2.5, lambda x: (x + F(2.5)) / 5, lambda x: flat(0 if number(x) < 0 else 1)(x)),
    "HardTanh": choose(lambda n: abs(n) <= 1, same, lambda x: flat(-1 if number(x) < 0 else 1)(x)),
    "ReLU": choose(lambda n: n > 0, same, flat(0)), "LeakyReLU": choose(lambda n: n > 0, same, lambda x: x * F(0.1)),
    "ELU": choose(lambda n: n >= 0, same, expm1),
    "SELU": choose(lambda n: n > 0, lambda x: x * F("1.05070098735548"), lambda x: expm1(x) * (F("1.05070098735548") * F("1.673263242354377"))),
    "ReLU6": choose(lambda n: 0 < n < 6, same, lambda x: flat(0 if number(x) < 1 else 6)(x)),
    "ClippedReLU": choose(lambda n: 0 < n < 20, same, lambda x: flat(0 if number(x) < 1 else 20)(x)),
    "Clip": choose(lambda n: -1 <= n <= 2.5, same, lambda x: flat(-1 if number(x) < 0 else 2.5)(x)),
    "ClipMin": choose(lambda n: n >= -1, same, flat(-1)),
    "ClipMax": choose(lambda n: n <= 2.5, same, flat(2.5)),
    "Angle": lift(lambda n: mp.pi if n < 0 else mpf(0), constant(0)),
    "Sign": sign, "Floor": step(mp.floor, 0), "Ceil": step(mp.ceil, 0), "Trunc": step(lambda n: mp.sign(n) * mp.floor(abs(n)), 0),
    "Rint": step(lambda n: half_even(n), 0), "RoundHalfAway": step(half_away, 1), "FloorSTE": step(mp.floor, 1),
    "CeilSTE": step(mp.ceil, 1), "SignSTE": step(lambda n: mp.sign(n) or mpf(1), 1), "BinaryTanh": binary_step(-1, 1),
    "BinarySigmoid": binary_step(0, mpf(1) / 2), "Modf": lift(lambda n: n - mp.sign(n) * mp.floor(abs(n)), constant(1)),
}


def half_even(n):
    low = mp.floor(n)
    if n - low == mpf(1) / 2:
        return low if low % 2 == 0 else low + 1
    return mp.floor(n + mpf(1) / 2)


def softsign_at_0(x):
    # x - x|x| + …: the second derivative jumps from 2 to -2, and is taken as the library's rules have it, 0.
    return choose(lambda n: True, lift(lambda n: mpf(0), constant(1)), None)(x)


# Without a limit at infinity.
OSCILLATE = {"Sin", "Cos", "Tan", "Sinc", "Modf"}


def log_add(a, b, base=1):
    if number(a) < number(b):
        a, b = b, a
    return a + softplus((b - a) * base) / base


def larger(a, b):
    x, y = number(a), number(b)
    if mpmath.isnan(x) or mpmath.isnan(y):
        return a + b * 0 if mpmath.isnan(x) else b + a * 0
    return a + b * 0 if x >= y else b + a * 0


def only(f):
    """f, but where one of two is not a number the other."""

    def g(a, b):
        x, y = number(a), number(b)
        if mpmath.isnan(y):
            return a + zero_like(b)
        if mpmath.isnan(x):
            return b + zero_like(a)
        return f(a, b)

    return g


def zero_like(x):
    return Jet([zero_like(p) for p in x.c]) if isinstance(x, Jet) else mpf(0)


def smaller(a, b):
    return -larger(-a, -b)


def pass_nan(f):
    """The result that is not a number is the operand that is not: the derivative goes there."""

    def g(a, b):
        x, y = number(a), number(b)
        if mpmath.isnan(x):
            return a + zero_like(b)
        if mpmath.isnan(y):
            return b + zero_like(a)
        return f(a, b)

    return g


def arctan2(a, b):
    """The angle of (b, a): the two forms differ by a constant."""
    x, y = number(b), number(a)
    if x == 0 and y == 0:
        raise ZeroDivisionError
    if abs(y) <= abs(x):
        turn = 0 if x > 0 else (mp.pi if y >= 0 else -mp.pi)
        return atan(a / b) + turn
    return (mp.pi / 2 if y > 0 else -mp.pi / 2) - atan(b / a)


def hypotenuse(a, b):
    if number(a) == 0 and number(b) == 0:
        return (a + b) * 0  # the library's convention
    return sqrt(a * a + b * b)


def modulo(quotient):
    def f(a, b):
        return a - b * quotient(number(a) / number(b))

    return f


def truncated(q):
    return mp.sign(q) * mp.floor(abs(q))


def power(a, b):
    if number(a) <= 0:
        raise ArithmeticError("of positive numbers alone")
    return exp(b * log(a))


def copy_sign(a, b):
    same_sign = (number(a) < 0) == (number(b) < 0)
    return (a if same_sign else -a) + b * 0


def huber(a, b):
    d = a - b
    return choose(lambda n: abs(n) < 1, lambda d: d * d, lambda d: 2 * absolute(d) - 1)(d)


def cross_entropy(a, b):
    if not 0 < number(a) < 1:
        raise ArithmeticError("of probabilities alone")
    return -(b * log(a) + (1 - b) * log1p(-a))


LOG2 = lambda: mp.log(2)
BINARY = {
    "Add": lambda a, b: a + b, "Subtract": lambda a, b: a - b, "Multiply": lambda a, b: a * b, "Divide": lambda a, b: a / b,
    "Power": power, "FloatPower": power, "Remainder": modulo(mp.floor), "Fmod": modulo(truncated),
    "Xlogy": lambda a, b: a * log(b), "Xlog1py": lambda a, b: a * log1p(b),
    "Maximum": pass_nan(larger), "Minimum": pass_nan(smaller), "FMax": only(larger), "FMin": only(smaller),
    "Hypot": hypotenuse, "Arctan2": arctan2, "LogAddExp": log_add, "LogAddExp2": lambda a, b: log_add(a, b, LOG2()),
    "CopySign": copy_sign, "SquaredError": lambda a, b: (a - b) * (a - b), "HuberLoss": huber,
    "AbsoluteError": lambda a, b: choose(lambda n: n > 0, same, lambda d: -d)(a - b),
    "EpsilonInsensitiveLoss": lambda a, b: choose(lambda n: abs(n) > 0.5, lambda d: absolute(d) - F(0.5), flat(0))(a - b),
    "BinaryCrossEntropy": cross_entropy,
    "SigmoidCrossEntropy": lambda a, b: constant_in(softplus(a) - a * number(b), b),
    "GaussianKLDivergence": lambda a, b: (a * a + exp(b) - b - 1) / 2,
    "BernoulliNLL": lambda a, b: softplus(b) - a * b,
    "PReLU": lambda a, b: a + zero_like(b) if number(a) > 0 else a * b,
    "GaussianNLL of m=0.5": lambda a, b: (b + mp.log(2 * mp.pi) + (a - F(0.5)) * (a - F(0.5)) * exp(-b)) / 2,
    "LinearInterpolate of p=0.25": lambda a, b: a * F(0.25) + b * F(0.75),
    "KLMultinomial": lambda a, b: a * (log(a + F("1e-8")) - log(b + F("1e-8"))),
    "Absolute of a+bi": hypotenuse, "Angle of a+bi": lambda a, b: arctan2(b, a),
}


def constant_in(x, b):
    """x, which does not depend on b."""
    return x + zero_like(b)


MAGNITUDES = ("0 1e-300 1e-160 1e-30 1e-15 1e-8 1e-4 1e-2 0.1 0.5 0.9 1 1.5 2.5 3 4.9 6 9 13 20 35 60 90 700 1e4 1e5 1e8 "
              "1e10 1e13 1e20 1e30 1e160 1e200 1e300 inf").split()
PAIRS = """0 0; 0 1; 1 0; 0 -1; -1 0; 1 1; -1 -1; 1 -1; 3 4; -3 4; 3 -4; -3 -4; 0.1 0.2; 0.9 0.5; 0.5 2; 2 0.5; 0.3 -2; 2.5 10; 10 2.5
1e-4 1e-4; 1e-4 0.3; 0.3 1e-4; 1e-8 -1e-8; 1e-15 1; 1 1e-15; 1e-30 1e-30; -1e-30 1e-30; 1e-30 1; 1 1e-30; 1e-30 1e30; 1e30 1e-30
1e-160 2e-160; 1e-300 1e-300; 1e-300 -2e-300; 1e-300 1; 1 1e-300
20 1; 1 20; -20 3; 3 -20; 35 0.5; 0.5 35; 90 88; -88 -90; 700 710; -745 -745; 1e4 1e4; -1e4 -1e4; 1e4 -1e4
-1e7 -1e7; 1e7 1e7; -1e8 -1e8; 1e8 1e8; -1e8 1e8; 1e13 1e13; -1e13 -1e13; 1e20 1e20; 1e20 1; 1 1e20; -1e20 1e20; 1e30 1e30; -1e30 1e30
1e160 2e160; -1e200 1e160; 1e160 1; 1 1e160; 1e300 1e300; 1e300 -1e300; -1e300 1e300; 1e300 1; 1 1e300; 1e300 1e-300
inf 1; 1 inf; -inf 1; 1 -inf; inf inf; -inf inf; nan 1; 1 nan; nan nan; nan inf; -inf nan""".replace("\n", ";").split(";")

LEAST, MOST = mpf(2) ** -126, mpf(2) ** 127


def single(text):
    """The argument: the nearest float32 where there is a normal one, else float64."""
    v = float(text)
    if v == v and abs(v) != float("inf") and LEAST < abs(v) < MOST:
        v = struct.unpack("<f", struct.pack("<f", v))[0]
    return v


def differentiate(f, args):
    """Value and derivatives at a point: [y, x', x''], or [y, a', b', aa, ab, bb]; None where the function has none."""
    try:
        if len(args) == 1:
            y = f(Jet([args[0], args[0] * 0 + 1, args[0] * 0]))
            return [number(p) for p in y.c]
        a, b = args
        zero = mpf(0)
        ja = Jet([Jet([a, mpf(1), zero]), Jet([zero] * 3), Jet([zero] * 3)])
        jb = Jet([Jet([b, zero, zero]), Jet([mpf(1), zero, zero]), Jet([zero] * 3)])
        y = f(ja, jb)
        (v, da, daa), (db, dab, _), (dbb, _, _) = [p.c for p in y.c]
        return [v, da, db, daa, dab, dbb]
    except (ZeroDivisionError, ValueError):
        return None
    except ArithmeticError:
        return "outside"


def agreed(f, args):
    old = None
    for digits in LEVELS:
        mp.dps = digits
        new = differentiate(f, [stand_in(a) for a in args])
        if old is not None and same_numbers(old, new) and (digits > SURE or not isinstance(new, list) or all(new)):
            return new
        old = new
    return old if not isinstance(old, list) else [q if close(p, q) else "?" for p, q in zip(before(f, args), old)]


def before(f, args):
    mp.dps = LEVELS[-2]
    p = differentiate(f, [stand_in(a) for a in args])
    mp.dps = LEVELS[-1]
    return p


def close(p, q):
    if mpmath.isnan(p) or mpmath.isnan(q):
        return mpmath.isnan(p) and mpmath.isnan(q)
    return p == q or abs(p - q) <= mpf(10) ** -25 * abs(q) or max(abs(p), abs(q)) < mpf(10) ** -340


def same_numbers(old, new):
    if not isinstance(old, list) or not isinstance(new, list):
        return old == new
    return all(close(p, q) for p, q in zip(old, new))


def stand_in(a):
    if isinstance(a, tuple):  # (point, direction): a little beside it
        point, direction = a
        return mpf(point) + direction * mpf(10) ** (-NEAR if point == 0 else -500)
    if a in (float("inf"), float("-inf")):
        return mpf(10) ** FAR * (1 if a > 0 else -1)
    return mpf(a)


def record(name, f, args):
    count = 3 if len(args) == 1 else 6
    infinite = any(a in (float("inf"), float("-inf")) for a in args)
    if infinite and (name in OSCILLATE or len(args) == 2 and (any(a != a for a in args) or all(abs(a) == float("inf") for a in args))):
        return ["nan" if len(args) == 1 and name != "Modf" else "?"] * count
    limit, row = infinite, agreed(f, args)
    if row is None:
        limit = True
        if len(args) == 2:
            return ["?"] * count
        negative = struct.pack("<d", args[0])[7] >> 7
        for direction in ((-1, 1) if negative else (1, -1)) if args[0] == 0 else (1, -1):
            row = agreed(f, [(args[0], direction)])
            if isinstance(row, list):
                if args[0] == 0 and (direction < 0) != bool(negative):
                    row = None  # -0 of a function that begins at 0
                break
    if row is None:
        return ["?"] * count
    if row == "outside":
        return ["nan", "?", "?"] if len(args) == 1 else ["?"] * count
    out = []
    for k, v in enumerate(row):
        if v == "?":
            out.append("?")
            continue
        if limit and mpmath.isfinite(v) and abs(v) > (30 if k == 0 else 200):
            v = mp.sign(v) * mpf(10) ** 400  # on its way to infinity, slowly as a logarithm
        if limit and abs(v) < mpf(10) ** -100:
            v = mpf(0)
        out.append(encode(v))
    return out


def encode(v):
    if mpmath.isnan(v):
        return "nan"
    mp.dps = 40
    v = +v
    if abs(v) >= mpf(2) ** 1024 * (1 - mpf(2) ** -54):
        return "inf" if v > 0 else "-inf"
    if abs(v) < mpf(2) ** -1080:
        return "0"
    x = float(v)
    if x == 0:
        return "0"
    return "%016x" % struct.unpack("<Q", struct.pack("<d", x))[0]


def hexes(values):
    out = []
    for v in values:
        if v == 0:
            out.append("-0" if struct.pack("<d", v)[7] >> 7 else "0")
        elif v != v or abs(v) == float("inf"):
            out.append(str(v))
        else:
            out.append("%016x" % struct.unpack("<Q", struct.pack("<d", v))[0])
    return out


def main():
    import sys

    chosen = sys.argv[1:]
    points = [[single(sign + m)] for sign in ("", "-") for m in MAGNITUDES] + [[float("nan")]]
    pairs = [[single(v) for v in pair.split()] for pair in PAIRS]
    lines = [["points", "x"] + hexes([p[0] for p in points])]
    for k, word in enumerate("ab"):
        lines.append(["pairs", word] + hexes([p[k] for p in pairs]))
    for functions, table, words in ((UNARY, points, ("y", "x'", "x''")), (BINARY, pairs, ("y", "a'", "b'", "aa", "ab", "bb"))):
        for name, f in functions.items():
            if chosen and name not in chosen:
                continue
            start = time.time()
            rows = [record(name, f, args) for args in table]
            for k, word in enumerate(words):
                lines.append([name, word] + [row[k] for row in rows])
            print(name, "%.1f s" % (time.time() - start), flush=True)
    text = "".join("\t".join(line) + "\n" for line in lines)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "derivatives.txt.gz")
    if chosen:
        print(text)
        return
    with open(path, "wb") as out, gzip.GzipFile(fileobj=out, mode="wb", mtime=0, compresslevel=9, filename="") as packed:
        packed.write(text.encode())


main()
