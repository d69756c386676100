package device

import "unsafe"

// Flat runs a program on n elements of each operand, which are contiguous: the output starts at y, the inputs at a and
// b. y may be a or b. A program with one input ignores b, and a program without scalars ignores scalar. The results are
// bitwise those of Kernels.Elementwise. If Flat returns false, it has done nothing, and the program needs a launch.
type Flat func(n int, y, a, b unsafe.Pointer, scalar Scalar) bool

// FlatLen is the largest number of elements that a Flat is called with. Beyond it a launch costs little in comparison,
// and can be split over several workers.
const FlatLen = 2048
