// Sort and SearchSorted, and the sort of the places of a Scatter: merges of runs, each twice as long as the one before. An element's
// place in the merged run is its place in its own and the number of elements of the other that come before it.
#include "order.cuh"

template <int R> struct SortParams {
	i64 length, total, width; // of a row, of all rows, and of the runs that are merged
	i64 type, descending, keep;
	Value* values;
	const u64* from;
	u64* to;
	Loop<R, 3> loop; // sorted, places, x
};

KERNEL(sort_begin, SortParams) {
	FOR_POINTS(i, p.total) {
		p.values[i] = p.loop.at[2].size ? load_value(p.loop.at[2].data + p.loop.place(2, i) * p.loop.at[2].size, p.loop.at[2].type, p.type) : of_int(0);
		p.to[i] = (u64)(i % p.length);
	}
}

KERNEL(sort_merge, SortParams) {
	FOR_POINTS(i, p.total) {
		i64 row = i / p.length * p.length, at = i - row, run = at / p.width;
		i64 begin = (run ^ 1) * p.width, end = begin + p.width;
		if (begin > p.length) begin = p.length;
		if (end > p.length) end = p.length;
		Value v = p.values[row + p.from[i]];
		i64 low = begin, high = end;
		while (low < high) {
			i64 middle = (low + high) / 2;
			int c = compare(p.type, p.descending, p.values[row + p.from[row + middle]], v);
			if (c < 0 || (c == 0 && run % 2)) low = middle + 1; // equal ones of the earlier run come first
			else high = middle;
		}
		p.to[row + run / 2 * 2 * p.width + at % p.width + (low - begin)] = p.from[i];
	}
}

KERNEL(sort_end, SortParams) {
	FOR_POINTS(i, p.total) {
		if (i % p.length >= p.keep) continue;
		u64 place = p.from[i];
		if (p.loop.at[0].data)
			store_value(p.loop.at[0].data + p.loop.place(0, i) * p.loop.at[0].size, p.loop.at[0].type, p.values[i / p.length * p.length + place], p.type);
		if (p.loop.at[1].data) p.loop.at[1].template store<i64>(p.loop.place(1, i), (i64)place);
	}
}

template <int R> struct PairsParams {
	i64 total, width;
	const u64 *keys, *values;
	u64 *to_keys, *to_values;
};

// sort_pairs merges runs of keys with their values.
KERNEL(sort_pairs, PairsParams) {
	FOR_POINTS(i, p.total) {
		i64 run = i / p.width, begin = (run ^ 1) * p.width, end = begin + p.width;
		if (begin > p.total) begin = p.total;
		if (end > p.total) end = p.total;
		u64 key = p.keys[i];
		i64 low = begin, high = end;
		while (low < high) {
			i64 middle = (low + high) / 2;
			u64 other = p.keys[middle];
			if (other < key || (other == key && run % 2)) low = middle + 1;
			else high = middle;
		}
		i64 to = run / 2 * 2 * p.width + i % p.width + (low - begin);
		p.to_keys[to] = key;
		p.to_values[to] = p.values[i];
	}
}

template <int R> struct SearchParams {
	i64 stride, size, right;
	Loop<R, 3> loop; // y, row, x
};

KERNEL(search_sorted, SearchParams) {
	i64 type = compute_type(p.loop.at[1].type);
	FOR_POINTS(i, p.loop.count) {
		const Operand<R>&row = p.loop.at[1], &x = p.loop.at[2];
		Value v = load_value(x.data + p.loop.place(2, i) * x.size, x.type, type);
		const char* first = row.data + p.loop.place(1, i) * row.size;
		i64 low = 0, high = p.size;
		while (low < high) {
			i64 middle = (low + high) / 2;
			int c = compare(type, false, load_value(first + middle * p.stride * row.size, row.type, type), v);
			if (c < 0 || (c == 0 && p.right)) low = middle + 1;
			else high = middle;
		}
		p.loop.at[0].template store<i64>(p.loop.place(0, i), low);
	}
}
