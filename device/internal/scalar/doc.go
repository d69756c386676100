// Package scalar defines what every elementwise operation means for one element.
//
// The reference device and the portable CPU kernels both call it, so that the
// two agree bit for bit on every platform. Three rules serve that aim:
//
//   - The transcendental functions are written here, on float64, and never
//     call a function of package math that has an assembly version somewhere.
//     float32 callers convert, compute in float64 and round once.
//   - No product feeds a sum without either an explicit float64 conversion
//     (which forbids fusing) or an explicit math.FMA (which demands it).
//   - Results that need more than 53 bits on the way are carried as the
//     unevaluated sum of two float64 values (type pair).
//
// The elementary functions are within 1 ulp of the true value; the bounds of
// the others stand in their comments. Array semantics (floor division, integer
// overflow, NaN propagation, special values) are NumPy 2's. Names with the
// prefix C take complex numbers, names with the suffix Int take integers.
package scalar
