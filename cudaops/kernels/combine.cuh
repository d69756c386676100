// How values are combined in reductions, scans and scatters.
#pragma once
#include "opcodes.cuh"

// combined_now combines two values. It lists the opcodes, so that the other opcodes of apply are not compiled into it.
DEVICE Value combined_now(i64 how, i64 type, Value a, Value b) {
	switch (how) {
	case Combine_sum: return apply_now(Op_add, type, a, b);
	case Combine_prod: return apply_now(Op_mul, type, a, b);
	case Combine_max: return apply_now(Op_max, type, a, b);
	case Combine_min: return apply_now(Op_min, type, a, b);
	case Combine_fmax: return apply_now(Op_fmax, type, a, b);
	case Combine_fmin: return apply_now(Op_fmin, type, a, b);
	case Combine_all: return apply_bool(Op_and, a.i != 0, b.i != 0);
	}
	return apply_bool(Op_or, a.i != 0, b.i != 0);
}
DEVICE_LARGE Value combined(i64 how, i64 type, Value a, Value b) { return combined_now(how, type, a, b); }

// least and greatest are the smallest and the largest value of a type.
DEVICE Value least(i64 type) {
	switch (type) {
	case Int8: return of_int(-128);
	case Int16: return of_int(-32768);
	case Int32: return of_int(-2147483648LL);
	case Int64: return of_int(-9223372036854775807LL - 1);
	}
	if (type >= Float16) return of_complex({math_inf(-1), math_inf(-1)});
	return of_int(0);
}
DEVICE Value greatest(i64 type) {
	switch (type) {
	case Bool: return of_int(1);
	case Int8: return of_int(127);
	case Int16: return of_int(32767);
	case Int32: return of_int(2147483647LL);
	case Int64: return of_int(9223372036854775807LL);
	case Uint8: return of_int(255);
	case Uint16: return of_int(65535);
	case Uint32: return of_int(4294967295LL);
	case Uint64: return of_int(-1);
	}
	return of_complex({math_inf(1), math_inf(1)});
}

// identity is the neutral element of a combination.
DEVICE Value identity(i64 how, i64 type) {
	switch (how) {
	case Combine_sum: case Combine_any:
		return type >= Float16 ? of_float(0) : of_int(0);
	case Combine_prod: case Combine_all:
		return type >= Float16 ? of_float(1) : of_int(1);
	case Combine_fmax: case Combine_fmin:
		if (type >= Float16) return of_complex({math_nan(), math_nan()});
	}
	return how == Combine_max || how == Combine_fmax ? least(type) : greatest(type);
}
