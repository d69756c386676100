//go:build !amd64 || purego

package window

func combine[T float32 | float64](c Combination, y []T, at []uint8, x []T, start, stride int, taps []Tap) {
	plainCombine(c, y, at, x, start, stride, taps)
}

func spread[T float32 | float64](x []T, g []T, at []uint8, start int, taps []Tap, ends []int) {
	plainSpread(x, g, at, start, taps, ends)
}
