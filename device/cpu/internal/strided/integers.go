package strided

// Magnitude is |n|.
func Magnitude(n int) int { return max(n, -n) }

// CeilDiv is n/by rounded up, and 0 for a negative n.
func CeilDiv(n, by int) int {
	if n <= 0 {
		return 0
	}
	return (n-1)/by + 1
}

// RoundUp is the least multiple of unit that is not below n, which is not negative.
func RoundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// BlockLen is how many elements a block has at most, so that the few buffers of a program fit the first-level cache.
const BlockLen = 1024

// GroupLen is how many values of a long row one worker combines; the groups' results are combined in order.
const GroupLen = 64 * BlockLen
