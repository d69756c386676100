package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// turns is a program that stores its inputs unchanged, in turns: the elements of the results follow each other in one array, as if
// arrays were stacked along the last axis.
type turns struct {
	dst   unsafe.Pointer
	src   move.Rows
	rows  int
	dtype dtype.DType
	size  int // of an element, in bytes
}

// inTurns returns such a launch, or nil.
func inTurns(pl *Plan, l *device.Launch) *turns {
	rows := l.Outputs
	if !pl.trivial || rows < 2 || rows > move.MostRows || l.Where != 0 || l.Rank != 1 {
		return nil
	}
	first := &l.Operands[0]
	t := &turns{dst: strided.First(first), rows: rows, dtype: first.DType, size: first.DType.Size()}
	for k, res := range pl.Results {
		in := &pl.program.Code[res.Register]
		if in.Op != device.OpInput {
			return nil
		}
		y, x := &l.Operands[k], &l.Operands[rows+in.Index]
		if y.Memory.Handle != first.Memory.Handle || y.Offset != first.Offset+k || y.DType != first.DType || x.DType != first.DType ||
			y.Strides[0] != rows || x.Strides[0] != 1 || x.Memory.Handle == first.Memory.Handle {
			return nil
		}
		t.src[k] = strided.First(x)
	}
	return t
}

// turnCost is about how many nanoseconds a result takes for each of its elements.
const turnCost = 0.3

// run copies all elements.
func (t *turns) run(n int) { workers.ForRanges(n, turnCost*float64(t.rows), t.copy) }

// copy copies a range of every input: without a routine for that in blocks, which stay in the cache.
func (t *turns) copy(from, to int) {
	dst, src := unsafe.Add(t.dst, from*t.rows*t.size), t.src
	for row := range src[:t.rows] {
		src[row] = unsafe.Add(src[row], from*t.size)
	}
	if move.Interleaves(t.rows, t.size) {
		move.Interleave(dst, &src, t.rows, to-from, t.size)
		return
	}
	for start := 0; start < to-from; start += strided.BlockLen {
		n := min(strided.BlockLen, to-from-start)
		for row, x := range src[:t.rows] {
			strided.Convert(t.dtype, unsafe.Add(dst, (start*t.rows+row)*t.size), t.rows, t.dtype, unsafe.Add(x, start*t.size), 1, n)
		}
	}
}
