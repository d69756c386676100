//go:build !storm && !race

package memory

const (
	leastStored = largestSmall + 1
	leastLent   = 80 // the class of 256 KiB: below, lending costs more than it gives
)
