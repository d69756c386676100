package quantize

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var fake = ufunc.Definition{Fn: "quantize.FakeQuantize", In: "T x, T scale, T zero", Scalars: "T low, T high", Loop: ufunc.RealFloat,
	Body: "(min(max(rint(x / scale) + zero, low), high) - zero) * scale",
	Gradient: `q = rint(x / scale) + zero;
		gx = q < low || q > high ? T(0) : gy; gscale = T(0); gzero = T(0)`}

// FakeQuantize returns the numbers that x becomes when stored as integers from low to high, in steps of scale, where
// the integer zero represents 0: x/scale is rounded as in Linear (PyTorch multiplies by 1/scale, which differs near halves). scale and zero are numbers, or hold one number for each index of an axis (the default
// is the first). The gradient is gy if the integer is within the bounds, otherwise 0; scale and zero have none.
// PyTorch: fake_quantize_per_tensor_affine, fake_quantize_per_channel_affine.
func FakeQuantize(x, scale, zero *nd.Array, low, high int, over ...ops.Axes) *nd.Array {
	fn := fake.Fn
	in := []*nd.Array{x, scale, zero}
	fn.Check(in...)
	axis := fn.AxisOf(max(x.Rank(), 1), options.Read(fn, over), 0, in...)
	if low > high {
		panic(fn.Errorf(in, "bounds %d and %d: want them in order", low, high))
	}
	made := fn.Temporaries(&x, &scale, &zero)
	defer made.Release()
	along := func(p *nd.Array) *nd.Array {
		if p.IsScalar() {
			return p
		}
		if x.DType().IsFloat() {
			p = p.AsType(x.DType())
		}
		shape := make([]int, x.Rank())
		for k := range shape {
			shape[k] = 1
		}
		switch {
		case p.Size() == 1:
		case axis < x.Rank() && broadcast.Equal(p.Shape(), []int{x.Dim(axis)}):
			shape[axis] = x.Dim(axis)
		default:
			panic(fn.Errorf(in, "want one scale and zero, or one for each index of axis %d", axis))
		}
		return p.Reshape(shape...)
	}
	return made.Keep(fake.Compute([]float64{float64(low), float64(high)}, x, along(scale), along(zero)))
}
