package fft

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Window is the shape of the window of STFT and ISTFT. The constants say what sample i of size samples is.
type Window string

const (
	WindowHanning     Window = "hanning"     // 0.5 - 0.5·cos(2πi/size)
	WindowHamming     Window = "hamming"     // 0.54 - 0.46·cos(2πi/size)
	WindowRectangular Window = "rectangular" // 1
)

// STFTOptions are the options of STFT and ISTFT.
type STFTOptions struct {
	// WindowType is the shape of the window; the default is WindowHanning.
	WindowType Window
	// Center centres frame t at sample t·stride: the signal is padded by half a frame at both ends, and ISTFT removes
	// the padding; nil means true.
	Center *bool
	// PadMode is the padding of Center: ops.PadReflect (the default), ops.PadConstant for zeros, ops.PadEdge or
	// ops.PadWrap. ISTFT ignores it; with Transposed, STFT does.
	PadMode ops.PadMode
	// Transposed computes the transpose of the other function, which is linear: with it STFT(g) returns the gradients of
	// Σ g·ISTFT(re, im) with respect to re and im, and ISTFT(gre, gim) the gradient of Σ gre·re + gim·im with respect to
	// x, where re, im = STFT(x). They are NNabla's as_istft_backward and as_stft_backward.
	Transposed bool
}

// STFT returns the real and the imaginary part of the short-time Fourier transform of signals: RFFT of every frame of
// fftSize samples, stride samples apart, times a window of windowSize samples in the middle of the frame. [ComplexSTFT]
// returns complex numbers, and takes any window.
//
// With Transposed, it is the transpose of ISTFT, to which the conditions of ISTFT apply: the samples must be those of a
// whole number of frames.
//
// Shapes: x (batch, samples); both results (batch, fftSize/2+1, frames).
// NNabla: stft.
func STFT(x *nd.Array, windowSize, stride, fftSize int, opts ...STFTOptions) (re, im *nd.Array) {
	const fn nd.Func = "fft.STFT"
	fn.Check(x)
	o := options.Read(fn, opts)
	f := framesOf(fn, []*nd.Array{x}, windowSize, stride, fftSize, o)
	if x.Rank() != 2 || x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "want real signals of shape (batch, samples)"))
	}
	if o.Transposed {
		return f.transposeOfISTFT(fn, x)
	}
	samples := x.Dim(1)
	f.checkReflection(fn, []*nd.Array{x}, samples)
	if samples+2*f.pad < fftSize || samples == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "the signal is shorter than a frame of %d samples", fftSize))
	}
	count := (samples+2*f.pad-fftSize)/stride + 1
	made := fn.Temporaries(&x)
	defer made.Release()
	positions := made.Own(f.sampleIndices(x.Device(), count, func(position int) int { return f.sampleIndex(position-f.pad, samples) }))
	frames := fn.Gather(x.AsType(realType(x.DType())), []int{1}, 1, []*nd.Array{positions}, device.BoundsDrop)
	y := fromReal(fn, f.windowed(made, frames), fftSize, 2, "", false).SwapAxes(1, 2)
	return made.Keep(ops.Real(y)), made.Keep(ops.Imag(y))
}

// ISTFT returns the signals whose STFT with the same arguments has the parts re and im: it multiplies the inverse
// transform of every frame by the window, adds up overlapping frames, and divides by the sum of the squared windows
// there. Where all windows are 0, the result is 0. fftSize must be a multiple of stride.
//
// Shapes: re and im (batch, fftSize/2+1, frames); the result (batch, (frames-1)·stride + fftSize), less fftSize/2 at
// both ends with Center. With Transposed, it is the transpose of STFT, of any stride; the result has as few samples as
// give the frames.
// NNabla: istft.
func ISTFT(re, im *nd.Array, windowSize, stride, fftSize int, opts ...STFTOptions) *nd.Array {
	const fn nd.Func = "fft.ISTFT"
	fn.Check(re, im)
	both := []*nd.Array{re, im}
	o := options.Read(fn, opts)
	f := framesOf(fn, both, windowSize, stride, fftSize, o)
	switch {
	case fftSize%stride != 0 && !o.Transposed:
		panic(fn.Errorf(both, "a frame of %d samples is not a multiple of the stride %d", fftSize, stride))
	case re.Rank() != 3 || im.Rank() != 3 || re.Dim(1) != fftSize/2+1 || im.Dim(1) != fftSize/2+1 || re.Dim(0) != im.Dim(0) ||
		re.Dim(2) != im.Dim(2) || re.DType().IsComplex() || im.DType().IsComplex():
		panic(fn.Errorf(both, "want real parts of shape (batch, %d, frames)", fftSize/2+1))
	case re.Dim(2) == 0:
		panic(fn.Errorf(both, "no frames"))
	}
	if o.Transposed {
		return f.transposeOfSTFT(fn, re, im)
	}
	count := re.Dim(2)
	length := (count-1)*stride + fftSize
	made := fn.Temporaries(&re, &im)
	defer made.Release()
	frames := f.windowed(made, toReal(fn, join(re, im).SwapAxes(1, 2), fftSize, 2, "", true))
	dev := re.Device()
	positions := made.Own(f.sampleIndices(dev, count, func(position int) int { return position }))
	y := overlapped(fn, made, frames, positions, length)
	y = ops.Divide(y, made.Own(converted(nd.FromSliceOn(dev, f.weights(count, length)), y.DType())))
	return made.Keep(y.Index(nd.All(), nd.Span(f.pad, length-f.pad)).Contiguous())
}

