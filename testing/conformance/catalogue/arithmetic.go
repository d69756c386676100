package catalogue

import (
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// arithmeticRows is the chapter of elementwise sums, products and powers.
var arithmeticRows = []Row{
	{Signature: "cupy.add(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Add)},
	{Signature: "cupy.subtract(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Subtract)},
	{Signature: "cupy.multiply(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Multiply)},
	{Signature: "cupy.divide(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Divide)},
	{Signature: "cupy.true_divide(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Divide)},
	{Signature: "cupy.floor_divide(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.FloorDivide), NoGrad: true},
	{Signature: "cupy.remainder(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Remainder), Domain: map[string]Interval{"x1": {6.2, 11}, "x2": {5.6, 6.1}}},
	{Signature: "cupy.mod(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Remainder), Domain: map[string]Interval{"x1": {6.2, 11}, "x2": {5.6, 6.1}}},
	{Signature: "cupy.fmod(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Fmod), Domain: map[string]Interval{"x1": {6.2, 11}, "x2": {5.6, 6.1}}},
	{Signature: "cupy.power(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Power), Domain: map[string]Interval{"x1": {0, math.Inf(1)}}},
	{Signature: "cupy.negative(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Negative},
	{Signature: "cupy.absolute(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Absolute},
	{Signature: "cupy.square(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Square},
	{Signature: "cupy.reciprocal(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Reciprocal},
	{Signature: "cupy.sign(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Sign},
	{Signature: "cupy.maximum(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Maximum)},
	{Signature: "cupy.minimum(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Minimum)},
	{Signature: "cupy.fmax(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.FMax)},
	{Signature: "cupy.fmin(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.FMin)},
	{Signature: "cupy.clip(a, a_min=None, a_max=None, out=None)", Func: clip},
	{Signature: "cupy.ndarray.clip(self, a_min=None, a_max=None, out=None)", Func: clip},
	{Signature: "cupy.ufunc(ufunc)", Func: ufuncProperties, NoGrad: true},
	{Signature: "numpy.conj(x, /)", Func: ops.Conj},
	{Signature: "numpy.real(x)", Func: ops.Real},
	{Signature: "numpy.imag(x)", Func: ops.Imag},
	{Signature: "numpy.angle(x, deg=False)", Func: ops.Angle},
	{Signature: "numpy.positive(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Positive},
	{Signature: "numpy.fabs(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Fabs},
	{Signature: "numpy.float_power(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.FloatPower), Domain: map[string]Interval{"x2": {-3, 3}}},
	{Signature: "numpy.divmod(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.DivMod[*nd.Array, *nd.Array]},
	{Signature: "numpy.gcd(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Gcd), NoGrad: true},
	{Signature: "numpy.lcm(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Lcm), NoGrad: true},

	{Signature: "nnabla.functions.add2(x0, x1, inplace=False)", Func: pair(ops.Add), Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.sub2(x0, x1, inplace=False)", Func: pair(ops.Subtract), Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.mul2(x0, x1, inplace=False)", Func: pair(ops.Multiply), Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.div2(x0, x1, inplace=False)", Func: pair(ops.Divide), Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.pow2(x0, x1, inplace=False)", Func: pair(ops.Power), Ignores: []string{"inplace"}, Domain: map[string]Interval{"x0": {0, math.Inf(1)}}},
	{Signature: "nnabla.functions.add_scalar(x, val=1, inplace=False)", Func: withNumber[float64](ops.Add), Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.mul_scalar(x, val=1, inplace=False)", Func: withNumber[float64](ops.Multiply), Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.pow_scalar(x, val=1, inplace=False)", Func: withNumber[float64](ops.Power), Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.r_sub_scalar(x, val=1)", Func: ofNumber(ops.Subtract)},
	{Signature: "nnabla.functions.r_div_scalar(x, val=1)", Func: ofNumber(ops.Divide)},
	{Signature: "nnabla.functions.r_pow_scalar(x, val=1)", Func: ofNumber(ops.Power)},
	{Signature: "nnabla.functions.add_n(*x)", Func: ops.AddN},
	{Signature: "nnabla.functions.mul_n(*x)", Func: ops.MulN},
	{Signature: "nnabla.functions.identity(x)", Func: ops.Positive},
	{Signature: "nnabla.functions.maximum_scalar(x, val=1.0)", Func: ofNumber(ops.Maximum)},
	{Signature: "nnabla.functions.minimum_scalar(x, val=1.0)", Func: ofNumber(ops.Minimum)},
	{Signature: "nnabla.functions.maximum2(x0, x1)", Func: tiedToLast(ops.Maximum), Note: "ties go to the second operand"},
	{Signature: "nnabla.functions.minimum2(x0, x1)", Func: tiedToLast(ops.Minimum), Note: "ties go to the second operand"},
	{Signature: "nnabla.functions.clip_by_value(x, min, max)", Func: clip},
	{Signature: "nnabla.functions.clip_grad_by_value(x, min, max)", Func: ops.ClipGradByValue[*nd.Array, *nd.Array], StraightThrough: true},
	{Signature: "nnabla.functions.abs(x)", Func: func(x *nd.Array) *nd.Array {
		return ops.Absolute(x, ops.UfuncOptions{Kink: ops.KinkRight})
	}, Note: "slope 1 at 0"},

	{Signature: "chainer.functions.square(x)", Func: ops.Square},
	{Signature: "chainer.functions.fmod(x, divisor)", Func: pair(ops.Fmod)},
	{Signature: "chainer.functions.maximum(x1, x2)", Func: pair(ops.Maximum)},
	{Signature: "chainer.functions.minimum(x1, x2)", Func: pair(ops.Minimum)},
	{Signature: "chainer.functions.clip(x, x_min, x_max)", Func: clip},
	{Signature: "chainer.functions.identity(*inputs)", Func: eachOf(func(x *nd.Array) *nd.Array { return ops.Positive(x) })},
	{Signature: "chainer.functions.linear_interpolate(p, x, y)", Func: ops.LinearInterpolate},
}

// ufunc is a function of two operands with NumPy's options.
type ufunc = func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array

// swapped returns f with its operands swapped.
func swapped(f ufunc) func(x, val *nd.Array) *nd.Array {
	return func(x, val *nd.Array) *nd.Array { return f(val, x) }
}

// tiedToLast gives f the gradient of NNabla at ties.
func tiedToLast(f ufunc) func(a, b *nd.Array) *nd.Array {
	return func(a, b *nd.Array) *nd.Array { return f(a, b, ops.UfuncOptions{Kink: ops.KinkLast}) }
}

// inPlace returns f writing its result to its first operand.
func inPlace(f ufunc) func(self, other *nd.Array) {
	return func(self, other *nd.Array) { f(self, other, ops.UfuncOptions{Out: self}) }
}

// inPlaceOfCopy is inPlace for a function whose gradient reads the first operand, which the result replaces.
func inPlaceOfCopy(f ufunc) func(self, other *nd.Array) {
	return func(self, other *nd.Array) {
		x := self.Copy()
		f(x, other, ops.UfuncOptions{Out: self})
		x.Release()
	}
}

// ufuncCounts are the argument counts of a universal function.
type ufuncCounts struct{ Nin, Nout, Nargs int }

// ufuncProperties returns the argument counts of the universal function that NumPy calls name.
func ufuncProperties(name string) (ufuncCounts, error) {
	f := functionNamed(name)
	if f == nil {
		return ufuncCounts{}, fmt.Errorf("unknown function %q", name)
	}
	in, out := ops.UfuncCounts(f)
	return ufuncCounts{in, out, in + out}, nil
}

// functionNamed returns the function of the row for a name of CuPy or NumPy, or nil.
func functionNamed(name string) any {
	for _, row := range allRows() {
		if strings.HasPrefix(row.Signature, "cupy."+name+"(") || strings.HasPrefix(row.Signature, "numpy."+name+"(") {
			return row.Func
		}
	}
	return nil
}

// allRows is Rows; init sets it, because rows of the catalogue need it.
var allRows func() []Row

func init() { allRows = Rows }
