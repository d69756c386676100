// Walks: loops of fewer than 2^31 points. Point numbers are divided by multiplication, and strides are in bytes. The
// host splits longer loops.
#pragma once
#include "divisor.cuh"

// Walk is such a loop with N operands. Its axes are listed from the innermost one outwards.
template <int R, int N> struct Walk {
	i64 rank, count;
	Divisor axes[R];
	char* data[N];
	i64 strides[N][R];
	// offsets sets at[k] to the distance in bytes from the first element to the element of point i, for the first n
	// operands.
	template <int n> __device__ void offsets(u32 i, i64 (&at)[n]) const {
#pragma unroll
		for (int k = 0; k < n; k++) at[k] = 0;
#pragma unroll(R <= 8 ? R : 1)
		for (int axis = 0; axis < R; axis++) {
			if (axis >= rank) break;
			u32 rest = axis + 1 < rank ? axes[axis].quotient(i) : 0, index = i - rest * axes[axis].value;
			i = rest;
#pragma unroll
			for (int k = 0; k < n; k++) at[k] += index * strides[k][axis];
		}
	}
	// offset returns the distance for operand k only.
	__device__ i64 offset(int k, u32 i) const {
		i64 at = 0;
		for (int axis = 0; axis < rank; axis++) {
			u32 rest = axis + 1 < rank ? axes[axis].quotient(i) : 0;
			at += (i - rest * axes[axis].value) * strides[k][axis];
			i = rest;
		}
		return at;
	}
};

// Each thread of a block of 256 processes up to `each` points of a walk at a time, 256 apart, so that several loads are
// in flight. FOR_GROUPS walks it through the first points of these groups.
#define FOR_GROUPS(first, count, each) \
	for (u32 first = blockIdx.x * 256 * (u32)(each) + threadIdx.x, first##_step = gridDim.x * 256 * (u32)(each); first < (u32)(count); first += first##_step)

enum { most_each = 4 };

// Pair64 is an element of 16 bytes, or 16 bytes of smaller elements.
struct __align__(16) Pair64 {
	u64 low, high;
};

// move_bits copies an element.
DEVICE void move_bits(char* to, const char* from, i64 size) {
	switch (size) {
	case 1: *to = *from; return;
	case 2: *(unsigned short*)to = *(const unsigned short*)from; return;
	case 4: *(u32*)to = *(const u32*)from; return;
	case 8: *(u64*)to = *(const u64*)from; return;
	}
	*(Pair64*)to = *(const Pair64*)from;
}
