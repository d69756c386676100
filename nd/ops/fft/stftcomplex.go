package fft

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// ComplexSTFTOptions are the options of ComplexSTFT.
type ComplexSTFTOptions struct {
	// Window has the factors of at most size samples, in the middle of the frame; nil means ones for the whole frame.
	// Gradients flow to it.
	Window *nd.Array
	// Center centres frame t at sample t·stride: the signal is padded by half a frame at both ends; nil means true.
	Center *bool
	// PadMode is the padding of Center: ops.PadReflect (the default), ops.PadConstant for zeros, ops.PadEdge or
	// ops.PadWrap.
	PadMode ops.PadMode
	// Normalized divides by √size.
	Normalized bool
	// OneSided returns only the frequencies from 0 to size/2: those of real signals. Nil means true for real signals,
	// false for complex ones, for which true is refused.
	OneSided *bool
}

// ComplexSTFT returns the short-time Fourier transform of real or complex signals as complex numbers: the transform of
// every frame of size samples, stride samples apart, times a window. [STFT] returns real and imaginary parts instead.
//
// Shapes: x (…, samples); the result (…, size/2+1, frames), or (…, size, frames) if it is not one-sided.
// PyTorch: stft.
func ComplexSTFT(x *nd.Array, size, stride int, opts ...ComplexSTFTOptions) *nd.Array {
	const fn nd.Func = "fft.ComplexSTFT"
	fn.Check(x)
	o := options.Read(fn, opts)
	given := []*nd.Array{x}
	f := complexFraming(fn, x, size, stride, o.Center, o.Window)
	f.mode = padMode(fn, given, o.PadMode)
	isComplex := x.DType().IsComplex()
	oneSided := argument.ValueOr(o.OneSided, !isComplex)
	if x.Rank() == 0 || x.IsScalar() || oneSided && isComplex {
		panic(fn.Errorf(given, "want signals of shape (…, samples), which are real if the result is one-sided"))
	}
	axis := x.Rank() - 1
	samples := x.Dim(axis)
	if samples+2*f.pad < size || samples == 0 {
		panic(fn.Errorf(given, "the signal is shorter than a frame of %d samples", size))
	}
	f.checkReflection(fn, given, samples)
	count := (samples+2*f.pad-size)/stride + 1
	fn.CheckAllocatable(dtype.Int64, count, size)
	made := fn.Temporaries(&x, &o.Window)
	defer made.Release()
	positions := made.Own(f.sampleIndices(x.Device(), count, func(position int) int { return f.sampleIndex(position-f.pad, samples) }))
	t := complexType(x.DType())
	if !isComplex {
		t = realType(x.DType())
	}
	frames := fn.Gather(x.AsType(t), []int{axis}, axis, []*nd.Array{positions}, device.BoundsDrop)
	if o.Window != nil {
		frames = ops.Multiply(frames, f.paddedWindow(o.Window, t.Real()))
	}
	norm := NormBackward
	if o.Normalized {
		norm = NormOrtho
	}
	var y *nd.Array
	if oneSided {
		y = fromReal(fn, frames, size, axis+1, norm, false)
	} else {
		y = along(fn, frames, size, axis+1, norm, false)
	}
	return made.Keep(y.SwapAxes(-1, -2).Contiguous())
}

// ComplexISTFTOptions are the options of ComplexISTFT.
type ComplexISTFTOptions struct {
	// Window, Center and Normalized are those of the ComplexSTFT that is undone; Center removes the padding.
	Window     *nd.Array
	Center     *bool
	Normalized bool
	// Length is the number of samples of the result: it is cut, or filled with zeros; 0 means all samples of the frames.
	Length int
	// Complex returns complex signals, of a transform that is not one-sided.
	Complex bool
}

