package ops_test

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// derivativeRow is a function of the derivative sweep, with its tolerances.
type derivativeRow struct {
	name    string // the table's: a function, and after " of " its other arguments
	of      func(x *nd.Array) *nd.Array
	of2     func(a, b *nd.Array) *nd.Array
	complex func(z *nd.Array) *nd.Array              // a function of the two parts of a complex number
	ulps    float64                                  // the error of values, as documented; 0 means 2
	passes  bool                                     // at NaN, derivatives may be those of a straight line, but not 0 in first order
	flat    bool                                     // constant almost everywhere: derivatives are 0 without reading x
	orders  int                                      // the number of derivatives; 0 means all
	slack   func(order int, at []float64) float64    // additional allowed errors, in the ulp of 1
	except  func(quantity string, at []float64) bool // skips a comparison
	why     string                                   // the reason for slack and except
}

func (row derivativeRow) two() bool { return row.of == nil }

// tolerance is relative: of values in units in the last place, of derivatives 450 of them in float64 and 84 in float32.
func (row derivativeRow) tolerance(order int, eps float64) float64 {
	switch {
	case order == 0:
		return max(row.ulps, 2) * eps
	case eps < 1e-10:
		return 1e-13
	}
	return 1e-5
}

// twice reports whether a gradient can be differentiated again.
func (row derivativeRow) twice(g *nd.Array) bool {
	if g == nil || row.orders == 1 {
		return false
	}
	n, _ := g.Node()
	return n != nil
}

func single(f unary) func(x *nd.Array) *nd.Array { return func(x *nd.Array) *nd.Array { return f(x) } }
func double(f binary) func(a, b *nd.Array) *nd.Array {
	return func(a, b *nd.Array) *nd.Array { return f(a, b) }
}

// ofOne allows both derivatives errors of some ulp of 1.
func ofOne(ulps float64) func(order int, at []float64) float64 {
	return func(order int, _ []float64) float64 {
		if order == 0 {
			return 0
		}
		return ulps
	}
}

// second allows only the second derivative errors of some ulp of 1.
func second(ulps float64) func(order int, at []float64) float64 {
	return func(order int, _ []float64) float64 {
		if order < 2 {
			return 0
		}
		return ulps
	}
}

const (
	fromValue = "the derivative is computed from the value, which costs an addition instead of an exponential, and loses to an ulp of 1"
	zeroByInf = "the rules multiply 0 by infinity: the second derivative is not a number, where its limit is 0"
)

func order(quantity string) int {
	switch quantity {
	case "y":
		return 0
	case "x'", "a'", "b'":
		return 1
	}
	return 2
}

func infinite(at []float64) bool {
	for _, v := range at {
		if math.IsInf(v, 0) {
			return true
		}
	}
	return false
}

func notANumber(at []float64) bool {
	for _, v := range at {
		if v != v {
			return true
		}
	}
	return false
}

func largest(at []float64) (m float64) {
	for _, v := range at {
		m = max(m, math.Abs(v))
	}
	return m
}

// farSecond skips second derivatives at infinities.
func farSecond(quantity string, at []float64) bool { return order(quantity) == 2 && infinite(at) }

func far(_ string, at []float64) bool { return infinite(at) }

// crossing skips NaN, for functions that return a number there.
func crossing(_ string, at []float64) bool { return notANumber(at) }

// curvature returns the size of the terms, some of which cancel, of the second derivatives of the length of (a, b).
func curvature(order int, at []float64) float64 {
	if order < 2 {
		return 0
	}
	return 8 / math.Hypot(at[0], at[1])
}

// turning returns that size for the angle of (a, b).
func turning(order int, at []float64) float64 {
	size := math.Hypot(at[0], at[1])
	if order < 2 {
		return 0
	}
	return 4 / size / size
}

// cancelling allows values errors of 4 ulp of the larger argument, and derivatives of 4 ulp of 1.
func cancelling(order int, at []float64) float64 {
	if order == 0 {
		return 4 * max(1, largest(at))
	}
	return 4
}

