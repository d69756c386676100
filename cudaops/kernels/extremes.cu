// ArgReduce: a thread or a warp finds the best element of a part. At ties the lower index wins, in whatever order the
// elements are visited.
#include "carried.cuh"
#include "walk.cuh"

// Best is an extreme with its index; -1 for none.
template <class C> struct Best {
	C value;
	i64 index;
	__device__ void take(i64 how, i64 type, C v, i64 at) {
		int before = index < 0 ? 1 : preference(how, type, v, value);
		if (before < 0 || (before == 0 && at > index)) return;
		value = v;
		index = at;
	}
};

template <int R> struct ArgParams {
	i64 how, y, x;              // types
	i64 outer, parts, length;   // outputs, parts of each, and elements of a part
	i64 across;                 // whether neighbouring threads have neighbouring outputs; otherwise a warp has a part
	void* partial;              // (outer, parts)
	Walk<R, 2> outputs;         // y and x
	Loop<R, 1> inner;           // x over the elements of an output
};

template <class C, int R> DEVICE void take_part(const ArgParams<R>& p, i64 output, i64 part, int lane, int lanes, Best<C>* best) {
	const int ahead = 4;
	i64 begin[2], type = compute_type(p.x), from = part * p.length, end = from + p.length < p.inner.count ? from + p.length : p.inner.count;
	p.outputs.offsets((u32)output, begin);
	const char* x = p.outputs.data[1] + begin[1];
	const bool simple = p.inner.rank <= 1;
	const i64 size = p.inner.at[0].size, step = size * p.inner.at[0].strides[0];
	*best = {C{}, -1};
	for (i64 first = from + lane; first < end; first += ahead * lanes) {
		C v[ahead];
		const char* at[ahead];
		bool there[ahead];
#pragma unroll
		for (int k = 0; k < ahead; k++) {
			i64 i = first + k * lanes;
			there[k] = i < end;
			at[k] = x + (simple ? i * step : p.inner.offset(0, i) * size);
		}
		read_all(at, there, size, p.x, type, v);
#pragma unroll
		for (int k = 0; k < ahead; k++)
			if (first + k * lanes < end) best->take(p.how, type, v[k], first + k * lanes);
	}
}

// best_of_warp returns the best of all lanes.
template <class C, int R> DEVICE void best_of_warp(const ArgParams<R>& p, Best<C>* best) {
	for (int w = 16; w > 0; w /= 2) {
		int other = (threadIdx.x % 32) ^ w;
		C v = from_lane(best->value, other);
		i64 index = __shfl_sync(~0u, best->index, other);
		if (index >= 0) best->take(p.how, compute_type(p.x), v, index);
	}
}

template <class C, int R> DEVICE void settle(const ArgParams<R>& p, i64 output, i64 part, const Best<C>& best) {
	if (p.parts > 1) {
		((Best<C>*)p.partial)[output * p.parts + part] = best;
		return;
	}
	i64 at[2];
	p.outputs.offsets((u32)output, at);
	store<i64>(p.outputs.data[0] + at[0], p.y, best.index);
}

template <class C, int R> DEVICE void arg_parts(const ArgParams<R>& p) {
	const i64 all = p.outer * p.parts;
	Best<C> best;
	if (p.across) {
		FOR_POINTS(i, all) {
			i64 part = divide(i, p.outer);
			take_part(p, i - part * p.outer, part, 0, 1, &best);
			settle(p, i - part * p.outer, part, best);
		}
		return;
	}
	const int lane = threadIdx.x % 32;
	for (i64 i = blockIdx.x * 8ll + threadIdx.x / 32; i < all; i += gridDim.x * 8ll) {
		i64 output = divide(i, p.parts), part = i - output * p.parts;
		take_part(p, output, part, lane, 32, &best);
		best_of_warp(p, &best);
		if (lane == 0) settle(p, output, part, best);
	}
}

// arg_join has one warp per output.
template <class C, int R> DEVICE void arg_join(const ArgParams<R>& p) {
	const int lane = threadIdx.x % 32;
	for (i64 output = blockIdx.x * 8ll + threadIdx.x / 32; output < p.outer; output += gridDim.x * 8ll) {
		const Best<C>* partial = (const Best<C>*)p.partial + output * p.parts;
		Best<C> best = {C{}, -1};
		for (i64 k = lane; k < p.parts; k += 32) best.take(p.how, compute_type(p.x), partial[k].value, partial[k].index);
		best_of_warp(p, &best);
		i64 at[2];
		p.outputs.offsets((u32)output, at);
		if (lane == 0) store<i64>(p.outputs.data[0] + at[0], p.y, best.index);
	}
}

#define EXTREMES(letter, C)                                        \
	KERNEL(arg_parts_##letter, ArgParams) { arg_parts<C>(p); }     \
	KERNEL(arg_join_##letter, ArgParams) { arg_join<C>(p); }
EXTREMES(d, double)
EXTREMES(i, i64)
EXTREMES(u, u64)
EXTREMES(z, Value)
