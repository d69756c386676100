// Sums over the threads of a block.
#pragma once
#include "ndgrad.cuh"

// before_in_block is the sum of the numbers of the threads before this one. sums has room for one number per warp. All
// threads of the block must call it.
template <class T> DEVICE T before_in_block(T v, T* sums) {
	const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	T sum = v;
#pragma unroll
	for (int w = 1; w < 32; w *= 2) {
		T other = __shfl_up_sync(~0u, sum, w);
		if (lane >= w) sum += other;
	}
	if (lane == 31) sums[warp] = sum;
	__syncthreads();
	T before = 0;
	for (int w = 0; w < warp; w++) before += sums[w];
	__syncthreads();
	return before + sum - v;
}
