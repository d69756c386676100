// Pool and PoolGrad: a thread an element of the result; the gradient of an element is gathered from the windows that it is in.
#include "combine.cuh"
#include "window.cuh"

template <int R> struct PoolParams {
	Window window;
	i64 how, positions; // positions: of the windows' extremes are given
	Loop<R, 3> loop;    // Pool: y, places, x; PoolGrad: gx, gy, places; over (n, c, o…, k…)
};

// of_input is where an element of the input lies, whose strides along the windows are those from one to the next.
template <int R> DEVICE i64 of_input(const PoolParams<R>& p, const Operand<R>& x, i64 n, i64 c, const i64* place) {
	i64 at = n * x.strides[0] + c * x.strides[1];
	for (int axis = 0; axis < p.window.rank; axis++) at += place[axis] * (x.strides[2 + axis] / p.window.stride[axis]);
	return at;
}

// beyond tells whether v is larger than the largest so far, or the first that is not a number.
DEVICE bool beyond(i64 type, Value v, Value largest) {
	if (type == Uint64) return (u64)v.i > (u64)largest.i;
	if (type < Float16) return v.i > largest.i;
	return v.x > largest.x || (v.x != v.x && largest.x == largest.x);
}

KERNEL(pool, PoolParams) {
	int r = (int)p.window.rank;
	const Operand<R>&y = p.loop.at[0], &x = p.loop.at[2];
	i64 type = compute_type(y.type), carried = wide_type(type);
	i64 windows = product(p.loop.shape, 2 + r), points = product(p.loop.shape + 2 + r, r), o[5], k[3], at[3];
	FOR_POINTS(i, windows) {
		unravel(i, p.loop.shape, 2 + r, o);
		Total t = {{{0}, 0}, 0};
		i64 first = 0;
		for (i64 tap = 0; tap < points; tap++) {
			unravel(tap, p.loop.shape + 2 + r, r, k);
			bool inside = true;
			for (int axis = 0; axis < r; axis++) {
				at[axis] = p.window.place(axis, o[2 + axis], k[axis]);
				inside = inside && p.window.inside(axis, at[axis]);
			}
			if (!inside) continue;
			Value v = load_value(x.data + of_input(p, x, o[0], o[1], at) * x.size, x.type, carried);
			if (p.how == Combine_max) {
				if (t.full && !beyond(carried, v, t.sum)) continue;
				t.full = 0;
				first = tap;
			}
			take(t, v, p.how, carried);
		}
		store_value(y.data + p.loop.place(0, i, 0, 2 + r) * y.size, y.type, finished(t, p.how, carried, type), type);
		if (p.positions) p.loop.at[1].template store<i64>(p.loop.place(1, i, 0, 2 + r), first);
	}
}

KERNEL(pool_grad, PoolParams) {
	int r = (int)p.window.rank;
	const Operand<R>&gx = p.loop.at[0], &gy = p.loop.at[1], &positions = p.loop.at[2];
	const i64 *places = p.loop.shape + 2, *taps = p.loop.shape + 2 + r;
	i64 type = compute_type(gx.type), carried = wide_type(type), size = product(p.window.size, r), points = product(taps, r);
	i64 at[3], k[3], o[3];
	FOR_POINTS(i, p.loop.shape[0] * p.loop.shape[1] * size) {
		i64 n = i / size / p.loop.shape[1], c = i / size % p.loop.shape[1];
		unravel(i % size, p.window.size, r, at);
		Total t = {{{0}, 0}, 0};
		// The last point of the window belongs to the first window, so that windows come in their order.
		for (i64 tap = points - 1; tap >= 0; tap--) {
			unravel(tap, taps, r, k);
			bool ok = true;
			i64 window = 0, from_gy = n * gy.strides[0] + c * gy.strides[1], from_positions = n * positions.strides[0] + c * positions.strides[1];
			for (int axis = 0; axis < r; axis++) {
				i64 from = at[axis] + p.window.before[axis] - k[axis] * p.window.dilation[axis];
				o[axis] = from / p.window.stride[axis];
				ok = ok && from >= 0 && from % p.window.stride[axis] == 0 && o[axis] < places[axis];
				window = window * places[axis] + o[axis];
				from_gy += o[axis] * gy.strides[2 + axis];
				from_positions += o[axis] * positions.strides[2 + axis];
			}
			if (!ok) continue;
			if (p.positions && load<i64>(positions.data + from_positions * positions.size, positions.type, Int64) != tap) continue;
			take(t, load_value(gy.data + from_gy * gy.size, gy.type, carried), Combine_sum, carried);
		}
		store_value(gx.data + of_input(p, gx, n, c, at) * gx.size, gx.type, finished(t, Combine_sum, carried, type), type);
	}
}
