// The search for the first index out of range: first which one it is, then what it is.
#include "indices.cuh"

template <int R> struct IndicesParams {
	Found* found;
	i64 operands, bounds;
	i64 ignores, ignore; // with ignores, this index is none
	IndexAxis axes[10];
	Loop<R, 10> loop;
};

template <int R> DEVICE bool misplaced(const IndicesParams<R>& p, i64 i, int j, i64* index) {
	i64 place;
	*index = p.loop.at[j].template load<i64>(p.loop.place(j, i), Int64);
	return !(p.ignores && *index == p.ignore) && !in_bounds(*index, p.axes[j].size, p.bounds, &place);
}

KERNEL(find_index, IndicesParams) {
	FOR_POINTS(i, p.loop.count) {
		i64 index;
		for (int j = 0; j < p.operands; j++)
			if (misplaced(p, i, j, &index)) atomicMin(&p.found->order, (u64)(i * p.operands + j));
	}
}

KERNEL(name_index, IndicesParams) {
	if (p.found->order == ~0ull) return;
	i64 index;
	int j = (int)(p.found->order % p.operands);
	misplaced(p, (i64)(p.found->order / p.operands), j, &index);
	p.found->index = index;
	p.found->size = p.axes[j].size;
}