// framing says how signals are cut into frames.
type framing struct {
	size, stride int
	pad          int         // the padding at each end
	mode         ops.PadMode // what the padding is
	window       []float64
}

func framesOf(fn nd.Func, xs []*nd.Array, windowSize, stride, fftSize int, o STFTOptions) framing {
	if windowSize < 1 || stride < 1 || windowSize > fftSize {
		panic(fn.Errorf(xs, "window of %d, stride %d, frame of %d samples: want positive numbers, and a window no longer than the frame",
			windowSize, stride, fftSize))
	}
	fn.CheckAllocatable(dtype.Float64, fftSize)
	f := framing{size: fftSize, stride: stride, window: make([]float64, fftSize)}
	if o.Center == nil || *o.Center {
		f.pad = fftSize / 2
	}
	f.mode = padMode(fn, xs, o.PadMode)
	mean, swing := 0.5, 0.5
	switch o.WindowType {
	case "", WindowHanning:
	case WindowHamming:
		mean, swing = 0.54, 0.46
	case WindowRectangular:
		mean, swing = 1, 0
	default:
		panic(fn.Errorf(xs, "window type %q: want hanning, hamming or rectangular", o.WindowType))
	}
	left := (fftSize - windowSize) / 2
	for i := range windowSize {
		f.window[left+i] = mean - swing*math.Cos(2*math.Pi*float64(i)/float64(windowSize))
	}
	return f
}

// padMode checks the mode of the padding; the default is ops.PadReflect.
func padMode(fn nd.Func, xs []*nd.Array, mode ops.PadMode) ops.PadMode {
	switch mode {
	case "":
		return ops.PadReflect
	case ops.PadReflect, ops.PadConstant, ops.PadEdge, ops.PadWrap:
		return mode
	}
	panic(fn.Errorf(xs, "pad mode %q: want reflect, constant, edge or wrap", mode))
}

// checkReflection panics if the padding is a reflection of more samples than there are.
func (f *framing) checkReflection(fn nd.Func, xs []*nd.Array, samples int) {
	if f.mode == ops.PadReflect && f.pad >= samples {
		panic(fn.Errorf(xs, "%d samples are too few for a reflection of %d samples", samples, f.pad))
	}
}

// windowed returns frames times the window.
func (f *framing) windowed(made *nd.Temporaries, frames *nd.Array) *nd.Array {
	return ops.Multiply(frames, made.Own(converted(nd.FromSliceOn(frames.Device(), f.window), frames.DType())))
}

// overlapped adds up frames at their positions, of which -1 is none.
func overlapped(fn nd.Func, made *nd.Temporaries, frames, positions *nd.Array, length int) *nd.Array {
	shape := frames.Shape()
	axis := len(shape) - 2
	zeros := made.Own(nd.Zeros(append(shape[:axis:axis], length), nd.ArrayOptions{DType: frames.DType(), Device: frames.Device()}))
	return fn.Scatter(device.CombineSum, zeros, []int{axis}, axis, []*nd.Array{positions}, frames, device.BoundsDrop)
}

// sampleIndex returns the index of the sample at an index of the padded signal, or -1 for a zero.
func (f *framing) sampleIndex(position, samples int) int {
	switch {
	case position >= 0 && position < samples:
		return position
	case f.mode == ops.PadConstant || samples == 0:
		return -1
	case f.mode == ops.PadEdge:
		return max(0, min(position, samples-1))
	case f.mode == ops.PadWrap:
		return (position%samples + samples) % samples
	case position < 0:
		return -position
	}
	return 2*(samples-1) - position
}

// sampleIndices returns the indices of the samples in count frames, an array of shape (count, size).
func (f *framing) sampleIndices(on device.Device, count int, at func(position int) int) *nd.Array {
	all := make([]int64, 0, count*f.size)
	for t := range count {
		for i := range f.size {
			all = append(all, int64(at(t*f.stride+i)))
		}
	}
	return nd.FromSliceOn(on, all, count, f.size)
}

// weights returns the sums of the squared windows of all frames, with 1 where the sum is 0.
func (f *framing) weights(count, length int) []float64 {
	sums := make([]float64, length)
	for t := range count {
		for i, w := range f.window {
			sums[t*f.stride+i] += w * w
		}
	}
	for i, v := range sums {
		if v == 0 {
			sums[i] = 1
		}
	}
	return sums
}
