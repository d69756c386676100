package fft

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
)

// Norm says which direction is divided by the length n.
type Norm string

const (
	NormBackward Norm = "backward" // the inverse by n
	NormForward  Norm = "forward"  // the forward transform by n
	NormOrtho    Norm = "ortho"    // both by √n
)

// Options are the options of transforms along one axis.
type Options struct {
	// N is the length of the result along the axis (for RFFT and IHFFT: of the signal). The input is cropped or padded
	// with zeros to the length that this N needs. 0 keeps the length of the input.
	N int
	// Axis is the axis to transform, negative ones counted from the end; nil means the last.
	Axis ops.Axes
	// Norm says which direction is divided by the length n; the default is NormBackward.
	Norm Norm
	// Out receives the result, converted to its dtype (which same_kind casting must allow). It must have the shape of
	// the result.
	Out *nd.Array
}

// AxesOptions are the options of transforms along several axes.
type AxesOptions struct {
	// S holds the length of the result along each transformed axis, like Options.N: 0 is the length that the axis would
	// have without S, and -1 that of the input. nil is 0 for all. Without Axes, the last len(S) axes are transformed.
	S []int
	// Axes are the axes to transform, negative ones counted from the end; the last one is transformed first. nil means
	// the last two for the functions with a 2 in their name, all axes for the others.
	Axes ops.Axes
	// Norm and Out are as in Options.
	Norm Norm
	Out  *nd.Array
}

// FFT returns the discrete Fourier transform along an axis.
// NumPy: fft.fft.
func FFT(x *nd.Array, opts ...Option) *nd.Array { return single("fft.FFT", x, opts, false) }

// IFFT returns the inverse of FFT.
// NumPy: fft.ifft.
func IFFT(x *nd.Array, opts ...Option) *nd.Array { return single("fft.IFFT", x, opts, true) }

func single(fn nd.Func, x *nd.Array, opts []Option, inverse bool) *nd.Array {
	fn.Check(x)
	o := options.OfTwo(fn, opts, oneOver, oneInto)
	axis := fn.Axis(x, o.Axis, -1)
	n := o.N
	if n == 0 {
		n = x.Dim(axis)
	}
	return reduction.IntoChecked(fn, o.Out, along(fn, x, n, axis, o.Norm, inverse))
}

// FFT2 returns the transform along two axes, the last ones by default.
// NumPy: fft.fft2.
func FFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.FFT2"
	return several(fn, x, planar(fn, opts), false)
}

// IFFT2 returns the inverse of FFT2.
// NumPy: fft.ifft2.
func IFFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IFFT2"
	return several(fn, x, planar(fn, opts), true)
}

// FFTN returns the transform along several axes, all by default.
// NumPy: fft.fftn.
func FFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.FFTN"
	return several(fn, x, options.OfTwo(fn, opts, severalOver, severalInto), false)
}

// IFFTN returns the inverse of FFTN.
// NumPy: fft.ifftn.
func IFFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IFFTN"
	return several(fn, x, options.OfTwo(fn, opts, severalOver, severalInto), true)
}

// several transforms along the axes, the last one first. Without axes it returns x unchanged.
func several(fn nd.Func, x *nd.Array, o AxesOptions, inverse bool) *nd.Array {
	fn.Check(x)
	steps := stepsOf(fn, x, o)
	y := x
	for i := len(steps) - 1; i >= 0; i-- {
		y = next(fn, x, y, steps[i], o.Norm, inverse)
	}
	if y == x && o.Out != nil {
		y = x.Copy()
	}
	return reduction.IntoChecked(fn, o.Out, y)
}

// planar makes the last two axes the default.
func planar(fn nd.Func, opts []AxesOption) AxesOptions {
	o := options.OfTwo(fn, opts, severalOver, severalInto)
	if o.Axes == nil {
		o.Axes = []int{-2, -1}
	}
	return o
}

// step is a transform along one of several axes.
type step struct {
	axis, n int
	chosen  bool // the caller has chosen n
}

// stepsOf resolves the axes and the lengths along them. An axis may be transformed more than once.
func stepsOf(fn nd.Func, x *nd.Array, o AxesOptions) []step {
	axes := o.Axes
	if axes == nil {
		count := x.Rank()
		if o.S != nil {
			count = len(o.S)
		}
		for k := range count {
			axes = append(axes, k-count)
		}
	}
	if o.S != nil && len(o.S) != len(axes) {
		panic(fn.Errorf([]*nd.Array{x}, "%d lengths for %d axes", len(o.S), len(axes)))
	}
	steps := make([]step, len(axes))
	for i, k := range axes {
		axis := fn.Axis(x, ops.Over(k), -1)
		steps[i] = step{axis: axis, n: x.Dim(axis)}
		if o.S != nil && o.S[i] != 0 {
			steps[i].chosen = true
			if o.S[i] != -1 {
				steps[i].n = o.S[i]
			}
		}
		scaleOf(fn, x, steps[i].n, o.Norm, false) // panics before anything is computed
	}
	return steps
}
