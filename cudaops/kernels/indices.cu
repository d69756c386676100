// The search for the first index out of range.
#include "indices.cuh"

template <int R> struct IndicesParams {
	Found* found;
	i64 ignores, ignore; // if ignores is set, the index ignore does not count
	u64 first;           // the number of the first point
	i64 alone, before;   // whether one block checks everything, or how many blocks checked before these
	Indices<R, 10> indices;
	Walk<R, 10> walk;
};

template <int R> DEVICE bool out_of_range(const IndicesParams<R>& p, int j, i64 index) {
	i64 position;
	return !(p.ignores && index == p.ignore) && !in_bounds(index, p.indices.axes[j].size, p.indices.bounds, &position);
}

template <int R> DEVICE i64 index_of(const IndicesParams<R>& p, int j, u32 i) { return p.indices.at(j, p.walk.data[j] + p.walk.offset(j, i)); }

// name_index completes the record of what these blocks found.
template <int R> DEVICE void name_index(const IndicesParams<R>& p, u64 order) {
	if (order == ~0ull || order < p.first * p.indices.count) return;
	int j = (int)(order % p.indices.count);
	p.found->index = index_of(p, j, (u32)(order / p.indices.count - p.first));
	p.found->size = p.indices.axes[j].size;
}

// find_index lets each thread find the first of its own indices, and each block the first of its threads'. The block
// that ends last finds the first of all. If there is only one block, found need not be cleared before.
KERNEL(find_index, IndicesParams) {
	__shared__ u64 least;
	if (threadIdx.x == 0) least = ~0ull;
	__syncthreads();
	u64 mine = ~0ull;
	for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < p.walk.count && mine == ~0ull; i += gridDim.x * blockDim.x)
		for (int j = 0; j < p.indices.count && mine == ~0ull; j++)
			if (out_of_range(p, j, index_of(p, j, i))) mine = (p.first + i) * p.indices.count + j;
	if (mine != ~0ull) atomicMin(&least, mine);
	__syncthreads();
	if (threadIdx.x != 0) return;
	if (p.alone) {
		p.found->order = least;
		name_index(p, least);
		return;
	}
	if (least != ~0ull) atomicMin(&p.found->order, least);
	__threadfence();
	if (atomicAdd(&p.found->blocks, 1ull) + 2 == p.before + gridDim.x) {
		__threadfence();
		name_index(p, atomicMin(&p.found->order, ~0ull));
	}
}
