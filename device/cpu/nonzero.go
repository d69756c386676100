package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// nonzeroLen is how many elements make a part, which one worker looks through.
const nonzeroLen = 1 << 16

// nonzeroCost is what an element takes, in nanoseconds, more or less; a part costs nonzeroLen times as much.
const nonzeroCost = 0.5

// Nonzero writes the positions, counted along the loop, of the elements that are not zero, and returns how many there
// are. It counts each part first, so that its worker knows where the positions go.
func (processor) Nonzero(l *device.Launch) int {
	ensureAxis(l)
	if l.Size() == 0 {
		return 0
	}
	y, x := &l.Operands[0], viewOf(l, 1)
	before, total := countTrue(&x)
	forParts(&x, func(part int) { writePositions(y, &x, part, before[part]) })
	return total
}

// Compress writes the elements at which the mask is true, and returns how many there are; without an output it only counts.
func (processor) Compress(l *device.Launch) int {
	ensureAxis(l)
	if l.Size() == 0 {
		return 0
	}
	x, mask := viewOf(l, 1), viewOf(l, 2)
	before, total := countTrue(&mask)
	if y := &l.Operands[0]; !y.Memory.IsNil() {
		forParts(&mask, func(part int) { compressPart(first(y), &x, &mask, part, before[part]) })
	}
	return total
}

// forParts calls f for the number of every part of a view, at once or from several goroutines.
func forParts(x *view, f func(part int)) {
	forRanges((product(x.shape)+nonzeroLen-1)/nonzeroLen, nonzeroLen*nonzeroCost, func(from, to int) {
		for part := from; part < to; part++ {
			f(part)
		}
	})
}

// countTrue returns how many elements are not zero before each part, and in all.
func countTrue(x *view) (before []int, total int) {
	before = make([]int, (product(x.shape)+nonzeroLen-1)/nonzeroLen)
	forParts(x, func(part int) {
		masks(x, part, func(_ int, mask []bool) { before[part] += move.CountTrue(mask) })
	})
	for part, n := range before {
		before[part] = total
		total += n
	}
	return before, total
}

// masks calls f for the blocks of a part, or for all of it at once where it holds bools side by side: with the number of
// the first element, and which elements are not zero.
func masks(x *view, part int, f func(start int, mask []bool)) {
	end := min((part+1)*nonzeroLen, product(x.shape))
	if x.flat && x.dtype.IsBool() {
		f(part*nonzeroLen, elements[bool](x.element(part*nonzeroLen), end-part*nonzeroLen))
		return
	}
	var mask [blockLen]bool
	for start := part * nonzeroLen; start < end; start += blockLen {
		n := min(blockLen, end-start)
		x.load(unsafe.Pointer(&mask), dtype.Bool, start, n)
		f(start, mask[:n])
	}
}

// writePositions stores the positions of a part's elements that are not zero, from place at on.
func writePositions(y *device.Operand, x *view, part, at int) {
	var buffer [blockLen]int64
	masks(x, part, func(start int, mask []bool) {
		for len(mask) > 0 {
			now := mask[:min(blockLen, len(mask))]
			positions := buffer[:move.CountTrue(now)]
			move.Positions(positions, now, start)
			if len(positions) > 0 {
				dst := unsafe.Add(first(y), at*y.DType.Size())
				dtype.Convert(y.DType, dst, 1, dtype.Int64, unsafe.Pointer(&buffer), 1, len(positions))
			}
			at += len(positions)
			start, mask = start+len(now), mask[len(now):]
		}
	})
}

// compressPart stores the elements of a part of x at which the mask is true, from place at of y on.
func compressPart(y unsafe.Pointer, x, mask *view, part, at int) {
	temp := takeScratch(blockLen * x.size)
	store := func(from unsafe.Pointer, m []bool) {
		if count := move.CountTrue(m); count > 0 {
			move.Compress(unsafe.Add(y, at*x.size), from, m, count, x.size)
			at += count
		}
	}
	masks(mask, part, func(start int, m []bool) {
		if x.flat {
			store(x.element(start), m)
			return
		}
		for len(m) > 0 {
			now := m[:min(blockLen, len(m))]
			x.load(temp.at(0), x.dtype, start, len(now))
			store(temp.at(0), now)
			start, m = start+len(now), m[len(now):]
		}
	})
	temp.recycle()
}
