// The basis of programs that cudaops prints as CUDA C++.
#pragma once
#include "divisor.cuh"
#include "machine.cuh"
#include "reduce.cuh"

// Word<n> has n bytes.
template <int bytes> struct Word;
template <> struct Word<1> { typedef unsigned char type; };
template <> struct Word<2> { typedef unsigned short type; };
template <> struct Word<4> { typedef u32 type; };
template <> struct Word<8> { typedef u64 type; };
struct alignas(16) FourWords {
	u32 at[4];
};
template <> struct Word<16> { typedef FourWords type; };

// Elements are N contiguous elements. They are read and written in words: several elements in the largest words that
// fit, a single one in words of unit bytes, because its address may not be a multiple of more.
template <int size, int N, int unit> struct Elements {
	static constexpr int bytes = size * N, word = N == 1 ? unit : bytes < 16 ? bytes : 16;
	typedef typename Word<word>::type W;
	alignas(16) char data[bytes];
	__device__ char* at(int j) { return data + j * size; }
	__device__ void read(const char* p) {
#pragma unroll
		for (int k = 0; k < bytes / word; k++) ((W*)data)[k] = ((const W*)p)[k];
	}
	__device__ void write(char* p) const {
#pragma unroll
		for (int k = 0; k < bytes / word; k++) ((W*)p)[k] = ((const W*)data)[k];
	}
	// write_where writes the elements where a mask is not zero.
	template <class Mask> __device__ void write_where(char* p, const Mask& mask) const {
		bool all = true;
#pragma unroll
		for (int j = 0; j < N; j++) all = all && mask.data[j];
		if (all) {
			write(p);
			return;
		}
#pragma unroll
		for (int j = 0; j < N; j++) {
			if (!mask.data[j]) continue;
#pragma unroll
			for (int k = 0; k < size; k += unit) *(typename Word<unit>::type*)(p + j * size + k) = *(const typename Word<unit>::type*)(data + j * size + k);
		}
	}
};

// raw_as is raw_element for types that are known at compile time.
template <i64 type, i64 to, int R> DEVICE Value raw_as(const Operand<R>& o, i64 index) {
	if (index < 0 || index >= o.len) return of_complex({0, 0});
	return load_as<type, to>(o.data + index * o.size);
}

// total_as returns a reduction's total in the type of its program's result.
template <i64 how, i64 type> DEVICE Value total_as(i64 values, Value total) {
	return values ? cast_as<wide_type(type), type>(total) : identity(how, type);
}
