// Tiles of C: a block computes one, from tiles of A and B that pass through shared memory. Each thread has some
// elements of the tile in registers. While a block multiplies two tiles, the next ones are being loaded into registers.
//
// The parts of an address that belong to i, j and k are computed once for all tiles along k, or once for many k, and
// kept in tables in shared memory. Loading an element then needs only one addition, and a comparison of its coordinates
// with the limits of the window.
#pragma once
#include "product.cuh"

// Tile holds the sizes of the tiles: I by J of C, I by K of A, K by J of B, and of a thread's part of C: RI by RJ
// elements. The threads of a warp form a grid of 4 by 8.
template <int I_, int J_, int K_, int RI_, int RJ_> struct Tile {
	enum { I = I_, J = J_, K = K_, RI = RI_, RJ = RJ_, down = I / (4 * RI), across = J / (8 * RJ), threads = 32 * down * across };
};

// Point is the position of an element in a window, along each axis. A point outside of the tile has a coordinate that
// stays negative whatever is added to it.
struct alignas(16) Point {
	int at[4];
};
enum : int { out_of_all = -(1 << 30) };
enum : i64 { nowhere = -(1LL << 61) }; // as an address: any sum with it stays below half of it

template <class W, int N> struct alignas(sizeof(W) * N) Pack {
	W at[N];
};
template <class W, int most> struct PackOf { enum { size = 16 / (int)sizeof(W) < most ? 16 / (int)sizeof(W) : most }; };

template <class W, class S> struct Shared {
	// Rows of tiles are longer by this, so that both methods of filling them use different banks.
	enum { pad = sizeof(W) >= 16 ? 1 : sizeof(W) == 8 ? 2 : 4, row_a = S::I + pad, row_b = S::J + pad, tile_a = S::K * row_a, tile_b = S::K * row_b };
	alignas(16) W tiles[2 * (tile_a + tile_b)];
	Point point_i[S::I], point_k[part_of_a_sum];
	i64 a_i[S::I], b_j[S::J]; // addresses
	i64 a_k[part_of_a_sum], b_k[part_of_a_sum]; // and distances from there in bytes
	i64 first_i, first_j, first_k, end_k, slice;
	Section section;
	__device__ W* a(int buffer) { return tiles + buffer * (tile_a + tile_b); }
	__device__ W* b(int buffer) { return tiles + buffer * (tile_a + tile_b) + tile_a; }
};

// fill_rows fills the tables for the rows and columns of a tile of C.
template <class S, class W, int R> DEVICE void fill_rows(const ProductParams<R>& p, Shared<W, S>& s) {
	i64 index[4];
	for (int row = threadIdx.x; row < S::I; row += S::threads) {
		i64 i = s.first_i + row;
		Point point = {{out_of_all, 0, 0, 0}};
		s.a_i[row] = 0;
		if (i < s.section.rows) {
			split(i, s.section.positions, index);
			s.a_i[row] = (i64)p.a.data + s.section.a + along(index, p.a.i) * p.a.size;
			for (int axis = 0; axis < 3; axis++) point.at[axis] = (int)(s.section.start[axis] + index[1 + axis] * p.step_i[axis]);
		}
		s.point_i[row] = point;
	}
	for (int column = threadIdx.x; column < S::J; column += S::threads) {
		i64 j = s.first_j + column;
		s.b_j[column] = j < p.columns ? (i64)p.b.data + s.section.b + j * p.b.j * p.b.size : (i64)nowhere;
	}
}

// fill_depth fills the tables for k from first on, up to a whole number of tiles. Elements beyond length are missing.
template <class S, class W, int R> DEVICE void fill_depth(const ProductParams<R>& p, Shared<W, S>& s, i64 first, int length) {
	i64 index[4];
	for (int k = threadIdx.x; k < (length + S::K - 1) / S::K * S::K; k += S::threads) {
		Point point = {{out_of_all, 0, 0, 0}};
		s.a_k[k] = 0;
		s.b_k[k] = nowhere;
		if (k < length) {
			split(first + k, s.section.taps, index);
			s.a_k[k] = along(index, p.a.k) * p.a.size;
			s.b_k[k] = along(index, p.b.k) * p.b.size;
			for (int axis = 0; axis < 3; axis++) point.at[axis] = (int)(index[1 + axis] * p.step_k[axis]);
		}
		s.point_k[k] = point;
	}
}

