package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// nonzeroLen is how many elements are looked through at a time.
const nonzeroLen = 1 << 16

// Nonzero counts first, so that workers know where their positions go.
func (processor) Nonzero(l *device.Launch) int {
	normalize(l)
	size := l.Size()
	if size == 0 {
		return 0
	}
	y, x := &l.Operands[0], viewOf(l, 1)
	parts := (size + nonzeroLen - 1) / nonzeroLen
	counts := make([]int, parts)
	const cost = nonzeroLen * 1.0
	forRanges(parts, cost, func(from, to int) {
		for part := from; part < to; part++ {
			nonzeros(&x, part, func(_ int, mask []bool) {
				for _, set := range mask {
					if set {
						counts[part]++
					}
				}
			})
		}
	})
	total := 0
	for part, n := range counts {
		counts[part] = total
		total += n
	}
	forRanges(parts, cost, func(from, to int) {
		for part := from; part < to; part++ {
			writePositions(y, &x, part, counts[part])
		}
	})
	return total
}

// nonzeros calls f for the blocks of a part: with the number of the first point, and which elements are not zero.
func nonzeros(x *view, part int, f func(start int, mask []bool)) {
	var mask [blockLen]bool
	end := min((part+1)*nonzeroLen, product(x.shape))
	for start := part * nonzeroLen; start < end; start += blockLen {
		n := min(blockLen, end-start)
		x.load(unsafe.Pointer(&mask), dtype.Bool, start, n)
		f(start, mask[:n])
	}
}

// writePositions stores the positions of a part's elements that are not zero, from place at on.
func writePositions(y *device.Operand, x *view, part, at int) {
	var positions [blockLen]int64
	nonzeros(x, part, func(start int, mask []bool) {
		n := 0
		for i, set := range mask {
			if set {
				positions[n] = int64(start + i)
				n++
			}
		}
		dst := unsafe.Add(first(y), at*y.DType.Size())
		if n > 0 {
			dtype.Convert(y.DType, dst, 1, dtype.Int64, unsafe.Pointer(&positions), 1, n)
		}
		at += n
	})
}
