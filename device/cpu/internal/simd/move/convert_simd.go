//go:build (amd64 || arm64) && !purego

package move

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// convertPiece converts n elements, a multiple of convertedUnit, and reports whether there is a routine for the two types.
//
//go:noinline
func convertPiece(to, from dtype.DType, n int, dst, src *byte) bool {
	switch isa.Current() {
	case isa.AVX512:
		return convertAVX512(to, from, n, dst, src)
	case isa.AVX2:
		return convertAVX2(to, from, n, dst, src)
	}
	return false
}

func convertAVX512(to, from dtype.DType, n int, dst, src *byte) bool {
	switch to<<4 | from {
	case dtype.Float32<<4 | dtype.Uint8, dtype.Float32<<4 | dtype.Bool:
		convertAVX512U8toF32(n, dst, src)
	case dtype.Int32<<4 | dtype.Uint8, dtype.Int32<<4 | dtype.Bool, dtype.Uint32<<4 | dtype.Uint8, dtype.Uint32<<4 | dtype.Bool:
		convertAVX512U8toI32(n, dst, src)
	case dtype.Int64<<4 | dtype.Uint8, dtype.Int64<<4 | dtype.Bool, dtype.Uint64<<4 | dtype.Uint8, dtype.Uint64<<4 | dtype.Bool:
		convertAVX512U8toI64(n, dst, src)
	case dtype.Int64<<4 | dtype.Int32, dtype.Uint64<<4 | dtype.Int32:
		convertAVX512I32toI64(n, dst, src)
	case dtype.Float32<<4 | dtype.Int32:
		convertAVX512I32toF32(n, dst, src)
	case dtype.Float64<<4 | dtype.Int32:
		convertAVX512I32toF64(n, dst, src)
	case dtype.Float64<<4 | dtype.Int64:
		convertAVX512I64toF64(n, dst, src)
	case dtype.Int32<<4 | dtype.Int64, dtype.Int32<<4 | dtype.Uint64, dtype.Uint32<<4 | dtype.Int64, dtype.Uint32<<4 | dtype.Uint64:
		convertAVX512I64toI32(n, dst, src)
	case dtype.Float32<<4 | dtype.Int64:
		convertAVX512I64toF32(n, dst, src)
	case dtype.Float64<<4 | dtype.Float32:
		convertAVX512F32toF64(n, dst, src)
	case dtype.Float32<<4 | dtype.Float64:
		convertAVX512F64toF32(n, dst, src)
	case dtype.Float32<<4 | dtype.Float16:
		convertAVX512F16toF32(n, dst, src)
	case dtype.Float32<<4 | dtype.BFloat16:
		convertAVX512BF16toF32(n, dst, src)
	case dtype.Float16<<4 | dtype.Float32:
		convertAVX512F32toF16(n, dst, src)
	case dtype.BFloat16<<4 | dtype.Float32:
		convertAVX512F32toBF16(n, dst, src)
	case dtype.Int32<<4 | dtype.Float32:
		convertAVX512F32toI32(n, dst, src)
	case dtype.Uint8<<4 | dtype.Float32:
		convertAVX512F32toU8(n, dst, src)
	case dtype.Int64<<4 | dtype.Float32:
		convertAVX512F32toI64(n, dst, src)
	case dtype.Int64<<4 | dtype.Float64:
		convertAVX512F64toI64(n, dst, src)
	default:
		return false
	}
	return true
}

func convertAVX2(to, from dtype.DType, n int, dst, src *byte) bool {
	switch to<<4 | from {
	case dtype.Float32<<4 | dtype.Uint8, dtype.Float32<<4 | dtype.Bool:
		convertAVX2U8toF32(n, dst, src)
	case dtype.Int32<<4 | dtype.Uint8, dtype.Int32<<4 | dtype.Bool, dtype.Uint32<<4 | dtype.Uint8, dtype.Uint32<<4 | dtype.Bool:
		convertAVX2U8toI32(n, dst, src)
	case dtype.Int64<<4 | dtype.Uint8, dtype.Int64<<4 | dtype.Bool, dtype.Uint64<<4 | dtype.Uint8, dtype.Uint64<<4 | dtype.Bool:
		convertAVX2U8toI64(n, dst, src)
	case dtype.Int64<<4 | dtype.Int32, dtype.Uint64<<4 | dtype.Int32:
		convertAVX2I32toI64(n, dst, src)
	case dtype.Float32<<4 | dtype.Int32:
		convertAVX2I32toF32(n, dst, src)
	case dtype.Float64<<4 | dtype.Int32:
		convertAVX2I32toF64(n, dst, src)
	case dtype.Float64<<4 | dtype.Float32:
		convertAVX2F32toF64(n, dst, src)
	case dtype.Float32<<4 | dtype.Float64:
		convertAVX2F64toF32(n, dst, src)
	case dtype.Float32<<4 | dtype.Float16:
		convertAVX2F16toF32(n, dst, src)
	case dtype.Float32<<4 | dtype.BFloat16:
		convertAVX2BF16toF32(n, dst, src)
	case dtype.Float16<<4 | dtype.Float32:
		convertAVX2F32toF16(n, dst, src)
	case dtype.Int32<<4 | dtype.Float32:
		convertAVX2F32toI32(n, dst, src)
	default:
		return false
	}
	return true
}
