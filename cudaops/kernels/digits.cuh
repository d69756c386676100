// Radix sort: stable passes over keys and their indices, from the lowest 8-bit digit to the highest. All rows are
// sorted at the same time, in tiles: first each tile counts its keys with each digit; from the counts follows where the
// keys go.
#pragma once
#include "blocks.cuh"

template <int R> struct DigitParams {
	i64 length, rows, tiles; // of a row: its keys, and its tiles
	i64 shift;               // of the digit
	const void* keys;
	const u32* indices; // null if the indices are 0, 1, 2 and so on
	void* to_keys;
	u32* to_indices;
	u32* counts; // (rows, digits, tiles): the number of keys, then the number in the tiles before
	u32* totals; // (rows, digits)
};

enum { digits = 256 };

// A tile is the keys that a block processes at a time; each thread has own_keys of them.
enum { own_keys = 8, tile_keys = 256 * own_keys };

template <class K, int R> DEVICE void count_digits(const DigitParams<R>& p) {
	__shared__ u32 counts[digits];
	for (i64 t = blockIdx.x; t < p.rows * p.tiles; t += gridDim.x) {
		i64 row = divide(t, p.tiles), tile = t - row * p.tiles, first = tile * tile_keys;
		const K* keys = (const K*)p.keys + row * p.length;
		counts[threadIdx.x] = 0;
		__syncthreads();
		K v[own_keys];
#pragma unroll
		for (int k = 0; k < own_keys; k++) {
			i64 i = first + 256 * k + threadIdx.x;
			if (i < p.length) v[k] = keys[i];
		}
		u32 digit = 0, n = 0;
#pragma unroll
		for (int k = 0; k < own_keys; k++) { // consecutive equal digits are added at once
			if (first + 256 * k + threadIdx.x >= p.length) break;
			u32 next = (u32)(v[k] >> p.shift) % digits;
			if (next != digit && n > 0) {
				atomicAdd(&counts[digit], n);
				n = 0;
			}
			digit = next;
			n++;
		}
		if (n > 0) atomicAdd(&counts[digit], n);
		__syncthreads();
		p.counts[(row * digits + threadIdx.x) * p.tiles + tile] = counts[threadIdx.x];
		__syncthreads();
	}
}

// move_digits moves keys with their indices. Each warp processes consecutive keys, 32 at a time, and counts the keys
// before each one that have the same digit. The block first orders the keys in shared memory, so that keys with the
// same digit are stored together.
template <class K, int R> DEVICE void move_digits(const DigitParams<R>& p) {
	__shared__ u32 counts[8][digits]; // of the warps; then where their keys of a digit begin in the tile
	__shared__ u32 base[digits];      // the distance from a key's index in the tile to its index in the result, by digit
	__shared__ u32 sums[8];
	__shared__ K keys[tile_keys];
	__shared__ u32 indices[tile_keys];
	const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (i64 t = blockIdx.x; t < p.rows * p.tiles; t += gridDim.x) {
		i64 row = divide(t, p.tiles), tile = t - row * p.tiles, first = tile * tile_keys;
		const int n = p.length - first < tile_keys ? (int)(p.length - first) : (int)tile_keys;
		const K* from = (const K*)p.keys + row * p.length + first;
		const u32* where = p.indices + row * p.length + first;
#pragma unroll
		for (int w = 0; w < 8; w++) counts[w][threadIdx.x] = 0;
		K key[own_keys];
		u32 rank[own_keys];
		const int own = warp * 32 * own_keys + lane;
#pragma unroll
		for (int k = 0; k < own_keys; k++)
			if (own + 32 * k < n) key[k] = from[own + 32 * k];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < own_keys; k++) {
			const bool full = own + 32 * k < n;
			u32 digit = (u32)(key[k] >> p.shift) % digits, same = __match_any_sync(~0u, full ? digit : (u32)digits);
			u32 before = counts[warp][digit], earlier = same & ((1u << lane) - 1);
			rank[k] = before + __popc(earlier);
			__syncwarp();
			if (full && earlier == 0) counts[warp][digit] = before + __popc(same);
			__syncwarp();
		}
		__syncthreads();
		u32 sum = 0;
#pragma unroll
		for (int w = 0; w < 8; w++) {
			u32 next = counts[w][threadIdx.x];
			counts[w][threadIdx.x] = sum;
			sum += next;
		}
		u32 begin = before_in_block(sum, sums), all = before_in_block(p.totals[row * digits + threadIdx.x], sums);
#pragma unroll
		for (int w = 0; w < 8; w++) counts[w][threadIdx.x] += begin;
		base[threadIdx.x] = all + p.counts[(row * digits + threadIdx.x) * p.tiles + tile] - begin;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < own_keys; k++) {
			if (own + 32 * k >= n) break;
			u32 to = counts[warp][(u32)(key[k] >> p.shift) % digits] + rank[k];
			keys[to] = key[k];
			indices[to] = p.indices ? where[own + 32 * k] : (u32)first + own + 32 * k;
		}
		__syncthreads();
		for (int i = threadIdx.x; i < n; i += 256) {
			K v = keys[i];
			i64 to = row * p.length + (base[(u32)(v >> p.shift) % digits] + i);
			((K*)p.to_keys)[to] = v;
			p.to_indices[to] = indices[i];
		}
		__syncthreads();
	}
}

// scan_digits replaces the counts of a digit in tiles by the sums over the tiles before: in a thread, or in a block if
// there are many tiles.
template <int R> DEVICE void scan_digits(const DigitParams<R>& p) {
	__shared__ u32 sums[8];
	i64 lists = p.rows * digits;
	if (p.tiles <= 32) {
		FOR_POINTS(list, lists) {
			u32 sum = 0;
			for (i64 k = 0; k < p.tiles; k++) {
				u32 next = p.counts[list * p.tiles + k];
				p.counts[list * p.tiles + k] = sum;
				sum += next;
			}
			p.totals[list] = sum;
		}
		return;
	}
	__shared__ u32 carried;
	for (i64 list = blockIdx.x; list < lists; list += gridDim.x) {
		u32 sum = 0;
		for (i64 first = 0; first < p.tiles; first += 256) {
			i64 k = first + threadIdx.x;
			u32 next = k < p.tiles ? p.counts[list * p.tiles + k] : 0, before = sum + before_in_block(next, sums);
			if (k < p.tiles) p.counts[list * p.tiles + k] = before;
			if (threadIdx.x == 255) carried = before + next;
			__syncthreads();
			sum = carried;
			__syncthreads();
		}
		if (threadIdx.x == 0) p.totals[list] = sum;
	}
}

KERNEL(count_digits_4, DigitParams) { count_digits<u32>(p); }
KERNEL(count_digits_8, DigitParams) { count_digits<u64>(p); }
KERNEL(sum_digits, DigitParams) { scan_digits(p); }
KERNEL(move_digits_4, DigitParams) { move_digits<u32>(p); }
KERNEL(move_digits_8, DigitParams) { move_digits<u64>(p); }
