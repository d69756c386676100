//go:build (amd64 || arm64) && !purego

package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

type integerRoutine = func(dst, a *byte, n int)

// extremeRoutines are the routines of an instruction level for the largest and the smallest element of a row and of a
// column, by the binary logarithm of the size, and for unsigned and signed types.
type extremeRoutines struct{ rows, columns [2][4][2]integerRoutine }

// The routines by instruction level. Routines that do not depend on the sign are also indexed by the binary logarithm
// of the size.
var (
	integerExtremes = [isa.AVX512 + 1]extremeRoutines{
		isa.AVX2: {
			rows: [2][4][2]integerRoutine{
				{{maxRowAVX2U8, maxRowAVX2I8}, {maxRowAVX2U16, maxRowAVX2I16}, {maxRowAVX2U32, maxRowAVX2I32}, {maxRowAVX2U64, maxRowAVX2I64}},
				{{minRowAVX2U8, minRowAVX2I8}, {minRowAVX2U16, minRowAVX2I16}, {minRowAVX2U32, minRowAVX2I32}, {minRowAVX2U64, minRowAVX2I64}},
			},
			columns: [2][4][2]integerRoutine{
				{{maxColumnAVX2U8, maxColumnAVX2I8}, {maxColumnAVX2U16, maxColumnAVX2I16}, {maxColumnAVX2U32, maxColumnAVX2I32}, {maxColumnAVX2U64, maxColumnAVX2I64}},
				{{minColumnAVX2U8, minColumnAVX2I8}, {minColumnAVX2U16, minColumnAVX2I16}, {minColumnAVX2U32, minColumnAVX2I32}, {minColumnAVX2U64, minColumnAVX2I64}},
			},
		},
		isa.AVX512: {
			rows: [2][4][2]integerRoutine{
				{{maxRowAVX512U8, maxRowAVX512I8}, {maxRowAVX512U16, maxRowAVX512I16}, {maxRowAVX512U32, maxRowAVX512I32}, {maxRowAVX512U64, maxRowAVX512I64}},
				{{minRowAVX512U8, minRowAVX512I8}, {minRowAVX512U16, minRowAVX512I16}, {minRowAVX512U32, minRowAVX512I32}, {minRowAVX512U64, minRowAVX512I64}},
			},
			columns: [2][4][2]integerRoutine{
				{{maxColumnAVX512U8, maxColumnAVX512I8}, {maxColumnAVX512U16, maxColumnAVX512I16}, {maxColumnAVX512U32, maxColumnAVX512I32}, {maxColumnAVX512U64, maxColumnAVX512I64}},
				{{minColumnAVX512U8, minColumnAVX512I8}, {minColumnAVX512U16, minColumnAVX512I16}, {minColumnAVX512U32, minColumnAVX512I32}, {minColumnAVX512U64, minColumnAVX512I64}},
			},
		},
	}
	integerRowSums = [isa.AVX512 + 1][4]integerRoutine{
		isa.AVX2:   {sumRowAVX2U8, sumRowAVX2U16, sumRowAVX2U32, sumRowAVX2U64},
		isa.AVX512: {sumRowAVX512U8, sumRowAVX512U16, sumRowAVX512U32, sumRowAVX512U64},
	}
	integerColumnSums = [isa.AVX512 + 1][4]integerRoutine{
		isa.AVX2:   {sumColumnAVX2U8, sumColumnAVX2U16, sumColumnAVX2U32, sumColumnAVX2U64},
		isa.AVX512: {sumColumnAVX512U8, sumColumnAVX512U16, sumColumnAVX512U32, sumColumnAVX512U64},
	}
	integerFinds = [isa.AVX512 + 1][4]func(a *byte, n int, v *byte) int{
		isa.AVX2:   {findAVX2U8, findAVX2U16, findAVX2U32, findAVX2U64},
		isa.AVX512: {findAVX512U8, findAVX512U16, findAVX512U32, findAVX512U64},
	}
	integerCounts = [isa.AVX512 + 1][4]func(a *byte, n int, bits uint64) int{
		isa.AVX2:   {countAVX2U8, countAVX2U16, countAVX2U32, countAVX2U64},
		isa.AVX512: {countAVX512U8, countAVX512U16, countAVX512U32, countAVX512U64},
	}
)

// vectorsOf returns how many of the elements fill whole vectors: 0 if there are no routines.
func vectorsOf[T scalar.Integer](x []T) (whole int) {
	bytes := len(x) << log2Size[T]()
	switch isa.Current() {
	case isa.AVX512:
		bytes &^= 63
	case isa.AVX2:
		bytes &^= 31
	default:
		return 0
	}
	return bytes >> log2Size[T]()
}

func bytesOf[T scalar.Integer](x *T) *byte { return (*byte)(unsafe.Pointer(x)) }

// signed is 1 for signed types.
func signed[T scalar.Integer]() int {
	var zero T
	if zero-1 < 0 {
		return 1
	}
	return 0
}

//go:noinline
func integerRow[T scalar.Integer](op Op, x []T) (v T) {
	whole := vectorsOf(x)
	if whole == 0 {
		return plainIntegerRow(op, x)
	}
	level, size := isa.Current(), log2Size[T]()
	if op == Sum {
		integerRowSums[level][size](bytesOf(&v), bytesOf(&x[0]), whole<<size)
		return v + Total(x[whole:])
	}
	integerExtremes[level].rows[op-Max][size][signed[T]()](bytesOf(&v), bytesOf(&x[0]), len(x)<<size)
	return v
}

//go:noinline
func integerColumn[T scalar.Integer](op Op, z, x []T) {
	whole := vectorsOf(x)
	if whole == 0 {
		plainIntegerColumn(op, z, x)
		return
	}
	level, size := isa.Current(), log2Size[T]()
	if op == Sum {
		integerColumnSums[level][size](bytesOf(&z[0]), bytesOf(&x[0]), whole<<size)
		plainIntegerColumn(op, z[whole:], x[whole:])
		return
	}
	integerExtremes[level].columns[op-Max][size][signed[T]()](bytesOf(&z[0]), bytesOf(&x[0]), len(x)<<size)
}

//go:noinline
func findInteger[T scalar.Integer](x []T, v T) int {
	whole, size := vectorsOf(x), log2Size[T]()
	if whole > 0 {
		if at := integerFinds[isa.Current()][size](bytesOf(&x[0]), whole<<size, bytesOf(&v)); at < whole {
			return at
		}
	}
	return whole + plainFindInteger(x[whole:], v)
}

//go:noinline
func countPiece[T scalar.Integer](x []T, bits T) (count int) {
	whole, size := vectorsOf(x), log2Size[T]()
	if whole > 0 {
		pattern := uint64(bits)
		if size < 3 {
			pattern &= 1<<(8<<size) - 1
		}
		for width := 8 << size; width < 64; width *= 2 {
			pattern |= pattern << width
		}
		count = integerCounts[isa.Current()][size](bytesOf(&x[0]), whole<<size, pattern)
	}
	return count + plainCount(x[whole:], bits)
}
