// Gather, and the scatter of an element to its place: what a Scatter is made of besides a sort.
#include "combine.cuh"
#include "indices.cuh"

template <int R> struct GatherParams {
	Verdict verdict;
	i64 indices, bounds, fresh, how;
	u64 *keys, *points; // of a Scatter: places in y, sorted, and the points that they are of
	IndexAxis axes[10];
	Loop<R, 12> loop;
};

// chosen finds how far the indices of point i lead.
template <int R> DEVICE bool chosen(const GatherParams<R>& p, i64 i, i64* place) {
	*place = 0;
	for (int j = 0; j < p.indices; j++) {
		i64 k, index = p.loop.at[2 + j].template load<i64>(p.loop.place(2 + j, i), Int64);
		if (!in_bounds(index, p.axes[j].size, p.bounds, &k)) return false;
		*place += k * p.axes[j].stride;
	}
	return true;
}

// move_element copies an element, converted.
template <int R> DEVICE void move_element(const Operand<R>& y, i64 to, const Operand<R>& x, i64 from) {
	char* target = y.data + to * y.size;
	const char* source = x.data + from * x.size;
	if (y.type != x.type) {
		i64 type = compute_type(x.type);
		store_value(target, y.type, load_value(source, x.type, type), type);
		return;
	}
	switch (y.size) {
	case 1: *target = *source; return;
	case 2: *(unsigned short*)target = *(const unsigned short*)source; return;
	case 4: *(u32*)target = *(const u32*)source; return;
	case 8: *(u64*)target = *(const u64*)source; return;
	}
	((u64*)target)[0] = ((const u64*)source)[0];
	((u64*)target)[1] = ((const u64*)source)[1];
}

KERNEL(gather, GatherParams) {
	if (refused(p.verdict) && !p.fresh) return;
	const Operand<R>&y = p.loop.at[0], &x = p.loop.at[1];
	FOR_POINTS(i, p.loop.count) {
		i64 place, to = p.loop.place(0, i);
		if (chosen(p, i, &place)) move_element(y, to, x, p.loop.place(1, i) + place);
		else store_value(y.data + to * y.size, y.type, of_complex({0, 0}), compute_type(y.type));
	}
}

// scatter_places writes each point's place; the last of all for those that have none.
KERNEL(scatter_places, GatherParams) {
	FOR_POINTS(i, p.loop.count) {
		i64 place;
		p.keys[i] = chosen(p, i, &place) ? (u64)(p.loop.place(0, i) + place) ^ 1ull << 63 : ~0ull;
		p.points[i] = (u64)i;
	}
}

// scatter_runs has the thread of the first point for a place go through all points for it.
KERNEL(scatter_runs, GatherParams) {
	if (refused(p.verdict)) return;
	const Operand<R>&y = p.loop.at[0], &x = p.loop.at[1];
	i64 type = compute_type(y.type);
	FOR_POINTS(k, p.loop.count) {
		u64 key = p.keys[k];
		if (key == ~0ull || (k > 0 && p.keys[k - 1] == key)) continue;
		i64 to = (i64)(key ^ 1ull << 63);
		for (i64 next = k; next < p.loop.count && p.keys[next] == key; next++) {
			i64 from = p.loop.place(1, (i64)p.points[next]);
			if (p.how == Combine_assign) {
				if (next + 1 == p.loop.count || p.keys[next + 1] != key) move_element(y, to, x, from);
				continue;
			}
			char* at = y.data + to * y.size;
			Value sum = combined(p.how, type, load_value(at, y.type, type), load_value(x.data + from * x.size, x.type, type));
			store_value(at, y.type, sum, type);
		}
	}
}

template <int R> struct ClearParams {
	Verdict verdict;
	Loop<R, 1> loop;
};

// clear sets elements to 0.
KERNEL(clear, ClearParams) {
	if (refused(p.verdict)) return;
	const Operand<R>& y = p.loop.at[0];
	FOR_POINTS(i, p.loop.count) {
		char* at = y.data + p.loop.place(0, i) * y.size;
		for (int k = 0; k < y.size; k++) at[k] = 0;
	}
}
