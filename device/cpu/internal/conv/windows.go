package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// A convolution with few pixels is the product of a matrix of windows and the weight. Each row is the window of one pixel of
// one image, so that all images share the packed weight, and no lane is empty.

// Products of windows are faster than tiles of pixels for so few rows of the matrix, and so many weights that laying out the
// windows takes little of the time.
const (
	mostWindows  = 32
	leastDepth   = 192
	leastFilters = 16
)

// byWindows reports whether the convolution is computed as a product of windows.
func (q *convolution) byWindows() bool {
	return q.hasKernels() && q.m > 0 &&
		(q.windowIsInput() || q.n*q.pixels <= mostWindows && q.depth >= leastDepth && q.m >= leastFilters)
}

// windowIsInput reports whether the output has one pixel, whose window is the whole input, in the order of the matrix.
func (q *convolution) windowIsInput() bool {
	for axis, n := range q.window {
		if n != q.inSize[axis] || n > 1 && q.dilation[axis] > 1 || q.before[axis] != 0 {
			return false
		}
	}
	step, flat := q.x.flat(2)
	return q.pixels == 1 && flat && (step == 1 || q.depth == 1)
}

// convolveWindows computes the part of a convolution as a product of windows. The biases take part in the sums of the output.
func convolveWindows(q *convolution) {
	if q.dtype == dtype.Float64 {
		multiplyRowsOfWindows[float64](q)
		return
	}
	multiplyRowsOfWindows[float32](q)
}

// windows computes a convolution with few pixels, group by group.
type windows[T gemm.Float] struct {
	*convolution
	rows   int           // of the matrix: the pixels of all images
	inside [][]insideTap // the taps of each pixel that lie in the input
	whole  bool          // the input is the matrix
	apart  int           // the distance of the matrix's rows then
	shared bool          // the work is shared
}

// insideTap is an element of a window: tap says where it lies in the window of a channel, element where in the channel.
type insideTap struct{ tap, element int }

func multiplyRowsOfWindows[T gemm.Float](q *convolution) {
	u := &windows[T]{convolution: q, rows: q.n * q.pixels}
	u.shared = workers.Sharing(workers.Estimate(q.g, float64(u.rows)*float64(q.m*q.depth)*matmul.FloatProductCost(q.dtype.Size())))
	switch {
	case q.windowIsInput():
		u.whole, u.apart = true, q.x.strides[0]
	case q.windowsOverlap():
		u.whole, u.apart = true, q.stride[2]
	default:
		u.locate()
	}
	if step, flat := q.w.flat(2); !flat || step != 1 {
		room := q.dense(&q.w, q.dtype)
		if q.part != device.PartWeight {
			q.load(&room, &q.w)
		}
		q.w = room
	}
	for g := range q.g {
		switch q.part {
		case device.PartOutput:
			u.output(g)
		case device.PartInput:
			u.input(g)
		default:
			u.weight(g)
		}
	}
}

// windowsOverlap reports whether the windows are parts of a signal, in which each begins some elements after the one before. Then
// the rows of the matrix may share elements, which is allowed where they are only read.
func (q *convolution) windowsOverlap() bool {
	one := [3]int{1, 1, q.window[2]}
	return q.part != device.PartInput && q.n == 1 && q.c == 1 && q.window == one && q.outSize[0] == 1 && q.outSize[1] == 1 &&
		q.before == [3]int{} && q.dilation[2] == 1 && q.x.strides[5] == 1 && (q.outSize[2]-1)*q.stride[2]+q.window[2] <= q.inSize[2]
}

// locate finds the taps of each pixel that lie in the input.
func (u *windows[T]) locate() {
	q, size := u.convolution, u.outSize
	for p := range broadcast.Size(size[:]) {
		at := [3]int{p / (size[1] * size[2]), p / size[2] % size[1], p % size[2]}
		taps := make([]insideTap, 0, q.taps)
		for tap := range q.taps {
			element, inside := 0, true
			for axis, t := range q.tap(tap) {
				i := at[axis]*q.stride[axis] + t*q.dilation[axis] - q.before[axis]
				inside = inside && 0 <= i && i < q.inSize[axis]
				element += i * q.x.strides[3+axis]
			}
			if inside {
				taps = append(taps, insideTap{tap, element})
			}
		}
		u.inside = append(u.inside, taps)
	}
}

// matrix returns the matrix of windows of a group: its address, the distance of its rows, and the memory that it lies in if it
// does not lie in the input.
func (u *windows[T]) matrix(g int) (at unsafe.Pointer, line int, room *memory.Scratch) {
	if u.whole {
		return u.x.at(0, g, 0), u.apart, nil
	}
	room = memory.TakeScratch(u.rows * u.depth * u.dtype.Size())
	all := memory.Room[T](room, 0, u.rows*u.depth)
	u.eachRow(func(row, n int, taps []insideTap) {
		dst := all[row*u.depth:][:u.depth]
		if len(taps) < u.taps {
			clear(dst)
		}
		source, channel := (*T)(u.x.at(n, g, 0)), 0
		for at := 0; at < len(dst); at += u.taps {
			for _, t := range taps {
				dst[at+t.tap] = *memory.Advance(source, channel+t.element)
			}
			channel += u.x.strides[2]
		}
	})
	return room.At(0), u.depth, room
}

