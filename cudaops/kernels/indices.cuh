// Indices: the elements that they select, the search for the first index out of range, and its report to the host.
#pragma once
#include "opcodes.cuh"
#include "walk.cuh"

enum : i64 { Bounds_raise, Bounds_wrap, Bounds_clip, Bounds_drop, Bounds_exact };

// IndexAxis is an axis along which an index selects. Its stride is in elements or, together with a walk, in bytes.
struct IndexAxis {
	i64 stride, size;
};

// in_bounds computes the position that an index selects. It returns false if there is none.
DEVICE bool in_bounds(i64 index, i64 size, i64 bounds, i64* position) {
	if (0 <= index && index < size) {
		*position = index;
		return true;
	}
	if (size == 0) return false;
	if (bounds == Bounds_wrap) {
		*position = (index % size + size) % size;
		return true;
	}
	if (bounds == Bounds_clip) {
		*position = index < 0 ? 0 : index >= size ? size - 1 : index;
		return true;
	}
	if (bounds == Bounds_raise && index < 0) index += size;
	*position = index;
	return 0 <= index && index < size;
}

// Record is where the host reads the first fault: record in cudaops/fault.go.
struct Record {
	u64 set, function;
	i64 index, size;
};

// Found describes the first index out of range: its point in row-major order (all ones if there is none), and its
// value.
struct Found {
	u64 order;
	i64 index, size;
	u64 blocks; // the number of searching blocks that have ended, minus one
};

// Verdict is what a kernel needs to know about its indices. found is null if no index can be out of range.
struct Verdict {
	const Found* found;
	Record* record;
	u64 function;
};

// refused reports whether an index is out of range. If so, the first thread of the launch reports it, unless an error
// is reported already.
DEVICE bool refused(const Verdict& v) {
	if (!v.found || v.found->order == ~0ull) return false;
	if (threadIdx.x == 0 && blockIdx.x == 0 && v.record->set == 0) {
		v.record->function = v.function;
		v.record->index = v.found->index;
		v.record->size = v.found->size;
		__threadfence_system();
		v.record->set = 1;
	}
	return true;
}

// Blame is shared by kernels that check indices while they work. That is possible if their other results may then be
// undefined.
struct Blame {
	u64 lock, launch, order; // order: that of the index recorded for a launch; 0 if an earlier record is still there
};

// Looking holds the parameters of such a check: the number of the launch, and the number of its first point.
struct Looking {
	Blame* blame;
	Record* record;
	u64 function, launch, first;
};

// record_index records an index out of range, unless an earlier one of this launch, or one of an earlier launch, is
// recorded.
DEVICE_LARGE void record_index(const Looking& l, u64 order, i64 index, i64 size) {
	volatile Blame* blame = l.blame;
	volatile Record* record = l.record;
	for (bool done = false; !done;) {
		if (blame->launch == l.launch) {
			__threadfence();
			if (blame->order <= order) return;
		}
		if (atomicCAS(&l.blame->lock, 0ull, 1ull) != 0) continue;
		__threadfence();
		if (blame->launch != l.launch) {
			blame->order = record->set ? 0 : ~0ull;
			__threadfence();
			blame->launch = l.launch;
		}
		if (order < blame->order) {
			blame->order = order;
			record->function = l.function;
			record->index = index;
			record->size = size;
			__threadfence_system();
			record->set = 1;
		}
		__threadfence();
		atomicExch(&l.blame->lock, 0ull);
		done = true;
	}
}

// Indices describes the operands of a walk from number `from` on that are indices, and the axes along which they
// select.
template <int R, int most> struct Indices {
	i64 count, bounds;
	i64 types[most];
	IndexAxis axes[most];
	// at reads index j at an offset.
	__device__ i64 at(int j, const char* address) const { return load<i64>(address, types[j], Int64); }
};
