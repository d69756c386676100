// Divisions by multiplication.
#pragma once
#include "ndgrad.cuh"

// Divisor divides numbers below 2^31, with the numbers of cudaops/divisor.go. Its magic is ⌊2^32·(2^shift - value) /
// value⌋ + 1, for the smallest 2^shift that is not below value.
struct Divisor {
	u32 value, magic;
	i64 shift;
	__device__ u32 quotient(u32 i) const { return (__umulhi(i, magic) + i) >> (u32)shift; }
};
