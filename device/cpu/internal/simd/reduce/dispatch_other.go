//go:build !(amd64 || arm64) || purego

package reduce

import "github.com/ndgrad/ndgrad/device/internal/scalar"

func rowsPiece[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	plainRows(op, dst, a, rows, n, pitch)
}

func pairRowsPiece[T scalar.Float](op PairOp, dst, a, b *T, rows, n, pitch, pitchB int) {
	plainPairRows(op, dst, a, b, rows, n, pitch, pitchB)
}

func columnsPiece[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	plainColumns(op, dst, a, rows, n, pitch)
}
