//go:build !amd64 || purego

package sample

func sums[T float32 | float64](y, values, weights []T, corners, stride int) (done int, numbers bool) {
	return 0, true
}

func mix[T float32 | float64](y, a, b []T, wa, wb T) (done int) { return 0 }
