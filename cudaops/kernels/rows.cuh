// Rows, each of which a team of threads goes along: one thread where they are short, a block where they are long.
#pragma once
#include "indices.cuh"

struct Team {
	i64 lane, size;
	double* shared; // room for a number of each thread
	__device__ double sum(double v) const {
		if (size == 1) return v;
		shared[lane] = v;
		__syncthreads();
		for (i64 half = size / 2; half > 0; half /= 2) {
			if (lane < half) shared[lane] += shared[lane + half];
			__syncthreads();
		}
		v = shared[0];
		__syncthreads();
		return v;
	}
	__device__ double max(double v) const {
		if (size == 1) return v;
		shared[lane] = v;
		__syncthreads();
		for (i64 half = size / 2; half > 0; half /= 2) {
			if (lane < half) shared[lane] = scalar::Max<double>(shared[lane], shared[lane + half]);
			__syncthreads();
		}
		v = shared[0];
		__syncthreads();
		return v;
	}
};

// FOR_ROWS has each team go through its part of the rows; blocks tells whether teams are blocks.
#define FOR_ROWS(row, count, blocks, team)                                                                     \
	__shared__ double team##_shared[256];                                                                     \
	Team team = {blocks ? (i64)threadIdx.x : 0, blocks ? (i64)blockDim.x : 1, team##_shared};                  \
	for (i64 row = blocks ? (i64)blockIdx.x : blockIdx.x * (i64)blockDim.x + threadIdx.x,                      \
		 row##_step = blocks ? (i64)gridDim.x : gridDim.x * (i64)blockDim.x;                                   \
		 row < (count); row += row##_step)

// Row is a row of an operand: its first element, and the step to the next.
struct Row {
	char* data;
	i64 type, step;
	__device__ double operator[](i64 k) const { return load<double>(data + k * step, type, Float64); }
	__device__ void set(i64 k, double v) const { store<double>(data + k * step, type, v); }
};

// row_of is row number i of operand k, along the last axis.
template <int R, int N> DEVICE Row row_of(const Loop<R, N>& loop, int k, i64 i) {
	int last = (int)loop.rank - 1;
	const Operand<R>& o = loop.at[k];
	return {o.data + loop.place(k, i, 0, last) * o.size, o.type, o.strides[last] * o.size};
}

// Shifted has the largest of a row, and the sum of the exponentials of the distances to it.
struct Shifted {
	double largest, sum;
	__device__ double softmax(double x) const { return scalar::Exp(x - largest) / sum; }
	__device__ double log(double x) const { return x - largest - scalar::Log(sum); }
};
template <class X> DEVICE Shifted shifted(const X& x, i64 n, const Team& team) {
	double largest = math_inf(-1), sum = 0;
	for (i64 k = team.lane; k < n; k += team.size) largest = scalar::Max<double>(largest, x[k]);
	largest = team.max(largest);
	for (i64 k = team.lane; k < n; k += team.size) sum += scalar::Exp(x[k] - largest);
	return {largest, team.sum(sum)};
}
