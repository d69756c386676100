package conv

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ConvolveMode chooses the part of the result of Convolve1D and Correlate1D, for vectors of n and m elements.
type ConvolveMode string

const (
	ConvolveFull  ConvolveMode = "full"  // every overlap, n+m-1 elements
	ConvolveSame  ConvolveMode = "same"  // the middle max(n, m)
	ConvolveValid ConvolveMode = "valid" // the overlaps with the whole shorter vector, max(n, m)-min(n, m)+1
)

// ConvolveOptions are the options of Convolve1D and Correlate1D.
type ConvolveOptions struct {
	// Mode chooses the part of the result. The default is ConvolveFull for Convolve1D and ConvolveValid for Correlate1D.
	Mode ConvolveMode
}

// Convolve1D returns the discrete convolution of two vectors, y_k = Σ a_i·v_(k-i). A 0-d array counts as a vector of
// one element.
// NumPy: convolve.
func Convolve1D(a, v *nd.Array, opts ...ConvolveOptions) *nd.Array {
	const fn nd.Func = "conv.Convolve1D"
	return overlaps(fn, a, v, options.Read(fn, opts).Mode, ConvolveFull, false)
}

// Correlate1D returns the cross-correlation of two vectors, y_k = Σ a_(i+k)·conj(v_i). A 0-d array counts as a vector
// of one element.
// NumPy: correlate.
func Correlate1D(a, v *nd.Array, opts ...ConvolveOptions) *nd.Array {
	const fn nd.Func = "conv.Correlate1D"
	return overlaps(fn, a, v, options.Read(fn, opts).Mode, ConvolveValid, true)
}

// overlaps adds a multiple of the shorter vector at each element of the longer one, so that elements beyond both
// vectors play no role.
func overlaps(fn nd.Func, a, v *nd.Array, mode, defaultMode ConvolveMode, correlate bool) *nd.Array {
	fn.Check(a, v)
	made := fn.Temporaries(&a, &v)
	defer made.Release()
	if mode == "" {
		mode = defaultMode
	}
	a, v = ops.AtLeast1D(a), ops.AtLeast1D(v)
	if a.Rank() != 1 || v.Rank() != 1 || a.Size() == 0 || v.Size() == 0 {
		panic(fn.Errorf([]*nd.Array{a, v}, "want two vectors that are not empty"))
	}
	n, m := a.Size(), v.Size()
	long, short := max(n, m), min(n, m)
	from, length, ok := overlapPart(mode, long, short, correlate && n < m)
	if !ok {
		panic(fn.Errorf([]*nd.Array{a, v}, "mode %q: want full, same or valid", mode))
	}
	if correlate && v.DType().IsComplex() {
		v = ops.Conj(v)
	} else if !correlate {
		v = v.Flip(0)
	}
	reversed := n < m // if n < m, windows of v multiplied with a give the result in reverse order
	if reversed {
		a, v = v, a
	}
	t := ufunc.CommonType([]*nd.Array{a, v})
	full := long + short - 1
	window := device.Window{Rank: 1, Size: [3]int{full}, Stride: [3]int{1}, Dilation: [3]int{1}}
	along, taps := a.AsType(t).Reshape(1, 1, 1, long), v.AsType(t).Flip(0).Reshape(1, 1, 1, short)
	y := convolve(fn, convolveOp{part: device.PartInput, window: window}, t, along, taps, nil, []int{1, 1, 1, full}).Reshape(full)
	if reversed {
		y = y.Flip(0)
	}
	return made.Keep(y.Index(nd.Span(from, from+length)).Contiguous())
}

// overlapPart returns the part of the full result that a mode asks for. Where NumPy exchanges the arguments of a
// correlation, an even surplus of "same" falls on the other side.
func overlapPart(mode ConvolveMode, long, short int, exchanged bool) (from, length int, ok bool) {
	switch mode {
	case ConvolveFull:
		return 0, long + short - 1, true
	case ConvolveSame:
		from = (short - 1) / 2
		if exchanged {
			from = short / 2
		}
		return from, long, true
	case ConvolveValid:
		return short - 1, long - short + 1, true
	}
	return 0, 0, false
}
