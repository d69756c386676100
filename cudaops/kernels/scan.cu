// Scan and ArgReduce.
#include "combine.cuh"

template <int R> struct ScanParams {
	i64 how, exclusive;
	Loop<R, 2> loop;
};

// scan goes along a row in a thread.
KERNEL(scan, ScanParams) {
	const Operand<R>&y = p.loop.at[0], &x = p.loop.at[1];
	int last = (int)p.loop.rank - 1;
	i64 n = p.loop.shape[last], type = compute_type(y.type), carried = wide_type(type);
	FOR_POINTS(row, p.loop.count / n) {
		char* to = y.data + p.loop.place(0, row, 0, last) * y.size;
		const char* from = x.data + p.loop.place(1, row, 0, last) * x.size;
		Total t = {{{0}, 0}, 0};
		for (i64 k = 0; k < n; k++) {
			Value v = load_value(from + k * x.strides[last] * x.size, x.type, carried);
			if (!p.exclusive) take(t, v, p.how, carried);
			store_value(to + k * y.strides[last] * y.size, y.type, finished(t, p.how, carried, type), type);
			if (p.exclusive) take(t, v, p.how, carried);
		}
	}
}

template <int R> struct ArgParams {
	i64 how, outer, inner, axes;
	Loop<R, 2> loop;
};

// Best is an extreme with its place; -1 for none.
struct Best {
	Value value;
	i64 place;
};

// better tells whether a comes before b, which is at a later place.
DEVICE bool better(i64 how, i64 type, const Best& later, const Best& best) {
	if (later.place < 0) return false;
	if (best.place < 0) return true;
	if (apply(Op_isnan, type, best.value, best.value).i) return false;
	return apply(Op_isnan, type, later.value, later.value).i || apply(how == Combine_max ? Op_gt : Op_lt, type, later.value, best.value).i;
}

template <int R> DEVICE Best best_of(const ArgParams<R>& p, i64 output, i64 from, i64 to) {
	const Operand<R>& x = p.loop.at[1];
	i64 type = compute_type(x.type);
	Best best = {{{0}, 0}, -1};
	for (i64 k = from; k < to; k++) {
		Best next = {load_value(x.data + p.loop.place(1, output * p.inner + k) * x.size, x.type, type), k};
		if (better(p.how, type, next, best)) best = next;
	}
	return best;
}

KERNEL(arg_short, ArgParams) {
	FOR_POINTS(output, p.outer)
		p.loop.at[0].template store<i64>(p.loop.place(0, output, 0, (int)p.axes), best_of(p, output, 0, p.inner).place);
}

KERNEL(arg_long, ArgParams) {
	__shared__ Best bests[256];
	i64 type = compute_type(p.loop.at[1].type), each = (p.inner + 255) / 256;
	for (i64 output = blockIdx.x; output < p.outer; output += gridDim.x) {
		i64 from = threadIdx.x * each, to = from + each < p.inner ? from + each : p.inner;
		bests[threadIdx.x] = best_of(p, output, from, to);
		__syncthreads();
		for (int w = 1; w < 256; w *= 2) {
			if (threadIdx.x % (2 * w) == 0 && better(p.how, type, bests[threadIdx.x + w], bests[threadIdx.x])) bests[threadIdx.x] = bests[threadIdx.x + w];
			__syncthreads();
		}
		if (threadIdx.x == 0) p.loop.at[0].template store<i64>(p.loop.place(0, output, 0, (int)p.axes), bests[0].place);
		__syncthreads();
	}
}
