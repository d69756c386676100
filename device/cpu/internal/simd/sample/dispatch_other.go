//go:build !amd64 || purego

package sample

func sums[T float32 | float64](y, values, weights []T, corners, stride int) (done int, numbers bool) {
	return 0, true
}

func mix[T float32 | float64](y, a, b []T, wa, wb T) (done int) { return 0 }

func corners[T float32 | float64](n int, places []float64, axis *[4]float64, offsets []int, weights, slopes []T, apart int) bool {
	return false
}

func products[T float32 | float64](n int, low, high, from, corners []T, apart int) bool { return false }

func offsets(n int, low, high, from, corners []int, apart int) bool { return false }
