// Scan: rows are split into parts, and a thread processes a part. If a row has several parts, these are first combined;
// the totals before each part are then known.
#include "carried.cuh"
#include "walk.cuh"

template <int R> struct ScanParams {
	i64 how, exclusive;
	i64 y, x, size;                 // types, and the bytes of an element of x, if it is of y's type
	i64 rows, n, parts, length;     // a row's elements and parts, and a part's elements
	i64 y_step, x_step;             // along a row, in bytes
	i64 across;                     // whether neighbouring threads process neighbouring rows, or parts of one row
	void* partial;                  // (rows, parts)
	Walk<R, 2> outer;               // y and x over the rows
};

// Part is the work of a thread.
struct Part {
	i64 at, n;   // its number, and its elements
	bool begins; // whether it is the first part of its row
	char* y;
	const char* x;
};

template <int R> DEVICE Part part_of(const ScanParams<R>& p, i64 i) {
	i64 part, row, at[2];
	if (p.across) {
		part = divide(i, p.rows);
		row = i - part * p.rows;
	} else {
		row = divide(i, p.parts);
		part = i - row * p.parts;
	}
	p.outer.offsets((u32)row, at);
	i64 from = part * p.length, rest = p.n - from;
	return {row * p.parts + part, rest < p.length ? rest : p.length, part == 0, p.outer.data[0] + at[0] + from * p.y_step, p.outer.data[1] + at[1] + from * p.x_step};
}

// Running is the combination so far.
template <class C> struct Running {
	C sum;
	bool full;
	// take adds a value, and returns what a scan stores for it.
	template <int R> __device__ C take(const ScanParams<R>& p, C v) {
		C before = sum;
		if (p.exclusive && !full) identity_of(p.how, p.y, &before);
		sum = full ? merged(p.how, p.y, sum, v) : v;
		full = true;
		return p.exclusive ? before : sum;
	}
};

template <class C, bool stores, int R> DEVICE Running<C> begun(const ScanParams<R>& p, const Part& part) {
	Running<C> r = {C{}, stores && !part.begins};
	if (r.full) r.sum = ((const C*)p.partial)[part.at];
	return r;
}

// go_direct has each thread load and store its own elements.
template <class C, bool stores, int R> DEVICE void go_direct(const ScanParams<R>& p) {
	const int ahead = 4;
	FOR_POINTS(i, p.rows * p.parts) {
		Part part = part_of(p, i);
		Running<C> running = begun<C, stores>(p, part);
		for (i64 first = 0; first < part.n; first += ahead) {
			C v[ahead];
			const char* x[ahead];
			bool there[ahead];
#pragma unroll
			for (int k = 0; k < ahead; k++) {
				x[k] = part.x + (first + k) * p.x_step;
				there[k] = first + k < part.n;
			}
			read_all(x, there, p.size, p.x, p.y, v);
#pragma unroll
			for (int k = 0; k < ahead; k++) {
				if (first + k >= part.n) break;
				C out = running.take(p, v[k]);
				if (stores) write(part.y + (first + k) * p.y_step, p.y, out);
			}
		}
		if (!stores) ((C*)p.partial)[part.at] = running.sum;
	}
}

