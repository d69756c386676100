package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// settle makes sums of the squared distances of equal elements from their mean 0. They may consist of the mean's rounding error.
// units are those of the sums, or nil if all of them are 1.
func (r *reduction) settle(units *memory.Scratch) {
	if r.length == 0 {
		return
	}
	if r.dtype == dtype.Float32 {
		settleSums(r, memory.Slice[float32](r.target, r.outputs), units, 0x1p-15)
	} else {
		settleSums(r, memory.Slice[float64](r.target, r.outputs), units, 0x1p-44)
	}
}

// settleSums looks at the elements of an output only if its sum may consist of rounding errors: these are at most the roughness
// times the mean.
func settleSums[T float32 | float64](r *reduction, sums []T, units *memory.Scratch, roughness float64) {
	l, mean := r.launch, r.launch.Operands[2]
	size := int(unsafe.Sizeof(T(0)))
	isComplex := mean.DType.Size() > size
	along, step := 1, 0
	most := float64(r.length) * roughness * roughness
	at := make([]int, 0, device.MaxRank)
	if r.kept > 0 {
		along, step = l.Shape[r.kept-1], mean.Strides[r.kept-1]*mean.DType.Size()
	}
	for first := 0; first < len(sums); first += along {
		start := offsetOf(&mean, broadcast.Unravel(first, l.Shape[:r.kept], at)) * mean.DType.Size()
		for i, sum := range sums[first:][:along] {
			p := unsafe.Add(mean.Memory.Handle, start+i*step)
			re, im := float64(*(*T)(p)), 0.0
			if isComplex {
				im = float64(*(*T)(unsafe.Add(p, size)))
			}
			if units != nil {
				unit := float64(*(*T)(units.At((first + i) * size)))
				re, im = re/unit, im/unit
			}
			if sum > 0 && float64(sum) <= most*(re*re+im*im) && r.areEqual(broadcast.Unravel(first+i, l.Shape[:r.kept], at)) {
				sums[first+i] = 0
			}
		}
	}
}

// offsetOf returns the offset of an operand at an index of the kept axes.
func offsetOf(x *device.Operand, at []int) int {
	offset := x.Offset
	for axis, i := range at {
		offset += i * x.Strides[axis]
	}
	return offset
}

// areEqual reports whether all elements of input 0 that belong to an output have the same bits.
func (r *reduction) areEqual(at []int) bool {
	l, x := r.launch, &r.launch.Operands[1]
	size := x.DType.Size()
	base := unsafe.Add(x.Memory.Handle, offsetOf(x, at)*size)
	first := string(memory.Slice[byte](base, size))
	var equal func(p unsafe.Pointer, axis int) bool
	equal = func(p unsafe.Pointer, axis int) bool {
		if axis == l.Rank {
			return string(memory.Slice[byte](p, size)) == first
		}
		for i := range l.Shape[axis] {
			if !equal(unsafe.Add(p, i*x.Strides[axis]*size), axis+1) {
				return false
			}
		}
		return true
	}
	return equal(base, r.kept)
}