template <int R> DEVICE bool is_inside(const ProductParams<R>& p, const Point& i, const Point& k) {
	bool x = (u32)(i.at[0] + k.at[0]) < (u32)p.limit[0], y = (u32)(i.at[1] + k.at[1]) < (u32)p.limit[1], z = (u32)(i.at[2] + k.at[2]) < (u32)p.limit[2];
	return x & y & z; // without branches
}

// address computes the address of an element of A or B, and returns whether it exists. row is a column of B.
template <bool of_a, class S, class W, int R> DEVICE bool address(const ProductParams<R>& p, const Shared<W, S>& s, int row, int k, i64& at) {
	at = of_a ? s.a_i[row] + s.a_k[k] : s.b_j[row] + s.b_k[k];
	return of_a ? is_inside(p, s.point_i[row], s.point_k[k]) : at > nowhere / 2;
}

// Mover moves a tile of A or B to shared memory. Its threads run along the rows of the tile (the columns of B) or along
// k, whichever are neighbours in memory.
template <class W, class S, bool of_a> struct Mover {
	enum { rows = of_a ? S::I : S::J, count = rows * S::K / S::threads, step_row = S::threads / S::K, step_k = S::threads / rows };
	W numbers[count];

	template <int R> static __device__ bool by_rows(const ProductParams<R>& p) { return (int)p.along_i[of_a ? 0 : 1] != 0; }
	template <int R> static __device__ int sort(const ProductParams<R>& p) { return (int)(of_a ? p.a : p.b).sort; }

	// fetch begins to load the tile whose first k has a given number in the tables.
	template <bool along_rows, bool narrow, int R> __device__ void fetch(const ProductParams<R>& p, const Shared<W, S>& s, int from) {
		int row = along_rows ? threadIdx.x % rows : threadIdx.x / S::K, k = from + (along_rows ? threadIdx.x / rows : threadIdx.x % S::K);
		i64 at[count];
		bool there[count];
#pragma unroll
		for (int n = 0; n < count; n++) there[n] = address<of_a>(p, s, along_rows ? row : row + n * step_row, along_rows ? k + n * step_k : k, at[n]);
#pragma unroll
		for (int n = 0; n < count; n++) {
			numbers[n] = W();
			if (there[n]) numbers[n] = narrow ? sixteen_bits<W>((const char*)at[n]) : factor((const W*)at[n]);
		}
	}
	template <int R> __device__ void fetch(const ProductParams<R>& p, const Shared<W, S>& s, int from) {
		if (sort(p) == Any) return;
		bool narrow = Native<W>::type == Float32 && sort(p) != Plain;
		if (by_rows(p)) {
			if (narrow) fetch<true, true>(p, s, from);
			else fetch<true, false>(p, s, from);
		} else {
			if (narrow) fetch<false, true>(p, s, from);
			else fetch<false, false>(p, s, from);
		}
	}

	// commit stores in shared memory what fetch has loaded. Elements that need a conversion are only loaded now.
	template <bool all, int R> __device__ void commit(const ProductParams<R>& p, const Shared<W, S>& s, int from, W* tile) {
		constexpr int length = of_a ? Shared<W, S>::row_a : Shared<W, S>::row_b;
		int row = by_rows(p) ? threadIdx.x % rows : threadIdx.x / S::K, k = by_rows(p) ? threadIdx.x / rows : threadIdx.x % S::K;
		int first = k * length + row, step = by_rows(p) ? step_k * length : step_row;
		if (all && sort(p) == Any) {
#pragma unroll 1
			for (int n = 0; n < count; n++) {
				i64 at;
				W number = W();
				if (address<of_a>(p, s, by_rows(p) ? row : row + n * step_row, from + (by_rows(p) ? k + n * step_k : k), at))
					number = load_converted<W>((const char*)at, of_a ? p.a.type : p.b.type, p.summed_as);
				tile[first + n * step] = number;
			}
			return;
		}
		if (sort(p) != Plain) {
#pragma unroll
			for (int n = 0; n < count; n++) numbers[n] = widened(numbers[n], sort(p));
		}
#pragma unroll
		for (int n = 0; n < count; n++) tile[first + n * step] = numbers[n];
	}
};

