// Sort and SearchSorted. Short rows are sorted in the shared memory of a block, long ones by their digits, like the
// keys of a Scatter.
#include "digits.cuh"
#include "opcodes.cuh"
#include "order.cuh"
#include "walk.cuh"

template <int R> struct SortParams {
	i64 length, keep;         // of a row
	i64 rows, tiles;          // tiles of a row
	i64 type, size;           // of x
	i64 y_type, index_type;
	i64 descending, high;     // high: whether the keys are those of upper halves
	i64 padded, together;     // of short rows: the length rounded up to a power of two, and the number of rows per block
	void* keys;
	const u32* indices;
	char* raw;                // room for elements, if the result overlaps x
	i64 steps[3];             // along rows, in bytes
	Walk<R, 3> outer;         // y, indices, x over the other axes
};

// put stores an element of x, and its index.
template <int R> DEVICE void put(const SortParams<R>& p, const i64 (&at)[3], i64 k, const char* element, u32 index) {
	if (p.outer.data[0]) {
		char* y = p.outer.data[0] + at[0] + k * p.steps[0];
		if (p.y_type == p.type) move_bits(y, element, p.size);
		else store_value(y, p.y_type, load_value(element, p.type, compute_type(p.type)), compute_type(p.type));
	}
	if (p.outer.data[1]) store<i64>(p.outer.data[1] + at[1] + k * p.steps[1], p.index_type, index);
}

DEVICE u32 last_key(u32) { return ~0u; }
DEVICE u64 last_key(u64) { return ~0ull; }
DEVICE Key128 last_key(Key128) { return {~0ull, ~0ull}; }

// sort_short lets each block sort some rows, with a bitonic sorting network (Batcher). Equal keys are ordered by their
// indices. While the distance between compared keys is at most 32, each warp works on 64 keys of its own.
template <class K, int R> DEVICE void sort_short(const SortParams<R>& p, K* keys) {
	const u32 padded = (u32)p.padded, all = padded * (u32)p.together;
	unsigned short* indices = (unsigned short*)(keys + all);
	for (u32 first = blockIdx.x * (u32)p.together; first < p.rows; first += gridDim.x * (u32)p.together) {
		for (u32 e = threadIdx.x; e < all; e += blockDim.x) {
			u32 k = e & (padded - 1), row = first + e / padded;
			K key = last_key(K{});
			if (row < p.rows && k < p.length) {
				i64 at[3];
				p.outer.offsets(row, at);
				key_of(p.outer.data[2] + at[2] + k * p.steps[2], p.type, p.descending, &key);
			}
			keys[e] = key;
			indices[e] = (unsigned short)k;
		}
		__syncthreads();
		for (u32 size = 2; size <= padded; size *= 2)
			for (u32 distance = size / 2; distance > 0; distance /= 2) {
				for (u32 c = threadIdx.x; c < all / 2; c += blockDim.x) {
					u32 a = 2 * c - (c & (distance - 1)), b = a + distance;
					K low = keys[a], high = keys[b];
					bool swapped = high < low || (high == low && indices[b] < indices[a]);
					if (swapped == ((a & size & (padded - 1)) == 0)) {
						keys[a] = high;
						keys[b] = low;
						unsigned short index = indices[a];
						indices[a] = indices[b];
						indices[b] = index;
					}
				}
				if (distance > 32 || (distance == 1 && size > 32)) __syncthreads();
				else __syncwarp();
			}
		__syncthreads();
		char* raw = (char*)keys; // results may overlap x
		for (u32 e = threadIdx.x; e < all; e += blockDim.x) {
			u32 k = e & (padded - 1), row = first + e / padded;
			if (row >= p.rows || k >= p.keep || !p.outer.data[0]) continue;
			i64 at[3];
			p.outer.offsets(row, at);
			move_bits(raw + e * p.size, p.outer.data[2] + at[2] + indices[e] * p.steps[2], p.size);
		}
		__syncthreads();
		for (u32 e = threadIdx.x; e < all; e += blockDim.x) {
			u32 k = e & (padded - 1), row = first + e / padded;
			if (row >= p.rows || k >= p.keep) continue;
			i64 at[3];
			p.outer.offsets(row, at);
			put(p, at, k, raw + e * p.size, indices[e]);
		}
		__syncthreads();
	}
}

#define SORT_SHORT(size, K)                   \
	KERNEL(sort_short_##size, SortParams) {   \
		DYNAMIC_SHARED(K, shared);            \
		sort_short<K>(p, shared);             \
	}
SORT_SHORT(4, u32)
SORT_SHORT(8, u64)
SORT_SHORT(16, Key128)

// make_keys computes the keys, or halves of keys, of the elements of rows in their current order.
template <class K, class Half, int R> DEVICE void make_keys(const SortParams<R>& p) {
	for (i64 t = blockIdx.x; t < p.rows * p.tiles; t += gridDim.x) {
		i64 row = divide(t, p.tiles), first = (t - row * p.tiles) * tile_keys, end = first + tile_keys < p.length ? first + tile_keys : p.length, at[3];
		p.outer.offsets((u32)row, at);
		for (i64 k = first + threadIdx.x; k < end; k += 256) {
			i64 to = row * p.length + k;
			const char* x = p.outer.data[2] + at[2] + (p.indices ? p.indices[to] : k) * p.steps[2];
			K key;
			key_of(x, p.type, p.descending, &key);
			((Half*)p.keys)[to] = half_of(key, p.high);
			if (p.raw && !p.indices) move_bits(p.raw + to * p.size, x, p.size);
		}
	}
}

KERNEL(make_keys_4, SortParams) { make_keys<u32, u32>(p); }
KERNEL(make_keys_8, SortParams) { make_keys<u64, u64>(p); }
KERNEL(make_keys_16, SortParams) { make_keys<Key128, u64>(p); }

// put_sorted stores the elements that are kept.
KERNEL(put_sorted, SortParams) {
	for (i64 t = blockIdx.x; t < p.rows * p.tiles; t += gridDim.x) {
		i64 row = divide(t, p.tiles), first = (t - row * p.tiles) * tile_keys, end = first + tile_keys < p.keep ? first + tile_keys : p.keep, at[3];
		p.outer.offsets((u32)row, at);
		const char* x = p.raw ? p.raw + row * p.length * p.size : p.outer.data[2] + at[2];
		i64 step = p.raw ? p.size : p.steps[2];
		for (i64 k = first + threadIdx.x; k < end; k += 256) {
			u32 index = p.indices[row * p.length + k];
			put(p, at, k, x + index * step, index);
		}
	}
}

template <int R> struct SearchParams {
	i64 type, y_type, step, length, right; // step: along the row, in bytes
	Walk<R, 3> walk;                       // y, row, x
};

// search counts the keys of a row that come before x's key.
template <class K, int R> DEVICE void search(const SearchParams<R>& p) {
	FOR_POINTS(i, p.walk.count) {
		i64 at[3];
		p.walk.offsets((u32)i, at);
		K key, other;
		key_of(p.walk.data[2] + at[2], p.type, false, &key);
		i64 low = 0, high = p.length;
		while (low < high) {
			i64 middle = (low + high) / 2;
			key_of(p.walk.data[1] + at[1] + middle * p.step, p.type, false, &other);
			if (other < key || (p.right && other == key)) low = middle + 1;
			else high = middle;
		}
		store<i64>(p.walk.data[0] + at[0], p.y_type, low);
	}
}

KERNEL(search_4, SearchParams) { search<u32>(p); }
KERNEL(search_8, SearchParams) { search<u64>(p); }
KERNEL(search_16, SearchParams) { search<Key128>(p); }
