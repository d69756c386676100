// Package conv convolves: the kernel Convolve with its three parts, the output and the gradients of the input and of
// the weight.
//
// The output and the gradient of the input are one kind of sum, a correlation (correlation.go). It reads the source
// in place, or from planes, which are copies padded with zeros (planes.go). Vector lanes hold output channels
// (channellanes.go; tappasses.go if many of the products would be with the padding; winograd.go with fewer products) or pixels (pixellanes.go; slide.go
// and lowplanes.go for groups with one channel). A stride splits the gradient of the input into subconvolutions without strides
// (subconvolution.go). The gradient of the weight sums over pixels (weightgradient.go, weightproducts.go). If there are
// few windows, all parts are products of a matrix whose rows are the windows (windows.go). All this is for float32 and
// float64 and needs vector instructions. Otherwise windows are laid out as columns (im2col.go) for matrix products
// (gemm.go).
//
// Terms: a pixel is a point of an image, along all spatial axes; a tap is a point of the window; a band is some rows of
// the output's pixels, with all columns; a tile is the sums that a kernel holds in registers.
package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Convolve computes in the type of operand 0, or in float32 for the 16-bit floats. How the sums are split depends only
// on the shape.
func Convolve(l *device.Launch) {
	q := convolutionOf(l)
	q.copies = q.few[:0]
	if q.target().elements() == 0 {
		return
	}
	switch q.dtype {
	case dtype.Bool:
		q.dtype, q.logical = dtype.Int32, true
		convolve[uint32](&q)
	case dtype.Int8, dtype.Uint8:
		convolve[uint8](&q)
	case dtype.Int16, dtype.Uint16:
		convolve[uint16](&q)
	case dtype.Int32, dtype.Uint32:
		convolve[uint32](&q)
	case dtype.Int64, dtype.Uint64:
		convolve[uint64](&q)
	case dtype.Float32:
		convolve[float32](&q)
	case dtype.Float64:
		convolve[float64](&q)
	case dtype.Complex64:
		convolve[complex64](&q)
	case dtype.Complex128:
		convolve[complex128](&q)
	}
	if l.Post != nil && !q.clamping.applied {
		l.ApplyPost(3+l.Window.Rank, elementwise.Elementwise)
	}
}

// convolution is the loop of a convolution. The window has three axes: missing axes have length 1.
type convolution struct {
	part       device.Part
	n, g, m, c int    // batch, groups, output and input channels per group
	outSize    [3]int // of the output, in pixels
	window     [3]int // window size, in taps
	inSize     [3]int // of the input, in pixels
	stride     [3]int
	dilation   [3]int
	before     [3]int
	pixels     int // number of output pixels
	taps       int // number of taps of the window
	depth      int // number of taps of all input channels
	y, x, w    tensor
	bias       tensor // of the target's channels, with the axes g and m or c; no memory if there is none
	clamping   clamping
	dtype      dtype.DType        // the type of the sums
	logical    bool               // bools: the sums are counted, and the stored value says whether the count is nonzero
	kept       *keptWeights       // of weights that another launch has read, too; else nil
	fast       bool               // errors may be relative to the products around an element
	inPlace    bool               // the matrix of windows is the input itself
	notFinite  bool               // a weight is not finite, and must not be multiplied by the zeros around the output's planes
	copies     []*memory.Scratch  // the copies that replace tensors
	few        [3]*memory.Scratch // room for copies
}

// tensor is an operand over its own six axes: (n, g, m, pixels) for the output, (n, g, c, elements) for the input, (g,
// m, c, taps) for the weight.
type tensor struct {
	base           unsafe.Pointer
	dtype          dtype.DType
	shape, strides [6]int
}

func (t *tensor) elements() int { return broadcast.Size(t.shape[:]) }

// at returns the address of an element by its first three indices.
func (t *tensor) at(i, j, k int) unsafe.Pointer {
	return t.plus(i*t.strides[0] + j*t.strides[1] + k*t.strides[2])
}

func (t *tensor) plus(elements int) unsafe.Pointer {
	return unsafe.Add(t.base, elements*t.dtype.Size())
}

// flat returns the stride along the axes from one on, merged into one axis; ok is false if they are not evenly spaced.
func (t *tensor) flat(from int) (step int, ok bool) {
	step, next, found := 0, 0, false
	for axis := 5; axis >= from; axis-- {
		n := t.shape[axis]
		switch {
		case n == 1:
			continue
		case !found:
			step, next, found = t.strides[axis], t.strides[axis], true
		case t.strides[axis] != next:
			return 0, false
		}
		next *= n
	}
	return step, true
}

