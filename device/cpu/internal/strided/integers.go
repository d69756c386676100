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

// RoundUp returns the smallest multiple of unit that is not below n; n must not be negative.
func RoundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// BlockLen is the maximum number of elements of a block, so that the few buffers of a program fit in the first-level
// cache.
const BlockLen = 1024

// GroupLen is how many values of a long row one worker combines; the groups' results are combined in order.
const GroupLen = 64 * BlockLen
