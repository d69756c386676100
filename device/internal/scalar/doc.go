// Package scalar defines the result of every elementwise operation for one element.
//
// The reference device and the portable CPU kernels both call it, so that their results are the same bit for bit on
// every platform. Three rules ensure that:
//
//   - The transcendental functions are written here, on float64, and never call a function of package math that has an
//     assembly version on some platform. float32 callers convert, compute in float64 and round once.
//   - No product feeds a sum without either an explicit float64 conversion (which forbids fusing) or an explicit
//     math.FMA (which demands it).
//   - Intermediate results that need more than 53 bits are held as the unevaluated sum of two float64 values (type
//     pair).
//
// The elementary functions are within 1 ulp of the true value; the comments of the other functions state their bounds.
// Array semantics (floor division, integer overflow, NaN propagation, special values) are NumPy 2's. Names with the
// prefix C take complex numbers, names with the suffix Int take integers.
package scalar