// convolutionOf returns the convolution of a launch.
func convolutionOf(l *device.Launch) convolution {
	r, window := l.Window.Rank, &l.Window
	q := convolution{part: l.Part, n: l.Shape[0], g: l.Shape[1], m: l.Shape[2], c: l.Shape[3+r]}
	one := [3]int{1, 1, 1}
	q.outSize, q.window, q.inSize, q.stride, q.dilation = one, one, one, one, one
	y, x, w := 0, 1, 2
	switch l.Part {
	case device.PartInput:
		y, x = 1, 0
	case device.PartWeight:
		y, x, w = 1, 2, 0
	}
	q.y, q.x, q.w = tensorOf(&l.Operands[y]), tensorOf(&l.Operands[x]), tensorOf(&l.Operands[w])
	ys, xs, ws := &l.Operands[y].Strides, &l.Operands[x].Strides, &l.Operands[w].Strides
	copy(q.y.strides[:], ys[:3])
	q.x.strides = [6]int{xs[0], xs[1], xs[3+r]}
	q.w.strides = [6]int{ws[1], ws[2], ws[3+r]}
	for k := range r {
		axis := 3 - r + k
		q.outSize[axis], q.window[axis], q.inSize[axis] = l.Shape[3+k], l.Shape[4+r+k], window.Size[k]
		q.stride[axis], q.dilation[axis], q.before[axis] = window.Stride[k], window.Dilation[k], window.Before[k]
		q.y.strides[3+axis], q.w.strides[3+axis] = ys[3+k], ws[4+r+k]
		q.x.strides[3+axis] = xs[3+k] / window.Stride[k]
	}
	q.y.shape = [6]int{q.n, q.g, q.m, q.outSize[0], q.outSize[1], q.outSize[2]}
	q.x.shape = [6]int{q.n, q.g, q.c, q.inSize[0], q.inSize[1], q.inSize[2]}
	q.w.shape = [6]int{q.g, q.m, q.c, q.window[0], q.window[1], q.window[2]}
	for _, t := range []*tensor{&q.y, &q.x, &q.w} {
		if t.elements() == 0 {
			t.strides = [6]int{} // so that no address lies outside the block
		}
	}
	q.pixels, q.taps = broadcast.Size(q.outSize[:]), broadcast.Size(q.window[:])
	q.depth = q.c * q.taps
	q.dtype = dtype.ComputeType(q.target().dtype)
	if l.N > 3 {
		q.bias = tensorOf(&l.Operands[3])
		strides := &l.Operands[3].Strides
		q.bias.shape, q.bias.strides = [6]int{q.g, q.m, 1, 1, 1, 1}, [6]int{strides[1], strides[2]}
		if l.Part == device.PartInput {
			q.bias.shape[1], q.bias.strides[1] = q.c, strides[3+r]
		}
	}
	q.fast = l.Fast
	q.findClamp(l.Post)
	q.findKept(l)
	return q
}

func tensorOf(op *device.Operand) tensor { return tensor{base: strided.First(op), dtype: op.DType} }

// target is the tensor that is computed.
func (q *convolution) target() *tensor {
	switch q.part {
	case device.PartInput:
		return &q.x
	case device.PartWeight:
		return &q.w
	}
	return &q.y
}

func convolve[T scalar.Number](q *convolution) {
	result := *q.target()
	byWindows := q.byWindows()
	q.notFinite = q.part == device.PartInput && q.hasKernels() && !byWindows && !q.isPointwise() && !q.weightIsFinite()
	q.prepare()
	defer q.finish(&result)
	switch {
	case byWindows:
		convolveWindows(q)
		if q.part == device.PartOutput {
			return
		}
	case q.hasKernels() && q.part == device.PartWeight:
		convolveWeightWithKernels[T](correlationOf(q))
	case q.hasKernels():
		correlate[T](correlationOf(q))
		return
	case q.part == device.PartOutput:
		outputByGEMM[T](q)
	case q.part == device.PartInput:
		inputByGEMM[T](q)
	default:
		weightByGEMM[T](q)
	}
	if q.bias.base != nil {
		addBias[T](q)
	}
}

// addBias adds the biases of the channels to the target.
func addBias[T scalar.Number](q *convolution) {
	t := q.target()
	for channel := range t.shape[0] * t.shape[1] * t.shape[2] {
		n, g, m := channel/t.shape[2]/t.shape[1], channel/t.shape[2]%t.shape[1], channel%t.shape[2]
		v, first := *(*T)(q.bias.at(g, m, 0)), (*T)(t.at(n, g, m))
		for i := range broadcast.Size(t.shape[3:]) {
			*memory.Advance(first, t.offset(i)) += v
		}
	}
}

