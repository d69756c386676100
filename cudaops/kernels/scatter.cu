// Scatter: integers are combined with atomic operations, whose order does not matter. All other types are combined in
// the order of the points: the keys of their elements of y are sorted, so that the points of one element are adjacent,
// and a thread processes them.
#include "combine.cuh"
#include "indices.cuh"

template <int R> struct ScatterParams {
	Verdict verdict;
	i64 y, x, how; // types, and how to combine
	Indices<R, 10> indices;
	Walk<R, 12> walk; // y, x, indices
	// A key is base plus the offsets from y and the indices. The key of a point that selects nothing is none.
	i64 base, none;
	void* keys;
};

// chosen computes the offset that the indices of point i select.
template <int R> DEVICE bool chosen(const ScatterParams<R>& p, u32 i, i64* offset) {
	i64 sum = 0;
	for (int j = 0; j < p.indices.count; j++) {
		i64 k, index = p.indices.at(j, p.walk.data[2 + j] + p.walk.offset(2 + j, i));
		if (!in_bounds(index, p.indices.axes[j].size, p.indices.bounds, &k)) return false;
		sum += k * p.indices.axes[j].stride;
	}
	*offset = sum;
	return true;
}

// scatter_keys computes the keys of points.
template <class K, int R> DEVICE void scatter_keys(const ScatterParams<R>& p) {
	FOR_POINTS(i, p.walk.count) {
		i64 offset;
		((K*)p.keys)[i] = (K)(chosen(p, (u32)i, &offset) ? p.base + p.walk.offset(0, (u32)i) + offset : p.none);
	}
}
KERNEL(scatter_keys_4, ScatterParams) { scatter_keys<u32>(p); }
KERNEL(scatter_keys_8, ScatterParams) { scatter_keys<u64>(p); }

// update atomically replaces an element of U by f of it.
template <class U, class F> DEVICE void update(U* at, F f) {
	U old = *(volatile U*)at;
	for (;;) {
		U seen = atomicCAS(at, old, f(old));
		if (seen == old) return;
		old = seen;
	}
}

// combine_at combines an integer with an element.
DEVICE void combine_at(char* at, i64 type, i64 size, i64 how, Value v) {
	if (how == Combine_fmax) how = Combine_max;
	if (how == Combine_fmin) how = Combine_min;
	if (size == 8) {
		u64* word = (u64*)at;
		switch (how) {
		case Combine_sum: atomicAdd(word, (u64)v.i); return;
		case Combine_max: type == Int64 ? (void)atomicMax((i64*)word, v.i) : (void)atomicMax(word, (u64)v.i); return;
		case Combine_min: type == Int64 ? (void)atomicMin((i64*)word, v.i) : (void)atomicMin(word, (u64)v.i); return;
		}
		update(word, [=](u64 old) { return (u64)combined(how, type, of_int((i64)old), v).i; });
		return;
	}
	if (size == 4) {
		u32* word = (u32*)at;
		switch (how) {
		case Combine_sum: atomicAdd(word, (u32)v.i); return;
		case Combine_max: type == Int32 ? (void)atomicMax((int*)word, (int)v.i) : (void)atomicMax(word, (u32)v.i); return;
		case Combine_min: type == Int32 ? (void)atomicMin((int*)word, (int)v.i) : (void)atomicMin(word, (u32)v.i); return;
		}
	}
	// The other bytes of a 4-byte word stay unchanged.
	int shift = 8 * (int)((u64)at % 4);
	u32 mask = (size == 4 ? ~0u : (1u << 8 * size) - 1) << shift;
	update((u32*)(at - (u64)at % 4), [=](u32 old) {
		i64 own = narrow((old & mask) >> shift, type);
		return (old & ~mask) | ((u32)combined(how, type, of_int(own), v).i << shift & mask);
	});
}

// scatter_integers is for integers and bools.
KERNEL(scatter_integers, ScatterParams) {
	if (refused(p.verdict)) return;
	i64 size = p.none;
	FOR_POINTS(i, p.walk.count) {
		i64 at[2], offset;
		if (!chosen(p, (u32)i, &offset)) continue;
		p.walk.offsets((u32)i, at);
		combine_at(p.walk.data[0] + at[0] + offset, p.y, size, p.how, load_value(p.walk.data[1] + at[1], p.x, p.y));
	}
}

