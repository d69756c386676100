// Copy: y = x. Kernels that move bits work on units of 1 to 16 bytes: an element, or the largest part of a row without
// gaps that addresses and strides permit to move at once.
#include "walk.cuh"

template <int R> struct CopyParams {
	i64 size, each; // the size of a unit, and how many a thread moves at a time
	Walk<R, 2> walk; // y, x
};

template <class T, int R> DEVICE void move_units(const CopyParams<R>& p) {
	FOR_GROUPS(first, p.walk.count, p.each) {
		T v[most_each];
		i64 at[most_each][2];
#pragma unroll
		for (int k = 0; k < most_each; k++) {
			u32 i = first + 256 * k;
			if (k >= p.each || i >= p.walk.count) break;
			p.walk.offsets(i, at[k]);
			v[k] = *(const T*)(p.walk.data[1] + at[k][1]);
		}
#pragma unroll
		for (int k = 0; k < most_each; k++) {
			if (k >= p.each || first + 256 * k >= p.walk.count) break;
			*(T*)(p.walk.data[0] + at[k][0]) = v[k];
		}
	}
}

// copy is for any strides.
KERNEL(copy, CopyParams) {
	switch (p.size) {
	case 1: move_units<unsigned char>(p); return;
	case 2: move_units<unsigned short>(p); return;
	case 4: move_units<u32>(p); return;
	case 8: move_units<u64>(p); return;
	}
	move_units<Pair64>(p);
}

// repeated fills 16 bytes with copies of an element.
DEVICE Pair64 repeated(const char* element, i64 size) {
	u64 v;
	switch (size) {
	case 1: v = *(const unsigned char*)element * 0x0101010101010101ull; break;
	case 2: v = *(const unsigned short*)element * 0x0001000100010001ull; break;
	case 4: v = *(const u32*)element * 0x0000000100000001ull; break;
	default: v = *(const u64*)element;
	}
	return {v, v};
}

// fill stores each element of x as 16 bytes of y.
KERNEL(fill, CopyParams) {
	FOR_GROUPS(first, p.walk.count, p.each)
#pragma unroll
		for (int k = 0; k < most_each; k++) {
			u32 i = first + 256 * k;
			if (k >= p.each || i >= p.walk.count) break;
			i64 at[2];
			p.walk.offsets(i, at);
			*(Pair64*)(p.walk.data[0] + at[0]) = repeated(p.walk.data[1] + at[1], p.size);
		}
}

template <int R> struct TransposeParams {
	i64 tiles;
	i64 whole_y, whole_x; // whether words of several elements may be stored, and loaded
	Divisor down, across; // tiles along the axis in which y is contiguous, and along that in which x is
	i64 rows, columns;    // the lengths of these axes, and their strides
	i64 y_row, x_row, y_column, x_column;
	Walk<R, 2> others; // the other axes
};

// Word<W> is a word of W elements of 4/W bytes.
template <class T, int W> struct Word {
	typedef u32 type;
	static __device__ u32 load(const char* from, i64 stride, int n, bool whole) {
		if (whole && n >= W) return *(const u32*)from;
		u32 word = 0;
#pragma unroll
		for (int k = 0; k < W; k++)
			if (k < n) word |= (u32) * (const T*)(from + k * stride) << 32 / W * k;
		return word;
	}
	static __device__ void store(char* to, i64 stride, int n, bool whole, u32 word) {
		if (whole && n >= W) {
			*(u32*)to = word;
			return;
		}
#pragma unroll
		for (int k = 0; k < W; k++)
			if (k < n) *(T*)(to + k * stride) = (T)(word >> 32 / W * k);
	}
	// column returns element number `at` of each of W words.
	static __device__ u32 column(const u32* words, int at) {
		u32 word = 0;
#pragma unroll
		for (int k = 0; k < W; k++) word |= (words[k] >> 32 / W * at & (1ull << 32 / W) - 1) << 32 / W * k;
		return word;
	}
};
template <class T> struct Word<T, 1> {
	typedef T type;
	static __device__ T load(const char* from, i64, int, bool) { return *(const T*)from; }
	static __device__ void store(char* to, i64, int, bool, T v) { *(T*)to = v; }
	static __device__ T column(const T* v, int) { return *v; }
};

// transpose_tiles moves tiles of 32·W rows of 32 words through shared memory. A warp loads a row along the axis in
// which x is contiguous, and stores pieces of columns along the axis in which y is. A row has room for 33 words, so
// that the words that a warp accesses at a time lie in different banks.
template <class T, int W, int R> DEVICE void transpose_tiles(const TransposeParams<R>& p) {
	typedef Word<T, W> Words;
	typedef typename Words::type Unit;
	const int side = 32 * W, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	__shared__ Unit tile[32 * W][33];
	for (u32 t = blockIdx.x; t < p.tiles; t += gridDim.x) {
		u32 rest = p.down.quotient(t), batch = p.across.quotient(rest), row = (t - rest * p.down.value) * side, column = (rest - batch * p.across.value) * side;
		i64 at[2];
		p.others.offsets(batch, at);
		const int rows = (u32)p.rows - row, columns = (u32)p.columns - column; // rows and columns from this tile on
		const char* x = p.others.data[1] + at[1] + row * p.x_row + (column + lane * W) * p.x_column;
		char* y = p.others.data[0] + at[0] + row * p.y_row + column * p.y_column;
#pragma unroll 1
		for (int r = warp; r < side; r += 32) {
			Unit v[4];
#pragma unroll
			for (int k = 0; k < 4; k++)
				if (r + 8 * k < rows && lane * W < columns) v[k] = Words::load(x + (r + 8 * k) * p.x_row, p.x_column, columns - lane * W, p.whole_x);
#pragma unroll
			for (int k = 0; k < 4; k++) tile[r + 8 * k][lane] = v[k];
		}
		__syncthreads();
		const int high = lane % (32 / W), wide = lane / (32 / W);
#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int piece = warp + 8 * k, word = piece % (32 / W) * W + wide, r = (piece / (32 / W) * (32 / W) + high) * W;
			if (r >= rows) continue;
			Unit words[W];
#pragma unroll
			for (int j = 0; j < W; j++) words[j] = tile[r + j][word];
#pragma unroll
			for (int j = 0; j < W; j++) {
				const int c = word * W + j;
				if (c < columns) Words::store(y + r * p.y_row + c * p.y_column, p.y_row, rows - r, p.whole_y, Words::column(words, j));
			}
		}
		__syncthreads();
	}
}

