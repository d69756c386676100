//go:build !(amd64 || arm64) || purego

package reduce

import "github.com/ndgrad/ndgrad/device/internal/scalar"

func find[T scalar.Float](a *T, n int, v T) int { return plainFind(a, n, v) }

func indicesPiece[T scalar.Float, P RowIndex](op Op, best *T, indices *P, a *T, rows, n, pitch, first int) {
	plainIndices(op, best, indices, a, rows, n, pitch, first)
}

func scanPiece[T scalar.Float](op Op, dst, a *T, n int, carry float64) float64 {
	return plainScan(op, dst, a, n, carry)
}

func scanColumnsPiece[T scalar.Float](op Op, dst, a *T, totals *float64, rows, n, pitchDst, pitch int) {
	plainScanColumns(op, dst, a, totals, rows, n, pitchDst, pitch)
}

func singlesTotal(a *float32, n int) float64 { return plainWideTotal(a, n) }
