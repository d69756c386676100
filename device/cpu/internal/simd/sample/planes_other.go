//go:build !amd64 || purego

package sample

import "unsafe"

func planeCorners(t *PlaneTable, plane *planeNumbers, rows, columns []float32, w PlaneWeights) bool {
	return false
}

func planeOffsets(t *PlaneTable, n int, offsets *[4 * PlanePoints]int) bool { return false }

// gatherSums and gatherProducts are never called: Gathers reports false.

func gatherSums(t *PlaneTable, y []float32, plane unsafe.Pointer, weights *[4 * PlanePoints]float32) bool {
	return false
}

func gatherProducts(t *PlaneTable, sums *[4 * PlanePoints]float32, numbers []float32, plane unsafe.Pointer) {
}
