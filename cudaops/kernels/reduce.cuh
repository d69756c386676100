// Reduce combines values along the last axes, in an order that depends only on their number. A source provides the
// values: those of the interpreter or of a printed program. Both therefore combine in the same order. So do blocks
// whose lanes read adjacent values of a row, and blocks whose columns are adjacent outputs.
//
// The values of an output are split into parts of equal length. Up to 32 lanes combine a part. They take packs of four
// values in turn: lane k takes the packs k, k+32, and so on. Then lane k of the first eight is combined with k+8, k+16
// and k+24, and these eight in three steps: k with k+4, with k+2, with k+1. Eight consecutive parts form a group and
// are combined in these three steps. Groups are assigned to 256 slots in turn, like packs to lanes. 32 slots are
// combined like lanes, and the eight results like parts.
#pragma once
#include "combine.cuh"

// Reduction holds the parameters of a reduction, in the format of cudaops/reduce.go.
struct Reduction {
	i64 how, outer, inner; // points of the outputs, and values of each
	i64 lanes;             // lanes that combine a part: 1, 2, 4, ... 32
	i64 parts, length;     // parts of an output, and the values of each but the last
	i64 columns;           // of a block; 0 if its lanes read adjacent values
	Value* partial;        // the totals of groups, or with columns those of parts, for all outputs
	u32* arrived;          // for each output, or for each block's columns: how many of several blocks are done; 0 at the end
};

enum { reduce_threads = 256, pack_values = 4, brothers = 8, reduce_slots = 256 };

// A Source has:
//   Index                   the type of a value's number
//   Output, output(o)       its data for output o
//   pack(output, v, x)      sets x to the values from number v on, a multiple of four
//   value(output, v)        the value with number v
//   combine(a, b), pair()   combines totals; pair says whether they are complex
//   by_columns()            whether r.columns is not 0
//   finish(o, total)        stores an output's total, which is undefined if there are no values
//   unrolled                how many packs are read at a time
//   printed                 true for a printed program: everything is inlined; false: large functions are called

// lane_total combines the values of a lane: those of its packs between from and to. There is at least one.
template <class S>
DEVICE Value lane_total_now(const S& s, const typename S::Output& o, typename S::Index from, typename S::Index to, u32 lane, u32 lanes) {
	typename S::Index v = from + pack_values * lane;
	Value x[pack_values];
	bool whole = v + pack_values <= to;
	if (whole) s.pack(o, v, x);
	else x[0] = s.value(o, v);
	Value t = x[0];
	if (!whole) v++;
	else {
#pragma unroll
		for (int j = 1; j < pack_values; j++) t = s.combine(t, x[j]);
#pragma unroll(S::unrolled)
		for (v += pack_values * lanes; v + pack_values <= to; v += pack_values * lanes) {
			s.pack(o, v, x);
#pragma unroll
			for (int j = 0; j < pack_values; j++) t = s.combine(t, x[j]);
		}
	}
#pragma unroll 1
	for (; v < to; v++) t = s.combine(t, s.value(o, v)); // the rest of an incomplete pack
	return t;
}

template <class S>
DEVICE_LARGE Value lane_total_called(const S& s, const typename S::Output& o, typename S::Index from, typename S::Index to, u32 lane, u32 lanes) {
	return lane_total_now(s, o, from, to, lane, lanes);
}
template <class S>
DEVICE Value lane_total(const S& s, const typename S::Output& o, typename S::Index from, typename S::Index to, u32 lane, u32 lanes) {
	if constexpr (S::printed) return lane_total_now(s, o, from, to, lane, lanes);
	else return lane_total_called(s, o, from, to, lane, lanes);
}

// filled_lanes returns how many lanes have a value, for a number of values.
DEVICE u32 filled_lanes(i64 values, u32 lanes) {
	i64 packs = (values + pack_values - 1) / pack_values;
	return packs < lanes ? (u32)packs : lanes;
}

// shifted returns the total of the lane that is by lanes further.
template <class S> DEVICE Value shifted(const S& s, Value v, u32 by, u32 lanes) {
	Value y = v;
	y.i = __shfl_down_sync(0xffffffffu, v.i, by, lanes);
	if (s.pair()) y.y = __shfl_down_sync(0xffffffffu, v.y, by, lanes);
	return y;
}

// join_lanes combines the first filled lanes of a team. The result is in lane 0.
template <class S> DEVICE Value join_lanes_now(const S& s, Value own, u32 lane, u32 filled, u32 lanes) {
	Value t = own;
	for (u32 w = brothers; w < lanes; w += brothers) {
		Value other = shifted(s, own, w, lanes);
		if (lane + w < filled) t = s.combine(t, other);
	}
	for (u32 w = (lanes < brothers ? lanes : brothers) / 2; w; w /= 2) {
		Value other = shifted(s, t, w, lanes);
		if (lane + w < filled) t = s.combine(t, other);
	}
	return t;
}

