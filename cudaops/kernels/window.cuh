// Windows that slide over the axes of an input.
#pragma once
#include "ndgrad.cuh"

// Window is device.Window: the input's sizes, and how a window moves over it.
struct Window {
	i64 rank, size[3], stride[3], dilation[3], before[3];
	// place is where point k of the window at o lies along an axis; inside tells whether there is such a place.
	__device__ i64 place(int axis, i64 o, i64 k) const { return o * stride[axis] + k * dilation[axis] - before[axis]; }
	__device__ bool inside(int axis, i64 at) const { return 0 <= at && at < size[axis]; }
};

// unravel splits a number into an index of some axes.
DEVICE void unravel(i64 i, const i64* shape, int axes, i64* index) {
	for (int axis = axes - 1; axis >= 0; axis--) {
		i64 rest = divide(i, shape[axis]);
		index[axis] = i - rest * shape[axis];
		i = rest;
	}
}
DEVICE i64 product(const i64* shape, int axes) {
	i64 n = 1;
	for (int axis = 0; axis < axes; axis++) n *= shape[axis];
	return n;
}
