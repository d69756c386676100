// Gather.
#include "indices.cuh"

template <int R> struct GatherParams {
	Verdict verdict;
	Looking looking; // blame is null for a launch that does not itself check for indices out of range
	i64 size, each;  // the size of a unit, and how many a thread moves at a time
	i64 y, x;        // the types
	Indices<R, 10> indices;
	Walk<R, 12> walk; // y, x, indices
};

enum { most_gathered = 2 }; // points of a thread at a time: their offsets take many registers

// chosen computes the offset that the indices of point i select. The first of them is already loaded.
template <int R> DEVICE bool chosen(const GatherParams<R>& p, u32 i, i64 index, i64* offset) {
	i64 sum = 0;
	for (int j = 0;; index = p.indices.at(j, p.walk.data[2 + j] + p.walk.offset(2 + j, i))) {
		i64 k;
		if (!in_bounds(index, p.indices.axes[j].size, p.indices.bounds, &k)) {
			if (p.looking.blame) record_index(p.looking, (p.looking.first + i) * p.indices.count + j, index, p.indices.axes[j].size);
			return false;
		}
		sum += k * p.indices.axes[j].stride;
		if (++j == p.indices.count) break;
	}
	*offset = sum;
	return true;
}

// gather_units moves bits, and stores 0 for an index that selects nothing.
template <class T, int R> DEVICE void gather_units(const GatherParams<R>& p) {
	FOR_GROUPS(first, p.walk.count, p.each) {
		i64 at[most_gathered][3], index[most_gathered];
		T v[most_gathered];
#pragma unroll
		for (int k = 0; k < most_gathered; k++) {
			u32 i = first + 256 * k;
			if (k >= p.each || i >= p.walk.count) break;
			p.walk.offsets(i, at[k]);
			index[k] = p.indices.at(0, p.walk.data[2] + at[k][2]);
		}
#pragma unroll
		for (int k = 0; k < most_gathered; k++) {
			u32 i = first + 256 * k;
			if (k >= p.each || i >= p.walk.count) break;
			i64 offset;
			v[k] = T{};
			if (chosen(p, i, index[k], &offset)) v[k] = *(const T*)(p.walk.data[1] + at[k][1] + offset);
		}
#pragma unroll
		for (int k = 0; k < most_gathered; k++) {
			if (k >= p.each || first + 256 * k >= p.walk.count) break;
			*(T*)(p.walk.data[0] + at[k][0]) = v[k];
		}
	}
}

// gather is for y and x of the same type.
KERNEL(gather, GatherParams) {
	if (refused(p.verdict)) return;
	switch (p.size) {
	case 1: gather_units<unsigned char>(p); return;
	case 2: gather_units<unsigned short>(p); return;
	case 4: gather_units<u32>(p); return;
	case 8: gather_units<u64>(p); return;
	}
	gather_units<Pair64>(p);
}

KERNEL(gather_converted, GatherParams) {
	if (refused(p.verdict)) return;
	i64 type = compute_type(p.x);
	FOR_POINTS(i, p.walk.count) {
		i64 at[3], offset;
		p.walk.offsets((u32)i, at);
		Value v = of_complex({0, 0});
		if (chosen(p, (u32)i, p.indices.at(0, p.walk.data[2] + at[2]), &offset)) v = load_value(p.walk.data[1] + at[1] + offset, p.x, type);
		store_value(p.walk.data[0] + at[0], p.y, v, type);
	}
}
