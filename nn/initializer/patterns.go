package initializer

import (
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

// Range counts along the last axis: element i is start + i·step, whatever its other indices. nnabla RangeInitializer, which has 0
// and 1 by default.
func Range(start, step float64) Initializer {
	const fn nd.Func = "initializer.Range"
	return func(_ *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		wantAxes(fn, shape, 1)
		made := fn.Temporaries()
		defer made.Release()
		n := shape[len(shape)-1]
		line := made.Own(nd.Arange(0, float64(n), 1, nd.ArrayOptions{DType: dtype.Float64, Device: like.Device}))
		line = ops.Add(ops.Multiply(line, nd.Scalar(step)), nd.Scalar(start))
		return made.Keep(line.AsType(like.DType).BroadcastTo(shape...).Copy())
	}
}

// Identity gives a matrix that value on its diagonal, and 0 elsewhere: with 1 an affine layer of as many outputs as inputs
// returns its input. A kernel (outmaps, channels, kernel…) has the matrix at its centre, the place ⌊length/2⌋ of each axis, so
// that a convolution with lengths that are odd, and padded by half of them, returns its input. chainer.initializers.Identity (of
// square matrices), torch.nn.init.eye_, torch.nn.init.dirac_.
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

// Orthogonal draws a matrix with orthonormal rows, or columns where there are fewer of these, times gain: every such matrix is as
// likely (Saxe et al. 2014). A parameter of other than two axes is a matrix of its first axis and all others: a convolution's
// windows are orthogonal to each other. nnabla OrthogonalInitializer, which has 1 by default; chainer.initializers.Orthogonal,
// torch.nn.init.orthogonal_.
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
		sign := ops.Sign(linalg.Diagonal(r, 0)) // which of ±q the factorisation chose must not show
		q = ops.Multiply(ops.Multiply(q, sign), nd.Scalar(gain))
		if rows < columns {
			q = q.T()
		}
		return made.Keep(q.AsType(like.DType).Reshape(shape...))
	}
}

// WeightNormalizationScaleOptions are the options of [WeightNormalizationScale].
type WeightNormalizationScaleOptions struct {
	Axis int      // of w, which the scales are for; negative counts from the end
	Eps  *float64 // added to the sum of squares; nil means 1e-12
}

// WeightNormalizationScale takes the norm √(Σw² + eps) of each slice of w along Axis, for a parameter of that axis' length:
// weights that are normalised, and scaled by it, are at first what they were. nnabla WeightNormalizationScaleInitializer.
func WeightNormalizationScale(w *nd.Array, opts ...WeightNormalizationScaleOptions) Initializer {
	const fn nd.Func = "initializer.WeightNormalizationScale"
	o := options.Read(fn, opts)
	fn.Check(w)
	axis := fn.Axis(w, nil, o.Axis)
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

// lengths are √(Σw² + eps) of the parts of w along an axis.
func lengths(fn nd.Func, w *nd.Array, axis int, eps float64) *nd.Array {
	made := fn.Temporaries(&w)
	defer made.Release()
	others := slices.Delete(broadcast.AllAxes(w.Rank()), axis, axis+1)
	return made.Keep(ops.Sqrt(ops.AddScalar(ops.Sum(ops.Square(ops.Absolute(w)), ops.Axes(others)), eps)))
}

// wantAxes refuses a parameter of fewer axes than an initializer has a meaning for.
func wantAxes(fn nd.Func, shape []int, least int) {
	if len(shape) < least {
		panic(fn.Errorf(nil, "a parameter of shape %s: want at least %d axes", broadcast.FormatShape(shape), least))
	}
}
