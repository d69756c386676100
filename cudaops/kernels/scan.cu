// Scan and ArgReduce.
#include "combine.cuh"

template <int R> struct ScanParams {
	i64 how, exclusive;
	i64 parts, length; // of a row, and the elements of a part
	Total* partial;    // what comes before each part, where there are several
	Loop<R, 2> loop;
};

// along calls f with the places of the elements of a part, a thread for each part.
template <int R, class F> DEVICE void along(const ScanParams<R>& p, i64 i, F f) {
	const Operand<R>&y = p.loop.at[0], &x = p.loop.at[1];
	int last = (int)p.loop.rank - 1;
	i64 row = i / p.parts, from = i % p.parts * p.length, to = from + p.length < p.loop.shape[last] ? from + p.length : p.loop.shape[last];
	char* out = y.data + p.loop.place(0, row, 0, last) * y.size;
	const char* in = x.data + p.loop.place(1, row, 0, last) * x.size;
	for (i64 k = from; k < to; k++) f(out + k * y.strides[last] * y.size, in + k * x.strides[last] * x.size);
}

template <int R> DEVICE i64 rows_of(const ScanParams<R>& p) { return p.loop.count / p.loop.shape[p.loop.rank - 1]; }

// scan_part combines the elements of each part.
KERNEL(scan_part, ScanParams) {
	i64 carried = wide_type(compute_type(p.loop.at[0].type));
	FOR_POINTS(i, rows_of(p) * p.parts) {
		Total t = {{{0}, 0}, 0};
		along(p, i, [&](char*, const char* x) { take(t, load_value(x, p.loop.at[1].type, carried), p.how, carried); });
		p.partial[i] = t;
	}
}

// scan_join goes along the parts of a row.
KERNEL(scan_join, ScanParams) {
	i64 carried = wide_type(compute_type(p.loop.at[0].type));
	FOR_POINTS(row, rows_of(p)) {
		Total before = {{{0}, 0}, 0};
		for (i64 part = 0; part < p.parts; part++) {
			Total t = p.partial[row * p.parts + part];
			p.partial[row * p.parts + part] = before;
			join(before, t, p.how, carried);
		}
	}
}

// scan goes along each part.
KERNEL(scan, ScanParams) {
	i64 y = p.loop.at[0].type, type = compute_type(y), carried = wide_type(type);
	FOR_POINTS(i, rows_of(p) * p.parts) {
		Total t = {{{0}, 0}, 0};
		if (p.parts > 1) t = p.partial[i];
		along(p, i, [&](char* to, const char* x) {
			Value v = load_value(x, p.loop.at[1].type, carried);
			if (!p.exclusive) take(t, v, p.how, carried);
			store_value(to, y, finished(t, p.how, carried, type), type);
			if (p.exclusive) take(t, v, p.how, carried);
		});
	}
}

// Best is an extreme with its place; -1 for none.
struct Best {
	Value value;
	i64 place;
};

template <int R> struct ArgParams {
	i64 how, outer, inner, axes;
	i64 parts; // of each output, and where their results lie
	Best* partial;
	Loop<R, 2> loop;
};

// better tells whether what is at a later place is better than the best so far.
DEVICE_LARGE bool better(i64 how, i64 type, const Best& later, const Best& best) {
	if (later.place < 0) return false;
	if (best.place < 0) return true;
	if (apply_now(Op_isnan, type, best.value, best.value).i) return false;
	if (apply_now(Op_isnan, type, later.value, later.value).i) return true;
	return (how == Combine_max ? apply_now(Op_gt, type, later.value, best.value) : apply_now(Op_lt, type, later.value, best.value)).i;
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

// arg_part is a block a part, of which each thread takes values that follow one another.
KERNEL(arg_part, ArgParams) {
	__shared__ Best bests[256];
	i64 type = compute_type(p.loop.at[1].type), length = (p.inner + p.parts - 1) / p.parts, each = (length + 255) / 256;
	for (i64 block = blockIdx.x; block < p.outer * p.parts; block += gridDim.x) {
		i64 output = block / p.parts, part = block % p.parts;
		i64 end = (part + 1) * length < p.inner ? (part + 1) * length : p.inner;
		i64 from = part * length + threadIdx.x * each, to = from + each < end ? from + each : end;
		bests[threadIdx.x] = best_of(p, output, from, to);
		__syncthreads();
		for (int w = 1; w < 256; w *= 2) {
			if (threadIdx.x % (2 * w) == 0 && better(p.how, type, bests[threadIdx.x + w], bests[threadIdx.x])) bests[threadIdx.x] = bests[threadIdx.x + w];
			__syncthreads();
		}
		if (threadIdx.x == 0) p.partial[block] = bests[0];
		__syncthreads();
	}
}

KERNEL(arg_join, ArgParams) {
	i64 type = compute_type(p.loop.at[1].type);
	FOR_POINTS(output, p.outer) {
		Best best = p.partial[output * p.parts];
		for (i64 part = 1; part < p.parts; part++) {
			Best next = p.partial[output * p.parts + part];
			if (better(p.how, type, next, best)) best = next;
		}
		p.loop.at[0].template store<i64>(p.loop.place(0, output, 0, (int)p.axes), best.place);
	}
}
