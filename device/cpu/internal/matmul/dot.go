package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// vectorPiece is the length of a piece of a long inner product that is summed separately.
const vectorPiece = 1 << 14

// multiplyVectors computes an inner product in pieces, whose sums are then added pairwise.
func multiplyVectors[T gemm.Element](b *gemm.Block, shared bool) {
	x, y := unsafe.Slice((*T)(b.A), b.K), unsafe.Slice((*T)(b.B), b.K)
	var total T
	if pieces := (b.K + vectorPiece - 1) / vectorPiece; pieces == 1 {
		total = gemm.Dot(x, y)
	} else {
		space := memory.TakeScratch(pieces * int(unsafe.Sizeof(total)))
		sums := memory.Room[T](space, 0, pieces)
		if shared {
			workers.ForRanges(pieces, vectorPiece*vectorCost, func(from, to int) { multiplyPieces(sums, x, y, from, to) })
		} else {
			multiplyPieces(sums, x, y, 0, pieces)
		}
		total = pairwise(sums)
		space.Recycle()
	}
	if b.D != nil {
		total += *(*T)(b.D)
	}
	*(*T)(b.C) = total
}

// vectorCost is the cost per element of an inner product, in nanoseconds: the element is read from memory.
const vectorCost = 0.2

func multiplyPieces[T gemm.Element](sums, x, y []T, from, to int) {
	for i := from; i < to; i++ {
		end := min((i+1)*vectorPiece, len(x))
		sums[i] = gemm.Dot(x[i*vectorPiece:end], y[i*vectorPiece:end])
	}
}

// pairwise sums both halves of the numbers separately, recursively.
func pairwise[T gemm.Element](x []T) T {
	if len(x) == 1 {
		return x[0]
	}
	return pairwise(x[:len(x)/2]) + pairwise(x[len(x)/2:])
}
