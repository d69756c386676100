//go:build !purego

package gemm

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// runBFloats is runIntegers for BFloats.
func runBFloats(args *uintptr, vectors int, masked, panels bool) {
	switch {
	case vectors == 2 && !masked && panels:
		tile2PanelsBF16Pairs(args)
	case vectors == 2 && !masked:
		tile2BF16Pairs(args)
	case vectors == 2:
		tile2MaskedBF16Pairs(args)
	default:
		tile1MaskedBF16Pairs(args)
	}
}

// exchangeAll copies words and exchanges the halves of each. It copies as many as the routine handles and returns their
// number.
//
//go:noinline
func exchangeAll(dst []uint32, src unsafe.Pointer) int {
	n := len(dst) / 16
	if n == 0 || isa.Current() != isa.AVX512 {
		return 0
	}
	exchangeHalves(n, (*uint32)(src), &dst[0])
	return 16 * n
}

// boundPiece bounds the number of elements that one call of a routine reads.
const boundPiece = 1 << 17

// boundAll includes as many numbers as the routine handles and returns their number.
//
//go:noinline
func boundAll(m *Magnitudes, src unsafe.Pointer, n int) (done int) {
	if isa.Current() != isa.AVX512 {
		return 0
	}
	for n-done >= 32 {
		piece := min(boundPiece, n-done) / 32
		boundMagnitudes(piece, (*uint16)(unsafe.Add(src, done*2)), &m.low, &m.high)
		done += 32 * piece
	}
	return done
}
