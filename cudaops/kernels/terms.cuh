// The values of a reduction, computed by the interpreter.
#pragma once
#include "machine.cuh"
#include "reduce.cuh"

// Direct says that a program only returns its input, of real numbers. The input is then read without the interpreter.
// With Direct_packs the values of a pack are contiguous, and 16 bytes can be read at a time.
enum Direct : i64 { Direct_none, Direct_values, Direct_packs };

template <int R> struct ReduceParams {
	Code code, post; // post has length 0 if there is none
	Reduction how;
	i64 axes, direct;  // the axes of y, and one of Direct
	i64 scalars_first; // index of the first scalar of post
	Value scalars[12];
	Loop<R, 12> loop;
};

// result_type is the type of the program's result.
DEVICE i64 result_type(Code code) { return code.list[code.length - 1].of; }

// store_total stores the total of an output, after post. It is not inlined, so that the interpreter is compiled only
// once.
template <int R> DEVICE_LARGE void store_total(const ReduceParams<R>& p, i64 output, Value total) {
	Value slot[slots];
	i64 type = result_type(p.code);
	Value v = p.how.inner ? cast(total, wide_type(type), type) : identity(p.how.how, type);
	const Operand<R>& y = p.loop.at[0];
	char* at = y.data + p.loop.offset(0, output, 0, (int)p.axes) * y.size;
	if (!p.post.length) {
		store_value(at, y.type, v, type);
		return;
	}
	run(
		p.post, p.scalars + p.scalars_first, output, p.how.outer, slot, [&](i64, i64 to) { return cast(v, type, to); },
		[&](i64, i64, i64) { return of_int(0); }, [&](i64, Value r, i64 from) { store_value(at, y.type, r, from); });
}

// interpreted returns the value of point i, in the type that it is carried in.
template <int R> DEVICE_LARGE Value interpreted(const ReduceParams<R>& p, i64 i) {
	Value slot[slots], value = of_int(0);
	run(
		p.code, p.scalars, i, p.loop.count, slot,
		[&](i64 k, i64 to) { return element(p.loop.at[1 + k], p.loop.offset((int)(1 + k), i), to); },
		[&](i64 k, i64 index, i64 to) { return raw_element(p.loop.at[1 + k], index, to); },
		[&](i64, Value v, i64 from) { value = cast(v, from, wide_type(from)); });
	return value;
}

// offset_of returns the offset of the only input's element for point i of some axes.
template <int R> DEVICE_LARGE i64 offset_of(const ReduceParams<R>& p, i64 i, i64 first, i64 end) { return p.loop.offset(1, i, (int)first, (int)end); }

// Terms is the source: it runs the program for each value, or reads elements. Interpreters of different tiers have
// different types.
template <int R, int tier> struct Terms {
	typedef i64 Index;
	struct Output {
		i64 number, offset; // offset: that of its first element, if the program is Direct
	};
	static constexpr bool printed = false;
	static constexpr int unrolled = 1;
	const ReduceParams<R>& p;
	i64 carried, to; // to: the input's type, if the program is Direct
	struct alignas(16) Four {
		float at[pack_values];
	};
	__device__ bool direct() const { return tier == 0 && p.direct; }
	__device__ Output output(i64 o) const { return {o, direct() ? offset_of(p, o, 0, p.axes) : 0}; }
	__device__ i64 offset(const Output& o, Index v) const {
		return o.offset + (p.axes + 1 == p.loop.rank ? v * p.loop.at[1].strides[p.axes] : offset_of(p, v, p.axes, p.loop.rank));
	}
	__device__ Value at(i64 offset) const {
		const Operand<R>& x = p.loop.at[1];
		if (x.type == Float32 && to == Float32) return of_float(((const float*)x.data)[offset]);
		return element(x, offset, to); // a float32 is carried as a float64
	}
	__device__ Value value(const Output& o, Index v) const {
		if (direct()) return at(offset(o, v));
		return interpreted(p, o.number * p.how.inner + v);
	}
	__device__ void pack(const Output& o, Index v, Value (&x)[pack_values]) const {
		if (direct() && p.direct == Direct_packs && p.loop.at[1].type == Float32 && to == Float32) {
			const Four four = *(const Four*)(p.loop.at[1].data + offset(o, v) * 4);
#pragma unroll
			for (int j = 0; j < pack_values; j++) x[j] = of_float(four.at[j]);
			return;
		}
#pragma unroll 1
		for (int j = 0; j < pack_values; j++) x[j] = value(o, v + j);
	}
	__device__ Value combine(Value a, Value b) const {
		if (carried == Float64 && p.how.how == Combine_sum) return of_float(a.x + b.x);
		return combined(p.how.how, carried, a, b);
	}
	__device__ bool by_columns() const { return p.how.columns; }
	__device__ bool pair() const { return tier == 2 && is_complex(carried); }
	__device__ void finish(i64 o, Value total) const { store_total(p, o, total); }
};

template <int R> DEVICE void interpreted_reduction(const ReduceParams<R>& p) {
	reduction(Terms<R, TIER>{p, wide_type(result_type(p.code)), p.code.list[0].type}, p.how);
}

// REDUCTION makes the entries of an interpreter. A multiprocessor must have room for the given number of blocks: the
// functions that the interpreter calls otherwise use more registers than they need.
#define REDUCTION(name, blocks)                                                                                                      \
	NARROW(extern "C" __global__ void __launch_bounds__(reduce_threads, blocks) name##_8(PARAMETER(ReduceParams<8>)) {               \
		interpreted_reduction(p);                                                                                                    \
	} REGISTER(name##_8))                                                                                                            \
	WIDE(extern "C" __global__ void __launch_bounds__(reduce_threads, blocks) name##_32(PARAMETER(ReduceParams<32>)) {               \
		interpreted_reduction(p);                                                                                                    \
	} REGISTER(name##_32))