// Part is a thread's part of a tile of C: packs of neighbours with gaps between them, so that the threads of a warp
// read adjacent packs.
template <class W, class S> struct Part {
	enum { pack_i = PackOf<W, S::RI>::size, pack_j = PackOf<W, S::RJ>::size };
	int i, j; // of the first element
	__device__ Part() {
		// Two neighbours have the same columns, so that a quarter of a warp reads few different packs.
		int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
		i = warp / S::across * (4 * S::RI) + (lane / 16 * 2 + lane % 2) * pack_i;
		j = warp % S::across * (8 * S::RJ) + lane / 2 % 8 * pack_j;
	}
	__device__ int row(int r) const { return i + r / pack_i * (4 * pack_i) + r % pack_i; }
	__device__ int column(int c) const { return j + c / pack_j * (8 * pack_j) + c % pack_j; }
	// load reads the elements for one k.
	__device__ void load(const W* a, const W* b, W (&x)[S::RI], W (&y)[S::RJ]) const {
#pragma unroll
		for (int r = 0; r < S::RI; r += pack_i) *(Pack<W, pack_i>*)(x + r) = *(const Pack<W, pack_i>*)(a + row(r));
#pragma unroll
		for (int c = 0; c < S::RJ; c += pack_j) *(Pack<W, pack_j>*)(y + c) = *(const Pack<W, pack_j>*)(b + column(c));
	}
};

// add_tile adds the products of two tiles.
template <class T, class S, class W> DEVICE void add_tile(const W* a, const W* b, const Part<W, S>& part, W (&sums)[S::RI][S::RJ]) {
#pragma unroll
	for (int k = 0; k < S::K; k++) {
		alignas(16) W x[S::RI], y[S::RJ];
		part.load(a + k * Shared<W, S>::row_a, b + k * Shared<W, S>::row_b, x, y);
#pragma unroll
		for (int r = 0; r < S::RI; r++)
#pragma unroll
			for (int c = 0; c < S::RJ; c++) Sum<T>::add(sums[r][c], x[r], y[c]);
	}
}

// Total holds the sum of the completed parts of sums. It is seldom used: volatile keeps it out of registers.
template <class W, class S> struct Total {
	volatile W at[S::RI][S::RJ];
	__device__ void take(bool first, W (&sums)[S::RI][S::RJ]) {
#pragma unroll
		for (int r = 0; r < S::RI; r++)
#pragma unroll
			for (int c = 0; c < S::RJ; c++) {
				at[r][c] = first ? sums[r][c] : at[r][c] + sums[r][c];
				sums[r][c] = W();
			}
	}
	__device__ void join(W (&sums)[S::RI][S::RJ]) {
#pragma unroll
		for (int r = 0; r < S::RI; r++)
#pragma unroll
			for (int c = 0; c < S::RJ; c++) sums[r][c] = at[r][c] + sums[r][c];
	}
};
template <class W, class S> struct NoTotal {
	__device__ void take(bool, W (&)[S::RI][S::RJ]) {}
	__device__ void join(W (&)[S::RI][S::RJ]) {}
};
template <bool in_parts, class W, class S> struct TotalOf { typedef NoTotal<W, S> type; };
template <class W, class S> struct TotalOf<true, W, S> { typedef Total<W, S> type; };

template <class W, class S> DEVICE void clear(W (&sums)[S::RI][S::RJ]) {
#pragma unroll
	for (int r = 0; r < S::RI; r++)
#pragma unroll
		for (int c = 0; c < S::RJ; c++) sums[r][c] = W();
}

// add_part adds the products of tiles whose k are in the tables, length of them, and reports whether all elements of B
// were finite.
template <class T, class S, bool all, class W, int R>
DEVICE void add_part(const ProductParams<R>& p, Shared<W, S>& s, const Part<W, S>& part, int length, W (&sums)[S::RI][S::RJ], bool& finite) {
	Mover<W, S, true> a;
	Mover<W, S, false> b;
	int buffer = 0;
#pragma unroll 1
	for (int next = 0; next < length + S::K; next += S::K) {
		if (next < length) {
			a.fetch(p, s, next);
			b.fetch(p, s, next);
		}
		if (next > 0) {
			add_tile<T>(s.a(buffer), s.b(buffer), part, sums);
			buffer ^= 1;
		}
		if (next < length) {
			a.template commit<all>(p, s, next, s.a(buffer));
			b.template commit<all>(p, s, next, s.b(buffer));
		}
		__syncthreads();
		if (Sum<T>::special && p.omits && next < length) {
			const W* tile = s.b(buffer);
			for (int n = threadIdx.x; n < S::K * S::J; n += S::threads) finite &= Sum<T>::finite(tile[n / S::J * Shared<W, S>::row_b + n % S::J]);
		}
	}
}

