package cudaops

func abs(i int) int { return max(i, -i) }

// commonDivisor returns the greatest number that divides both, which are not negative; 0 is divided by all.
func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