template <class S> DEVICE_LARGE Value join_lanes_called(const S& s, Value own, u32 lane, u32 filled, u32 lanes) {
	return join_lanes_now(s, own, lane, filled, lanes);
}
template <class S> DEVICE Value join_lanes(const S& s, Value own, u32 lane, u32 filled, u32 lanes) {
	if constexpr (S::printed) return join_lanes_now(s, own, lane, filled, lanes);
	else return join_lanes_called(s, own, lane, filled, lanes);
}

// stored reads a total that another thread has stored, possibly one of another block.
template <class S> DEVICE Value stored(const S& s, const Value* at) {
	Value v = of_int(0);
	v.i = *(const volatile i64*)&at->i;
	if (s.pair()) v.y = *(const volatile double*)&at->y;
	return v;
}

// join_brothers combines the first filled of eight stored totals, which lie step apart.
template <class S> DEVICE Value join_brothers_now(const S& s, u32 filled, const Value* at, i64 step) {
	Value t[brothers];
#pragma unroll(S::printed ? brothers : 1)
	for (u32 k = 0; k < brothers; k++) t[k] = k < filled ? stored(s, at + k * step) : of_int(0);
#pragma unroll(S::printed ? brothers : 1)
	for (u32 w = brothers / 2; w; w /= 2) {
#pragma unroll(S::printed ? brothers : 1)
		for (u32 k = 0; k < w; k++)
			if (k + w < filled) t[k] = s.combine(t[k], t[k + w]);
	}
	return t[0];
}
template <class S> DEVICE_LARGE Value join_brothers_called(const S& s, u32 filled, const Value* at, i64 step) {
	return join_brothers_now(s, filled, at, step);
}
template <class S> DEVICE Value join_brothers(const S& s, u32 filled, const Value* at, i64 step) {
	if constexpr (S::printed) return join_brothers_now(s, filled, at, step);
	else return join_brothers_called(s, filled, at, step);
}

DEVICE i64 groups_of(const Reduction& r) { return (r.parts + brothers - 1) / brothers; }

// group_total returns the total of a group. With columns the totals of its parts were stored, otherwise that of the
// group.
template <class S> DEVICE Value group_total(const S& s, const Reduction& r, i64 o, i64 group) {
	if (!s.by_columns()) return stored(s, r.partial + o * groups_of(r) + group);
	i64 first = group * brothers, rest = r.parts - first;
	return join_brothers(s, rest < brothers ? (u32)rest : brothers, r.partial + o * r.parts + first, 1);
}

// slots_total combines the 32 slots of a row, for an output. The result is in lane 0; the whole warp calls it.
template <class S> DEVICE Value slots_total(const S& s, const Reduction& r, i64 o, u32 row, u32 lane) {
	i64 groups = groups_of(r), first = row * 32 + lane, filled = groups - row * 32;
	Value t = of_int(0);
	if (first < groups) {
		t = group_total(s, r, o, first);
		for (i64 g = first + reduce_slots; g < groups; g += reduce_slots) t = s.combine(t, group_total(s, r, o, g));
	}
	return join_lanes(s, t, lane, filled < 0 ? 0 : filled < 32 ? (u32)filled : 32, 32);
}

// filled_rows returns how many rows of slots have a group.
DEVICE u32 filled_rows(const Reduction& r) {
	i64 groups = groups_of(r);
	return (u32)((groups < reduce_slots ? groups : reduce_slots) + 31) / 32;
}

// last_to_arrive tells a block whether it is the last of the given number of blocks to store its totals. The last one
// may read all of them.
DEVICE bool last_to_arrive(u32* arrived, i64 of) {
	__shared__ int last;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) {
		last = atomicAdd(arrived, 1u) + 1 == of;
		if (last) *arrived = 0; // for the next reduction
	}
	__syncthreads();
	if (last) __threadfence();
	return last;
}

// reduce_rows lets a team of lanes compute an output with one part.
template <class S> DEVICE void reduce_rows(const S& s, const Reduction& r) {
	u32 lanes = (u32)r.lanes, lane = threadIdx.x & (lanes - 1), filled = filled_lanes(r.inner, lanes);
	i64 teams = reduce_threads / lanes;
	for (i64 first = blockIdx.x * teams; first < r.outer; first += gridDim.x * teams) {
		i64 o = first + threadIdx.x / lanes;
		Value t = of_int(0);
		if (o < r.outer && lane < filled) t = lane_total(s, s.output(o), 0, (typename S::Index)r.inner, lane, lanes);
		t = join_lanes(s, t, lane, filled, lanes);
		if (o < r.outer && lane == 0) s.finish(o, t);
	}
}

