// Package lending keeps a device's memory while nobody uses it: blocks by classes of size, which serve again when they are
// given back, or, where they are lent, once nobody can reach them any more. For the latter the collector has to run, which it
// does here when that pays (pace.go).
package lending

import "math/bits"

// Classes of size are eight between a power of two and the next.
const (
	Grain   = 64 // bytes of the smallest block; the size of every block is a multiple
	Classes = 8*(bits.UintSize-9) + 17
)

// ClassOf returns the class of blocks that hold a number of bytes, which is positive.
func ClassOf(bytes int) int {
	grains := uint(bytes-1)/Grain + 1
	if grains <= 16 {
		return int(grains)
	}
	step := bits.Len(grains-1) - 4
	return step*8 + int((grains-1)>>step) + 1
}

// ClassSize returns how many bytes a block of a class has; it is negative or 0 where that is more than an int holds.
func ClassSize(class int) int {
	if class <= 16 {
		return class * Grain
	}
	step := (class - 9) / 8
	return (class - 8*step) * Grain << step
}
