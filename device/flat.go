package device

import "unsafe"

// Flat runs a program on n elements of each operand, which lie one after the other: the output from y on, the inputs from a and b
// on. y may be a or b. A program of one input ignores b, and one without scalars the scalar. The results are those of
// Kernels.Elementwise, bit for bit. Where Flat returns false it has done nothing, and the program needs a launch.
type Flat func(n int, y, a, b unsafe.Pointer, scalar Scalar) bool

// FlatLen is the largest number of elements that a Flat is called with. Beyond it a launch costs little, and can be shared.
const FlatLen = 2048
