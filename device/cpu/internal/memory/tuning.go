//go:build !storm

package memory

const (
	leastStored = largestSmall + 1
	leastLent   = 120 // the class of 8 MiB: below, lending costs more than it gives
)
