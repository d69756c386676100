package sort

import "github.com/ndgrad/ndgrad/device/internal/scalar"

// Even is a row of evenly spaced floats, such as the edges of a histogram. The line (v - First)·PerStep + 1, rounded down, is at most one
// away from the number of elements that are below v. If its fraction is between Low and High, it is that number, and none equals v.
type Even struct{ First, PerStep, Length, Low, High float64 }

// Positions counts the elements of a row that are below each value, or with right not above it. It returns how many values it has done: the
// leading ones that fill whole vectors, up to a vector with NaN. As many as the other number says are to be searched in another way then.
func Positions[T scalar.Float](e *Even, positions []int64, row, values []T, right bool) (done, other int) {
	return evenPositions(e, positions, row, values, right)
}
