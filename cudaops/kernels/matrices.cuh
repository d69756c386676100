// Code shared by the kernels on batches of matrices. They compute in T, double or c128, and round once, when they
// store. A block processes one matrix at a time, which it keeps in its part of the scratch memory, in row-major order.
#pragma once
#include "ndgrad.cuh"

// KERNEL_OF_MATRICES is KERNEL_OF for numbers of the classes d and z.
#define KERNEL_OF_MATRICES(name)                                            \
	template <class T, int R> DEVICE void name(const MatricesParams<R>& p); \
	ENTRY_OF(name, d, double, MatricesParams)                               \
	ENTRY_OF(name, z, c128, MatricesParams)                                 \
	template <class T, int R> DEVICE void name(const MatricesParams<R>& p)

template <int R> struct MatricesParams {
	Loop<R, 4> loop; // over the batch, rows and columns
	i64 batch;       // number of matrices
	i64 flags;       // of the kernel
	char* scratch;
	i64 room; // bytes of the scratch memory for each block
	u64* info; // set to 1 if a factorisation does not exist

	__device__ i64 rows() const { return loop.shape[loop.rank - 2]; }
	__device__ i64 columns() const { return loop.shape[loop.rank - 1]; }
	__device__ char* own() const { return scratch + blockIdx.x * room; }
};

enum : i64 { FullBases = 1, UpperTriangle = 2, TransposedTriangle = 4, UnitTriangle = 8 };

// FOR_MATRICES walks each block through its share of the batch.
#define FOR_MATRICES(b, batch) for (i64 b = blockIdx.x; b < (batch); b += gridDim.x)

// FOR_THREADS walks the threads of a block through the numbers from one up to, but not including, another.
#define FOR_THREADS(i, from, end) for (i64 i = (from) + threadIdx.x; i < (end); i += blockDim.x)

// FOR_ENTRIES walks them through a part of a matrix, 32 threads along a row.
#define FOR_ENTRIES(i, top, bottom, j, from, end)                                    \
	for (i64 i = (top) + threadIdx.x / 32; i < (bottom); i += blockDim.x / 32)       \
		for (i64 j = (from) + threadIdx.x % 32; j < (end); j += 32)

DEVICE i64 smaller(i64 a, i64 b) { return a < b ? a : b; }
DEVICE i64 larger(i64 a, i64 b) { return a < b ? b : a; }

// Numbers.