// go_by_tiles is for rows that are contiguous. A warp loads and stores the elements of a part at a time through shared
// memory, in which each lane processes its own part.
template <class C, bool stores, int R> DEVICE void go_by_tiles(const ScanParams<R>& p) {
	__shared__ C tiles[4][32][33];
	const int lane = threadIdx.x % 32;
	C(*tile)[33] = tiles[threadIdx.x / 32];
	const i64 all = p.rows * p.parts;
	for (i64 first = (blockIdx.x * 4ll + threadIdx.x / 32) * 32; first < all; first += gridDim.x * 128ll) {
		Part part = part_of(p, first + lane < all ? first + lane : all - 1);
		if (first + lane >= all) part.n = 0;
		Running<C> running = begun<C, stores>(p, part);
		for (i64 from = 0; from < p.length; from += 32) {
			const int ahead = 8;
#pragma unroll 1
			for (int row = 0; row < 32; row += ahead) {
				C v[ahead];
				const char* x[ahead];
				bool there[ahead];
#pragma unroll
				for (int k = 0; k < ahead; k++) {
					x[k] = (const char*)__shfl_sync(~0u, (u64)part.x, row + k) + (from + lane) * p.x_step;
					there[k] = from + lane < __shfl_sync(~0u, part.n, row + k);
				}
				read_all(x, there, p.size, p.x, p.y, v);
#pragma unroll
				for (int k = 0; k < ahead; k++) tile[row + k][lane] = v[k];
			}
			__syncwarp();
			for (int k = 0; k < 32 && from + k < part.n; k++) {
				C out = running.take(p, tile[lane][k]);
				if (stores) tile[lane][k] = out;
			}
			__syncwarp();
			if (stores)
#pragma unroll 4
				for (int row = 0; row < 32; row++) {
					char* y = (char*)__shfl_sync(~0u, (u64)part.y, row);
					if (from + lane < __shfl_sync(~0u, part.n, row)) write(y + (from + lane) * p.y_step, p.y, tile[row][lane]);
				}
			__syncwarp();
		}
		if (!stores && part.n > 0) ((C*)p.partial)[part.at] = running.sum;
	}
}

// join_parts has one block per row. It replaces the totals of parts by the totals of all parts before. A thread has
// several consecutive parts.
template <class C, int R> DEVICE void join_parts(const ScanParams<R>& p) {
	__shared__ C sums[32], end;
	const int own = 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (i64 row = blockIdx.x; row < p.rows; row += gridDim.x) {
		C* partial = (C*)p.partial + row * p.parts;
		C carried = C{};
		for (i64 first = 0; first < p.parts; first += own * blockDim.x) {
			i64 from = first + own * threadIdx.x;
			C v[own], sum = C{};
#pragma unroll
			for (int k = 0; k < own; k++)
				if (from + k < p.parts) {
					v[k] = partial[from + k];
					sum = k ? merged(p.how, p.y, sum, v[k]) : v[k];
				}
#pragma unroll
			for (int w = 1; w < 32; w *= 2) {
				C other = from_lane(sum, lane >= w ? lane - w : lane);
				if (lane >= w) sum = merged(p.how, p.y, other, sum);
			}
			if (lane == 31) sums[warp] = sum;
			__syncthreads();
			C before = from_lane(sum, lane ? lane - 1 : 0);
			bool full = lane > 0;
			for (int w = warp - 1; w >= 0; w--) {
				before = full ? merged(p.how, p.y, sums[w], before) : sums[w];
				full = true;
			}
			if (first > 0) {
				before = full ? merged(p.how, p.y, carried, before) : carried;
				full = true;
			}
#pragma unroll
			for (int k = 0; k < own; k++)
				if (from + k < p.parts) {
					if (full) partial[from + k] = before;
					before = full ? merged(p.how, p.y, before, v[k]) : v[k];
					full = true;
				}
			if (threadIdx.x == blockDim.x - 1) end = before;
			__syncthreads();
			carried = end;
			__syncthreads();
		}
	}
}

#define SCAN(letter, C)                                                                                         \
	KERNEL(scan_parts_##letter, ScanParams) { go_by_tiles<C, false>(p); }                                        \
	KERNEL(scan_parts_across_##letter, ScanParams) { go_direct<C, false>(p); }                                   \
	KERNEL(scan_join_##letter, ScanParams) { join_parts<C>(p); }                                                 \
	KERNEL(scan_##letter, ScanParams) { go_by_tiles<C, true>(p); }                                               \
	KERNEL(scan_across_##letter, ScanParams) { go_direct<C, true>(p); }
SCAN(d, double)
SCAN(i, i64)
SCAN(u, u64)

// Complex numbers are too large for tiles.
KERNEL(scan_parts_across_z, ScanParams) { go_direct<Value, false>(p); }
KERNEL(scan_join_z, ScanParams) { join_parts<Value>(p); }
KERNEL(scan_across_z, ScanParams) { go_direct<Value, true>(p); }