// ComplexISTFT returns the signals whose ComplexSTFT with the same window is z: it multiplies the inverse transform of
// every frame by the window, adds up overlapping frames, and divides by the sum of the squared windows there. If all
// windows are 0 at a sample, the result is 0 there; PyTorch refuses such windows. The number of frequencies, size/2+1
// or size, says whether the transform is one-sided.
//
// Shapes: z (…, size/2+1, frames) or (…, size, frames); the result (…, (frames-1)·stride + size), less size/2 at both
// ends with Center.
// PyTorch: istft.
func ComplexISTFT(z *nd.Array, size, stride int, opts ...ComplexISTFTOptions) *nd.Array {
	const fn nd.Func = "fft.ComplexISTFT"
	fn.Check(z)
	o := options.Read(fn, opts)
	given := []*nd.Array{z}
	f := complexFraming(fn, z, size, stride, o.Center, o.Window)
	rank := z.Rank()
	if rank < 2 || z.Dim(-2) != size && z.Dim(-2) != size/2+1 || z.Dim(-1) == 0 {
		panic(fn.Errorf(given, "want frequencies of shape (…, %d, frames) or (…, %d, frames), and at least one frame", size/2+1, size))
	}
	oneSided := z.Dim(-2) != size
	if o.Complex && oneSided {
		panic(fn.Errorf(given, "a one-sided transform is that of real signals: want %d frequencies for Complex", size))
	}
	count := z.Dim(-1)
	length := broadcast.Sum(broadcast.Product(count-1, stride), size)
	fn.CheckAllocatable(dtype.Complex128, length)
	fn.CheckAllocatable(dtype.Complex128, count, size)
	end := length - f.pad
	if o.Length != 0 {
		end = broadcast.Sum(f.pad, o.Length)
		fn.CheckAllocatable(dtype.Complex128, max(end, 0))
	}
	if o.Length < 0 || end <= f.pad {
		panic(fn.Errorf(given, "Length %d: want a result with samples", o.Length))
	}
	made := fn.Temporaries(&z, &o.Window)
	defer made.Release()
	norm := NormBackward
	if o.Normalized {
		norm = NormOrtho
	}
	spectra := z.SwapAxes(-1, -2)
	var frames *nd.Array
	if oneSided {
		frames = toReal(fn, spectra, size, rank-1, norm, true)
	} else if frames = along(fn, spectra, size, rank-1, norm, true); !o.Complex {
		frames = ops.Real(frames)
	}
	positions := made.Own(f.sampleIndices(z.Device(), count, func(position int) int { return position }))
	real := frames.DType().Real()
	var weights *nd.Array
	if o.Window == nil {
		weights = made.Own(converted(nd.FromSliceOn(z.Device(), f.weights(count, length)), real))
	} else {
		window := f.paddedWindow(o.Window, real)
		frames = ops.Multiply(frames, window)
		weights = overlapped(fn, made, ops.Square(window).BroadcastTo(count, size), positions, length)
		weights = ops.Where(ops.Equal(weights.Detach(), 0), 1.0, weights)
	}
	y := ops.Divide(overlapped(fn, made, frames, positions, length), weights)
	y = y.Index(nd.Ellipsis(), nd.Span(f.pad, min(end, length)))
	return made.Keep(resized(y, end-f.pad, rank-2).Contiguous())
}

// complexFraming checks the sizes, and makes a rectangular window.
func complexFraming(fn nd.Func, x *nd.Array, size, stride int, center *bool, window *nd.Array) framing {
	given := []*nd.Array{x}
	if size < 1 || stride < 1 || size > math.MaxInt/4 || stride > math.MaxInt/4 {
		panic(fn.Errorf(given, "frames of %d samples, stride %d: want positive numbers", size, stride))
	}
	if window != nil {
		fn.Check(x, window)
		if window.Rank() != 1 || window.Dim(0) > size || window.Dim(0) == 0 || window.DType().IsComplex() {
			panic(fn.Errorf([]*nd.Array{x, window}, "want a window of real numbers on one axis: at most %d, and at least one", size))
		}
	}
	fn.CheckAllocatable(dtype.Float64, size)
	f := framing{size: size, stride: stride, window: slices.Repeat([]float64{1}, size)}
	if argument.ValueOr(center, true) {
		f.pad = size / 2
	}
	return f
}

// paddedWindow returns the window in the middle of a frame.
func (f *framing) paddedWindow(window *nd.Array, t dtype.DType) *nd.Array {
	n := window.Dim(0)
	left := (f.size - n) / 2
	return ops.Pad(window.AsType(t), [][2]int{{left, f.size - n - left}})
}