// reduce_groups lets a block compute a group of an output's parts.
template <class S> DEVICE void reduce_groups(const S& s, const Reduction& r) {
	__shared__ Value totals[brothers];
	u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	i64 groups = groups_of(r);
	auto joined = [&](Value t, u32 filled) { // in thread 0
		if (lane == 0) totals[warp] = t;
		__syncthreads();
		return threadIdx.x == 0 ? join_brothers(s, filled, totals, 1) : t;
	};
	for (i64 item = blockIdx.x; item < r.outer * groups; item += gridDim.x) {
		i64 o = divide(item, groups), group = item - o * groups, first = group * brothers;
		i64 from = (first + warp) * r.length, to = from + r.length < r.inner ? from + r.length : r.inner;
		Value t = of_int(0);
		u32 filled = from < to ? filled_lanes(to - from, 32) : 0;
		if (lane < filled) t = lane_total(s, s.output(o), (typename S::Index)from, (typename S::Index)to, lane, 32);
		t = joined(join_lanes(s, t, lane, filled, 32), r.parts - first < brothers ? (u32)(r.parts - first) : brothers);
		if (groups > 1) {
			if (threadIdx.x == 0) r.partial[o * groups + group] = t;
			if (last_to_arrive(r.arrived + o, groups)) {
				t = joined(slots_total(s, r, o, warp, lane), filled_rows(r));
				if (threadIdx.x == 0) s.finish(o, t);
			}
		} else if (threadIdx.x == 0) s.finish(o, t);
		__syncthreads();
	}
}

// join_columns finishes a block's columns once all parts of them are stored: with one thread per column if a group has
// all parts, otherwise with a warp.
template <class S> DEVICE void join_columns(const S& s, const Reduction& r, i64 first, Value* totals) {
	u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, rows = filled_rows(r);
	i64 columns = r.outer - first < r.columns ? r.outer - first : r.columns;
	if (groups_of(r) == 1) {
		if (threadIdx.x < columns) s.finish(first + threadIdx.x, group_total(s, r, first + threadIdx.x, 0));
		return;
	}
	totals += warp * brothers;
	for (i64 c = warp; c < columns; c += reduce_threads / 32) {
		for (u32 row = 0; row < rows; row++) {
			Value t = slots_total(s, r, first + c, row, lane);
			if (lane == 0) totals[row] = t;
		}
		if (lane == 0) s.finish(first + c, join_brothers(s, rows, totals, 1));
	}
}

// reduce_columns lets a block compute a part of several outputs. A row of threads has one lane of each output, or
// several in turn.
template <class S> DEVICE void reduce_columns(const S& s, const Reduction& r) {
	__shared__ Value totals[reduce_threads];
	u32 columns = (u32)r.columns, rows = reduce_threads / columns, c = threadIdx.x & (columns - 1), h = threadIdx.x / columns;
	i64 blocks = (r.outer + columns - 1) / columns;
	for (i64 item = blockIdx.x; item < blocks * r.parts; item += gridDim.x) {
		i64 part = divide(item, blocks), block = item - part * blocks, o = block * columns + c;
		i64 from = part * r.length, to = from + r.length < r.inner ? from + r.length : r.inner;
		u32 filled = filled_lanes(to - from, (u32)r.lanes);
		Value t = of_int(0);
		if (o < r.outer && h < filled) {
			const typename S::Output output = s.output(o);
#pragma unroll 1
			for (u32 lane = h; lane < filled; lane += rows) {
				Value other = lane_total(s, output, (typename S::Index)from, (typename S::Index)to, lane, (u32)r.lanes);
				t = lane == h ? other : s.combine(t, other);
			}
		}
		if (rows > 1) {
			totals[threadIdx.x] = t;
			__syncthreads();
		}
		if (rows > brothers) {
			if (h < brothers) {
				for (u32 k = h + brothers; k < rows && k < filled; k += brothers) t = s.combine(t, totals[k * columns + c]);
				totals[threadIdx.x] = t;
			}
			__syncthreads();
		}
		if (h == 0 && o < r.outer) {
			if (rows > 1) t = join_brothers(s, filled < rows ? filled : rows, totals + c, columns);
			if (r.parts > 1) r.partial[o * r.parts + part] = t;
			else s.finish(o, t);
		}
		if (r.parts > 1 && last_to_arrive(r.arrived + block, r.parts)) join_columns(s, r, block * columns, totals);
		if (rows > 1) __syncthreads();
	}
}

template <class S> DEVICE_LARGE void reduce_rows_called(const S& s, const Reduction& r) { reduce_rows(s, r); }
template <class S> DEVICE_LARGE void reduce_groups_called(const S& s, const Reduction& r) { reduce_groups(s, r); }
template <class S> DEVICE_LARGE void reduce_columns_called(const S& s, const Reduction& r) { reduce_columns(s, r); }

template <class S> DEVICE void reduction(const S& s, const Reduction& r) {
	if constexpr (S::printed) {
		if (s.by_columns()) reduce_columns(s, r);
		else if (r.parts > 1) reduce_groups(s, r);
		else reduce_rows(s, r);
	} else {
		if (s.by_columns()) reduce_columns_called(s, r);
		else if (r.parts > 1) reduce_groups_called(s, r);
		else reduce_rows_called(s, r);
	}
}
