package sample

import "math"

// Axis is the axis along which corners lie.
type Axis struct {
	Last   int  // index of the last element
	Stride int  // in bytes
	Clip   bool // corners outside become the nearest elements; else their weight is 0
}

// roundUpTo is the multiple to which Corners, Products and Offsets may round up the number of elements.
const roundUpTo = 16

// roundedUp returns n rounded up. Every slice must have room for that many elements.
func roundedUp(n int) int { return (n + roundUpTo - 1) &^ (roundUpTo - 1) }

// Corners finds the two corners of each location along the axis: their offsets, their weights, and the slopes of the
// weights in the location, -1 and 1. The second corners lie apart elements after the first ones. If a location is NaN,
// its weights and slopes are NaN. All slices have room for a multiple of 16 elements.
func Corners[T float32 | float64](n int, locations []float64, a Axis, offsets []int, weights, slopes []T, apart int) {
	last := float64(a.Last)
	lowest, highest := 0.0, last
	if a.Clip {
		lowest, highest = -4, last+4
	}
	numbers := [4]float64{last, float64(a.Stride), lowest, highest}
	if corners(roundedUp(n), locations, &numbers, offsets, weights, slopes, apart) {
		return
	}
	for i, location := range locations[:n] {
		location = max(-2, min(location, last+2)) // NaN stays NaN
		down := math.Floor(location)
		rest := location - down
		w, s := [2]T{T(1 - rest), T(rest)}, [2]T{T(down - down - 1), T(down - down + 1)}
		for c := range 2 {
			if down < lowest || down > highest {
				w[c], s[c] = 0, 0
			}
			at := 0
			if down > 0 {
				at = int(min(down, last))
			}
			k := c*apart + i
			offsets[k], weights[k], slopes[k] = at*a.Stride, w[c], s[c]
			down++
		}
	}
}

// Products sets low and high to the products of from with the first and the second corners. The second corners lie
// apart elements after the first ones. All slices have room for a multiple of 16 elements. low may be from.
func Products[T float32 | float64](n int, low, high, from, corners []T, apart int) {
	if products(roundedUp(n), low, high, from, corners, apart) {
		return
	}
	low, high = low[:n], high[:n]
	first, second := corners[:n], corners[apart:][:n]
	for i, v := range from[:n] {
		low[i], high[i] = v*first[i], v*second[i]
	}
}

// Offsets is Products with sums instead of products.
func Offsets(n int, low, high, from, corners []int, apart int) {
	if offsets(roundedUp(n), low, high, from, corners, apart) {
		return
	}
	low, high = low[:n], high[:n]
	first, second := corners[:n], corners[apart:][:n]
	for i, v := range from[:n] {
		low[i], high[i] = v+first[i], v+second[i]
	}
}
