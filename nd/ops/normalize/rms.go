package normalize

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// RMSNormalizationOptions are the options of RMSNormalization.
type RMSNormalizationOptions struct {
	// Axes are the axes of the means; nil means the last one.
	Axes ops.Axes
	// Eps is added to the mean square; nil means the epsilon (the distance from 1 to the next number) of the dtype of the
	// computation: 1.19e-7, or 2.22e-16 for float64.
	Eps *float64
}

// RMSNormalizationOption is an [RMSNormalizationOptions], or the axes alone.
type RMSNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (RMSNormalizationOptions) Option() {}

func rmsNormalizationOver(axes ops.Axes, o RMSNormalizationOptions) RMSNormalizationOptions {
	o.Axes = axes
	return o
}

var (
	sumOfSquares = reduction.Definition{Fn: "normalize.RMSNormalization", Body: "x * x", Combine: device.CombineSum, VJP: func(op reduction.Op, c *nd.Call) {
		c.SetGx(0, ops.Multiply(c.In(0), ops.Multiply(op.Spread(c, c.Gy(0)), 2)))
	}}
	timesTwo = ufunc.Definition{Fn: "normalize.RMSNormalization", In: "T x, T r, T g", Body: "x * r * g", Loop: ufunc.RealFloat}
)

// RMSNormalization returns x/√(mean(x²) + eps)·gamma. gamma broadcasts to x, and may be nil. Floats of 16 bits are
// computed in float32.
//
// Source: B. Zhang, R. Sennrich, Root Mean Square Layer Normalization, 2019.
// PyTorch: nn.functional.rms_norm, rms_norm.
func RMSNormalization(x, gamma *nd.Array, opts ...RMSNormalizationOption) *nd.Array {
	const fn nd.Func = "normalize.RMSNormalization"
	o := options.Of(fn, opts, rmsNormalizationOver)
	n := newNormalization(fn, x, nil, gamma)
	defer n.release()
	axes := []int(o.Axes)
	if axes == nil {
		axes = []int{-1}
	}
	eps := argument.ValueOr(o.Eps, dtype.Info(n.x.DType()).Eps)
	squares := sumOfSquares.Call(n.x, reduction.Options{Axes: axes, KeepDims: true})
	made := fn.Temporaries(&squares, &gamma)
	defer made.Release()
	made.Own(squares)
	count := max(1, n.x.Size()/max(1, squares.Size()))
	inverse := ops.Rsqrt(ops.Add(ops.Multiply(squares, 1/float64(count)), eps))
	var y *nd.Array
	if gamma == nil {
		y = ops.Multiply(n.x, inverse)
	} else {
		y = timesTwo.Compute(nil, n.x, inverse, gamma)
	}
	return made.Keep(release.Replace(y, y.AsType(n.result)))
}
