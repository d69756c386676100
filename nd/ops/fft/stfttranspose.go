package fft

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// transposeOfSTFT adds up frames at the samples of which STFT makes them. The arguments are checked.
func (f framing) transposeOfSTFT(fn nd.Func, re, im *nd.Array) *nd.Array {
	count := re.Dim(2)
	samples := (count-1)*f.stride + f.size - 2*f.pad
	f.checkReflection(fn, []*nd.Array{re, im}, samples)
	made := fn.Temporaries(&re, &im)
	defer made.Release()
	half := join(re, im).SwapAxes(1, 2)
	half = ops.Multiply(half, made.Own(counterparts(f.size, 2, half, 0.5)))
	frames := toReal(fn, half, f.size, 2, NormForward, true)
	positions := made.Own(f.sampleIndices(re.Device(), count, func(position int) int { return f.sampleIndex(position-f.pad, samples) }))
	return made.Keep(overlapped(fn, made, f.windowed(made, frames), positions, samples))
}

// transposeOfISTFT transforms frames of samples, weighted as ISTFT weights them.
func (f framing) transposeOfISTFT(fn nd.Func, x *nd.Array) (re, im *nd.Array) {
	samples := x.Dim(1)
	length := samples + 2*f.pad
	if f.size%f.stride != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "a frame of %d samples is not a multiple of the stride %d", f.size, f.stride))
	}
	if length < f.size || (length-f.size)%f.stride != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d samples are not those of a whole number of frames", samples))
	}
	count := (length-f.size)/f.stride + 1
	made := fn.Temporaries(&x)
	defer made.Release()
	t, dev := realType(x.DType()), x.Device()
	weights := made.Own(converted(nd.FromSliceOn(dev, f.weights(count, length)[f.pad:length-f.pad]), t))
	positions := made.Own(f.sampleIndices(dev, count, func(position int) int {
		if at := position - f.pad; at < samples {
			return max(at, -1)
		}
		return -1
	}))
	frames := fn.Gather(ops.Divide(x.AsType(t), weights), []int{1}, 1, []*nd.Array{positions}, device.BoundsDrop)
	half := fromReal(fn, f.windowed(made, frames), f.size, 2, NormForward, false)
	y := ops.Multiply(half, made.Own(counterparts(f.size, 2, half, 2))).SwapAxes(1, 2)
	return made.Keep(ops.Real(y)), made.Keep(ops.Imag(y))
}