// finish copies the sums to the target, if they were computed elsewhere.
func (q *convolution) finish(result *tensor) {
	if sums := q.target(); sums.base != result.base {
		copyTensor(result, sums)
	}
	for _, s := range q.copies {
		s.Recycle()
	}
}

// prepare replaces tensors that the products cannot use by copies, and such a target by memory for the sums.
func (q *convolution) prepare() {
	for _, t := range []*tensor{&q.y, &q.x, &q.w} {
		ready := (t.dtype == q.dtype || q.staysNarrow(t)) && !q.logical
		switch {
		case q.hasKernels(): // these algorithms accept any strides
		case t == &q.y:
			_, flat := t.flat(3)
			ready = ready && flat
		case t == &q.w: // the gradient of the input is summed in a contiguous copy
			_, flat := t.flat(2)
			ready = ready && flat && q.part != device.PartWeight
		}
		if ready {
			continue
		}
		room := q.dense(t, q.dtype)
		if t != q.target() {
			q.load(&room, t)
		}
		*t = room
	}
	if q.bias.base != nil {
		room := tensor{dtype: q.dtype, shape: q.bias.shape}
		room.shape[1] += biasRoom
		room = q.dense(&room, q.dtype)
		room.shape[1] = q.bias.shape[1]
		q.load(&room, &q.bias)
		q.bias = room
	}
	_, flat := q.x.flat(3)
	q.inPlace = flat && q.isPointwise()
}

// staysNarrow reports whether an operand is multiplied without conversion: bytes and 16-bit integers, if the sums are
// wider integers.
func (q *convolution) staysNarrow(t *tensor) bool {
	return t != q.target() && q.part == device.PartOutput && isa.Current() != isa.Generic && q.dtype.IsInteger() && q.dtype.Size() >= 4 &&
		t.dtype.IsInteger() && t.dtype.Size() <= 2
}

// isPointwise reports whether each pixel of the output depends on only the same pixel of the input.
func (q *convolution) isPointwise() bool {
	return q.taps == 1 && q.outSize == q.inSize && q.stride == [3]int{1, 1, 1} && q.before == [3]int{}
}

// weightIsFinite reports whether the sum of its elements is finite.
func (q *convolution) weightIsFinite() bool {
	if q.kept == nil {
		return q.sumIsFinite()
	}
	if q.kept.finite.Load() == 0 {
		q.kept.finite.Store(int32(2*scalar.OneIf[int](q.sumIsFinite()) - 1))
	}
	return q.kept.finite.Load() > 0
}

// sumIsFinite is weightIsFinite for weights of which nothing is kept.
func (q *convolution) sumIsFinite() bool {
	if step, flat := q.w.flat(0); q.w.dtype != q.dtype || !flat || step != 1 {
		room := q.dense(&q.w, q.dtype)
		q.load(&room, &q.w)
		q.w = room
	}
	n, total := q.w.elements(), 0.0
	switch {
	case n == 0:
	case q.dtype == dtype.Float32:
		total = reduce.WideTotal((*float32)(q.w.base), n)
	default:
		total = reduce.WideTotal((*float64)(q.w.base), n)
	}
	return total-total == 0
}

// biasRoom is how many elements after the biases of a group can be read.
const biasRoom = 16

// load copies a tensor to one of the type of the sums.
func (q *convolution) load(dst, src *tensor) {
	if q.logical && src.dtype != dtype.Bool {
		truth := q.dense(src, dtype.Bool)
		copyTensor(&truth, src)
		src = &truth
	}
	copyTensor(dst, src)
}

// dense returns contiguous memory in the shape of a tensor.
func (q *convolution) dense(like *tensor, of dtype.DType) tensor {
	t := tensor{dtype: of, shape: like.shape}
	step := 1
	for axis := 5; axis >= 0; axis-- {
		t.strides[axis] = step
		step *= t.shape[axis]
	}
	space := memory.TakeScratch(max(step, 1) * of.Size())
	q.copies = append(q.copies, space)
	t.base = space.At(0)
	return t
}

func copyTensor(dst, src *tensor) {
	l := device.NewLaunch()
	l.Rank, l.N, l.Outputs = copy(l.Shape[:], dst.shape[:]), 2, 1
	for k, t := range []*tensor{dst, src} {
		op := &l.Operands[k]
		op.Memory, op.Offset, op.DType, op.Len = device.Memory{Handle: t.base}, 0, t.dtype, 0
		copy(op.Strides[:], t.strides[:])
	}
	copying.Copy(l)
	l.Recycle()
}
