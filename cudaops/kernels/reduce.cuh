// Reduce: a program's values, combined along the last axes. Short runs are combined by a thread each; long ones are cut into parts
// by their length alone, each part is combined by a block, and the parts by a thread, in their order.
#pragma once
#include "machine.cuh"
#include "combine.cuh"

enum Step : i64 { Reduce_short, Reduce_part, Reduce_join };

template <int R> struct ReduceParams {
	Code code, post; // post has length 0 where there is none
	i64 step;                    // one of Step
	i64 how, outer, inner, axes; // points of the outputs, values of each, and the axes that y has
	i64 parts;                   // of each output, and where they lie
	Total* partial;
	Value scalars[12], post_scalars[4];
	Loop<R, 12> loop;
};

// term is the value of point i, carried in the wide type.
template <int R> DEVICE Value term(const ReduceParams<R>& p, i64 i, Value* slot, i64* type) {
	Value value = of_int(0);
	i64 of = 0;
	run(
		p.code, p.scalars, i, p.loop.count, slot,
		[&](i64 k, i64 to) { return element(p.loop.at[1 + k], p.loop.place((int)(1 + k), i), to); },
		[&](i64 k, i64 place, i64 to) { return raw_element(p.loop.at[1 + k], place, to); },
		[&](i64, Value v, i64 from) {
			value = v;
			of = from;
		});
	*type = of;
	return cast(value, of, wide_type(of));
}

// result_type is the type of the program's result.
DEVICE i64 result_type(Code code) { return code.list[code.length - 1].of; }

template <int R> DEVICE void finish(const ReduceParams<R>& p, i64 output, const Total& t, Value* slot) {
	i64 type = result_type(p.code);
	Value v = finished(t, p.how, wide_type(type), type);
	const Operand<R>& y = p.loop.at[0];
	char* at = y.data + p.loop.place(0, output, 0, (int)p.axes) * y.size;
	if (!p.post.length) {
		store_value(at, y.type, v, type);
		return;
	}
	run(
		p.post, p.post_scalars, output, p.outer, slot, [&](i64, i64 to) { return cast(v, type, to); },
		[&](i64, i64, i64) { return of_int(0); }, [&](i64, Value r, i64 from) { store_value(at, y.type, r, from); });
}

template <int R> DEVICE void reduce_short(const ReduceParams<R>& p) {
	Value slot[slots];
	i64 carried = wide_type(result_type(p.code)), type;
	FOR_POINTS(output, p.outer) {
		Total t = {{{0}, 0}, 0};
		for (i64 k = 0; k < p.inner; k++) take(t, term(p, output * p.inner + k, slot, &type), p.how, carried);
		finish(p, output, t, slot);
	}
}

// reduce_part is a block a part. Its threads take what lies side by side, and the results of neighbours are joined; but of equal extremes
// the first is to be found: there a thread takes values that follow one another.
template <int R> DEVICE void reduce_part(const ReduceParams<R>& p) {
	Value slot[slots];
	__shared__ Total totals[256];
	i64 carried = wide_type(result_type(p.code)), type;
	i64 length = (p.inner + p.parts - 1) / p.parts, each = (length + 255) / 256;
	bool ordered = p.how >= Combine_max && p.how <= Combine_fmin;
	for (i64 block = blockIdx.x; block < p.outer * p.parts; block += gridDim.x) {
		i64 output = block / p.parts, part = block % p.parts;
		i64 end = (part + 1) * length < p.inner ? (part + 1) * length : p.inner;
		i64 from = part * length + threadIdx.x * (ordered ? each : 1), to = ordered && from + each < end ? from + each : end;
		Total t = {{{0}, 0}, 0};
		for (i64 k = from; k < to; k += ordered ? 1 : 256) take(t, term(p, output * p.inner + k, slot, &type), p.how, carried);
		totals[threadIdx.x] = t;
		__syncthreads();
		for (int w = 1; w < 256; w *= 2) {
			if (threadIdx.x % (2 * w) == 0) join(totals[threadIdx.x], totals[threadIdx.x + w], p.how, carried);
			__syncthreads();
		}
		if (threadIdx.x == 0) p.partial[block] = totals[0];
		__syncthreads();
	}
}

template <int R> DEVICE void reduce_join(const ReduceParams<R>& p) {
	Value slot[slots];
	i64 carried = wide_type(result_type(p.code));
	FOR_POINTS(output, p.outer) {
		Total t = {{{0}, 0}, 0};
		for (i64 part = 0; part < p.parts; part++) join(t, p.partial[output * p.parts + part], p.how, carried);
		finish(p, output, t, slot);
	}
}

// reduction is one of the three: an entry of each would be compiled with functions of its own.
template <int R> DEVICE void reduction(const ReduceParams<R>& p) {
	if (p.step == Reduce_short) reduce_short(p);
	else if (p.step == Reduce_part) reduce_part(p);
	else reduce_join(p);
}
