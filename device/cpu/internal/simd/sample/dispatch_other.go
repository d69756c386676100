//go:build !(amd64 || arm64) || purego

package sample

func sums[T float32 | float64](y, values, weights []T, corners, stride int) (numbers, ok bool) {
	return true, false
}

func mix[T float32 | float64](y, a, b []T, wa, wb T) bool { return false }

func corners[T float32 | float64](n int, locations []float64, axis *[4]float64, offsets []int, weights, slopes []T, apart int) bool {
	return false
}

func products[T float32 | float64](n int, low, high, from, corners []T, apart int) bool { return false }

func offsets(n int, low, high, from, corners []int, apart int) bool { return false }
