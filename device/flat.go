package device

import "unsafe"

// Flat runs a program of one output on n elements that lie one after the other, from y, a and b on, where y may be a or b.
// A program without second input ignores b, and one without scalars the scalar. It does what Kernels.Elementwise does,
// bit for bit, without the cost of a Launch, or nothing: then it returns false.
type Flat func(n int, y, a, b unsafe.Pointer, scalar Scalar) bool

// FlatLen is the largest number of elements that a Flat is called with. Beyond it a launch costs little, and can be shared.
const FlatLen = 2048
