// Products: sums over k of A(i, k)·B(k, j), for matrices and for convolutions. The address of an element is the sum of
// a part for i, a part for j and a part for k. In a convolution the elements of A are in a window; where the window
// reaches beyond the operand they are 0.
#pragma once
#include "opcodes.cuh"

// Sum<T> carries sums of products of class T. Bools are combined with or and and, integers wrap, complex numbers are
// carried in complex128. Sums of float32 have parts: a number of consecutive products is added up first, then the
// parts.
enum { part_of_a_sum = 256 };
template <class T> struct Sum {
	typedef T Number;
	enum { in_parts = false, special = false };
	static __device__ T zero() { return (T)0; }
	static __device__ void add(T& sum, T a, T b) { sum = plus(sum, times(a, b)); }
	static __device__ T plus_one(T sum, T a) { return plus(sum, a); }
	static __device__ bool finite(T) { return true; }
};
template <> struct Sum<float> {
	typedef float Number;
	enum { in_parts = true, special = true };
	static __device__ float zero() { return 0; }
	static __device__ void add(float& sum, float a, float b) { sum = fmaf(a, b, sum); }
	static __device__ float plus_one(float sum, float a) { return sum + a; }
	static __device__ bool finite(float a) { return a - a == 0; }
};
template <> struct Sum<double> {
	typedef double Number;
	enum { in_parts = false, special = true };
	static __device__ double zero() { return 0; }
	static __device__ void add(double& sum, double a, double b) { sum = fma(a, b, sum); }
	static __device__ double plus_one(double sum, double a) { return sum + a; }
	static __device__ bool finite(double a) { return a - a == 0; }
};
template <> struct Sum<bool> {
	typedef bool Number;
	enum { in_parts = false, special = false };
	static __device__ bool zero() { return false; }
	static __device__ void add(bool& sum, bool a, bool b) { sum = sum || (a && b); }
	static __device__ bool plus_one(bool sum, bool a) { return sum || a; }
	static __device__ bool finite(bool) { return true; }
};
template <class F> struct Sum<Complex<F>> {
	typedef c128 Number;
	enum { in_parts = false, special = true };
	static __device__ c128 zero() { return {0, 0}; }
	static __device__ void add(c128& sum, c128 a, c128 b) { sum = sum + scalar::CMul(a, b); }
	static __device__ c128 plus_one(c128 sum, c128 a) { return sum + a; }
	static __device__ bool finite(c128 a) { return a.re - a.re == 0 && a.im - a.im == 0; }
};

// A sort says how elements are read: unchanged, from 16 bits, or converted from any type.
enum { Plain, Half, Brain, Any };

// factor reads an element of A or B that the kernel does not write.
template <class W> DEVICE W factor(const W* at) { return *at; }
template <> DEVICE_SPECIAL float factor<float>(const float* at) { return __ldg(at); }
template <> DEVICE_SPECIAL double factor<double>(const double* at) { return __ldg(at); }

// widened converts a 16-bit element, which lies in the lower half of bits, to a number.
template <class W> DEVICE W widened(W bits, int) { return bits; }
template <> DEVICE_SPECIAL float widened<float>(float bits, int sort) {
	if (sort == Half) return half_to_float((unsigned short)bits_of(bits));
	return sort == Brain ? brain_to_float((unsigned short)bits_of(bits)) : bits;
}
template <class W> DEVICE W sixteen_bits(const char*) { return W(); }
template <> DEVICE_SPECIAL float sixteen_bits<float>(const char* at) { return float_of((u32)__ldg((const unsigned short*)at)); }

// Factor is an operand, with its strides in elements along the axes of the batch, of i, j and k.
template <int R> struct Factor {
	char* data;
	i64 type, size, sort;
	i64 batch[R], i[4], j, k[4];
	// read reads an element as a number of type to. If all is false, the sort is not Any.
	template <class W, bool all> __device__ W read(const char* at, i64 to) const {
		if (sort == Plain) return *(const W*)at;
		if (!all || sort != Any) return widened(sixteen_bits<W>(at), (int)sort);
		return load_converted<W>(at, type, to);
	}
};

// Along the axes of a window, positions belong to i and taps to k, or vice versa in the gradient of a weight. A phase
// consists of the positions that share the same taps. There is one phase, except in the gradient of an input, which has
// one for each position within a stride.
struct Phase {
	i64 positions, taps; // how many
	i64 start;        // the coordinate of the first position and tap in the operand A
	i64 a, b, c;      // elements from an operand's first one to that of the first position and tap
};

