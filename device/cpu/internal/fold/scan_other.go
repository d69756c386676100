//go:build !amd64 || purego

package fold

func wideTotal(a *float32, n int) float64 { return plainWideTotal(a, n) }

func find32(a *float32, n int, v float32) int { return plainFind(a, n, v) }
func scan32(op Op, dst, a *float32, n int, carry float64) float64 {
	return plainScan(op, dst, a, n, carry)
}
func places32(op Op, best *float32, places *int32, a *float32, rows, n, pitch, first int) {
	plainPlaces(op, best, places, a, rows, n, pitch, first)
}
func scanColumns32(op Op, dst, a *float32, totals *float64, rows, n, pitchDst, pitch int) {
	plainScanColumns(op, dst, a, totals, rows, n, pitchDst, pitch)
}

func find64(a *float64, n int, v float64) int { return plainFind(a, n, v) }
func scan64(op Op, dst, a *float64, n int, carry float64) float64 {
	return plainScan(op, dst, a, n, carry)
}
func places64(op Op, best *float64, places *int64, a *float64, rows, n, pitch, first int) {
	plainPlaces(op, best, places, a, rows, n, pitch, first)
}
func scanColumns64(op Op, dst, a *float64, totals *float64, rows, n, pitchDst, pitch int) {
	plainScanColumns(op, dst, a, totals, rows, n, pitchDst, pitch)
}
