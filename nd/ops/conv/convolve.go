package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// convolve runs the kernel for op's part on the other two operands, in the order output, input, weight. Their axes are
// those of the kernel's loop. bias holds a number for each channel of the result, or is nil; t is the result's dtype.
func convolve(fn nd.Func, op convolveOp, t dtype.DType, a, b, bias *nd.Array, shape []int) *nd.Array {
	part, window := op.part, op.window
	result := newWithChannels(fn, op.last, part, t, a, b, shape)
	operands := [3]*nd.Array{result, a, b}
	y, x, w := operands[convolutionOrder[part][0]], operands[convolutionOrder[part][1]], operands[convolutionOrder[part][2]]
	loop := slices.Concat(y.Shape(), x.Shape()[2:3], w.Shape()[3:])
	l := fn.Launch(result.Device(), loop)
	l.Window, l.Part = window, part
	for k, operand := range operands {
		strides := convolutionStrides(operand, k == convolutionOrder[part][0], k == convolutionOrder[part][1], window)
		if k == 0 {
			l.WriteStrides(operand, strides)
		} else {
			l.ReadStrides(operand, strides)
		}
	}
	if part == device.PartOutput {
		l.KeepsLast() // the weight
		l.Fast, l.Post = op.fast, op.then
	}
	if bias == nil {
		l.Run(device.Device.Convolve)
		fn.Record(op, []*nd.Array{a, b}, result)
		return result
	}
	bias = bias.Reshape(slices.Concat(shape[1:3], broadcast.Ones(len(shape)-3))...)
	strides, own := make([]int, len(loop)), bias.Strides()
	strides[1] = own[0]
	if part == device.PartInput {
		strides[3+window.Rank] = own[1]
	} else {
		strides[2] = own[1]
	}
	l.ReadStrides(bias, strides)
	l.Run(device.Device.Convolve)
	if ufunc.Recorded(a, b, bias) {
		fn.Record(op, []*nd.Array{a, b, bias}, result)
	}
	bias.Release()
	return result
}

// convolutionOrder says for each part which of its three operands (result first) are y, x and w.
var convolutionOrder = [3][3]int{device.PartOutput: {0, 1, 2}, device.PartInput: {1, 0, 2}, device.PartWeight: {1, 2, 0}}

// convolutionStrides returns an operand's strides along the loop (n, g, m, positions, c, taps).
func convolutionStrides(a *nd.Array, isY, isX bool, window device.Window) []int {
	r, own := window.Rank, a.Strides()
	all := make([]int, 4+2*r)
	switch {
	case isY:
		copy(all, own)
	case isX:
		all[0], all[1], all[3+r] = own[0], own[1], own[2]
		for axis, stride := range own[3:] {
			all[3+axis] = stride * window.Stride[axis]
			all[4+r+axis] = stride * window.Dilation[axis]
		}
	default:
		all[1], all[2], all[3+r] = own[0], own[1], own[2]
		copy(all[4+r:], own[3:])
	}
	return all
}

// newWithChannels allocates a result. With last, its channels are the last axes in memory: of the weight axis 2, of the
// others the groups and their channels, axes 1 and 2.
func newWithChannels(fn nd.Func, last bool, part device.Part, t dtype.DType, a, b *nd.Array, shape []int) *nd.Array {
	if !last {
		return fn.NewLike(t, shape, a, b)
	}
	from := 1
	if part == device.PartWeight {
		from = 2
	}
	inMemory := slices.Concat(shape[:from], shape[3:], shape[from:3])
	y := fn.NewLike(t, inMemory, a, b)
	order := slices.Concat(axisRange(0, from), axisRange(len(shape)-3+from, len(shape)), axisRange(from, len(shape)-3+from))
	return release.Replace(y, y.Transpose(order...))
}

func axisRange(from, to int) []int {
	axes := make([]int, to-from)
	for k := range axes {
		axes[k] = from + k
	}
	return axes
}

// convolveOp is any part of a convolution. All parts are derivatives of one sum of products of y, x and w. So the
// gradient by one operand is another part: the derivative of the sum by that operand, with the result's gradient for
// the result. A third input is a bias.
type convolveOp struct {
	part   device.Part
	window device.Window
	last   bool            // the result has its channels last in memory
	fast   bool            // errors may be relative to the products around an element
	then   *device.Program // applied to each element of the result, if no tape records it; else nil
}

func (op convolveOp) Traced() any { return traced.Convolve{Part: op.part, Window: op.window} }

func (op convolveOp) VJP(c *nd.Call) {
	order := convolutionOrder[op.part]
	for wanted, k := range order {
		if k == 0 || !c.Needs(k-1) {
			continue
		}
		var given []*nd.Array
		for slot, j := range order {
			switch {
			case slot == wanted:
			case j == 0:
				given = append(given, c.Gy(0))
			default:
				given = append(given, ops.Conj(c.In(j-1)))
			}
		}
		t := ufunc.CommonType(given)
		other := convolveOp{part: device.Part(wanted), window: op.window, last: op.last}
		c.SetGx(k-1, convolve(c.Func(), other, t, given[0], given[1], nil, c.Shape(k-1)))
	}
	if c.Inputs() == 3 && c.Needs(2) {
		c.SetGx(2, c.Func().SumTo(c.Gy(0), c.Shape(2)))
	}
}
