package initializer

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// Initializers of parameters whose elements depend on each other.

// Range counts along the last axis: element i is start + i·step, whatever its other indices. NNabla's defaults are 0
// and 1.
// NNabla: RangeInitializer.
func Range(start, step float64) Initializer {
	const fn nd.Func = "initializer.Range"
	return func(_ *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		wantAxes(fn, shape, 1)
		made := fn.Temporaries()
		defer made.Release()
		n := shape[len(shape)-1]
		line := made.Own(nd.Arange(0, float64(n), 1, nd.ArrayOptions{DType: dtype.Float64, Device: like.Device}))
		line = ops.Add(ops.Multiply(line, step), start)
		return made.Keep(line.AsType(like.DType).BroadcastTo(shape...).Copy())
	}
}

// Identity returns a matrix with value on its diagonal and 0 elsewhere: with 1, an affine layer with as many outputs as
// inputs returns its input. A kernel (outmaps, channels, kernel…) has the matrix at its centre, the index ⌊length/2⌋
// along each axis. So a convolution with odd lengths and a padding of half of them returns its input.
// PyTorch: nn.init.eye_, nn.init.dirac_. Chainer: initializers.Identity (of square matrices).
func Identity(value float64) Initializer {
	const fn nd.Func = "initializer.Identity"
	return func(_ *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		wantAxes(fn, shape, 2)
		y := nd.Zeros(shape, like)
		if y.Size() == 0 {
			return y
		}
		at := []nd.Index{nd.All(), nd.All()}
		for _, length := range shape[2:] {
			at = append(at, nd.At(length/2))
		}
		nd.Fill(linalg.Diagonal(y.Index(at...), 0), value)
		return y
	}
}

// Orthogonal draws a matrix with orthonormal rows, or orthonormal columns if it has fewer columns than rows, times
// gain. All such matrices are equally likely (Saxe et al. 2014). A parameter with more or fewer than two axes counts as
// a matrix of its first axis and all others: the windows of a convolution are orthogonal to each other. NNabla's
// default is 1.
// PyTorch: nn.init.orthogonal_. NNabla: OrthogonalInitializer. Chainer: initializers.Orthogonal.
func Orthogonal(gain float64) Initializer {
	const fn nd.Func = "initializer.Orthogonal"
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		wantAxes(fn, shape, 1)
		if !like.DType.IsFloat() {
			panic(fn.Errorf(nil, "a parameter of dtype %s: want a float dtype", like.DType))
		}
		rows, columns := shape[0], broadcast.Size(shape[1:])
		if rows == 0 || columns == 0 {
			return nd.Zeros(shape, like)
		}
		made := fn.Temporaries()
		defer made.Release()
		tall := []int{max(rows, columns), min(rows, columns)}
		q, r := linalg.QR(made.Own(random.Normal(rng, 0, 1, tall, nd.ArrayOptions{DType: dtype.Float64, Device: like.Device})))
		sign := ops.Sign(linalg.Diagonal(r, 0)) // remove the sign of q that the factorisation chose
		q = ops.Multiply(ops.Multiply(q, sign), gain)
		if rows < columns {
			q = q.T()
		}
		return made.Keep(q.AsType(like.DType).Reshape(shape...))
	}
}

// WeightNormalizationScaleOptions are the options of [WeightNormalizationScale].
type WeightNormalizationScaleOptions struct {
	// Axis is the axis of w that the scales belong to; nil means 0.
	Axis ops.Axes
	// Eps is added to the sum of squares; nil means 1e-12.
	Eps *float64
}

// WeightNormalizationScaleOption is a [WeightNormalizationScaleOptions], or the axis alone.
type WeightNormalizationScaleOption interface{ ops.Option }

// Option marks the struct as an option.
func (WeightNormalizationScaleOptions) Option() {}

func weightNormalizationScaleOver(axes ops.Axes, o WeightNormalizationScaleOptions) WeightNormalizationScaleOptions {
	o.Axis = axes
	return o
}

// WeightNormalizationScale computes the norm √(Σw² + eps) of each slice of w along Axis, for a parameter with the
// length of that axis. Weights that are normalised, and scaled by this parameter, initially keep their values.
// NNabla: WeightNormalizationScaleInitializer.
func WeightNormalizationScale(w *nd.Array, opts ...WeightNormalizationScaleOption) Initializer {
	const fn nd.Func = "initializer.WeightNormalizationScale"
	o := options.Of(fn, opts, weightNormalizationScaleOver)
	fn.Check(w)
	axis := fn.Axis(w, o.Axis, 0)
	eps := 1e-12
	if o.Eps != nil {
		eps = *o.Eps
	}
	if !(eps >= 0) {
		panic(fn.Errorf(nil, "Eps %v: want a number from 0", eps))
	}
	return func(_ *nd.Rand, _ []int, like nd.ArrayOptions) *nd.Array {
		made := fn.Temporaries()
		defer made.Release()
		return made.Keep(lengths(fn, made.Own(w.Detach()), axis, eps).AsType(like.DType))
	}
}

// lengths returns √(Σw² + eps) for the slices of w along an axis.
func lengths(fn nd.Func, w *nd.Array, axis int, eps float64) *nd.Array {
	made := fn.Temporaries(&w)
	defer made.Release()
	others := slices.Delete(broadcast.AllAxes(w.Rank()), axis, axis+1)
	return made.Keep(ops.Hypot(ops.Norm(w, ops.Axes(others)), math.Sqrt(eps)))
}

// wantAxes refuses a parameter that has fewer axes than an initializer needs.
func wantAxes(fn nd.Func, shape []int, minRank int) {
	if len(shape) < minRank {
		panic(fn.Errorf(nil, "a parameter of shape %s: want at least %d axes", broadcast.FormatShape(shape), minRank))
	}
}
