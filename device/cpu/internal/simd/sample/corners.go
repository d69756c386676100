package sample

import "math"

// Axis is what corners lie along.
type Axis struct {
	Last   int  // element
	Stride int  // in bytes
	Clip   bool // corners outside are the nearest elements; else they have weight 0
}

// room is of how many elements a number is a multiple to which Corners, Products and Offsets may round theirs up.
const room = 16

// whole is how many elements are made of n: there must be room for them.
func whole(n int) int { return (n + room - 1) &^ (room - 1) }

// Corners finds the two corners of each place: their offsets, what they weigh, and what that becomes by a step of the place, -1
// and 1. The second corners of all lie apart elements behind the first. Where a place is not a number, weights and slopes are not,
// either. There is room for a multiple of 16 elements in everything.
func Corners[T float32 | float64](n int, places []float64, a Axis, offsets []int, weights, slopes []T, apart int) {
	last := float64(a.Last)
	lowest, highest := 0.0, last
	if a.Clip {
		lowest, highest = -4, last+4
	}
	numbers := [4]float64{last, float64(a.Stride), lowest, highest}
	if corners(whole(n), places, &numbers, offsets, weights, slopes, apart) {
		return
	}
	for i, place := range places[:n] {
		place = max(-2, min(place, last+2)) // not a number stays so
		down := math.Floor(place)
		rest := place - down
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

// Products makes low and high the products of from with the first and the second corners, which lie apart elements behind.
// There is room for a multiple of 16 elements in everything. low may be from.
func Products[T float32 | float64](n int, low, high, from, corners []T, apart int) {
	if products(whole(n), low, high, from, corners, apart) {
		return
	}
	low, high = low[:n], high[:n]
	first, second := corners[:n], corners[apart:][:n]
	for i, v := range from[:n] {
		low[i], high[i] = v*first[i], v*second[i]
	}
}

// Offsets is Products with sums.
func Offsets(n int, low, high, from, corners []int, apart int) {
	if offsets(whole(n), low, high, from, corners, apart) {
		return
	}
	low, high = low[:n], high[:n]
	first, second := corners[:n], corners[apart:][:n]
	for i, v := range from[:n] {
		low[i], high[i] = v+first[i], v+second[i]
	}
}
