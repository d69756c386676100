//go:build !amd64 || purego

package sample

import "unsafe"

func planeCorners(t *PlaneTable, plane *planeNumbers, rows, columns []float32) bool { return false }

// gatherSums is never called: Gathers reports false.
func gatherSums(t *PlaneTable, y []float32, plane unsafe.Pointer) bool { return false }