DEVICE c128 operator+(c128 a, c128 b) { return {a.re + b.re, a.im + b.im}; }
DEVICE c128 operator-(c128 a, c128 b) { return {a.re - b.re, a.im - b.im}; }
DEVICE c128 operator*(c128 a, c128 b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
DEVICE c128 operator*(double a, c128 b) { return {a * b.re, a * b.im}; }
DEVICE c128 operator/(c128 a, double b) { return {a.re / b, a.im / b}; }

template <class T> DEVICE T entry_of(double x) { return convert<T>(x, Float64); }
DEVICE double imaginary_part(double) { return 0; }
DEVICE double imaginary_part(c128 z) { return z.im; }
DEVICE double conjugate(double x) { return x; }
DEVICE c128 conjugate(c128 z) { return {z.re, -z.im}; }
DEVICE bool is_zero(double x) { return x == 0; }
DEVICE bool is_zero(c128 z) { return z.re == 0 && z.im == 0; }
DEVICE double magnitude(double x) { return fabs(x); }
DEVICE double magnitude(c128 z) { return hypot(z.re, z.im); }
DEVICE double square(double x) { return x * x; }
DEVICE double square(c128 z) { return z.re * z.re + z.im * z.im; }
DEVICE bool is_finite(double x) { return fabs(x) <= 0x1.fffffffffffffp1023; }

// phase is x/|x|: the sign of a float; 1 for zero.
DEVICE double phase(double x) { return copysign(1.0, x); }
DEVICE c128 phase(c128 z) {
	if (z.im == 0) return {copysign(1.0, z.re), 0};
	return z / magnitude(z);
}

DEVICE double quotient(double a, double b) { return a / b; }

DEVICE double infinity() { return double_of(0x7ff0000000000000ull); }
DEVICE bool is_infinite(double x) { return fabs(x) == infinity(); }

// one_for_infinity is 1 for infinities and 0 for other numbers, with their signs.
DEVICE double one_for_infinity(double x) { return copysign(is_infinite(x) ? 1.0 : 0.0, x); }

// The quotient of complex numbers divides by the larger part of the divisor first, so that intermediate results do not
// overflow. If that gives NaN, zeros and infinities follow annex G of C.
DEVICE c128 quotient(c128 a, c128 b) {
	c128 y;
	if (fabs(b.re) >= fabs(b.im)) {
		double ratio = b.im / b.re, divisor = b.re + ratio * b.im;
		y = {(a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor};
	} else {
		double ratio = b.re / b.im, divisor = b.im + ratio * b.re;
		y = {(a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor};
	}
	if (y.re == y.re && y.im == y.im) return y;
	if (is_zero(b) && (a.re == a.re || a.im == a.im)) return {copysign(infinity(), b.re) * a.re, copysign(infinity(), b.re) * a.im};
	if ((is_infinite(a.re) || is_infinite(a.im)) && is_finite(b.re) && is_finite(b.im)) {
		double re = one_for_infinity(a.re), im = one_for_infinity(a.im);
		return {infinity() * (re * b.re + im * b.im), infinity() * (im * b.re - re * b.im)};
	}
	if ((is_infinite(b.re) || is_infinite(b.im)) && is_finite(a.re) && is_finite(a.im)) {
		double re = one_for_infinity(b.re), im = one_for_infinity(b.im);
		return {0 * (a.re * re + a.im * im), 0 * (a.im * re - a.re * im)};
	}
	return y;
}

// key_of has the order of numbers that are not negative; NaN comes last.
DEVICE u64 key_of(double x) { return x != x ? ~(u64)0 : bits_of(fabs(x)); }

// extent is the key of the larger part of a number.
DEVICE u64 extent(double x) { return key_of(x); }
DEVICE u64 extent(c128 z) {
	u64 re = key_of(z.re), im = key_of(z.im);
	return re < im ? im : re;
}

const u64 finite_keys = 0x7ff0000000000000ull; // the smallest key that is not finite

// scale_of returns a power of two near the number of a key. Numbers divided by it neither overflow nor vanish when they
// are squared.
DEVICE double scale_of(u64 key) {
	if (key == 0) return 1;
	i64 exponent = (i64)(key >> 52) - 1022;
	exponent = larger(-1000, smaller(exponent, 1000));
	return double_of((u64)(exponent + 1023) << 52);
}

// Results of all threads. The first bytes of the shared memory are for totals, followed by partial results.
const int totals = 16, totals_bytes = 512;

struct Sum {
	template <class V> static __device__ V of(V a, V b) { return a + b; }
};
struct Largest {
	template <class V> static __device__ V of(V a, V b) { return a < b ? b : a; }
};

// Candidate is an index with a key. First prefers larger keys, and at ties the first index.
struct Candidate {
	u64 key;
	i64 index;
};
struct First {
	static __device__ Candidate of(Candidate a, Candidate b) {
		return a.key > b.key || (a.key == b.key && a.index <= b.index) ? a : b;
	}
};

// total combines the values of a block's threads, in an order that depends on their number only. All threads receive
// the result.
template <class F, class V> DEVICE V total(V mine, char* shared) {
	V *sums = (V*)shared, *partial = (V*)(shared + totals_bytes);
	partial[threadIdx.x] = mine;
	__syncthreads();
	if (threadIdx.x < totals) {
		for (u32 k = threadIdx.x + totals; k < blockDim.x; k += totals) mine = F::of(mine, partial[k]);
		sums[threadIdx.x] = mine;
	}
	__syncthreads();
	V all = sums[0];
	for (int k = 1; k < totals; k++) all = F::of(all, sums[k]);
	return all;
}

// Matrices.

// entry_at returns the offset of entry (i, j) of the matrix whose first entry has offset at.
template <int R> DEVICE i64 entry_at(const Operand<R>& x, i64 rank, i64 at, i64 i, i64 j) {
	return at + i * x.strides[rank - 2] + j * x.strides[rank - 1];
}

template <class T, int R> DEVICE T load_entry(const Operand<R>& x, i64 rank, i64 at, i64 i, i64 j) {
	return x.template load<T>(entry_at(x, rank, at, i, j), sizeof(T) == 16 ? Complex128 : Float64);
}

template <class T, int R> DEVICE void store_entry(const Operand<R>& x, i64 rank, i64 at, i64 i, i64 j, T v) {
	x.store(entry_at(x, rank, at, i, j), v);
}

template <class T, int R> DEVICE void load_matrix(T* a, i64 rows, i64 columns, const Operand<R>& x, i64 rank, i64 at) {
	FOR_ENTRIES(i, 0, rows, j, 0, columns) a[i * columns + j] = load_entry<T>(x, rank, at, i, j);
}

template <class T, int R> DEVICE void store_matrix(const T* a, i64 rows, i64 columns, const Operand<R>& x, i64 rank, i64 at) {
	FOR_ENTRIES(i, 0, rows, j, 0, columns) store_entry(x, rank, at, i, j, a[i * columns + j]);
}

// largest_extent returns the key of the largest part of a number.
template <class T> DEVICE u64 largest_extent(const T* a, i64 count, char* shared) {
	u64 mine = 0;
	FOR_THREADS(i, 0, count) mine = Largest::of(mine, extent(a[i]));
	return total<Largest>(mine, shared);
}

// refuse records that the factorisation does not exist.
DEVICE void refuse(u64* info) {
	if (threadIdx.x == 0) atomicMax(info, (u64)1);
}