// add_present is add_part without the products of missing elements of A, which would be NaN if the other factor is
// infinite.
template <class T, class S, bool all, class W, int R>
DEVICE void add_present(const ProductParams<R>& p, const Shared<W, S>& s, const Part<W, S>& part, int length, W (&sums)[S::RI][S::RJ]) {
#pragma unroll 1
	for (int k = 0; k < length; k++) {
		W y[S::RJ];
#pragma unroll
		for (int c = 0; c < S::RJ; c++) {
			i64 at;
			y[c] = W();
			if (address<false>(p, s, part.column(c), k, at)) y[c] = p.b.template read<W, all>((const char*)at, p.summed_as);
		}
#pragma unroll
		for (int r = 0; r < S::RI; r++) {
			i64 at;
			if (!address<true>(p, s, part.row(r), k, at)) continue;
			W x = p.a.template read<W, all>((const char*)at, p.summed_as);
#pragma unroll
			for (int c = 0; c < S::RJ; c++) Sum<T>::add(sums[r][c], x, y[c]);
		}
	}
	__syncthreads();
}

// add_products computes a thread's part of a tile of C, with add_part or add_present, and reports whether the elements
// of B were finite.
template <class T, class S, bool all, bool present, class W, int R>
DEVICE bool add_products(const ProductParams<R>& p, Shared<W, S>& s, const Part<W, S>& part, W (&sums)[S::RI][S::RJ]) {
	typename TotalOf<Sum<T>::in_parts, W, S>::type total;
	bool finite = true;
	clear<W, S>(sums);
#pragma unroll 1
	for (int parts = 0;; parts++) {
		i64 first = s.first_k + (i64)parts * part_of_a_sum, rest = s.end_k - first;
		if (rest <= 0) {
			if (parts > 1) total.join(sums);
			return finite;
		}
		int length = rest < part_of_a_sum ? (int)rest : (int)part_of_a_sum;
		if (parts > 0) total.take(parts == 1, sums);
		fill_depth(p, s, first, length);
		__syncthreads();
		if (present) add_present<T, S, all>(p, s, part, length, sums);
		else add_part<T, S, all>(p, s, part, length, sums, finite);
	}
}

// finish stores a part of a band of C that lies in shared memory, after adding D to it if there is one. Neighbouring
// threads store neighbours in memory.
template <class T, class S, bool all, bool along_rows, class W, int R>
DEVICE void finish(const ProductParams<R>& p, const Shared<W, S>& s, int band) {
	enum { rows = 4 * S::RI };
	char *c = p.c.data + s.section.c, *d = p.d.data + s.section.d;
	for (int e = threadIdx.x; e < rows * S::J; e += S::threads) {
		int row = along_rows ? e % 8 + e / (8 * S::J) * 8 : e / S::J, column = along_rows ? e / 8 % S::J : e % S::J;
		i64 i = s.first_i + band * rows + row, j = s.first_j + column;
		if (i >= s.section.rows || j >= p.columns) continue;
		W sum = s.tiles[row * Shared<W, S>::row_b + column];
		if (p.slices > 1) {
			((W*)p.partial)[((s.slice * p.batches + s.section.number) * p.rows + i) * p.columns + j] = sum;
			continue;
		}
		if (p.added) sum = Sum<T>::plus_one(sum, p.d.template read<W, all>(d + s.b_k[band * rows + row] + j * p.d.j * p.d.size, p.summed_as));
		put<T, all>(c + s.a_k[band * rows + row] + j * p.c.j * p.c.size, p.c.type, sum);
	}
}

