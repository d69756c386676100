// The types in which scans and extremes carry numbers: floats as double, integers and bools as 64 bits, complex numbers
// as a Value.
#pragma once
#include "combine.cuh"

// read converts an element to the type of the computation, write converts back to the element's type.
DEVICE void read(const char* p, i64 from, i64, double* v) { *v = load<double>(p, from, Float64); }
DEVICE void read(const char* p, i64 from, i64 to, i64* v) { *v = to == Bool ? (i64)load<bool>(p, from, Bool) : load<i64>(p, from, to); }
DEVICE void read(const char* p, i64 from, i64 to, u64* v) { *v = load<u64>(p, from, to); }
DEVICE void read(const char* p, i64 from, i64 to, Value* v) { *v = load_value(p, from, wide_type(to)); }

// decode returns the number that an element's bits represent.
DEVICE void decode(u64 bits, i64 type, double* v) {
	switch (type) {
	case Float16: *v = half_to_float((unsigned short)bits); return;
	case BFloat16: *v = brain_to_float((unsigned short)bits); return;
	case Float32: *v = float_of((u32)bits); return;
	}
	*v = double_of(bits);
}
DEVICE void decode(u64 bits, i64 type, i64* v) { *v = type == Bool ? bits != 0 : narrow((i64)bits, type); }
DEVICE void decode(u64 bits, i64, u64* v) { *v = bits; }

template <class E, int n> DEVICE void load_bits(const char* const (&at)[n], const bool (&there)[n], u64 (&bits)[n]) {
#pragma unroll
	for (int k = 0; k < n; k++)
		if (there[k]) bits[k] = *(const E*)at[k];
}

// read_all reads the elements where there is set. If no element needs a conversion, size is the element size, otherwise
// 0. With a size, all loads are in flight before the first number is used.
template <class C, int n> DEVICE void read_all(const char* const (&at)[n], const bool (&there)[n], i64 size, i64 from, i64 to, C (&v)[n]) {
	u64 bits[n];
	switch (size) {
	case 0:
#pragma unroll
		for (int k = 0; k < n; k++)
			if (there[k]) read(at[k], from, to, &v[k]);
		return;
	case 1: load_bits<unsigned char>(at, there, bits); break;
	case 2: load_bits<unsigned short>(at, there, bits); break;
	case 4: load_bits<u32>(at, there, bits); break;
	default: load_bits<u64>(at, there, bits);
	}
#pragma unroll
	for (int k = 0; k < n; k++) decode(bits[k], from, &v[k]);
}
template <int n> DEVICE void read_all(const char* const (&at)[n], const bool (&there)[n], i64, i64 from, i64 to, Value (&v)[n]) {
#pragma unroll
	for (int k = 0; k < n; k++)
		if (there[k]) read(at[k], from, to, &v[k]);
}

DEVICE void write(char* p, i64 type, double v) {
	if (type == Float32) *(float*)p = (float)v;
	else if (type == Float64) *(double*)p = v;
	else store<float>(p, type, (float)v);
}
DEVICE void write(char* p, i64 type, i64 v) {
	if (type == Int32) *(int*)p = (int)v;
	else store<i64>(p, type, v);
}
DEVICE void write(char* p, i64 type, u64 v) {
	if (type == Uint8) *(unsigned char*)p = (unsigned char)v;
	else store<u64>(p, type, v);
}
DEVICE void write(char* p, i64 type, Value v) { store_value(p, type, cast(v, wide_type(type), type), type); }

// merged combines two numbers. Sums of bools are their maximum.
DEVICE double merged(i64 how, i64, double a, double b) {
	switch (how) {
	case Combine_sum: return a + b;
	case Combine_prod: return a * b;
	case Combine_max: return scalar::Max<double>(a, b);
	case Combine_min: return scalar::Min<double>(a, b);
	case Combine_fmax: return scalar::FMax<double>(a, b);
	}
	return scalar::FMin<double>(a, b);
}
template <class I> DEVICE I merged_integers(i64 how, i64 type, I a, I b) {
	switch (how) {
	case Combine_sum:
		if (type != Bool) return (I)((u64)a + (u64)b);
	case Combine_max: case Combine_fmax: case Combine_any: return a > b ? a : b;
	case Combine_prod:
		if (type != Bool) return (I)((u64)a * (u64)b);
	}
	return a < b ? a : b;
}
DEVICE i64 merged(i64 how, i64 type, i64 a, i64 b) { return merged_integers<i64>(how, type, a, b); }
DEVICE u64 merged(i64 how, i64 type, u64 a, u64 b) { return merged_integers<u64>(how, type, a, b); }
DEVICE Value merged(i64 how, i64 type, const Value& a, const Value& b) { return combined(how, wide_type(type), a, b); }

// identity_of is the initial value of a scan that excludes the element itself.
DEVICE void identity_of(i64 how, i64 type, double* v) { *v = identity(how, compute_type(type)).x; }
DEVICE void identity_of(i64 how, i64 type, i64* v) { *v = identity(how, type).i; }
DEVICE void identity_of(i64 how, i64 type, u64* v) { *v = (u64)identity(how, type).i; }
DEVICE void identity_of(i64 how, i64 type, Value* v) { *v = identity(how, wide_type(type)); }

// preference is positive if a is preferred to b, because it is the larger (or smaller) one or NaN, and negative if b is
// preferred.
template <class C> DEVICE int preference(i64 how, i64, C a, C b) {
	bool no_a = a != a, no_b = b != b;
	if (no_a || no_b) return (int)no_a - (int)no_b;
	if (a == b) return 0;
	return (a > b) == (how == Combine_max) ? 1 : -1;
}
DEVICE_LARGE int preference(i64 how, i64 type, const Value& a, const Value& b) {
	bool no_a = apply_now(Op_isnan, type, a, a).i, no_b = apply_now(Op_isnan, type, b, b).i;
	if (no_a || no_b) return (int)no_a - (int)no_b;
	i64 before = how == Combine_max ? Op_gt : Op_lt;
	return (int)apply_now(before, type, a, b).i - (int)apply_now(before, type, b, a).i;
}

// from_lane returns the number of another lane.
template <class C> DEVICE C from_lane(C v, int lane) { return __shfl_sync(~0u, v, lane); }
DEVICE Value from_lane(Value v, int lane) {
	v.i = __shfl_sync(~0u, v.i, lane);
	v.y = __shfl_sync(~0u, v.y, lane);
	return v;
}
