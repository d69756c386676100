//go:build !(amd64 || arm64) || purego

package sort

import "github.com/ndgrad/ndgrad/device/internal/scalar"

// Without assembly routines nothing is sorted in parts.

func vectors() bool { return false }

func parts[N Number](x, less, rest []N, pivot N) (count int) { return 0 }

func middle[N Number](x []N) (m N) { return m }

func network[N Number](x, from []N) {}

func take[N Number](x, from []N) (ok bool) { return false }

func takeParts[N Number](x, less, rest []N, pivot N) (count int, ok bool) { return 0, false }

func evenPositions[T scalar.Float](e *Even, positions []int64, row, values []T, right bool) (done, other int) {
	return 0, len(values)
}
