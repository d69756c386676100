package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// correlation is the common form of the output of a convolution and the gradient of its input: each pixel of each
// channel of the result is a sum of weights times elements of the source,
//
//	result[out][p] = Σ weight[out][in][tap]·source[in][pixel(p) + shift(tap)]
//
// The gradient of the input of a convolution with strides splits into phases, each of which uses different taps. The
// gradient of the weight is a sum over the pixels of the same products.
type correlation struct {
	q                       *convolution
	kernels                 *conv.Kernels
	source, result          *tensor
	inChannels, outChannels int // of the source and of the result, per group
	weight                  struct {
		out, in int // strides
	}
	axes [3]axis
}

// start returns the start values of the sums of the channels from one on: at least a vector of elements, or nil.
func (c *correlation) start(g, channel int) unsafe.Pointer {
	if c.q.bias.base == nil {
		return nil
	}
	return c.q.bias.at(g, channel, 0)
}

// axis is an axis of the window. If the result's pixels in each phase are step apart, the pixels of phase i are i,
// i+step and so on.
type axis struct {
	step, advance int // advance is the distance in the source from one pixel of a phase to the next
	phases        []phase
	lo, hi        int      // the least and greatest shift of all taps
	one           [1]phase // room for phases
}

// phase is the pixels along an axis that use the same taps.
type phase struct{ taps, shifts []int }

// pixels returns how many of n pixels, counted from a multiple of step, are in a phase.
func (a *axis) pixels(n, phase int) int { return strided.CeilDiv(n-phase, a.step) }

// hasKernels reports whether the kernels that find their elements by offsets can compute the convolution.
func (q *convolution) hasKernels() bool {
	return isa.Current() != isa.Generic && !q.logical && !q.notFinite && (q.dtype == dtype.Float32 || q.dtype == dtype.Float64) && q.depth > 0 && q.n*q.pixels > 0
}

func kernelsFor(t dtype.DType) *conv.Kernels {
	if t == dtype.Float64 {
		return conv.ForFloat64()
	}
	return conv.ForFloat32()
}

// correlationOf returns the sums of the output or of the input's gradient; for the weight, the sums from which its
// gradient is computed.
func correlationOf(q *convolution) *correlation {
	c := &correlation{q: q, kernels: kernelsFor(q.dtype)}
	if q.part == device.PartInput {
		c.source, c.result, c.inChannels, c.outChannels = &q.y, &q.x, q.m, q.c
	} else {
		c.source, c.result, c.inChannels, c.outChannels = &q.x, &q.y, q.c, q.m
	}
	c.setWeightStrides()
	for k := range c.axes {
		a := &c.axes[k]
		if q.part == device.PartInput {
			a.gradient(q.stride[k], q.dilation[k], q.before[k], q.window[k])
		} else {
			a.forward(q.stride[k], q.dilation[k], q.before[k], q.window[k])
		}
	}
	return c
}

func (c *correlation) setWeightStrides() {
	if c.weight.out, c.weight.in = c.q.w.strides[1], c.q.w.strides[2]; c.q.part == device.PartInput {
		c.weight.out, c.weight.in = c.weight.in, c.weight.out
	}
}

// weightIsFinite reports whether products with zeros are zeros, whatever the weight. It may replace the weight by a copy.
func (c *correlation) weightIsFinite() bool {
	defer c.setWeightStrides()
	return c.q.part == device.PartInput || c.q.weightIsFinite() // for the input's gradient it was checked before
}

func (a *axis) forward(stride, dilation, before, taps int) {
	numbers := make([]int, 2*taps)
	a.one[0] = phase{numbers[:0:taps], numbers[taps:taps]}
	a.step, a.advance, a.phases = 1, stride, a.one[:]
	for t := range taps {
		a.add(0, t, t*dilation-before)
	}
}

func (a *axis) gradient(stride, dilation, before, taps int) {
	if a.step, a.advance, a.phases = stride, 1, a.one[:]; stride > 1 {
		a.phases = make([]phase, stride)
	}
	each := strided.CeilDiv(taps, stride) // of a phase, unless the dilation has a factor of the stride
	numbers := make([]int, 2*each*stride)
	for i := range a.phases {
		own := numbers[2*each*i:][:2*each]
		a.phases[i] = phase{own[:0:each], own[each:each]}
	}
	for t := range taps {
		far := before - t*dilation // pixel p of the input uses pixel (p+far)/stride of the output, if that is an integer
		i := ((-far)%stride + stride) % stride
		a.add(i, t, (i+far)/stride)
	}
}

func (a *axis) add(i, tap, shift int) {
	p := &a.phases[i]
	if len(p.taps) == 0 && a.empty() {
		a.lo, a.hi = shift, shift
	}
	p.taps, p.shifts = append(p.taps, tap), append(p.shifts, shift)
	a.lo, a.hi = min(a.lo, shift), max(a.hi, shift)
}

func (a *axis) empty() bool {
	for i := range a.phases {
		if len(a.phases[i].taps) > 0 {
			return false
		}
	}
	return true
}

// bandAxis is the axis along which the result is split into bands: the first axis that is longer than 1.
func (c *correlation) bandAxis() int {
	for axis := range 2 {
		if c.result.shape[3+axis] > 1 {
			return axis
		}
	}
	return 2
}
