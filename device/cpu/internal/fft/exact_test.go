package fft

import (
	"math"
	"math/rand/v2"
)

// sum2 is a sum with twice the digits of a float64 (Ogita, Rump and Oishi 2005).
type sum2 struct{ high, low float64 }

func (s *sum2) addProduct(a, b float64) {
	p := a * b
	rest := math.FMA(a, b, -p)
	t := s.high + p
	part := t - s.high
	s.low += rest + ((s.high - (t - part)) + (p - part))
	s.high = t
}

func (s *sum2) value() float64 { return s.high + s.low }

// exact returns Σ x[j]·exp(∓2πi·jk/n). Only the roots of unity are rounded.
func exact(x []complex128, roots []complex128, k int, inverse bool) complex128 {
	var re, im sum2
	n := len(x)
	for j, turn := 0, 0; j < n; j++ {
		w := roots[turn]
		if inverse {
			w = complex(real(w), -imag(w))
		}
		re.addProduct(real(x[j]), real(w))
		re.addProduct(-imag(x[j]), imag(w))
		im.addProduct(real(x[j]), imag(w))
		im.addProduct(imag(x[j]), real(w))
		if turn += k; turn >= n {
			turn -= n
		}
	}
	return complex(re.value(), im.value())
}

// rootsOf returns exp(-2πi·k/n) for all k.
func rootsOf(n int) []complex128 {
	roots := make([]complex128, n)
	for k := range roots {
		quarters := (8*k + n) / (2 * n)
		sin, cos := math.Sincos(math.Pi / 2 * float64(4*k-quarters*n) / float64(n))
		w := complex(cos, -sin)
		for range quarters % 4 {
			w = complex(imag(w), -real(w))
		}
		roots[k] = w
	}
	return roots
}

// frequenciesToCheck returns all numbers below n, or some if there are many.
func frequenciesToCheck(n int, rng *rand.Rand) []int {
	var ks []int
	if n <= 400 {
		for k := range n {
			ks = append(ks, k)
		}
		return ks
	}
	ks = []int{0, 1, n / 2, n - 1}
	for range max(4, min(40, 1000000/n)) {
		ks = append(ks, rng.IntN(n))
	}
	return ks
}
