package cudaops

func abs(i int) int { return max(i, -i) }

// commonDivisor returns the greatest common divisor of a and b, which are not negative. The divisor of 0 and b is b.
func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
