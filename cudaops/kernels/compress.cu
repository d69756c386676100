// Nonzero and Compress: blocks count the points of their chunks, one block adds up the counts, and then each block
// writes from where the ones before it end.
#include "blocks.cuh"
#include "opcodes.cuh"
#include "walk.cuh"

enum { own_points = 8, chunk_points = 256 * own_points }; // of a thread and of a block

template <int R> struct CompressParams {
	i64 chunks, before, all; // chunks of this loop, chunks of earlier loops, and all chunks
	i64 first;               // the number of the first point
	i64 mask, mask_size;     // the operand that selects the points, and the bytes of its elements
	u64 magnitude;           // the bits of its elements, as 8 bytes, that are 0 in every zero
	i64 y, x, size;          // types, and the bytes of an element of y
	i64* counts;             // of the chunks, then of those before; and the total
	Walk<R, 3> walk;         // y, x, mask, or y, x
};

DEVICE u64 bits_of_element(Pair64 v) { return v.low | v.high; }
template <class T> DEVICE u64 bits_of_element(T v) { return v; }

// flags computes which points of a warp are selected, for 256 points of the block at a time: one bit per lane.
template <class T, int R> DEVICE void flags_of(const CompressParams<R>& p, u32 first, u32 (&lanes)[own_points]) {
	T v[own_points];
#pragma unroll
	for (int k = 0; k < own_points; k++) {
		v[k] = T{};
		if (first + 256 * k < p.walk.count) v[k] = *(const T*)(p.walk.data[p.mask] + p.walk.offset((int)p.mask, first + 256 * k));
	}
#pragma unroll
	for (int k = 0; k < own_points; k++) lanes[k] = __ballot_sync(~0u, (bits_of_element(v[k]) & p.magnitude) != 0);
}
template <int R> DEVICE void flags(const CompressParams<R>& p, u32 first, u32 (&lanes)[own_points]) {
	switch (p.mask_size) {
	case 1: return flags_of<unsigned char>(p, first, lanes);
	case 2: return flags_of<unsigned short>(p, first, lanes);
	case 4: return flags_of<u32>(p, first, lanes);
	case 8: return flags_of<u64>(p, first, lanes);
	}
	flags_of<Pair64>(p, first, lanes);
}

KERNEL(count_chunks, CompressParams) {
	__shared__ u32 sums[8];
	for (i64 c = blockIdx.x; c < p.chunks; c += gridDim.x) {
		u32 lanes[own_points], n = 0;
		flags(p, (u32)c * chunk_points + threadIdx.x, lanes);
#pragma unroll
		for (int k = 0; k < own_points; k++) n += __popc(lanes[k]);
		if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = n;
		__syncthreads();
		if (threadIdx.x == 0) {
			n = 0;
			for (int w = 0; w < 8; w++) n += sums[w];
			p.counts[p.before + c] = n;
		}
		__syncthreads();
	}
}

// add_chunks is one block, of 1,024 threads.
KERNEL(add_chunks, CompressParams) {
	__shared__ i64 sums[32], end;
	i64 sum = 0;
	for (i64 first = 0; first < p.all; first += 1024 * own_points) {
		i64 from = first + threadIdx.x * own_points, v[own_points], n = 0;
#pragma unroll
		for (int k = 0; k < own_points; k++) {
			v[k] = from + k < p.all ? p.counts[from + k] : 0;
			n += v[k];
		}
		i64 before = sum + before_in_block(n, sums);
#pragma unroll
		for (int k = 0; k < own_points; k++) {
			if (from + k < p.all) p.counts[from + k] = before;
			before += v[k];
		}
		if (threadIdx.x == 1023) end = before;
		__syncthreads();
		sum = end;
		__syncthreads();
	}
	if (threadIdx.x == 0) p.counts[p.all] = sum;
}

// each_set calls f with the selected points, and the number of selected points before each.
template <int R, class F> DEVICE void each_set(const CompressParams<R>& p, F f) {
	__shared__ u32 sums[8], begins[256]; // begins: for each warp and each k the number of selected points, then of those before
	const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (i64 c = blockIdx.x; c < p.chunks; c += gridDim.x) {
		u32 first = (u32)c * chunk_points + threadIdx.x, lanes[own_points];
		flags(p, first, lanes);
		begins[threadIdx.x] = 0;
		__syncthreads();
		if (lane == 0)
#pragma unroll
			for (int k = 0; k < own_points; k++) begins[8 * k + warp] = __popc(lanes[k]);
		__syncthreads();
		u32 begin = before_in_block(begins[threadIdx.x], sums);
		begins[threadIdx.x] = begin;
		__syncthreads();
		i64 before = p.counts[p.before + c];
#pragma unroll
		for (int k = 0; k < own_points; k++)
			if (lanes[k] >> lane & 1) f(first + 256 * k, before + begins[8 * k + warp] + __popc(lanes[k] & ((1u << lane) - 1)));
		__syncthreads();
	}
}

KERNEL(write_nonzero, CompressParams) {
	each_set(p, [&](u32 i, i64 to) { ((i64*)p.walk.data[0])[to] = p.first + i; });
}

KERNEL(write_compressed, CompressParams) {
	i64 type = compute_type(p.x);
	each_set(p, [&](u32 i, i64 to) {
		const char* x = p.walk.data[1] + p.walk.offset(1, i);
		if (p.y == p.x) move_bits(p.walk.data[0] + to * p.size, x, p.size);
		else store_value(p.walk.data[0] + to * p.size, p.y, load_value(x, p.x, type), type);
	});
}
