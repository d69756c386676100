package cudaops

import "math/bits"

// divisor adds a Divisor of kernels/divisor.cuh, which divides numbers below 2³¹ by n.
func (a *arguments) divisor(n int) {
	magic, shift := divisorOf(uint64(n))
	a.word(uint64(n) | magic<<32)
	a.int(shift)
}

// divisorOf returns the numbers with i/n = (⌊i·magic/2³²⌋ + i) >> shift.
func divisorOf(n uint64) (magic uint64, shift int) {
	shift = bits.Len64(n - 1)
	return (uint64(1)<<shift-n)<<32/n + 1, shift
}

// divisors adds a Divisor for the length of each axis.
func (a *arguments) divisors(shape []int) {
	for _, length := range shape {
		a.divisor(max(length, 1))
	}
}
