package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// counters count, of each of the given number of rows of n elements, which are pitch apart, those that are not 0, as int64;
// by the type of the elements. Complex numbers have none.
var counters = [dtype.Count]func(dst, src unsafe.Pointer, rows, n, pitch int){
	dtype.Bool:     counterOf(^uint8(0)),
	dtype.Int8:     counterOf(^uint8(0)),
	dtype.Uint8:    counterOf(^uint8(0)),
	dtype.Int16:    counterOf(^uint16(0)),
	dtype.Uint16:   counterOf(^uint16(0)),
	dtype.Int32:    counterOf(^uint32(0)),
	dtype.Uint32:   counterOf(^uint32(0)),
	dtype.Int64:    counterOf(^uint64(0)),
	dtype.Uint64:   counterOf(^uint64(0)),
	dtype.Float16:  counterOf(^uint16(0) >> 1), // the sign alone is -0
	dtype.BFloat16: counterOf(^uint16(0) >> 1),
	dtype.Float32:  counterOf(^uint32(0) >> 1),
	dtype.Float64:  counterOf(^uint64(0) >> 1),
}

// counterOf makes the counter of elements that have one of some bits.
func counterOf[T scalar.Integer](bits T) func(dst, src unsafe.Pointer, rows, n, pitch int) {
	return func(dst, src unsafe.Pointer, rows, n, pitch int) {
		for i, z := 0, memory.Slice[int64](dst, rows); i < rows; i++ {
			z[i] = int64(reduce.Count(foldRow[T](src, i, n, pitch), bits))
		}
	}
}
