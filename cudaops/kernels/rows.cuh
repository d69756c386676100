// Rows. A team of threads processes each row: some lanes of a warp if rows are short, a block if they are long. The
// size of a team, and with it the order of its sums, depends only on the length of the rows.
#pragma once
#include "indices.cuh"

// Row is a row of an operand: its first element, and the distance between elements in bytes.
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
	return {o.data + loop.offset(k, i, 0, last) * o.size, o.type, o.strides[last] * o.size};
}

// Team is the threads of a row. All of them, also those without a row, must take part in joint operations.
struct Team {
	int lane, size;
	double* shared; // of a block: room for one number per warp
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

// FOR_ROWS walks each team of lanes threads through its share of the rows. The last teams of a warp may be beyond the
// end: they have no elements.
#define FOR_ROWS(row, rows, lanes, team)                                                                              \
	__shared__ double team##_shared[8];                                                                               \
	const Team team = {(int)(threadIdx.x % (u32)(lanes)), (int)(lanes), team##_shared};                               \
	const i64 row##_teams = blockDim.x / (u32)(lanes);                                                                \
	i64 row = blockIdx.x * row##_teams + threadIdx.x / (u32)(lanes);                                                  \
	for (i64 row##_first = blockIdx.x * row##_teams; row##_first < (rows); row##_first += gridDim.x * row##_teams, row += gridDim.x * row##_teams)

// A team processes a row in parts, of which each thread holds a few elements in registers: number i of thread lane is
// element from + lane + i·size of the row. A row that is a single part is read once.
enum { held = 8 };
#define FOR_PARTS(from, end, team) for (i64 from = 0; from < (end); from += held * (team).size)
#define FOR_HELD(i) _Pragma("unroll") for (int i = 0; i < held; i++)

template <class T> struct Part;
template <class T> DEVICE_LARGE Part<T> read_converted(const char* p, i64 type, i64 step, int left, int size, T beyond);
template <class T> DEVICE_LARGE void write_converted(Part<T> part, char* p, i64 type, i64 step, int left, int size);

template <class T> struct Part {
	T v[held];
	// read fills the elements beyond the end with a number.
	__device__ void read(const Row& row, i64 from, i64 end, const Team& team, T beyond) {
		const char* p = row.data + (from + team.lane) * row.step;
		const i64 step = team.size * row.step;
		const int left = elements_left(from, end, team);
		if (row.type == Native<T>::type) {
			FOR_HELD(i) v[i] = i * team.size < left ? *(const T*)(p + i * step) : beyond;
		} else {
			*this = read_converted<T>(p, row.type, step, left, team.size, beyond);
		}
	}
	__device__ void write(const Row& row, i64 from, i64 end, const Team& team) const {
		char* p = row.data + (from + team.lane) * row.step;
		const i64 step = team.size * row.step;
		const int left = elements_left(from, end, team);
		if (row.type == Native<T>::type) {
			FOR_HELD(i) if (i * team.size < left) *(T*)(p + i * step) = v[i];
		} else {
			write_converted(*this, p, row.type, step, left, team.size);
		}
	}
	// elements_left returns how many elements there are from this thread's first on, clamped to what matters.
	static __device__ int elements_left(i64 from, i64 end, const Team& team) {
		const i64 left = end - from < held * 256 ? end - from : held * 256;
		return (int)left - team.lane;
	}
};

// read_converted and write_converted are for elements of another type. They are not inlined, because otherwise they
// would be most of a kernel. 16-bit elements are all read before they are converted, so that no load waits for a
// conversion.
template <class T> DEVICE_LARGE Part<T> read_converted(const char* p, i64 type, i64 step, int left, int size, T beyond) {
	Part<T> part;
	if (sizeof(T) == 4 && (type == Float16 || type == BFloat16)) {
		unsigned short bits[held];
		FOR_HELD(i) bits[i] = i * size < left ? *(const unsigned short*)(p + i * step) : 0;
		FOR_HELD(i) part.v[i] = i * size >= left ? beyond : (T)(type == Float16 ? half_to_float(bits[i]) : brain_to_float(bits[i]));
	} else {
		FOR_HELD(i) part.v[i] = i * size < left ? load_converted<T>(p + i * step, type, Native<T>::type) : beyond;
	}
	return part;
}
template <class T> DEVICE_LARGE void write_converted(Part<T> part, char* p, i64 type, i64 step, int left, int size) {
	FOR_HELD(i) if (i * size < left) store_converted<T>(p + i * step, type, part.v[i]);
}

// exponential is the elementary function's text, which is short only for float32.
DEVICE float exponential(float x) { return elementary::Exp(x); }
DEVICE_LARGE double exponential(double x) { return elementary::Exp(x); }

// Shifted holds the largest number of a row, and the sum of the exponentials of the differences to it. The sum is at
// least 1 if the row has numbers.
template <class T> struct Shifted {
	T largest, inverse, logarithm;
	__device__ void exponentials(Part<T>& part) const { FOR_HELD(i) part.v[i] = exponential(part.v[i] - largest); }
};

// shifted processes a row of n numbers. read(from) fills a part, with -Inf beyond the end. On request the exponentials
// stay in the part.
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