// store_tile stores a tile of C in bands. Each band belongs to one row of warps.
template <class T, class S, bool all, class W, int R>
DEVICE void store_tile(const ProductParams<R>& p, Shared<W, S>& s, const Part<W, S>& part, const W (&sums)[S::RI][S::RJ]) {
	enum { rows = 4 * S::RI };
	static_assert(rows * Shared<W, S>::row_b <= sizeof s.tiles / sizeof(W), "a band of C needs as much room as the tiles have");
	i64 index[4];
	for (int row = threadIdx.x; row < S::I; row += S::threads) {
		if (s.first_i + row >= s.section.rows) break;
		split(s.first_i + row, s.section.positions, index);
		s.a_k[row] = along(index, p.c.i) * p.c.size;
		s.b_k[row] = along(index, p.d.i) * p.d.size;
	}
#pragma unroll 1
	for (int band = 0; band < S::down; band++) {
		if ((int)threadIdx.x / (32 * S::across) == band) {
#pragma unroll
			for (int r = 0; r < S::RI; r++)
#pragma unroll
				for (int c = 0; c < S::RJ; c++) s.tiles[(part.row(r) - band * rows) * Shared<W, S>::row_b + part.column(c)] = sums[r][c];
		}
		__syncthreads();
		if (p.along_i[2]) finish<T, S, all, true>(p, s, band);
		else finish<T, S, all, false>(p, s, band);
		__syncthreads();
	}
}

// multiply_tiles lets each block compute a tile of C. If all is false, the operands have types that are read without a
// call.
template <class T, class S, bool all, int R> DEVICE void multiply_tiles(const ProductParams<R>& p) {
	typedef typename Sum<T>::Number W;
	__shared__ Shared<W, S> s;
	if (threadIdx.x == 0) {
		i64 down = (p.rows + S::I - 1) / S::I, across = (p.columns + S::J - 1) / S::J;
		i64 block = blockIdx.x, rest = divide(block, across), next = divide(rest, down), section = divide(next, p.slices);
		find_section(p, section, s.section);
		s.first_j = (block - rest * across) * S::J;
		s.first_i = (rest - next * down) * S::I;
		s.slice = next - section * p.slices;
		s.first_k = s.slice * p.slice;
		s.end_k = s.first_k + p.slice < s.section.depth ? s.first_k + p.slice : s.section.depth;
	}
	__syncthreads();
	if (s.first_i >= s.section.rows) return;
	W sums[S::RI][S::RJ];
	Part<W, S> part;
	fill_rows(p, s);
	__syncthreads();
	bool finite = add_products<T, S, all, false>(p, s, part, sums);
	if (Sum<T>::special && p.omits && __syncthreads_or(!finite)) add_products<T, S, all, true>(p, s, part, sums);
	store_tile<T, S, all>(p, s, part, sums);
}

// product_join adds up slices: 32 elements per block, each with 8 threads.
template <class T, int R> DEVICE void product_join(const ProductParams<R>& p) {
	typedef typename Sum<T>::Number W;
	enum { elements = 32, parts = 8 };
	__shared__ W sums[parts][elements];
	int column = threadIdx.x % elements, part = threadIdx.x / elements;
	i64 count = p.batches * p.rows * p.columns, index[4];
	for (i64 first = blockIdx.x * (i64)elements; first < count; first += gridDim.x * (i64)elements) {
		i64 e = first + column;
		W sum = W();
		if (e < count) {
			const W* slice = (const W*)p.partial + e;
			for (i64 n = part; n < p.slices; n += parts) sum = Sum<T>::plus_one(sum, slice[n * count]);
		}
		sums[part][column] = sum;
		__syncthreads();
		if (part == 0 && e < count) {
			for (int n = 1; n < parts; n++) sum = Sum<T>::plus_one(sum, sums[n][column]);
			i64 row = divide(e, p.columns), j = e - row * p.columns, number = divide(row, p.rows);
			Section s;
			find_section(p, number, s);
			split(row - number * p.rows, s.positions, index);
			put_sum<T>(p, s, index, j, sum);
		}
		__syncthreads();
	}
}

// TILES makes the entries of multiply_tiles for a class T, with its letter in their names: name_letter_8 and
// name_letter_32. The given number of blocks share the registers of a multiprocessor.
#define TILES(name, letter, T, blocks, all, ...)                                                                                     \
	NARROW(extern "C" __global__ void __launch_bounds__(__VA_ARGS__::threads, blocks) name##_##letter##_8(PARAMETER(ProductParams<8>)) { \
		multiply_tiles<T, __VA_ARGS__, all>(p);                                                                                      \
	} REGISTER(name##_##letter##_8))                                                                                                 \
	WIDE(extern "C" __global__ void __launch_bounds__(__VA_ARGS__::threads, blocks) name##_##letter##_32(PARAMETER(ProductParams<32>)) { \
		multiply_tiles<T, __VA_ARGS__, all>(p);                                                                                      \
	} REGISTER(name##_##letter##_32))
