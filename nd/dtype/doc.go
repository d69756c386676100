// Package dtype names the element types of arrays and says how they combine.
//
// There are 15 element types: bool, signed and unsigned integers of 8 to 64
// bits, float16, bfloat16, float32, float64, complex64 and complex128. The zero
// value of [DType] is [Unspecified]: "no type was asked for".
//
// # Promotion
//
// [Promote] gives the type that two arrays meet in, by NumPy 2's table. A number
// written in a program is a weak scalar: it has a kind and no size, so it does
// not widen an array of its own kind or a higher one (NEP 50). [ResultType]
// looks at a whole set of arrays and weak scalars; its answer does not depend on
// their order.
//
// NumPy has no bfloat16. It is placed here as a second 16-bit float beside
// float16: with float16 it meets in float32 (neither holds the other's values),
// with bool, int8 and uint8 it stays bfloat16 (its 8 significant bits hold
// them), with 16-bit integers it gives float32, with wider ones float64.
//
// # Conversion
//
// [Convert] converts runs of elements between any two types by these rules:
//
//   - to a 16-bit float: rounded once to nearest, ties to even, from every source;
//   - float to integer: the fraction is dropped, values out of range saturate, NaN
//     becomes 0, on every platform;
//   - integer to integer: wraps around (two's complement);
//   - complex to real: the imaginary part is dropped;
//   - to bool: whether the value differs from zero (NaN does; a complex number
//     does when either part does);
//   - from bool: 0 or 1;
//   - to the same type: the bits are copied, NaN payloads included.
package dtype
