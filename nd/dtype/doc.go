// Package dtype defines the element types of arrays and the rules by which they combine.
//
// There are 15 element types: bool, signed and unsigned integers of 8 to 64 bits, float16, bfloat16, float32, float64,
// complex64 and complex128. The zero value of [DType] is [Unspecified]: "no type was asked for".
//
// # Promotion
//
// [Promote] returns the common type of two arrays, by NumPy 2's table. A number written in a program is a weak scalar:
// it has a kind and no size, so it does not widen an array of its own kind or a higher one (NEP 50). [ResultType]
// considers any number of arrays and weak scalars; its result does not depend on their order.
//
// NumPy has no bfloat16. Here it is a second 16-bit float beside float16. With float16 it gives float32 (neither holds
// the other's values). With bool, int8 and uint8 it stays bfloat16 (its 8 significant bits hold them), with 16-bit
// integers it gives float32, with wider ones float64.
//
// # Conversion
//
// [Convert] converts runs of elements between any two types by these rules:
//
//   - to a 16-bit float: rounded once to nearest, ties to even, from every source;
//   - float to integer: the fraction is dropped, values out of range saturate, NaN becomes 0, on every platform;
//   - integer to integer: wraps around (two's complement);
//   - complex to real: the imaginary part is dropped;
//   - to bool: whether the value differs from zero (NaN does; a complex number does if either part does);
//   - from bool: 0 or 1;
//   - to the same type: the bits are copied, NaN payloads included.
package dtype
