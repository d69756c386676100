package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Windows are laid out as a matrix: a row for each tap of each channel, a column for each output pixel.

// runs calls visit for the parts of a row of the matrix that lie in the input. The row begins at an output pixel; at
// and n are the part's start in the row and its length. element is the distance of its first element from the channel's
// first element. The next elements follow in steps of runStep.
func (q *convolution) runs(tap [3]int, from, width int, visit func(at, n, element int)) {
	var shift [3]int
	for axis := range shift {
		shift[axis] = tap[axis]*q.dilation[axis] - q.before[axis]
	}
	lo := min(strided.CeilDiv(-shift[2], q.stride[2]), q.outSize[2])
	hi := min(strided.CeilDiv(q.inSize[2]-shift[2], q.stride[2]), q.outSize[2])
	last := from % q.outSize[2]
	line := from / q.outSize[2]
	for at := 0; at < width; {
		n := min(q.outSize[2]-last, width-at)
		i := line/q.outSize[1]*q.stride[0] + shift[0]
		j := line%q.outSize[1]*q.stride[1] + shift[1]
		begin, end := max(lo, last), min(hi, last+n)
		if begin < end && 0 <= i && i < q.inSize[0] && 0 <= j && j < q.inSize[1] {
			k := begin*q.stride[2] + shift[2]
			visit(at+begin-last, end-begin, i*q.x.strides[3]+j*q.x.strides[4]+k*q.x.strides[5])
		}
		at += n
		last = 0
		line++
	}
}

func (q *convolution) runStep() int { return q.stride[2] * q.x.strides[5] }

// tap returns the tap of the window with the given number.
func (q *convolution) tap(k int) [3]int {
	return [3]int{k / (q.window[1] * q.window[2]), k / q.window[2] % q.window[1], k % q.window[2]}
}

// im2col copies the rows [begin, end) of the matrix of windows, for width output pixels, to dst. Padding is zeros.
func im2col[T scalar.Number](q *convolution, dst []T, n, g, begin, end, from, width int) {
	step := q.runStep()
	for r := begin; r < end; r++ {
		row := dst[(r-begin)*width:][:width]
		plane := (*T)(q.x.at(n, g, r/q.taps))
		clear(row)
		q.runs(q.tap(r%q.taps), from, width, func(at, count, element int) {
			copyRun(row[at:at+count], plane, element, step)
		})
	}
}

func copyRun[T scalar.Number](dst []T, plane *T, element, step int) {
	if step == 1 {
		copy(dst, unsafe.Slice(memory.Advance(plane, element), len(dst)))
		return
	}
	for len(dst) > 0 {
		piece := dst[:min(len(dst), runPiece)]
		vm.Gather(unsafe.Pointer(&piece[0]), unsafe.Pointer(memory.Advance(plane, element)), step, len(piece), int(unsafe.Sizeof(dst[0])))
		element += len(piece) * step
		dst = dst[len(piece):]
	}
}

// runPiece limits the elements of a run that one call copies.
const runPiece = 1 << 14

// col2im adds the rows of the matrix of windows that belong to the channels [begin, end) to the input: everything that
// im2col copies from one element is summed in that element.
func col2im[T scalar.Number](q *convolution, matrix []T, n, g, begin, end, from, width int) {
	step := q.runStep()
	for ch := begin; ch < end; ch++ {
		plane := (*T)(q.x.at(n, g, ch))
		for k := range q.taps {
			row := matrix[(ch*q.taps+k)*width:][:width]
			q.runs(q.tap(k), from, width, func(at, count, element int) {
				addRun(plane, element, step, row[at:at+count])
			})
		}
	}
}

func addRun[T scalar.Number](plane *T, element, step int, x []T) {
	if step == 1 {
		dst := unsafe.Slice(memory.Advance(plane, element), len(x))
		for i, v := range x {
			dst[i] += v
		}
		return
	}
	for _, v := range x {
		*memory.Advance(plane, element) += v
		element += step
	}
}

// zeroPlanes clears the channels [begin, end) of the input.
func zeroPlanes[T scalar.Number](q *convolution, n, g, begin, end int) {
	var zero T
	for ch := begin; ch < end; ch++ {
		plane := (*T)(q.x.at(n, g, ch))
		for i := range q.inSize[0] {
			for j := range q.inSize[1] {
				element := i*q.x.strides[3] + j*q.x.strides[4]
				for range q.inSize[2] {
					*memory.Advance(plane, element) = zero
					element += q.x.strides[5]
				}
			}
		}
	}
}
