//go:build !(amd64 || arm64) || purego

package reduce

import "github.com/ndgrad/ndgrad/device/internal/scalar"

func integerRow[T scalar.Integer](op Op, x []T) T { return plainIntegerRow(op, x) }

func integerColumn[T scalar.Integer](op Op, z, x []T) { plainIntegerColumn(op, z, x) }

func findInteger[T scalar.Integer](x []T, v T) int { return plainFindInteger(x, v) }

func countPiece[T scalar.Integer](x []T, bits T) int { return plainCount(x, bits) }
