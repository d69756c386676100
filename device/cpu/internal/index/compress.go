package index

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
)

// Compress writes the elements at which the mask is true, and returns how many there are; without an output it only counts.
func Compress(l *device.Launch) int {
	strided.EnsureAxis(l)
	if l.Size() == 0 {
		return 0
	}
	x, mask := strided.Of(l, 1), strided.Of(l, 2)
	before, total := countTrue(&mask)
	if y := &l.Operands[0]; !y.Memory.IsNil() {
		forParts(&mask, func(part int) { compressPart(strided.First(y), &x, &mask, part, before[part]) })
	}
	return total
}

// compressPart stores the elements of a part of x at which the mask is true. The first one goes to element number to of
// y.
func compressPart(y unsafe.Pointer, x, mask *strided.View, part, to int) {
	temp := memory.TakeScratch(strided.BlockLen * x.Size)
	store := func(from unsafe.Pointer, m []bool) {
		if count := move.CountTrue(m); count > 0 {
			move.Compress(unsafe.Add(y, to*x.Size), from, m, count, x.Size)
			to += count
		}
	}
	masks(mask, part, func(start int, m []bool) {
		if x.Flat {
			store(x.Element(start), m)
			return
		}
		for len(m) > 0 {
			now := m[:min(strided.BlockLen, len(m))]
			x.Load(temp.At(0), x.DType, start, len(now))
			store(temp.At(0), now)
			start, m = start+len(now), m[len(now):]
		}
	})
	temp.Recycle()
}
