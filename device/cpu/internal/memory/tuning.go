//go:build !storm && !race

package memory

const (
	leastStored   = largestSmall + 1
	leastRecycled = 80 // the class of 256 KiB: for smaller blocks, recycling dropped blocks costs more than it saves
)