template <int R> struct RunParams {
	Verdict verdict;
	i64 y, x, how;         // types, and how to combine
	i64 size;              // size of a unit that is moved unchanged; 0 if values are computed
	i64 points, wide;      // the number of keys, which have 8 bytes if wide
	i64 none, scale, base; // none: the key of points that select nothing; scale and base: the offset in bytes is base plus the scaled key
	const void* keys;
	const u32* numbers; // of the points
	Walk<R, 1> heads;   // x over the points
	Walk<R, 2> tails;   // y and x over the axes along which no index varies
};

template <int R> DEVICE u64 key_at(const RunParams<R>& p, i64 k) { return p.wide ? ((const u64*)p.keys)[k] : ((const u32*)p.keys)[k]; }

// each_run calls f(k, key, y, x) for each run of equal keys, where k is its first or its last index, and for each point
// of a tail.
template <int R, class F> DEVICE void each_run(const RunParams<R>& p, bool last, F f) {
	FOR_POINTS(i, p.points * p.tails.count) {
		i64 k = divide(i, p.tails.count), beside = last ? k + 1 : k - 1, at[2];
		u64 key = key_at(p, k);
		if (key == (u64)p.none || (beside >= 0 && beside < p.points && key_at(p, beside) == key)) continue;
		p.tails.offsets((u32)(i - k * p.tails.count), at);
		f(k, key, p.tails.data[0] + at[0] + p.base + (i64)key * p.scale, p.tails.data[1] + at[1]);
	}
}

// source returns the address of the element of x for an index among the sorted keys.
template <int R> DEVICE const char* source(const RunParams<R>& p, i64 k, const char* x) { return x + p.heads.offset(0, p.numbers[k]); }

template <class T, int R> DEVICE void scatter_units(const RunParams<R>& p) {
	each_run(p, true, [&](i64 k, u64, char* y, const char* x) { *(T*)y = *(const T*)source(p, k, x); });
}

// scatter_sums adds in the order of the points, and loads several of them at a time.
template <class T, int R> DEVICE void scatter_sums(const RunParams<R>& p) {
	each_run(p, false, [&](i64 k, u64 key, char* y, const char* x) {
		const int most = 8;
		T sum = *(const T*)y, v[most];
		for (int n = most; n == most; k += most) {
			n = 0;
#pragma unroll
			for (int j = 0; j < most; j++)
				if (k + j < p.points && key_at(p, k + j) == key) {
					v[j] = *(const T*)source(p, k + j, x);
					n = j + 1;
				}
#pragma unroll
			for (int j = 0; j < most; j++)
				if (j < n) sum += v[j];
		}
		*(T*)y = sum;
	});
}

// scatter_values rounds after each combination.
template <int R> DEVICE void scatter_values(const RunParams<R>& p) {
	i64 type = compute_type(p.y);
	each_run(p, p.how == Combine_assign, [&](i64 k, u64 key, char* y, const char* x) {
		if (p.how == Combine_assign) {
			i64 from = compute_type(p.x);
			store_value(y, p.y, load_value(source(p, k, x), p.x, from), from);
			return;
		}
		for (; k < p.points && key_at(p, k) == key; k++)
			store_value(y, p.y, combined(p.how, type, load_value(y, p.y, type), load_value(source(p, k, x), p.x, type)), type);
	});
}

KERNEL(scatter_runs, RunParams) {
	if (refused(p.verdict)) return;
	if (p.how == Combine_sum && p.y == p.x && p.y == Float32) return scatter_sums<float>(p);
	if (p.how == Combine_sum && p.y == p.x && p.y == Float64) return scatter_sums<double>(p);
	switch (p.size) {
	case 0: return scatter_values(p);
	case 1: return scatter_units<unsigned char>(p);
	case 2: return scatter_units<unsigned short>(p);
	case 4: return scatter_units<u32>(p);
	case 8: return scatter_units<u64>(p);
	}
	scatter_units<Pair64>(p);
}

template <int R> struct ClearParams {
	Verdict verdict;
	i64 size; // of a unit
	Walk<R, 1> walk;
};

template <class T, int R> DEVICE void clear_units(const ClearParams<R>& p) {
	FOR_POINTS(i, p.walk.count) {
		i64 at[1];
		p.walk.offsets((u32)i, at);
		*(T*)(p.walk.data[0] + at[0]) = T{};
	}
}

// clear sets elements to 0.
KERNEL(clear, ClearParams) {
	if (refused(p.verdict)) return;
	switch (p.size) {
	case 1: clear_units<unsigned char>(p); return;
	case 2: clear_units<unsigned short>(p); return;
	case 4: clear_units<u32>(p); return;
	case 8: clear_units<u64>(p); return;
	}
	clear_units<Pair64>(p);
}
