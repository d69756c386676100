package normalize

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// WeightNormalizationOptions are the options of WeightNormalization.
type WeightNormalizationOptions struct {
	// Axis is the axis along which g has one norm per index; nil means 0.
	Axis ops.Axes
	// Eps is added to the sum of squares; nil means 1e-12.
	Eps *float64
}

// WeightNormalizationOption is a [WeightNormalizationOptions], or the axis alone.
type WeightNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (WeightNormalizationOptions) Option() {}

func weightNormalizationOver(axes ops.Axes, o WeightNormalizationOptions) WeightNormalizationOptions {
	o.Axis = axes
	return o
}

// WeightNormalization scales the parts of w along an axis, the first by default, to the norms g: g·w/√(Σw² + eps), with
// the sum over all other axes.
//
// Source: T. Salimans, D. Kingma, Weight normalization: a simple reparameterization to accelerate training of deep
// neural networks, 2016.
// NNabla: weight_normalization.
func WeightNormalization(w, g *nd.Array, opts ...WeightNormalizationOption) *nd.Array {
	const fn nd.Func = "normalize.WeightNormalization"
	fn.Check(w, g)
	made := fn.Temporaries(&w, &g)
	defer made.Release()
	o := options.Of(fn, opts, weightNormalizationOver)
	w = argument.Float(fn, w)
	axis := fn.Axis(w, o.Axis, 0)
	if g.DType().IsComplex() || g.Rank() != 1 || g.Dim(0) != w.Dim(axis) {
		panic(fn.Errorf([]*nd.Array{w, g}, "want one real norm for each index along axis %d", axis))
	}
	shape := broadcast.Ones(w.Rank())
	shape[axis] = w.Dim(axis)
	norm := ops.Norm(w, ops.NormOptions{Axes: broadcast.MovedLast(w.Rank(), []int{axis})[:w.Rank()-1], KeepDims: true})
	length := ops.Hypot(norm, math.Sqrt(argument.ValueOr(o.Eps, 1e-12)))
	return made.Keep(ops.Multiply(ops.Divide(w, length), g.Reshape(shape...)))
}

// NormNormalizationOptions are the options of NormNormalization.
type NormNormalizationOptions struct {
	// P is the order of the norm; nil means 2. It must be positive.
	P *float64
	// Axes are the axes of the norm; nil or an empty slice means all.
	Axes ops.Axes
	// Eps is added to the sum before the root; nil means 1e-12.
	Eps *float64
}

// NormNormalizationOption is a [NormNormalizationOptions], or the axes alone.
type NormNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (NormNormalizationOptions) Option() {}

func normNormalizationOver(axes ops.Axes, o NormNormalizationOptions) NormNormalizationOptions {
	o.Axes = axes
	return o
}

// NormNormalization returns x/(Σ|x|^p + eps)^(1/p).
// NNabla: norm_normalization.
func NormNormalization(x *nd.Array, opts ...NormNormalizationOption) *nd.Array {
	const fn nd.Func = "normalize.NormNormalization"
	fn.Check(x)
	o := options.Of(fn, opts, normNormalizationOver)
	p := argument.ValueOr(o.P, 2)
	if !(p > 0) || math.IsInf(p, 1) {
		panic(fn.Errorf([]*nd.Array{x}, "p = %v: want a positive power", p))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, x)
	along := ops.NormOptions{P: &p, KeepDims: true}
	if len(o.Axes) > 0 {
		along.Axes = o.Axes
	}
	eps := math.Pow(argument.ValueOr(o.Eps, 1e-12), 1/p)
	return made.Keep(ops.Divide(x, joined(ops.Norm(x, along), eps, p)))
}

