//go:build !amd64 || purego

package fold

func rows32(op Op, dst, a *float32, rows, n, pitch int)    { plainRows(op, dst, a, rows, n, pitch) }
func columns32(op Op, dst, a *float32, rows, n, pitch int) { plainColumns(op, dst, a, rows, n, pitch) }
func pairRows32(op PairOp, dst, a, b *float32, rows, n, pitch, pitchB int) {
	plainPairRows(op, dst, a, b, rows, n, pitch, pitchB)
}

func rows64(op Op, dst, a *float64, rows, n, pitch int)    { plainRows(op, dst, a, rows, n, pitch) }
func columns64(op Op, dst, a *float64, rows, n, pitch int) { plainColumns(op, dst, a, rows, n, pitch) }
func pairRows64(op PairOp, dst, a, b *float64, rows, n, pitch, pitchB int) {
	plainPairRows(op, dst, a, b, rows, n, pitch, pitchB)
}
