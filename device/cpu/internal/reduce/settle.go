package reduce

import (
	"bytes"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
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
	mean := strided.Within(r.launch, 2, 0, r.kept)
	size := int(unsafe.Sizeof(T(0)))
	isComplex := mean.Size > size
	most := float64(r.length) * roughness * roughness
	var c strided.Cursor
	c.Seek(&mean, 0)
	for first := 0; first < len(sums); first += mean.Row() {
		for i, sum := range sums[first:][:mean.Row()] {
			p := mean.Element(c.Offset + i*mean.Step())
			re, im := float64(*(*T)(p)), 0.0
			if isComplex {
				im = float64(*(*T)(unsafe.Add(p, size)))
			}
			if units != nil {
				unit := float64(*(*T)(units.At((first + i) * size)))
				re, im = re/unit, im/unit
			}
			if sum > 0 && float64(sum) <= most*(re*re+im*im) && r.areEqual(first+i) {
				sums[first+i] = 0
			}
		}
		c.NextRow()
	}
}

// areEqual reports whether all elements of input 0 that belong to an output have the same bits.
func (r *reduction) areEqual(output int) bool {
	outer, x := strided.Within(r.launch, 1, 0, r.kept), strided.Within(r.launch, 1, r.kept, r.launch.Rank)
	x.Base = outer.At(output)
	first := memory.Slice[byte](x.Base, x.Size)
	var c strided.Cursor
	c.Seek(&x, 0)
	for done := 0; done < r.length; done += x.Row() {
		for i := range x.Row() {
			if !bytes.Equal(memory.Slice[byte](x.Element(c.Offset+i*x.Step()), x.Size), first) {
				return false
			}
		}
		c.NextRow()
	}
	return true
}
