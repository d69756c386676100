// The order of sorted numbers: not-a-numbers last, complex ones by their real parts and then by their imaginary parts.
#pragma once
#include "opcodes.cuh"

// missing is 0 for a number; for a complex one 1 where the imaginary part is not a number, and 2 more where the real part is none.
DEVICE int missing(i64 type, Value v) {
	if (type < Float16) return 0;
	int degree = v.x != v.x ? 2 : 0;
	return is_complex(type) && v.y != v.y ? degree + 1 : degree;
}

// compare is negative where a comes before b, positive where it comes after it.
DEVICE_LARGE int compare(i64 type, bool descending, Value a, Value b) {
	int d = missing(type, a) - missing(type, b);
	if (d) return d;
	if (type >= Float16) {
		if (a.x != a.x) a.x = b.x = 0;
		if (is_complex(type) && a.y != a.y) a.y = b.y = 0;
	}
	if (apply_now(Op_lt, type, a, b).i) return descending ? 1 : -1;
	if (apply_now(Op_gt, type, a, b).i) return descending ? -1 : 1;
	return 0;
}
