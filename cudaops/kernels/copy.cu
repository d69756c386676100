// Copy: y = x, converted.
#include "ndgrad.cuh"

template <int R> struct CopyParams {
	Loop<R, 2> loop;
};

// move_elements moves an element of a size, bit by bit.
template <class T, int R> DEVICE void move_elements(const CopyParams<R>& p) {
	FOR_POINTS(i, p.loop.count) {
		i64 at[2];
		p.loop.places(i, at, 2);
		((T*)p.loop.at[0].data)[at[0]] = ((const T*)p.loop.at[1].data)[at[1]];
	}
}

struct Pair64 {
	u64 low, high;
};

// copy is for operands of one type.
KERNEL(copy, CopyParams) {
	switch (p.loop.at[0].size) {
	case 1: move_elements<unsigned char>(p); return;
	case 2: move_elements<unsigned short>(p); return;
	case 4: move_elements<u32>(p); return;
	case 8: move_elements<u64>(p); return;
	}
	move_elements<Pair64>(p);
}

KERNEL(convert_elements, CopyParams) {
	FOR_POINTS(i, p.loop.count) {
		i64 at[2];
		p.loop.places(i, at, 2);
		const Operand<R>&y = p.loop.at[0], &x = p.loop.at[1];
		char* to = y.data + at[0] * y.size;
		switch (x.type) {
		case Bool: store(to, y.type, x.template load<bool>(at[1], Bool)); break;
		case Int8: case Int16: case Int32: case Int64: store(to, y.type, x.template load<i64>(at[1], x.type)); break;
		case Uint8: case Uint16: case Uint32: case Uint64: store(to, y.type, x.template load<u64>(at[1], x.type)); break;
		case Float16: case BFloat16: case Float32: store(to, y.type, x.template load<float>(at[1], Float32)); break;
		case Float64: store(to, y.type, x.template load<double>(at[1], Float64)); break;
		case Complex64: store(to, y.type, x.template load<c64>(at[1], Complex64)); break;
		default: store(to, y.type, x.template load<c128>(at[1], Complex128));
		}
	}
}