enum { most_phases = 16 };

template <int R> struct ProductParams {
	i64 axes, batches;     // axes of the batch, and its size
	i64 outer_i, outer_k;  // i counts these and then positions, k these and then taps
	i64 rows, columns;     // of the largest phase, and of all
	i64 slices, slice;     // into which k is split, and how many k each has
	char* partial;         // sums of slices
	i64 summed_as;         // the type that factors are converted to: integers are as wide as C's
	i64 added;             // whether there is a D
	i64 omits;             // whether missing elements of A make no product, not even with an infinity
	i64 along_i[3];        // whether neighbours along i are closer together than those along k, or j: of A; of B, along j; of C
	i64 phases, counts[3], first[3]; // of all axes, of each, and where those of each begin
	i64 step_i[3], step_k[3], limit[3]; // steps of the coordinates, which are less than limit
	Phase phase[most_phases];
	i64 shape[R];
	Factor<R> a, b, c, d;
};

// Section is the work for one index of the batch and one phase of each axis.
struct Section {
	i64 rows, depth;    // how many i and k
	i64 positions[3], taps[3], start[3];
	i64 a, b, c, d;     // bytes from the operands' first elements
	i64 number;         // index in the batch
};

// find_section computes the section with a number.
template <int R> DEVICE void find_section(const ProductParams<R>& p, i64 number, Section& s) {
	i64 batch = p.phases == 1 ? number : divide(number, p.phases), phase = number - batch * p.phases;
	s.number = batch;
	s.rows = p.outer_i;
	s.depth = p.outer_k;
	i64 a = 0, b = 0, c = 0, d = 0;
	for (int axis = 2; axis >= 0; axis--) {
		i64 rest = p.counts[axis] == 1 ? phase : divide(phase, p.counts[axis]);
		const Phase& f = p.phase[p.first[axis] + phase - rest * p.counts[axis]];
		phase = rest;
		s.rows *= s.positions[axis] = f.positions;
		s.depth *= s.taps[axis] = f.taps;
		s.start[axis] = f.start;
		a += f.a;
		b += f.b;
		c += f.c;
	}
	for (int axis = (int)p.axes - 1; axis >= 0; axis--) {
		i64 rest = divide(batch, p.shape[axis]), index = batch - rest * p.shape[axis];
		batch = rest;
		a += index * p.a.batch[axis];
		b += index * p.b.batch[axis];
		c += index * p.c.batch[axis];
		d += index * p.d.batch[axis];
	}
	s.a = a * p.a.size;
	s.b = b * p.b.size;
	s.c = c * p.c.size;
	s.d = d * p.d.size;
}

// split splits i or k into the index outside of the window, and the positions or taps along its axes.
DEVICE void split(i64 number, const i64* sizes, i64* index) {
	for (int axis = 2; axis >= 0; axis--) {
		i64 rest = sizes[axis] == 1 ? number : divide(number, sizes[axis]);
		index[1 + axis] = number - rest * sizes[axis];
		number = rest;
	}
	index[0] = number;
}
DEVICE i64 along(const i64* index, const i64* strides) {
	return index[0] * strides[0] + index[1] * strides[1] + index[2] * strides[2] + index[3] * strides[3];
}

// put stores a sum in an element of C. If all is false, the numbers of C's type have class T.
template <class T, bool all, class W> DEVICE void put(char* at, i64 type, W sum) {
	if (type == Native<T>::type && type != Bool) *(T*)at = convert<T>(sum, type);
	else if (Native<T>::type == Float32 && type == Float16) *(unsigned short*)at = float_to_half((float)real_part(sum));
	else if (Native<T>::type == Float32 && type == BFloat16) *(unsigned short*)at = float_to_brain((float)real_part(sum));
	else if (all) store_converted<T>(at, type, convert<T>(sum, compute_type(type)));
}

// put_sum adds D, and stores an element of C.
template <class T, class W, int R> DEVICE void put_sum(const ProductParams<R>& p, const Section& s, const i64* index, i64 j, W sum) {
	if (p.added) sum = Sum<T>::plus_one(sum, p.d.template read<W, true>(p.d.data + s.d + (along(index, p.d.i) + j * p.d.j) * p.d.size, p.summed_as));
	put<T, true>(p.c.data + s.c + (along(index, p.c.i) + j * p.c.j) * p.c.size, p.c.type, sum);
}
