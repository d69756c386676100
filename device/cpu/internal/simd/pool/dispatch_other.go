//go:build !(amd64 || arm64) || purego

package pool

func combine[T float32 | float64](c Combination, rows Rows, y []T, at []uint8, x []T, stride int, taps []Tap) {
	plainRows(c, rows, y, at, x, stride, taps)
}

func spreadPiece[T float32 | float64](rows Rows, x []T, g []T, at []uint8, taps []Tap, ends []int) {
	for row := range rows.N {
		plainSpread(x[row*rows.Apart:][:rows.Length], g, at, rows.Start+row*rows.Down, taps, ends)
	}
}
