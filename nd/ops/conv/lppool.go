package conv

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// LPPooling returns (Σx^p)^(1/p) over each window, for p of 1, 2 or 3; windows are as in MaxPooling. It does not take
// absolute values first. No power of an element leaves the range of the dtype, for which LPPooling waits for the device
// if p is 2 or 3. The gradient of a root at 0 counts as 0.
// PyTorch: nn.functional.lp_pool1d, nn.functional.lp_pool2d, nn.functional.lp_pool3d. MXNet: pooling (of type lp).
func LPPooling(x *nd.Array, kernel []int, p int, opts ...PoolingOptions) *nd.Array {
	const fn nd.Func = "conv.LPPooling"
	if p < 1 || p > 3 {
		panic(fn.Errorf([]*nd.Array{x}, "p = %d: want 1, 2 or 3", p))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	o := options.Read(fn, opts)
	x = argument.Float(fn, argument.Numbers(fn, x))
	if p == 1 {
		return made.Keep(pooled(fn, x, kernel, o, sumPooling))
	}
	t := x.DType()
	if t.Size() == 2 {
		x = x.AsType(dtype.Float32)
	}
	return made.Keep(powerPooling{fn, kernel, o, p}.ofAnySize(x).AsType(t))
}

// powerPooling is a call of LPPooling.
type powerPooling struct {
	fn     nd.Func
	kernel []int
	o      PoolingOptions
	p      int
}

var rootOfCubes = ufunc.Definition{Fn: "conv.LPPooling", Body: "cbrt(x)", Gradient: "gx = y == 0 ? T(0) : gy / (y * y * 3)"}

// of is for numbers whose powers are in the range.
func (l powerPooling) of(x *nd.Array) *nd.Array {
	power, root := ops.Square(x), &ufunc.RootOfSquares
	if l.p == 3 {
		power, root = release.Replace(power, ops.Multiply(power, x)), &rootOfCubes
	}
	sums := pooled(l.fn, power, l.kernel, l.o, sumPooling)
	return release.Operands(root.Apply1(sums), power, sums)
}

// powersRange describes the numbers of a dtype whose third powers, and sums of many of them, are in the range. Other
// numbers are multiplied by 2⁻ᶜ, where c is a multiple of step up to most, so that they are near 1.
type powersRange struct {
	least, most float64
	step, last  int
}

func powersRangeOf(t dtype.DType) powersRange {
	if t == dtype.Float64 {
		return powersRange{0x1p-330, 0x1p330, 300, 900}
	}
	return powersRange{0x1p-36, 0x1p40, 40, 120}
}

// beyondRange is 1 for a number other than 0 outside the range. A float is faster to combine than a bool.
var beyondRange = device.Programs{Source: device.Source{Name: "conv.LPPooling", Inputs: "T x", Scalars: "T least, T most", Outputs: "T y",
	Body: "y = x == 0 || abs(x) >= least && abs(x) <= most ? T(0) : T(1)"}}

// holds reports whether all numbers other than 0 are in the range.
func (r powersRange) holds(fn nd.Func, x *nd.Array) bool {
	x = x.Detach()
	defer x.Release()
	beyond := fn.NewLike(x.DType(), nil, x)
	bounds := []device.Scalar{device.ScalarOf(r.least, x.DType()), device.ScalarOf(r.most, x.DType())}
	fn.Reduce(beyondRange.Of(x.DType()), nil, device.CombineMax, broadcast.AllAxes(x.Rank()), bounds, beyond, x)
	return numberOf(beyond) == 0
}

// holdsPositive reports whether all numbers are positive and in the range. It is faster than holds.
func (r powersRange) holdsPositive(x *nd.Array) bool {
	if x.Size() == 0 {
		return true
	}
	x = x.Detach()
	defer x.Release()
	return numberOf(ops.Min(x)) >= r.least && numberOf(ops.Max(x)) <= r.most
}

// numberOf returns the only element of x, and releases x.
func numberOf(x *nd.Array) float64 {
	return release.Value[float64](release.Replace(x, x.AsType(dtype.Float64)))
}

// ofAnySize computes windows with a largest magnitude outside the range from numbers multiplied by a power of two. It
// does so once for all windows with the same power.
func (l powerPooling) ofAnySize(x *nd.Array) *nd.Array {
	r, y := powersRangeOf(x.DType()), l.of(x)
	if r.holdsPositive(y) || r.holds(l.fn, x) {
		return y
	}
	made := l.fn.Temporaries(&x)
	defer made.Release()
	magnitudes := ops.Absolute(x.Detach())
	largest := ops.Maximum(pooled(l.fn, magnitudes, l.kernel, l.o, maxPooling), 0)
	if r.holds(l.fn, largest) {
		return made.Keep(y)
	}
	y.Release()
	y = nd.Scalar(0.0)
	for c := -r.last; c <= r.last; c += r.step {
		low, high := math.Ldexp(1, c-r.step/2), math.Ldexp(1, c+r.step/2)
		near, part := ops.GreaterEqual(largest, low), ops.Multiply(x, math.Ldexp(1, -c))
		switch c {
		case -r.last:
			near = ops.Less(largest, high)
		case r.last:
			near = ops.LogicalNot(ops.Less(largest, low)) // NaN, too
		default:
			near = ops.LogicalAnd(near, ops.Less(largest, high))
		}
		if c < r.last { // no such window holds larger numbers
			part = ops.Where(ops.Less(magnitudes, high), part, 0)
		}
		if some := ops.Any(near); nd.Value[bool](some) {
			y = ops.Where(near, ops.Multiply(l.of(part), math.Ldexp(1, c)), y)
		}
	}
	return made.Keep(y)
}