// transpose_1 and so on are for operands whose elements have that many bytes, and which are contiguous along different
// axes.
#define TRANSPOSE(size, T, W) \
	KERNEL(transpose_##size, TransposeParams) { transpose_tiles<T, W>(p); }
TRANSPOSE(1, unsigned char, 4)
TRANSPOSE(2, unsigned short, 2)
TRANSPOSE(4, u32, 1)
TRANSPOSE(8, u64, 1)
TRANSPOSE(16, Pair64, 1)

template <int R> struct ConvertParams {
	i64 to, from, each; // types of y and x
	Walk<R, 2> walk;
};

// Group holds the points of a walk that a thread processes at a time.
struct Group {
	char* y[most_each];
	const char* x[most_each];
	int n;
};

// loaded and stored process a group once the types are known.
template <class E, class S, class F> DEVICE void loaded(const Group& g, S* v, F f) {
	for (int k = 0; k < g.n; k++) v[k] = f(*(const E*)g.x[k]);
}
template <class E, class F> DEVICE void stored(const Group& g, F f) {
	for (int k = 0; k < g.n; k++) *(E*)g.y[k] = f(k);
}

// store_group converts numbers of class S.
template <class S> DEVICE_LARGE void store_group(const Group& g, i64 type, const S* v) {
	switch (type) {
	case Bool: stored<bool>(g, [=](int k) { return convert<bool>(v[k], Bool); }); return;
	case Int8: case Uint8: stored<unsigned char>(g, [=](int k) { return (unsigned char)convert<i64>(v[k], type); }); return;
	case Int16: case Uint16: stored<unsigned short>(g, [=](int k) { return (unsigned short)convert<i64>(v[k], type); }); return;
	case Int32: case Uint32: stored<u32>(g, [=](int k) { return (u32)convert<i64>(v[k], type); }); return;
	case Int64: case Uint64: stored<i64>(g, [=](int k) { return convert<i64>(v[k], type); }); return;
	case Float16: stored<unsigned short>(g, [=](int k) { return float_to_half(round_to_odd(real_part(v[k]))); }); return;
	case BFloat16: stored<unsigned short>(g, [=](int k) { return float_to_brain(round_to_odd(real_part(v[k]))); }); return;
	case Float32: stored<float>(g, [=](int k) { return convert<float>(v[k], type); }); return;
	case Float64: stored<double>(g, [=](int k) { return convert<double>(v[k], type); }); return;
	case Complex64: stored<c64>(g, [=](int k) { return convert<c64>(v[k], type); }); return;
	}
	stored<c128>(g, [=](int k) { return convert<c128>(v[k], type); });
}

// move_group loads elements of a class of types, and stores them.
template <class S, class E, class F> DEVICE void move_group(const Group& g, i64 to, F f) {
	S v[most_each];
	loaded<E>(g, v, f);
	store_group(g, to, v);
}
template <class S, class E> DEVICE void move_group(const Group& g, i64 to) {
	move_group<S, E>(g, to, [](E e) { return (S)e; });
}

// convert_elements is for operands of two types. Each switch is done once per group.
KERNEL(convert_elements, ConvertParams) {
	FOR_GROUPS(first, p.walk.count, p.each) {
		Group g;
		for (g.n = 0; g.n < p.each && first + 256 * g.n < p.walk.count; g.n++) {
			i64 at[2];
			p.walk.offsets(first + 256 * g.n, at);
			g.y[g.n] = p.walk.data[0] + at[0];
			g.x[g.n] = p.walk.data[1] + at[1];
		}
		switch (p.from) {
		case Bool: move_group<bool, unsigned char>(g, p.to, [](unsigned char e) { return e != 0; }); break;
		case Int8: move_group<i64, signed char>(g, p.to); break;
		case Int16: move_group<i64, short>(g, p.to); break;
		case Int32: move_group<i64, int>(g, p.to); break;
		case Int64: move_group<i64, i64>(g, p.to); break;
		case Uint8: move_group<u64, unsigned char>(g, p.to); break;
		case Uint16: move_group<u64, unsigned short>(g, p.to); break;
		case Uint32: move_group<u64, u32>(g, p.to); break;
		case Uint64: move_group<u64, u64>(g, p.to); break;
		case Float16: move_group<float, unsigned short>(g, p.to, half_to_float); break;
		case BFloat16: move_group<float, unsigned short>(g, p.to, brain_to_float); break;
		case Float32: move_group<float, float>(g, p.to); break;
		case Float64: move_group<double, double>(g, p.to); break;
		case Complex64: move_group<c64, c64>(g, p.to); break;
		default: move_group<c128, c128>(g, p.to);
		}
	}
}
