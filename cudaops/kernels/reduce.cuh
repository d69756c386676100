// Reduce: values combined along the last axes, in an order that is a function of their number alone. A source says what the values are:
// the interpreter's or a printed program's. So both combine alike, and so does a block whose lanes lie side by side, for values that do, and
// one whose columns do, for outputs that lie side by side in memory.
//
// The values of an output are cut into parts of one length. A part is combined by up to 32 lanes, which take packs of four values in turn:
// lane k the packs k, k+32, and so on. Lane k of the first eight is then joined with k+8, k+16 and k+24, and those eight are in three
// steps: k with k+4, with k+2, with k+1. Eight parts that follow one another are a group, joined in these three steps. Groups lie in 256
// slots in turn, as packs do in lanes; 32 slots are joined as lanes are, and the eight joints as parts.
#pragma once
#include "combine.cuh"

// Reduction is how a reduction is done, as cudaops/reduce.go has it.
struct Reduction {
	i64 how, outer, inner; // points of the outputs, and values of each
	i64 lanes;             // that combine a part: 1, 2, 4, ... 32
	i64 parts, length;     // parts of an output, and the values of each but the last
	i64 columns;           // of a block; 0 where its lanes lie side by side
	Value* partial;        // the totals of groups, or with columns those of parts, of all outputs
	u32* arrived;          // for each output, or for each block's columns, how many of several blocks are done; 0 in the end
};

enum { reduce_threads = 256, pack_values = 4, brothers = 8, reduce_slots = 256 };

// A Source has:
//   Index                   the type of a value's number
//   Output, output(o)       what it needs to know of output o
//   pack(output, v, x)      sets x to the values from number v on, a multiple of four
//   value(output, v)        the value of a number
//   combine(a, b), pair()   combines totals; pair says whether they are complex
//   by_columns()            whether r.columns is not 0
//   finish(o, total)        stores an output's total, which has no meaning where there are no values
//   unrolled                how many packs are read at a time
//   printed                 whether it is a printed program's: then everything is inlined, else there is one text of what is large

// lane_total combines the values of a lane: those of its packs between from and to, of which there is one at least.
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
	for (; v < to; v++) t = s.combine(t, s.value(o, v)); // of a pack that is not whole
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

// filled_lanes is how many lanes have something of so many values.
DEVICE u32 filled_lanes(i64 values, u32 lanes) {
	i64 packs = (values + pack_values - 1) / pack_values;
	return packs < lanes ? (u32)packs : lanes;
}

// shifted is the total of the lane so many lanes on.
template <class S> DEVICE Value shifted(const S& s, Value v, u32 by, u32 lanes) {
	Value y = v;
	y.i = __shfl_down_sync(0xffffffffu, v.i, by, lanes);
	if (s.pair()) y.y = __shfl_down_sync(0xffffffffu, v.y, by, lanes);
	return y;
}

// join_lanes has in lane 0 the joint of the first so many of a team's lanes.
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

// stored reads a total that another thread has stored, maybe of another block.
template <class S> DEVICE Value stored(const S& s, const Value* at) {
	Value v = of_int(0);
	v.i = *(const volatile i64*)&at->i;
	if (s.pair()) v.y = *(const volatile double*)&at->y;
	return v;
}

// join_brothers joins the first so many of eight stored totals, which lie a step apart.
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

// group_total is the total of a group: with columns its parts were stored, else the group.
template <class S> DEVICE Value group_total(const S& s, const Reduction& r, i64 o, i64 group) {
	if (!s.by_columns()) return stored(s, r.partial + o * groups_of(r) + group);
	i64 first = group * brothers, rest = r.parts - first;
	return join_brothers(s, rest < brothers ? (u32)rest : brothers, r.partial + o * r.parts + first, 1);
}

// slots_total has in lane 0 the joint of the 32 slots of a row, for an output; the whole warp calls it.
template <class S> DEVICE Value slots_total(const S& s, const Reduction& r, i64 o, u32 row, u32 lane) {
	i64 groups = groups_of(r), first = row * 32 + lane, filled = groups - row * 32;
	Value t = of_int(0);
	if (first < groups) {
		t = group_total(s, r, o, first);
		for (i64 g = first + reduce_slots; g < groups; g += reduce_slots) t = s.combine(t, group_total(s, r, o, g));
	}
	return join_lanes(s, t, lane, filled < 0 ? 0 : filled < 32 ? (u32)filled : 32, 32);
}

// filled_rows is how many rows of slots have something.
DEVICE u32 filled_rows(const Reduction& r) {
	i64 groups = groups_of(r);
	return (u32)((groups < reduce_slots ? groups : reduce_slots) + 31) / 32;
}

// last_to_arrive tells a block whether it is the last of so many that have stored totals, all of which it may read then.
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

// reduce_rows has a team of lanes an output of one part.
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

// reduce_groups has a block a group of an output's parts.
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

// join_columns finishes a block's columns once all parts of them are stored: a thread each where a group has all, else a warp.
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

// reduce_columns has a block a part of several outputs. A row of threads has a lane of each, or several in turn.
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
