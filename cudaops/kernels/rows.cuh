// Rows, each of which a team of threads goes along: some lanes of a warp where rows are short, a block where they are long. How many
// threads a team has depends on the length of the rows alone, and so does the order in which it adds up.
#pragma once
#include "indices.cuh"

// Row is a row of an operand: its first element, and the bytes from one to the next.
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

// load_real and store_real read and write an element; they know the common types without a call.
template <class T> DEVICE T load_real(const char* p, i64 type) {
	if (type == Native<T>::type) return *(const T*)p;
	if (sizeof(T) == 4 && type == Float16) return (T)half_to_float(*(const unsigned short*)p);
	if (sizeof(T) == 4 && type == BFloat16) return (T)brain_to_float(*(const unsigned short*)p);
	return load_converted<T>(p, type, Native<T>::type);
}
template <class T> DEVICE void store_real(char* p, i64 type, T v) {
	if (type == Native<T>::type) *(T*)p = v;
	else if (sizeof(T) == 4 && type == Float16) *(unsigned short*)p = float_to_half((float)v);
	else if (sizeof(T) == 4 && type == BFloat16) *(unsigned short*)p = float_to_brain((float)v);
	else store_converted<T>(p, type, v);
}

// Team is the threads of a row. All of them take part in what is joined, those of a row that is not there, too.
struct Team {
	int lane, size;
	double* shared; // of a block: room for a number of each warp
	template <class T, class Join> __device__ T joined(T v, Join join) const {
		for (int half = (size < 32 ? size : 32) / 2; half > 0; half /= 2) v = join(v, __shfl_xor_sync(~0u, v, half));
		if (size <= 32) return v;
		T* all = (T*)shared;
		if (lane % 32 == 0) all[lane / 32] = v;
		__syncthreads();
		v = all[0];
		for (int warp = 1; warp < size / 32; warp++) v = join(v, all[warp]);
		__syncthreads();
		return v;
	}
	template <class T> __device__ T sum(T v) const {
		return joined(v, [](T a, T b) { return a + b; });
	}
	template <class T> __device__ T max(T v) const {
		return joined(v, [](T a, T b) { return scalar::Max<T>(a, b); });
	}
};

// FOR_ROWS has each team of lanes threads go through its part of the rows. The last rows of a warp's teams may be beyond the end:
// they have no elements.
#define FOR_ROWS(row, rows, lanes, team)                                                                              \
	__shared__ double team##_shared[8];                                                                               \
	const Team team = {(int)(threadIdx.x % (u32)(lanes)), (int)(lanes), team##_shared};                               \
	const i64 row##_teams = blockDim.x / (u32)(lanes);                                                                \
	i64 row = blockIdx.x * row##_teams + threadIdx.x / (u32)(lanes);                                                  \
	for (i64 row##_first = blockIdx.x * row##_teams; row##_first < (rows); row##_first += gridDim.x * row##_teams, row += gridDim.x * row##_teams)

// A team goes along a row by parts, of which each thread holds a few elements in registers: number i of thread lane is element
// from + lane + i·size of the row. A row of one part is read once.
enum { held = 8 };
#define FOR_PARTS(from, end, team) for (i64 from = 0; from < (end); from += held * (team).size)
#define FOR_HELD(i) _Pragma("unroll") for (int i = 0; i < held; i++)

template <class T> struct Part {
	T v[held];
	// read fills up with a number what is beyond the end.
	__device__ void read(const Row& row, i64 from, i64 end, const Team& team, T beyond) {
		switch (row.type) {
		case Native<T>::type: return gather<Native<T>::type>(row, from, end, team, beyond);
		case Float16:
			if (sizeof(T) == 4) return gather<Float16>(row, from, end, team, beyond);
			break;
		case BFloat16:
			if (sizeof(T) == 4) return gather<BFloat16>(row, from, end, team, beyond);
		}
		for (int i = 0; i < held; i++) {
			i64 k = from + team.lane + i * team.size;
			v[i] = k < end ? load_converted<T>(row.data + k * row.step, row.type, Native<T>::type) : beyond;
		}
	}
	template <i64 type> __device__ void gather(const Row& row, i64 from, i64 end, const Team& team, T beyond) {
		const char* p = row.data + (from + team.lane) * row.step;
		const int left = (int)(end - from < held * 256 ? end - from : held * 256);
		FOR_HELD(i) v[i] = team.lane + i * team.size < left ? load_now<T>(p + i * (team.size * row.step), type, Native<T>::type) : beyond;
	}
	__device__ void write(const Row& row, i64 from, i64 end, const Team& team) const {
		char* p = row.data + (from + team.lane) * row.step;
		const int left = (int)(end - from < held * 256 ? end - from : held * 256);
		FOR_HELD(i) {
			if (team.lane + i * team.size < left) store_real<T>(p + i * (team.size * row.step), row.type, v[i]);
		}
	}
};

// exponential is the function's text, which is short for float32 alone.
DEVICE float exponential(float x) { return elementary::Exp(x); }
DEVICE_LARGE double exponential(double x) { return elementary::Exp(x); }

// Shifted has the largest number of a row, and what becomes of the sum of the exponentials of the distances to it, which is at least 1 where
// there are numbers.
template <class T> struct Shifted {
	T largest, inverse, logarithm;
	__device__ void exponentials(Part<T>& part) const { FOR_HELD(i) part.v[i] = exponential(part.v[i] - largest); }
};

// shifted goes through a row of n numbers: read(from) leaves those of a part in it, and -Inf beyond the end. If so asked it leaves the
// exponentials in the part.
template <class T, class Read> DEVICE Shifted<T> shifted(Part<T>& part, i64 n, const Team& team, Read read, bool exponentials) {
	const bool whole = n <= held * team.size;
	T largest = (T)math_inf(-1);
	FOR_PARTS(from, n, team) {
		read(from);
		FOR_HELD(i) largest = scalar::Max<T>(largest, part.v[i]);
	}
	largest = team.max(largest);
	Wide<T> sum = 0;
	FOR_PARTS(from, n, team) {
		if (!whole) read(from);
		FOR_HELD(i) {
			const T e = exponential(part.v[i] - largest);
			sum += (Wide<T>)e;
			if (exponentials) part.v[i] = e;
		}
	}
	sum = team.sum(sum);
	return {largest, (T)(1 / sum), elementary::Log((T)sum)};
}