// within allows values errors of some ulp of the larger argument.
func within(ulps float64) func(order int, at []float64) float64 {
	return func(order int, at []float64) float64 {
		if order > 0 {
			return 0
		}
		return ulps * max(1, largest(at))
	}
}

func outside(low, high float64) func(_ string, at []float64) bool {
	return func(_ string, at []float64) bool {
		return !(at[0] >= low && at[0] <= high && at[1] >= low && at[1] <= high)
	}
}

const (
	poleWhy       = "at 0 and whole numbers below it is infinite, with the sign that it has above"
	neighboursWhy = "the derivatives are differences of functions of other orders, which cancel for large x"
)

func wholeBelow(quantity string, at []float64) bool { return at[0] <= 0 && at[0] == math.Trunc(at[0]) }

func polygammaOf(n int) func(x *nd.Array) *nd.Array {
	return func(x *nd.Array) *nd.Array { return ops.Polygamma(x, n) }
}

var derivativeRows = []derivativeRow{
	{name: "Positive", of: single(ops.Positive), passes: true},
	{name: "Negative", of: single(ops.Negative), passes: true},
	{name: "Absolute", of: single(ops.Absolute), passes: true},
	{name: "Fabs", of: single(ops.Fabs), passes: true},
	{name: "Square", of: single(ops.Square), passes: true},
	{name: "Reciprocal", of: single(ops.Reciprocal)},
	{name: "Exp", of: single(ops.Exp)},
	{name: "Exp2", of: single(ops.Exp2)},
	{name: "Exp10", of: single(ops.Exp10)},
	{name: "Expm1", of: single(ops.Expm1), slack: ofOne(1), why: fromValue},
	{name: "Log", of: single(ops.Log)},
	{name: "Log2", of: single(ops.Log2)},
	{name: "Log10", of: single(ops.Log10)},
	{name: "Log1p", of: single(ops.Log1p)},
	{name: "Sqrt", of: single(ops.Sqrt)},
	{name: "Rsqrt", of: single(ops.Rsqrt)},
	{name: "Cbrt", of: single(ops.Cbrt), except: farSecond, why: zeroByInf},
	{name: "Sin", of: single(ops.Sin)},
	{name: "Cos", of: single(ops.Cos)},
	{name: "Tan", of: single(ops.Tan)},
	{name: "Arcsin", of: single(ops.Arcsin), slack: second(2), why: "1+x and 1-x cancel"},
	{name: "Arccos", of: single(ops.Arccos), slack: second(2), why: "1+x and 1-x cancel"},
	{name: "Arctan", of: single(ops.Arctan), except: farSecond, why: zeroByInf},
	{name: "Sinh", of: single(ops.Sinh)},
	{name: "Cosh", of: single(ops.Cosh)},
	{name: "Tanh", of: single(ops.Tanh), slack: ofOne(4), why: fromValue},
	{name: "Arcsinh", of: single(ops.Arcsinh), except: farSecond, why: zeroByInf},
	{name: "Arccosh", of: single(ops.Arccosh), except: farSecond, why: zeroByInf},
	{name: "Arctanh", of: single(ops.Arctanh), slack: second(2), why: "1+x and 1-x cancel"},
	{name: "Deg2Rad", of: single(ops.Deg2Rad), passes: true},
	{name: "Rad2Deg", of: single(ops.Rad2Deg), passes: true},
	{name: "Sinc", of: single(ops.Sinc), ulps: 4},
	{name: "UnnormalizedSinc", of: single(ops.UnnormalizedSinc), except: func(quantity string, at []float64) bool {
		return order(quantity) > 0 && infinite(at)
	}, why: "the cosine has no limit"},
	{name: "Erf", of: single(ops.Erf), except: farSecond, why: zeroByInf},
	{name: "Erfc", of: single(ops.Erfc), ulps: 4, except: farSecond, why: zeroByInf},
	{name: "Erfinv", of: single(ops.Erfinv), ulps: 4},
	{name: "Gamma", of: single(ops.Gamma), ulps: 4},
	{name: "Lgamma", of: single(ops.Lgamma), ulps: 4},
	{name: "Digamma", of: single(ops.Digamma), ulps: 4, except: wholeBelow, why: poleWhy},
	{name: "Polygamma of 1", of: polygammaOf(1), ulps: 4, except: wholeBelow, why: poleWhy},
	{name: "Polygamma of 2", of: polygammaOf(2), ulps: 4, except: wholeBelow, why: poleWhy},
	{name: "Polygamma of 4", of: polygammaOf(4), ulps: 4, except: wholeBelow, why: poleWhy},
	{name: "Zeta of 4", of: func(x *nd.Array) *nd.Array { return ops.Zeta(4, x) }, ulps: 4, except: wholeBelow, why: poleWhy},
	{name: "Gammainc of 2.5", of: func(x *nd.Array) *nd.Array { return ops.Gammainc(2.5, x) }, ulps: 4},
	{name: "Gammaincc of 2.5", of: func(x *nd.Array) *nd.Array { return ops.Gammaincc(2.5, x) }, ulps: 4},
	{name: "Ndtr", of: single(ops.Ndtr), ulps: 4, except: farSecond, why: zeroByInf},
	{name: "LogNdtr", of: single(ops.LogNdtr), ulps: 4, except: farSecond, why: zeroByInf},
	{name: "I0", of: single(ops.I0)},
	{name: "I1", of: single(ops.I1), ulps: 4},
	{name: "I0E", of: single(ops.I0E), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "I1E", of: single(ops.I1E), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "J0", of: single(ops.J0), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "J1", of: single(ops.J1), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "Y0", of: single(ops.Y0), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "Y1", of: single(ops.Y1), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "K0", of: single(ops.K0), ulps: 4},
	{name: "K1", of: single(ops.K1), ulps: 4},
	{name: "K0E", of: single(ops.K0E), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "K1E", of: single(ops.K1E), ulps: 4, slack: ofOne(2), why: neighboursWhy},
	{name: "Erfcx", of: single(ops.Erfcx), ulps: 4, slack: ofOne(20), except: farSecond, why: fromValue + "; " + zeroByInf},
	{name: "Ndtri", of: single(ops.Ndtri), ulps: 4, except: func(quantity string, at []float64) bool { return order(quantity) == 2 && at[0] < 1e-290 },
		why: "the table does not go on to minus infinity"},
	{name: "Entr", of: single(ops.Entr), except: func(_ string, at []float64) bool { return at[0] < 0 }, why: "below 0 it is minus infinity"},
	{name: "Logit", of: single(ops.Logit)},
	{name: "Sigmoid", of: single(ops.Sigmoid), slack: ofOne(2), why: fromValue},
	{name: "LogSigmoid", of: single(ops.LogSigmoid)},
	{name: "Softplus", of: func(x *nd.Array) *nd.Array { return ops.Softplus(x) }},
	{name: "Softplus of 2", of: func(x *nd.Array) *nd.Array { return ops.Softplus(x, ops.SoftplusOptions{Beta: new(2.0)}) }},
	{name: "Softsign", of: single(ops.Softsign)},
	{name: "Swish", of: single(ops.Swish)},
	{name: "Mish", of: single(ops.Mish), slack: second(1), why: "its root lies near 1.5, and beyond 20 it counts as x"},
	{name: "GELU", of: single(ops.GELU), ulps: 4},
	{name: "GELUErf", of: single(ops.GELUErf), ulps: 4},
	{name: "TanhShrink", of: single(ops.TanhShrink), ulps: 4, slack: second(4), why: fromValue},
	{name: "HardSigmoid", of: single(ops.HardSigmoid), passes: true},
	{name: "HardTanh", of: single(ops.HardTanh), passes: true},
	{name: "ReLU", of: single(ops.ReLU), passes: true},
	{name: "LeakyReLU", of: func(x *nd.Array) *nd.Array { return ops.LeakyReLU(x) }, passes: true},
	{name: "ELU", of: func(x *nd.Array) *nd.Array { return ops.ELU(x) }, slack: ofOne(1), why: fromValue},
	{name: "SELU", of: func(x *nd.Array) *nd.Array { return ops.SELU(x) }, slack: ofOne(2), why: fromValue},
	{name: "ReLU6", of: single(ops.ReLU6), passes: true},
	{name: "ClippedReLU", of: func(x *nd.Array) *nd.Array { return ops.ClippedReLU(x) }, passes: true},
	{name: "Clip", of: func(x *nd.Array) *nd.Array { return ops.Clip(x, -1, 2.5) }, passes: true},
	{name: "ClipMin", of: func(x *nd.Array) *nd.Array { return ops.ClipMin(x, -1) }, passes: true},
	{name: "ClipMax", of: func(x *nd.Array) *nd.Array { return ops.ClipMax(x, 2.5) }, passes: true},
	{name: "Angle", of: func(x *nd.Array) *nd.Array { return ops.Angle(x) }, flat: true,
		except: func(quantity string, at []float64) bool { return at[0] == 0 }, why: "the angle of -0 is π"},
	{name: "Sign", of: single(ops.Sign), flat: true},
	{name: "Floor", of: single(ops.Floor), flat: true},
	{name: "Ceil", of: single(ops.Ceil), flat: true},
	{name: "Trunc", of: single(ops.Trunc), flat: true},
	{name: "Rint", of: single(ops.Rint), flat: true},
	{name: "RoundHalfAway", of: single(ops.RoundHalfAway), passes: true},
	{name: "FloorSTE", of: single(ops.FloorSTE), passes: true},
	{name: "CeilSTE", of: single(ops.CeilSTE), passes: true},
	{name: "SignSTE", of: func(x *nd.Array) *nd.Array { return ops.SignSTE(x) }, passes: true},
	{name: "BinaryTanh", of: single(ops.BinaryTanh), except: crossing, why: "the value is one of two, and passes no gradient, at NaN too"},
	{name: "BinarySigmoid", of: single(ops.BinarySigmoid), except: crossing, why: "the value is one of two, and passes no gradient, at NaN too"},
	{name: "Modf", of: func(x *nd.Array) *nd.Array { y, _ := ops.Modf(x); return y }, passes: true},

	{name: "Add", of2: double(ops.Add), passes: true},
	{name: "Subtract", of2: double(ops.Subtract), passes: true},
	{name: "Multiply", of2: double(ops.Multiply), passes: true},
	{name: "Divide", of2: double(ops.Divide), passes: true},
	{name: "Power", of2: double(ops.Power), except: powerExcept, why: powerWhy},
	{name: "Xlogy", of2: double(ops.Xlogy), except: func(_ string, at []float64) bool { return notANumber(at) || infinite(at) },
		why: "it is a product, but where a is 0"},
	{name: "Xlog1py", of2: double(ops.Xlog1py), except: func(_ string, at []float64) bool { return notANumber(at) || infinite(at) },
		why: "it is a product, but where a is 0"},
	{name: "FloatPower", of2: double(ops.FloatPower), except: powerExcept, why: powerWhy},
	{name: "Remainder", of2: double(ops.Remainder), passes: true, except: far, why: "the quotient has no whole part"},
	{name: "Fmod", of2: double(ops.Fmod), passes: true, except: far, why: "the quotient has no whole part"},
	{name: "Maximum", of2: double(ops.Maximum)},
	{name: "Minimum", of2: double(ops.Minimum)},
	{name: "FMax", of2: double(ops.FMax)},
	{name: "FMin", of2: double(ops.FMin)},
	{name: "Hypot", of2: double(ops.Hypot), slack: curvature, except: lengthExcept, why: lengthWhy},
	{name: "Arctan2", of2: double(ops.Arctan2), slack: turning, except: angleExcept, why: angleWhy},
	{name: "LogAddExp", of2: double(ops.LogAddExp), ulps: 4},
	{name: "LogAddExp2", of2: double(ops.LogAddExp2), ulps: 4, slack: within(4), why: "values may cancel"},
	{name: "CopySign", of2: double(ops.CopySign), except: crossing, why: "NaN has a sign"},
	{name: "SquaredError", of2: double(loss.SquaredError), passes: true},
	{name: "HuberLoss", of2: func(a, b *nd.Array) *nd.Array { return loss.HuberLoss(a, b) }, passes: true,
		except: func(_ string, at []float64) bool { return math.Abs(math.Abs(at[0]-at[1])-1) < 1e-7 }, why: "that is its corner when rounded"},
	{name: "AbsoluteError", of2: double(loss.AbsoluteError), passes: true},
	{name: "EpsilonInsensitiveLoss", of2: func(a, b *nd.Array) *nd.Array { return loss.EpsilonInsensitiveLoss(a, b, 0.5) }, passes: true},
	{name: "BinaryCrossEntropy", of2: loss.BinaryCrossEntropy, except: outside(0, 1), why: "of probabilities alone"},
	{name: "SigmoidCrossEntropy", of2: func(x, t *nd.Array) *nd.Array { return loss.SigmoidCrossEntropy(x, t) }, slack: cancelling, except: targetsExcept,
		why: "they cancel; targets have no gradient, but that of x depends on them"},
	{name: "GaussianKLDivergence", of2: loss.GaussianKLDivergence, passes: true, slack: cancelling,
		except: func(quantity string, at []float64) bool { return largest(at) > 700 }, why: "they cancel; the sum of squares overflows before its half"},
	{name: "BernoulliNLL", of2: loss.BernoulliNLL, passes: true, slack: cancelling, except: far, why: "they cancel"},
	{name: "PReLU", of2: func(a, b *nd.Array) *nd.Array { return ops.PReLU(a, b, ops.PReLUOptions{BaseAxis: new(0)}) }, passes: true},
	{name: "GaussianNLL of m=0.5", of2: func(a, b *nd.Array) *nd.Array { return loss.GaussianNLL(a, nd.Scalar(0.5), b) }, passes: true, slack: within(4),
		except: func(_ string, at []float64) bool { return largest(at) > 1e19 }, why: "values cancel; squares overflow"},
	{name: "LinearInterpolate of p=0.25", of2: func(a, b *nd.Array) *nd.Array { return ops.LinearInterpolate(nd.Scalar(0.25), a, b) }, passes: true},
	{name: "KLMultinomial", of2: func(a, b *nd.Array) *nd.Array {
		return loss.KLMultinomial(a.Reshape(-1, 1), b.Reshape(-1, 1)).Reshape(-1)
	}, slack: func(int, []float64) float64 { return 40 }, except: outside(0, 1), why: "of probabilities alone, whose logarithms cancel"},
	{name: "Absolute of a+bi", complex: single(ops.Absolute), slack: curvature, except: lengthExcept, why: lengthWhy},
	{name: "Angle of a+bi", complex: func(z *nd.Array) *nd.Array { return ops.Angle(z) }, slack: turning, except: angleExcept, why: angleWhy},
}

const (
	powerWhy  = "1 to any power is 1; a power of two less may overflow where the product with the exponent does not"
	lengthWhy = "infinities are not divided; the second derivatives at the origin are not defined, and elsewhere parts of them cancel"
	angleWhy  = "infinities are not divided; the second derivatives may overflow on the way"
)

func powerExcept(quantity string, at []float64) bool {
	return notANumber(at) || order(quantity) == 2 && (infinite(at) || at[0] < 1e-18 || at[0] > 1e18)
}

func lengthExcept(quantity string, at []float64) bool {
	return order(quantity) > 0 && infinite(at) || order(quantity) == 2 && largest(at) == 0
}

func angleExcept(quantity string, at []float64) bool {
	size := largest(at)
	return order(quantity) > 0 && infinite(at) || order(quantity) == 2 && (size < 1e-18 || size > 1e18)
}

func targetsExcept(quantity string, at []float64) bool {
	return infinite(at) || notANumber(at) || quantity == "ab"
}