// joined returns (a^p + b^p)^(1/p) for norms a and a number b. It divides by the larger of the two, so that no power
// leaves the range; no gradient flows to that divisor, on which the result does not depend.
func joined(a *nd.Array, b, p float64) *nd.Array {
	switch p {
	case 1:
		return ops.Add(a, b)
	case 2:
		return ops.Hypot(a, b)
	}
	unit := ops.Maximum(a.Detach(), b)
	unit = ops.Where(ops.Equal(unit, 0), 1, unit)
	powers := ufunc.AbsPower.Apply2(ops.Divide(a, unit), nd.Scalar(p))
	return ops.Multiply(unit, ops.Power(ops.Add(powers, ops.Power(ops.Divide(b, unit), p)), 1/p))
}

// NormalizeOptions are the options of Normalize.
type NormalizeOptions struct {
	// Eps is added to the norm; nil means 1e-5.
	Eps *float64
	// Axis is the axis of the vectors; nil means 1.
	Axis ops.Axes
}

// NormalizeOption is a [NormalizeOptions], or the axis alone.
type NormalizeOption interface{ ops.Option }

// Option marks the struct as an option.
func (NormalizeOptions) Option() {}

func normalizeOver(axes ops.Axes, o NormalizeOptions) NormalizeOptions {
	o.Axis = axes
	return o
}

// Normalize scales vectors along an axis to a norm of nearly 1: x/(√Σx² + eps). The gradient of a norm of 0 is 0.
// PyTorch: nn.functional.normalize. Chainer: normalize.
func Normalize(x *nd.Array, opts ...NormalizeOption) *nd.Array {
	const fn nd.Func = "normalize.Normalize"
	fn.Check(x)
	made := fn.Temporaries(&x)
	defer made.Release()
	o := options.Of(fn, opts, normalizeOver)
	x = argument.Float(fn, x)
	axis := fn.Axis(x, o.Axis, 1)
	length := ops.Norm(x, ops.Over(axis).KeepDims())
	return made.Keep(ops.Divide(x, ops.Add(length, argument.ValueOr(o.Eps, 1e-5))))
}

// LocalResponseNormalizationOptions are the options of LocalResponseNormalization.
type LocalResponseNormalizationOptions struct {
	// N is the number of neighbouring channels in a sum, including the channel itself; 0 means 5. An even number means
	// the next odd one.
	N int
	// K is added to the sum of squares; nil means 2.
	K *float64
	// Alpha multiplies the sum; nil means 1e-4.
	Alpha *float64
	// Beta is the power; nil means 0.75.
	Beta *float64
}

// LocalResponseNormalization returns x/(K + Alpha·Σx²)^Beta, where the sum runs over the channels, along axis 1, that
// are at most N/2 (rounded down) away.
//
// Source: A. Krizhevsky et al., ImageNet classification with deep convolutional neural networks, 2012.
// PyTorch: nn.functional.local_response_norm. Chainer: local_response_normalization.
func LocalResponseNormalization(x *nd.Array, opts ...LocalResponseNormalizationOptions) *nd.Array {
	const fn nd.Func = "normalize.LocalResponseNormalization"
	fn.Check(x)
	o := options.Read(fn, opts)
	if o.N == 0 {
		o.N = 5
	}
	if o.N < 0 || x.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{x}, "N = %d: want a positive number, and an array of batch and channels", o.N))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, x)
	half := min(o.N/2, x.Dim(1))
	// Large numbers are squared in a unit of their own for each position, on which the result does not depend.
	unit := nd.Scalar(1.0)
	if x.Dim(1) > 0 {
		unit = ufunc.Unit.Apply1(ops.Maximum(ops.Max(ops.Absolute(x.Detach()), ops.Over(1).KeepDims()), 1))
	}
	x = ops.Divide(x, unit)
	channelLast := ops.Square(x).MoveAxis([]int{1}, []int{-1})
	shape := channelLast.Shape()
	if last := len(shape) - 1; last > 2 { // the windows slide over the channels alone
		channelLast = channelLast.Reshape(broadcast.Size(shape[:last]), shape[last])
	}
	sums := conv.SumPooling(channelLast, []int{2*half + 1}, conv.PoolingOptions{Stride: []int{1}, Pad: []int{half}})
	sums = sums.Reshape(shape...).MoveAxis([]int{-1}, []int{1})
	beta := argument.ValueOr(o.Beta, 0.75)
	scale := ops.Add(ops.Multiply(sums, argument.ValueOr(o.Alpha, 1e-4)), ops.Divide(argument.ValueOr(o.K, 2), ops.Square(unit)))
	y := ops.Multiply(x, ops.Power(scale, -beta))
	return made.Keep(ops.Multiply(y, ops.Power(unit, 1-2*beta)))
}

