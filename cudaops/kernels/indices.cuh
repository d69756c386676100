// Indices: what they mean, the search for the first that has no place, and the report of it to the host.
#pragma once
#include "opcodes.cuh"
#include "walk.cuh"

enum : i64 { Bounds_raise, Bounds_wrap, Bounds_clip, Bounds_drop, Bounds_exact };

// IndexAxis is an axis along which an index counts. Its stride is in elements or, beside a walk, in bytes.
struct IndexAxis {
	i64 stride, size;
};

// in_bounds finds the place that an index means.
DEVICE bool in_bounds(i64 index, i64 size, i64 bounds, i64* place) {
	if (0 <= index && index < size) {
		*place = index;
		return true;
	}
	if (size == 0) return false;
	if (bounds == Bounds_wrap) {
		*place = (index % size + size) % size;
		return true;
	}
	if (bounds == Bounds_clip) {
		*place = index < 0 ? 0 : index >= size ? size - 1 : index;
		return true;
	}
	if (bounds == Bounds_raise && index < 0) index += size;
	*place = index;
	return 0 <= index && index < size;
}

// Record is where the host finds the first fault: record in cudaops/fault.go.
struct Record {
	u64 set, function;
	i64 index, size;
};

// Found is the first index out of range: which one, in row-major order (all ones for none), and what it is.
struct Found {
	u64 order;
	i64 index, size;
	u64 blocks; // less one: of those that looked, how many have ended
};

// Verdict is what a kernel must know of its indices. Found is nil where none can be out of range.
struct Verdict {
	const Found* found;
	Record* record;
	u64 function;
};

// refused tells whether an index is out of range. The first thread of all then reports it, unless something is reported already.
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

// Blame is what kernels share that look for such an index while they are at work, since nobody minds what else they write.
struct Blame {
	u64 lock, launch, order; // order: of the index that was recorded for a launch, and 0 where another stands
};

// Looking has what they are told: which launch this is, and the number of its first point.
struct Looking {
	Blame* blame;
	Record* record;
	u64 function, launch, first;
};

// record_index records an index out of range, unless one before it or of an earlier launch is recorded.
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

// Indices are the operands of a walk from number `from` on that are indices, and the axes along which they count.
template <int R, int most> struct Indices {
	i64 count, bounds;
	i64 types[most];
	IndexAxis axes[most];
	// at reads index j at a place.
	__device__ i64 at(int j, const char* place) const { return load<i64>(place, types[j], Int64); }
};
