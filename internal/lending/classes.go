// Package lending recycles the memory of a device. It keeps idle blocks by size class. A block is reused when its user
// returns it; a block on loan is also reused once it is unreachable. To find unreachable blocks the GC must run; this
// package triggers GC cycles when that pays (pace.go).
package lending

import "math/bits"

// There are eight size classes between a power of two and the next.
const (
	Grain   = 64 // size of the smallest block in bytes; every block size is a multiple
	Classes = 8*(bits.UintSize-9) + 17
)

// ClassOf returns the class of blocks that hold the given number of bytes, which is positive.
func ClassOf(bytes int) int {
	grains := uint(bytes-1)/Grain + 1
	if grains <= 16 {
		return int(grains)
	}
	step := bits.Len(grains-1) - 4
	return step*8 + int((grains-1)>>step) + 1
}

// ClassSize returns the size of a class's blocks in bytes; it is negative or 0 if an int cannot hold it.
func ClassSize(class int) int {
	if class <= 16 {
		return class * Grain
	}
	step := (class - 9) / 8
	return (class - 8*step) * Grain << step
}
