package normalize

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ClipByNorm returns x, scaled down to the Euclidean norm limit if its own norm is larger: x·limit/max(‖x‖, limit),
// with the norm along the given axes, or of all elements. limit must be positive; it may be an array that broadcasts.
// Gradients flow through the norm, too.
// NNabla: clip_by_norm.
func ClipByNorm(x, limit *nd.Array, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "normalize.ClipByNorm"
	axes := options.Read(fn, over)
	fn.Check(x, limit)
	if limit.IsScalar() && !(nd.Value[float64](limit) > 0) {
		panic(fn.Errorf([]*nd.Array{x, limit}, "want a limit above 0"))
	}
	made := fn.Temporaries(&x, &limit)
	defer made.Release()
	x = argument.Float(fn, x)
	norm := ops.Norm(x, ops.NormOptions{Axes: axes, KeepDims: true})
	return made.Keep(ops.Multiply(ops.Divide(x, ops.Maximum(norm, limit)), limit))
}

// ClipGradByNorm returns x; its gradient is gy scaled to the Euclidean norm limit, limit·gy/‖gy‖, with the norm along
// the given axes, or of all elements. The gradient is scaled up as well as down; if gy is 0 it is NaN.
// NNabla: clip_grad_by_norm.
func ClipGradByNorm(x *nd.Array, limit float64, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "normalize.ClipGradByNorm"
	axes := options.Read(fn, over)
	fn.Check(x)
	if _, err := broadcast.Axes(axes, x.Rank()); err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, x)
	y := x.Detach().Copy()
	fn.Record(clipGradByNormOp{limit, axes}, []*nd.Array{x}, y)
	return made.Keep(y)
}

type clipGradByNormOp struct {
	limit float64
	axes  ops.Axes
}

func (op clipGradByNormOp) Claims() nd.Claims { return nd.Claims{} }

func (op clipGradByNormOp) VJP(c *nd.Call) {
	gy := c.Gy(0)
	norm := ops.Norm(gy, ops.NormOptions{Axes: op.axes, KeepDims: true})
	c.SetGx(0, ops.Multiply(ops.Divide(gy, norm), op.limit))
}

// MeanSubtractionOptions are the options of MeanSubtraction.
type MeanSubtractionOptions struct {
	// BaseAxis is the number of leading axes that hold samples; nil means 1.
	BaseAxis *int
	// UpdateRunningMean updates the running mean and the counter; nil means true. If false, both stay as they are.
	UpdateRunningMean *bool
}

// MeanSubtraction returns x minus a running mean of the samples. It first updates the running mean in place: mean
// becomes mean + (m - mean)/(t+1), where m is the mean of x over the axes before BaseAxis, and t becomes t+1. So after
// many calls mean is the mean of all their samples. The gradient accounts only for the last call's part of the mean:
// gy·(1 - 1/(t·M)), with the new t and M samples.
//
// Shapes: x (M…, D…), mean (D…) of floats, t of one element. mean and t are changed, so no tape may record them.
// NNabla: mean_subtraction.
func MeanSubtraction(x, mean, t *nd.Array, opts ...MeanSubtractionOptions) *nd.Array {
	const fn nd.Func = "normalize.MeanSubtraction"
	o := options.Read(fn, opts)
	fn.Check(x, mean, t)
	in := []*nd.Array{x, mean, t}
	base := argument.ValueOr(o.BaseAxis, 1)
	if base < 0 {
		base += x.Rank()
	}
	if base < 0 || base > x.Rank() || x.IsScalar() || mean.IsScalar() || !broadcast.Equal(mean.Shape(), x.Shape()[max(base, 0):]) ||
		!mean.DType().IsFloat() || t.IsScalar() || t.Size() != 1 || t.DType().IsComplex() || t.DType().IsBool() {
		panic(fn.Errorf(in, "want x with %d axes of samples, a mean of floats of the shape of the others, and a counter t of one element", base))
	}
	update := argument.ValueOr(o.UpdateRunningMean, true)
	if update {
		for _, r := range []*nd.Array{mean, t} {
			fn.CheckWritable(r)
			if ufunc.Recorded(r) {
				panic(fn.Errorf(in, "the mean and its counter are updated in place: they must not be recorded by a tape"))
			}
		}
	}
	made := fn.Temporaries(&x, &mean, &t)
	defer made.Release()
	x = argument.Float(fn, x)
	if !update {
		return made.Keep(ops.Subtract(x, mean.Detach()))
	}
	samples := broadcast.Size(x.Shape()[:base])
	wide := dtype.Promote(mean.DType(), dtype.Float32)
	if samples > 0 {
		steps := ops.Add(t, 1).Reshape()
		m := ops.Mean(x.Detach().AsType(wide), ops.Axes(broadcast.AllAxes(base)))
		mean.Assign(ops.Add(mean, ops.Divide(ops.Subtract(m, mean), steps.AsType(wide))))
		t.Assign(steps.Reshape(t.Shape()...))
	}
	y := ops.Subtract(x.Detach(), mean)
	share := ops.Subtract(1, ops.Reciprocal(ops.Multiply(t.AsType(y.DType()).Reshape(), float64(samples))))
	fn.Record(scaledGradient{}, []*nd.Array{x, share}, y)
	return made.Keep(y)
}

// scaledGradient is the operation of a function of its first input. Its gradient is gy times the second input.
type scaledGradient struct{}

func (scaledGradient) Claims() nd.Claims { return nd.Claims{In: 2} }

func (scaledGradient) VJP(c *nd.Call) { c.SetGx(0, ops.Multiply(c.Gy(0), c.In(1))) }
