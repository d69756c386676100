package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// hasNonzeroCount reports whether [countNonzero] supports a type: all except complex types.
func hasNonzeroCount(t dtype.DType) bool { return !t.IsComplex() }

// countNonzero counts the nonzero elements of each row, as int64. The given number of rows have n elements of type t,
// and are pitch apart.
func countNonzero(t dtype.DType, dst, src unsafe.Pointer, rows, n, pitch int) {
	switch t {
	case dtype.Bool, dtype.Int8, dtype.Uint8:
		countRows(^uint8(0), dst, src, rows, n, pitch)
	case dtype.Int16, dtype.Uint16:
		countRows(^uint16(0), dst, src, rows, n, pitch)
	case dtype.Int32, dtype.Uint32:
		countRows(^uint32(0), dst, src, rows, n, pitch)
	case dtype.Int64, dtype.Uint64:
		countRows(^uint64(0), dst, src, rows, n, pitch)
	case dtype.Float16, dtype.BFloat16: // a number with only the sign bit is -0
		countRows(^uint16(0)>>1, dst, src, rows, n, pitch)
	case dtype.Float32:
		countRows(^uint32(0)>>1, dst, src, rows, n, pitch)
	case dtype.Float64:
		countRows(^uint64(0)>>1, dst, src, rows, n, pitch)
	}
}

// countRows counts the elements that have at least one of some bits set.
func countRows[T scalar.Integer](bits T, dst, src unsafe.Pointer, rows, n, pitch int) {
	for i, z := 0, memory.Slice[int64](dst, rows); i < rows; i++ {
		z[i] = int64(reduce.Count(foldRow[T](src, i, n, pitch), bits))
	}
}
