// Indices: what they mean, the search for the first that has no place, and the report of it to the host.
#pragma once
#include "opcodes.cuh"

enum : i64 { Bounds_raise, Bounds_wrap, Bounds_clip, Bounds_drop, Bounds_exact };

// IndexAxis is an axis along which an index counts: the stride is in elements.
struct IndexAxis {
	i64 stride, size;
};

// in_bounds finds the place that an index means.
DEVICE bool in_bounds(i64 index, i64 size, i64 bounds, i64* place) {
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
