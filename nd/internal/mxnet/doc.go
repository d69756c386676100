// Package mxnet reads and writes MXNet's .params files: lists of arrays, with or without names. It knows no arrays of
// this library: it reads elements into memory that the caller supplies.
//
// A file is little-endian: the number 0x112, a reserved number, the number of arrays, the arrays, the number of names
// (0 or that of the arrays), the names. All of these numbers have 64 bits. An array begins with a number that tells the
// version of its layout:
//
//	version 0   the number is the rank; 32-bit lengths, device, dtype, data
//	version 1   rank, 64-bit lengths, device, dtype, data
//	version 2   storage, [shape of the storage], rank, 64-bit lengths, device, dtype, [dtypes and shapes of the indices],
//	            data, [indices]
//	version 3   as version 2, with shapes as NumPy has them: rank 0 is a 0-d array, and lengths may be 0
//
// Before version 3, an array of rank 0 is one that was never given values, and ends with its shape.
package mxnet
