//go:build (amd64 || arm64) && !purego

package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// strips are the routines. For each element size, the largest tiles come first.
var strips = [...]strip{
	{16, 8, 1, isa.AVX2, false},
	{16, 8, 2, isa.AVX2, false},
	{16, 16, 4, isa.AVX512, false},
	{8, 8, 4, isa.AVX2, false},
	{8, 8, 8, isa.AVX512, false},
	{4, 4, 8, isa.AVX2, false},
}

// stripFor returns the routine for a matrix. ok is false if the matrix is too small for every routine.
func stripFor(m matrix, stream bool) (strip, bool) {
	if m.size > 8 || isa.Current() == isa.Generic {
		return strip{}, false
	}
	for _, s := range strips {
		if s.size == m.size && s.level <= isa.Current() && s.rows <= m.rows && s.columns <= m.columns {
			s.stream = stream && s.level == isa.AVX512 && uintptr(m.dst)%64 == 0 && m.dstRow*m.size%64 == 0 && m.rows%s.rows == 0
			return s, true
		}
	}
	return strip{}, false
}

//go:noinline
func (s strip) run(columns int, dst unsafe.Pointer, dstRow int, src unsafe.Pointer, srcRow int) {
	y, x, yRow, xRow := (*byte)(dst), (*byte)(src), uintptr(dstRow), uintptr(srcRow)
	switch {
	case s.size == 1:
		transposeAVX2U8(columns, y, yRow, x, xRow)
	case s.size == 2:
		transposeAVX2U16(columns, y, yRow, x, xRow)
	case s.size == 4 && s.level == isa.AVX2:
		transposeAVX2U32(columns, y, yRow, x, xRow)
	case s.size == 4 && s.stream:
		transposeStreamAVX512U32(columns, y, yRow, x, xRow)
	case s.size == 4:
		transposeAVX512U32(columns, y, yRow, x, xRow)
	case s.level == isa.AVX2:
		transposeAVX2U64(columns, y, yRow, x, xRow)
	case s.stream:
		transposeStreamAVX512U64(columns, y, yRow, x, xRow)
	default:
		transposeAVX512U64(columns, y, yRow, x, xRow)
	}
}
