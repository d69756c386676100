package fft

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// FrequencyOptions are the options of FFTFreq and RFFTFreq. The default is float64 on the CPU.
type FrequencyOptions struct {
	// D is the distance of neighbouring samples; 0 means 1.
	D float64

	nd.ArrayOptions
}

// FFTFreq returns the frequencies of the transform of n samples, in cycles per unit of the distance D: 0, 1, …,
// (n-1)/2, -n/2, …, -1, over n·D.
// NumPy: fft.fftfreq.
func FFTFreq(n int, opts ...FrequencyOptions) *nd.Array {
	const fn nd.Func = "fft.FFTFreq"
	return fn.Made(frequencies(fn, n, n, options.Read(fn, opts)))
}

// RFFTFreq returns the frequencies of RFFT of n samples: 0, 1, …, n/2, over n·D.
// NumPy: fft.rfftfreq.
func RFFTFreq(n int, opts ...FrequencyOptions) *nd.Array {
	const fn nd.Func = "fft.RFFTFreq"
	return fn.Made(frequencies(fn, n, n/2+1, options.Read(fn, opts)))
}

// frequencies returns the first count frequencies of the transform of n samples.
func frequencies(fn nd.Func, n, count int, o FrequencyOptions) *nd.Array {
	if n < 1 {
		panic(fn.Errorf(nil, "%d samples: want at least one", n))
	}
	if o.D == 0 {
		o.D = 1
	}
	if o.DType.Valid() && !o.DType.IsInexact() {
		panic(fn.Errorf(nil, "dtype %s: want a float dtype", o.DType))
	}
	unit := 1 / (float64(n) * o.D)
	fn.CheckAllocatable(dtype.Float64, count)
	all := make([]float64, count)
	for k := range all {
		turns := k
		if count == n && k > (n-1)/2 {
			turns -= n
		}
		all[k] = float64(turns) * unit
	}
	if !o.DType.Valid() {
		o.DType = dtype.Float64
	}
	y := converted(nd.FromSlice(all), o.DType)
	if o.Device == nil {
		return y
	}
	there := y.To(o.Device)
	release.Unless(y, there)
	return there
}

// FFTShift moves frequency 0 from the beginning to the middle: it rolls by half of the length, by default along all
// axes.
// NumPy: fft.fftshift.
func FFTShift(x *nd.Array, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "fft.FFTShift"
	return fn.Made(shifted(fn, x, options.Read(fn, over), func(n int) int { return n / 2 }))
}

// IFFTShift undoes FFTShift; the two differ for odd lengths.
// NumPy: fft.ifftshift.
func IFFTShift(x *nd.Array, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "fft.IFFTShift"
	return fn.Made(shifted(fn, x, options.Read(fn, over), func(n int) int { return -(n / 2) }))
}

func shifted(fn nd.Func, x *nd.Array, over ops.Axes, by func(n int) int) *nd.Array {
	fn.Check(x)
	axes := over
	if axes == nil {
		axes = broadcast.AllAxes(x.Rank())
	}
	for _, k := range axes {
		fn.Axis(x, ops.Over(k), -1) // panics before anything is computed
	}
	y := x
	for _, k := range axes {
		next := ops.Roll(y, by(x.Dim(k)), ops.Over(k))
		release.Unless(y, x)
		y = next
	}
	return y
}