// SpectralNormOptions are the options of SpectralNorm.
type SpectralNormOptions struct {
	// Axis is the axis of the outputs; nil means 0. It becomes the rows of a matrix, and all other axes the columns.
	Axis ops.Axes
	// Itr is the number of steps of the power iteration; 0 means 1.
	Itr int
	// Eps is added to sums of squares before their roots; nil means 1e-12.
	Eps *float64
	// Test leaves u unchanged.
	Test bool
}

// SpectralNormOption is a [SpectralNormOptions], or the axis alone.
type SpectralNormOption interface{ ops.Option }

// Option marks the struct as an option.
func (SpectralNormOptions) Option() {}

func spectralNormOver(axes ops.Axes, o SpectralNormOptions) SpectralNormOptions {
	o.Axis = axes
	return o
}

// SpectralNorm divides w, as a matrix, by an approximation of its largest singular value σ = uᵀ·W·v. u and v come from
// a power iteration that begins with u, which has one number per row. u is updated in place unless Test is set; then no
// tape may record it. The gradient takes u and v as constants.
//
// Source: T. Miyato et al., Spectral normalization for generative adversarial networks, 2018.
// NNabla: spectral_norm.
func SpectralNorm(w, u *nd.Array, opts ...SpectralNormOption) *nd.Array {
	const fn nd.Func = "normalize.SpectralNorm"
	fn.Check(w, u)
	made := fn.Temporaries(&w, &u)
	defer made.Release()
	o := options.Of(fn, opts, spectralNormOver)
	w = argument.Float(fn, w)
	axis := fn.Axis(w, o.Axis, 0)
	steps := max(o.Itr, 1)
	switch {
	case o.Itr < 0:
		panic(fn.Errorf([]*nd.Array{w, u}, "Itr = %d: want a positive number", o.Itr))
	case !u.DType().IsFloat() || u.Rank() != 1 || u.Dim(0) != w.Dim(axis):
		panic(fn.Errorf([]*nd.Array{w, u}, "want a float u of one axis, with as many elements as axis %d of w", axis))
	case !o.Test && ufunc.Recorded(u):
		panic(fn.Errorf([]*nd.Array{w, u}, "u is updated in place: it must not be recorded by a tape"))
	case !o.Test:
		fn.CheckWritable(u)
	}
	rows := w.MoveAxis([]int{axis}, []int{0})
	matrix := rows.Reshape(w.Dim(axis), broadcast.Size(rows.Shape()[1:]))
	left, right := powerIteration(matrix.Detach(), u.Detach().AsType(w.DType()), steps, argument.ValueOr(o.Eps, 1e-12))
	sigma := ops.Sum(ops.Multiply(ops.MatMul(matrix, right), left))
	y := ops.Divide(w, sigma)
	if !o.Test {
		u.Assign(left)
	}
	return made.Keep(y)
}

// powerIteration returns approximate singular vectors of the largest singular value.
func powerIteration(matrix, u *nd.Array, steps int, eps float64) (left, right *nd.Array) {
	unit := func(x *nd.Array) *nd.Array {
		wide := x.AsType(dtype.Promote(x.DType(), dtype.Float32))
		return ops.Divide(wide, ops.Hypot(ops.Norm(wide), math.Sqrt(eps))).AsType(x.DType())
	}
	left = u
	for range steps {
		right = unit(ops.MatMul(matrix.SwapAxes(0, 1), left))
		left = unit(ops.MatMul(matrix, right))
	}
	return left, right
}
