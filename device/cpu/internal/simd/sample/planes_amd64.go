//go:build !purego

package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// planeCorners fills the table and reports whether there is a routine.
func planeCorners(t *PlaneTable, plane *planeNumbers, rows, columns []float32) bool {
	n := len(rows)
	if isa.Current() != isa.AVX512 || n == 0 {
		return n == 0
	}
	_, _ = columns[n-1], t.Pairs[0][n-1]
	planeCornersAVX512(n, (*byte)(unsafe.Pointer(t)), (*byte)(unsafe.Pointer(plane)), &rows[0], &columns[0])
	return true
}

// gatherSums is Sums on processors that gather fast.
func gatherSums(t *PlaneTable, y []float32, plane unsafe.Pointer) bool {
	n := len(y)
	if n == 0 {
		return true
	}
	_ = t.Pairs[0][n-1]
	return planeSumsAVX512(n, (*byte)(unsafe.Pointer(t)), &y[0], (*byte)(plane)) == 0
}
