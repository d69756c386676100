//go:build !purego

package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// planeCorners fills the table and reports whether there is a routine.
func planeCorners(t *PlaneTable, plane *planeNumbers, rows, columns []float32, w PlaneWeights) bool {
	n := len(rows)
	if isa.Current() != isa.AVX512 || n == 0 {
		return n == 0
	}
	_, _ = columns[n-1], t.Pairs[0][n-1]
	planeCornersAVX512(n, (*byte)(unsafe.Pointer(t)), (*byte)(unsafe.Pointer(plane)), &rows[0], &columns[0], (*float32)(unsafe.Pointer(w.Weights)),
		(*float32)(unsafe.Pointer(w.RowSlopes)), (*float32)(unsafe.Pointer(w.ColumnSlopes)))
	return true
}

// planeOffsets computes Offsets and reports whether there is a routine.
func planeOffsets(t *PlaneTable, n int, offsets *[4 * PlanePoints]int) bool {
	if isa.Current() != isa.AVX512 || n == 0 {
		return n == 0
	}
	_ = t.Pairs[0][n-1]
	planeOffsetsAVX512(n, (*byte)(unsafe.Pointer(t)), &offsets[0])
	return true
}

// gatherSums is Sums, and gatherProducts is Collect, on processors that gather fast.

func gatherSums(t *PlaneTable, y []float32, plane unsafe.Pointer, weights *[4 * PlanePoints]float32) bool {
	n := len(y)
	if n == 0 {
		return true
	}
	_ = t.Pairs[0][n-1]
	return planeSumsAVX512(n, (*byte)(unsafe.Pointer(t)), &y[0], (*byte)(plane), &weights[0]) == 0
}

func gatherProducts(t *PlaneTable, sums *[4 * PlanePoints]float32, numbers []float32, plane unsafe.Pointer) {
	if n := len(numbers); n > 0 {
		_ = t.Pairs[0][n-1]
		planeProductsAVX512(n, (*byte)(unsafe.Pointer(t)), &sums[0], (*byte)(plane), &numbers[0])
	}
}
