package index

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// partLen is the number of elements of a part, which one worker examines.
const partLen = 1 << 16

// partCost is about how many nanoseconds an element takes; a part costs partLen times as much.
const partCost = 0.5

// Nonzero writes the indices, counted along the loop, of the elements that are not zero, and returns how many there
// are. It counts each part first, so that the worker of a part knows where its indices go.
func Nonzero(l *device.Launch) int {
	strided.EnsureAxis(l)
	if l.Size() == 0 {
		return 0
	}
	y, x := &l.Operands[0], strided.Of(l, 1)
	if broadcast.Size(x.Shape) <= partLen {
		return writePositions(y, &x, 0, 0)
	}
	before, total := countTrue(&x)
	forParts(&x, func(part int) { writePositions(y, &x, part, before[part]) })
	return total
}

// forParts calls f for the number of every part of a view, at once or from several goroutines.
func forParts(x *strided.View, f func(part int)) {
	workers.ForRanges((broadcast.Size(x.Shape)+partLen-1)/partLen, partLen*partCost, func(from, to int) {
		for part := from; part < to; part++ {
			f(part)
		}
	})
}

// countTrue returns how many elements are not zero before each part, and in total.
func countTrue(x *strided.View) (before []int, total int) {
	before = make([]int, (broadcast.Size(x.Shape)+partLen-1)/partLen)
	forParts(x, func(part int) {
		masks(x, part, func(_ int, mask []bool) { before[part] += move.CountTrue(mask) })
	})
	for part, n := range before {
		before[part] = total
		total += n
	}
	return before, total
}

// masks calls f for the blocks of a part, or once for the whole part if it holds contiguous bools. f gets the number of
// the first element, and a mask of the elements that are not zero.
func masks(x *strided.View, part int, f func(start int, mask []bool)) {
	end := min((part+1)*partLen, broadcast.Size(x.Shape))
	if x.Flat && x.DType.IsBool() {
		f(part*partLen, memory.Slice[bool](x.Element(part*partLen), end-part*partLen))
		return
	}
	var mask [strided.BlockLen]bool
	for start := part * partLen; start < end; start += strided.BlockLen {
		n := min(strided.BlockLen, end-start)
		x.Load(unsafe.Pointer(&mask), dtype.Bool, start, n)
		f(start, mask[:n])
	}
}

// writePositions stores the indices of a part's elements that are not zero. The first one goes to element number to of
// y. It returns the number after the last one.
func writePositions(y *device.Operand, x *strided.View, part, to int) (end int) {
	masks(x, part, func(start int, mask []bool) {
		count := move.CountTrue(mask)
		if count == 0 {
			return
		}
		dst := unsafe.Add(strided.First(y), to*y.DType.Size())
		if to += count; y.DType == dtype.Int64 {
			move.Positions(memory.Slice[int64](dst, count), mask, start)
			return
		}
		found := memory.TakeScratch(count * 8)
		move.Positions(memory.Slice[int64](found.At(0), count), mask, start)
		dtype.Convert(y.DType, dst, 1, dtype.Int64, found.At(0), 1, count)
		found.Recycle()
	})
	return to
}