// layOutCost is the cost of an element of the matrix of windows, in nanoseconds.
const layOutCost = 1

// eachRow calls visit for the rows of the matrix: rows of different images at the same time.
func (u *windows[T]) eachRow(visit func(row, n int, taps []insideTap)) {
	forRanges(u.n, float64(u.pixels*u.depth)*layOutCost, u.shared, func(from, to int) {
		for n := from; n < to; n++ {
			for p, taps := range u.inside {
				visit(n*u.pixels+p, n, taps)
			}
		}
	})
}

// outputs returns the matrix of the outputs of a group, with a row for each pixel of each image: the output itself, or memory
// of its size.
func (u *windows[T]) outputs(g int) (y tensor, inPlace bool) {
	if y = u.y; u.pixels == 1 && (y.strides[2] == 1 || u.m == 1) {
		y.base = y.at(0, g, 0)
		return y, true
	}
	y.shape[1] = 1
	y = u.dense(&y, u.dtype)
	y.strides = [6]int{u.pixels * u.m, 0, 1, u.outSize[1] * u.outSize[2] * u.m, u.outSize[2] * u.m, u.m}
	return y, false
}

// line is the distance of the rows of a matrix of outputs.
func (u *windows[T]) line(y *tensor) int {
	if u.pixels == 1 {
		return y.strides[0]
	}
	return u.m
}

// group is an operand's group.
func group(t *tensor, g int) *tensor {
	own := *t
	own.base, own.shape[1] = t.at(0, g, 0), 1
	return &own
}

// output multiplies the windows by the weight.
func (u *windows[T]) output(g int) {
	size := u.dtype.Size()
	at, line, room := u.matrix(g)
	y, inPlace := u.outputs(g)
	b := gemm.Block{
		M: u.rows, N: u.m, K: u.depth, A: at, ALine: line * size, ADepth: size, B: u.w.at(g, 0, 0), BDepth: size,
		C: y.base, CLine: u.line(&y) * size,
	}
	if u.bias.base != nil {
		b.D = u.bias.at(g, 0, 0)
	}
	matmul.Multiply[T](&b, u.w.strides[1]*size, u.shared)
	if !inPlace {
		copyTensor(group(&u.y, g), &y)
	}
	recycle(room)
}

// input multiplies the outputs by the weight, and adds each product to the element from which its window element comes.
func (u *windows[T]) input(g int) {
	size := u.dtype.Size()
	y := u.loaded(g)
	b := gemm.Block{
		M: u.rows, N: u.depth, K: u.m, A: y.base, ALine: u.line(&y) * size, ADepth: size, B: u.w.at(g, 0, 0), BDepth: u.w.strides[1] * size,
		C: u.x.at(0, g, 0), CLine: u.x.strides[0] * size,
	}
	if u.whole {
		matmul.Multiply[T](&b, size, u.shared)
		return
	}
	room := memory.TakeScratch(u.rows * u.depth * size)
	b.C, b.CLine = room.At(0), u.depth*size
	matmul.Multiply[T](&b, size, u.shared)
	all := memory.Room[T](room, 0, u.rows*u.depth)
	u.eachRow(func(row, n int, taps []insideTap) {
		if row%u.pixels == 0 {
			zeroPlanes[T](u.convolution, n, g, 0, u.c)
		}
		source, dst, channel := all[row*u.depth:][:u.depth], (*T)(u.x.at(n, g, 0)), 0
		for at := 0; at < len(source); at += u.taps {
			for _, t := range taps {
				*memory.Advance(dst, channel+t.element) += source[at+t.tap]
			}
			channel += u.x.strides[2]
		}
	})
	recycle(room)
}

// loaded returns the matrix of the outputs of a group with their values.
func (u *windows[T]) loaded(g int) tensor {
	y, inPlace := u.outputs(g)
	if !inPlace {
		copyTensor(&y, group(&u.y, g))
	}
	return y
}

// weight multiplies the transposed outputs by the windows.
func (u *windows[T]) weight(g int) {
	size := u.dtype.Size()
	at, line, room := u.matrix(g)
	y := u.loaded(g)
	b := gemm.Block{
		M: u.m, N: u.depth, K: u.rows, A: y.base, ALine: size, ADepth: u.line(&y) * size, B: at, BDepth: line * size,
		C: u.w.at(g, 0, 0), CLine: u.w.strides[1] * size,
	}
	matmul.Multiply[T](&b, size, u.shared)
	recycle(room)
}

func recycle(room *memory.Scratch) {
	if room != nil {
		room.Recycle()
	}
}
