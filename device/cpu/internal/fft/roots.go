package fft

import (
	"math"

	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// root returns exp(-2πi·k/n), for k from 0 to n, with errors of about one unit of the last digit at most.
func root(k, n int) (re, im float64) {
	// Whole eighths of a turn are exchanges and signs; they are subtracted exactly.
	eighth := 8 * k / n
	num := 8*k - eighth*n // of n eighths
	if eighth%2 == 1 {
		num = n - num
	}
	sin, cos := sincos(num, n)
	if eighth%4 == 1 || eighth%4 == 2 {
		sin, cos = cos, sin
	}
	if eighth >= 4 {
		sin = -sin
	}
	if eighth >= 2 && eighth < 6 {
		cos = -cos
	}
	return cos, -sin
}

// quarterHigh + quarterLow is π/4.
const (
	quarterHigh = math.Pi / 4
	quarterLow  = 6.123233995736766e-17 / 2
)

// sincos returns the sine and the cosine of num/n eighths of a turn, at most one. The angle has two parts: the sum has
// twice the digits of a float64.
func sincos(num, n int) (sin, cos float64) {
	if num == n {
		return math.Sqrt2 / 2, math.Sqrt2 / 2
	}
	q := float64(num) / float64(n)
	rest := math.FMA(-q, float64(n), float64(num)) / float64(n)
	angle := q * quarterHigh
	low := math.FMA(q, quarterHigh, -angle) + (float64(q*quarterLow) + float64(rest*quarterHigh))
	s, c := scalar.SinCos(angle)
	return math.FMA(low, c, s), math.FMA(-low, s, c)
}

// squareRoot returns exp(-πi·j²/n), for j below n.
func squareRoot(j, n int) (re, im float64) {
	return root(int(uint64(j)*uint64(j)%uint64(2*n)), 2*n)
}

// vectorsOf returns complex vectors with n complex numbers, and zeros in the last lanes.
func vectorsOf[T simd.Float](n int, number func(i int) (re, im float64)) []T {
	lanes := simd.Lanes[T]()
	y := make([]T, 2*roundUp(n, lanes))
	for i := range n {
		re, im := number(i)
		at := i/lanes*2*lanes + i%lanes
		y[at], y[at+lanes] = T(re), T(im)
	}
	return y
}

// roundUp returns the smallest multiple of unit that is not below n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
