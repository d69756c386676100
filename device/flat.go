package device

import "unsafe"

// Flat runs a program on n elements of each operand, which are contiguous: the output starts at y, the inputs at a and
// b. y may be a or b. A program with one input ignores b, and a program without scalars ignores scalar. The results are
// bitwise those of Kernels.Elementwise. If Flat returns false, it has done nothing, and the program needs a launch.
type Flat func(n int, y, a, b unsafe.Pointer, scalar Scalar) bool

// FlatReduce combines the n contiguous elements at x, 0 < n <= FlatLen, to one element of the same type at y. The result is
// bitwise that of Kernels.Reduce. If FlatReduce returns false, it has done nothing, and the reduction needs a launch.
type FlatReduce func(n int, y, x unsafe.Pointer) bool

// FlatLen is the largest number of elements of the operands of a Flat, a FlatReduce or a FlatMatMul. Beyond it a launch costs
// little in comparison, and can be split over several workers.
const FlatLen = 2048
