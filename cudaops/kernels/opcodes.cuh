// The meaning of every opcode for one number of each register type. A number is always a Value; its type says which
// fields of the Value hold it. The same functions therefore serve programs, reductions and products.
#pragma once
#include "numbers.cuh"
#include "texts.cuh"

// TIER is the set of opcodes that an interpreter of programs supports: 0 arithmetic of real numbers, 1 also common
// functions, 2 all. A driver takes seconds to compile all.
#ifndef TIER
#define TIER 2
#endif
#if TIER == 0
#define FUNCTIONS(F)
#define FUNCTIONS2(F)
#elif TIER == 1
#define FUNCTIONS(F) COMMON_FUNCTIONS(F)
#define FUNCTIONS2(F) COMMON_FUNCTIONS2(F)
#else
#define FUNCTIONS(F) COMMON_FUNCTIONS(F) SPECIAL_FUNCTIONS(F)
#define FUNCTIONS2(F) COMMON_FUNCTIONS2(F) SPECIAL_FUNCTIONS2(F)
#endif

// Value is a number of a register type: an integer or a bool in i (an unsigned one by its bits, extended), a float in
// x, a complex number in x and y.
struct Value {
	union {
		i64 i;
		double x;
	};
	double y;
};

DEVICE Value of_int(i64 i) {
	Value v;
	v.i = i;
	v.y = 0;
	return v;
}
DEVICE Value of_float(double x) {
	Value v;
	v.x = x;
	v.y = 0;
	return v;
}
DEVICE Value of_complex(c128 z) {
	Value v;
	v.x = z.re;
	v.y = z.im;
	return v;
}

DEVICE bool is_complex(i64 type) { return type >= Complex64; }
DEVICE bool is_float(i64 type) { return type >= Float16 && type <= Float64; }
DEVICE bool is_unsigned(i64 type) { return type >= Uint8 && type <= Uint64; }

// compute_type is the register type in which elements of a type are computed, wide_type the type in which sums are
// carried.
DEVICE constexpr i64 compute_type(i64 type) { return type == Float16 || type == BFloat16 ? (i64)Float32 : type; }
DEVICE constexpr i64 wide_type(i64 type) { return type == Float32 ? (i64)Float64 : type == Complex64 ? (i64)Complex128 : type; }

// load_value reads an element as a number of type to.
DEVICE_LARGE Value load_value(const char* p, i64 type, i64 to) {
	if (to == Bool) return of_int(load<bool>(p, type, to));
	if (to <= Uint64) return of_int(load<i64>(p, type, to));
	if (to == Float32) return of_float(load<float>(p, type, to));
	if (to == Float64) return of_float(load<double>(p, type, to));
	if (to == Complex64) {
		c64 z = load<c64>(p, type, to);
		return of_complex({z.re, z.im});
	}
	return of_complex(load<c128>(p, type, to));
}

// store_value writes a number of type from to an element.
DEVICE_LARGE void store_value(char* p, i64 type, Value v, i64 from) {
	if (from == Bool) store(p, type, v.i != 0);
	else if (is_unsigned(from)) store(p, type, (u64)v.i);
	else if (from < Uint8) store(p, type, v.i);
	else if (from == Float32) store(p, type, (float)v.x);
	else if (from == Float64) store(p, type, v.x);
	else if (from == Complex64) store(p, type, c64{(float)v.x, (float)v.y});
	else store(p, type, c128{v.x, v.y});
}

// cast converts a number of type from to type to, like loads and stores do.
DEVICE_LARGE Value cast(Value v, i64 from, i64 to) {
	if (from == to) return v;
	u64 element[2] = {0, 0};
	store_value((char*)element, from, v, from);
	return load_value((const char*)element, from, to);
}

DEVICE Value apply_bool(i64 op, bool a, bool b) {
	switch (op) {
	case Op_add: case Op_or: case Op_max: case Op_fmax: return of_int(a || b);
	case Op_mul: case Op_and: case Op_min: case Op_fmin: return of_int(a && b);
	case Op_xor: case Op_ne: return of_int(a != b);
	case Op_eq: return of_int(a == b);
	case Op_lt: return of_int(!a && b);
	case Op_le: return of_int(!a || b);
	case Op_gt: return of_int(a && !b);
	case Op_ge: return of_int(a || !b);
	case Op_not: return of_int(!a);
	case Op_abs: return of_int(a);
	case Op_isfinite: return of_int(1);
	}
	return of_int(0); // isnan, isinf
}

template <class T> DEVICE T integer(i64 op, T a, T b) {
	switch (op) {
	case Op_add: return plus(a, b);
	case Op_sub: return minus(a, b);
	case Op_mul: return times(a, b);
	case Op_div: return scalar::TruncDivInt<T>(a, b);
	case Op_floordiv: return scalar::FloorDivInt<T>(a, b);
	case Op_mod: return scalar::ModInt<T>(a, b);
	case Op_fmod: return scalar::FmodInt<T>(a, b);
	case Op_pow: return scalar::PowInt<T>(a, b);
	case Op_min: case Op_fmin: return a < b ? a : b;
	case Op_max: case Op_fmax: return a > b ? a : b;
	case Op_gcd: return scalar::Gcd<T>(a, b);
	case Op_lcm: return scalar::Lcm<T>(a, b);
	case Op_and: return a & b;
	case Op_or: return a | b;
	case Op_xor: return a ^ b;
	case Op_shl: return scalar::Shl<T>(a, b);
	case Op_shr: return scalar::Shr<T>(a, b);
	case Op_neg: return negative(a);
	case Op_not: return (T)~a;
	case Op_abs: return scalar::AbsInt<T>(a);
	case Op_sign: return scalar::SignInt<T>(a);
	}
	return a; // floor, ceil, trunc
}

template <class T> DEVICE Value apply_integer(i64 op, T a, T b) {
	switch (op) {
	case Op_eq: return of_int(a == b);
	case Op_ne: return of_int(a != b);
	case Op_lt: return of_int(a < b);
	case Op_le: return of_int(a <= b);
	case Op_gt: return of_int(a > b);
	case Op_ge: return of_int(a >= b);
	case Op_isnan: case Op_isinf: return of_int(0);
	case Op_isfinite: return of_int(1);
	}
	return of_int((i64)integer<T>(op, a, b));
}

// function computes an opcode's function of one or two numbers.
template <class T> DEVICE_LARGE T function(i64 op, T a, T b) {
	switch (op) {
#define CASE(op, name) case Op_##op: return (T)elementary::name(a);
		FUNCTIONS(CASE)
#undef CASE
#define CASE(op, name) case Op_##op: return (T)elementary::name(a, b);
		FUNCTIONS2(CASE)
#undef CASE
	}
	return 0;
}

// Operations that have separate instructions for each width.
DEVICE float absolute(float x) { return fabsf(x); }
DEVICE double absolute(double x) { return fabs(x); }
DEVICE float down(float x) { return floorf(x); }
DEVICE double down(double x) { return floor(x); }
DEVICE float up(float x) { return ceilf(x); }
DEVICE double up(double x) { return ceil(x); }
DEVICE float whole(float x) { return truncf(x); }
DEVICE double whole(double x) { return trunc(x); }
DEVICE float nearest(float x) { return rintf(x); }
DEVICE double nearest(double x) { return rint(x); }

template <class T> DEVICE T floating(i64 op, T a, T b) {
	switch (op) {
	case Op_add: return a + b;
	case Op_sub: return a - b;
	case Op_mul: return a * b;
	case Op_div: return a / b;
	case Op_floordiv: return scalar::FloorDiv<T>(a, b);
	case Op_mod: return scalar::Mod<T>(a, b);
	case Op_fmod: return scalar::Fmod<T>(a, b);
	case Op_min: return scalar::Min<T>(a, b);
	case Op_max: return scalar::Max<T>(a, b);
	case Op_fmin: return scalar::FMin<T>(a, b);
	case Op_fmax: return scalar::FMax<T>(a, b);
	case Op_copysign: return scalar::CopySign<T>(a, b);
	case Op_nextafter: return scalar::NextAfter<T>(a, b);
	case Op_neg: return -a;
	case Op_abs: return absolute(a);
	case Op_sign: return scalar::Sign<T>(a);
	case Op_floor: return down(a);
	case Op_ceil: return up(a);
	case Op_trunc: return whole(a);
	case Op_sqrt: return elementary::root(a);
	case Op_rint: return nearest(a);
	case Op_round: return (T)math_round((double)a);
	case Op_round_float16: return (T)half_to_float(float_to_half(round_to_odd(a)));
	case Op_round_bfloat16: return (T)brain_to_float(float_to_brain(round_to_odd(a)));
	}
	return function(op, a, b);
}

template <class T> DEVICE Value apply_float(i64 op, T a, T b, i64 n) {
	switch (op) {
	case Op_eq: return of_int(a == b);
	case Op_ne: return of_int(a != b);
	case Op_lt: return of_int(a < b);
	case Op_le: return of_int(a <= b);
	case Op_gt: return of_int(a > b);
	case Op_ge: return of_int(a >= b);
	case Op_isnan: return of_int(a != a);
	case Op_isinf: return of_int(math_isinf((double)a, 0));
	case Op_isfinite: return of_int(a - a == 0);
	case Op_signbit: return of_int(math_signbit((double)a));
	case Op_ldexp: return of_float((double)scalar::Ldexp<T>(a, n));
	case Op_complex: return of_complex({(double)a, (double)b});
	}
	return of_float((double)floating<T>(op, a, b));
}

DEVICE_LARGE c128 complex_function(i64 op, c128 a) {
	switch (op) {
#define CASE(op, name) case Op_##op: return scalar::name(a);
		COMPLEX_FUNCTIONS(CASE)
#undef CASE
	}
	return a;
}

DEVICE Value apply_complex(i64 op, c128 a, c128 b) {
	switch (op) {
	case Op_eq: return of_int(a == b);
	case Op_ne: return of_int(a != b);
	case Op_lt: return of_int(scalar::CLess(a, b));
	case Op_le: return of_int(scalar::CLessEqual(a, b));
	case Op_gt: return of_int(scalar::CLess(b, a));
	case Op_ge: return of_int(scalar::CLessEqual(b, a));
	case Op_isnan: return of_int(scalar::CIsNaN(a));
	case Op_isinf: return of_int(math_isinf(a.re, 0) || math_isinf(a.im, 0));
	case Op_isfinite: return of_int(a.re - a.re == 0 && a.im - a.im == 0);
	case Op_abs: return of_float(scalar::CAbs(a));
	case Op_real: return of_float(a.re);
	case Op_imag: return of_float(a.im);
	case Op_add: return of_complex(a + b);
	case Op_sub: return of_complex(a - b);
	case Op_mul: return of_complex(scalar::CMul(a, b));
	case Op_div: return of_complex(scalar::CDiv(a, b));
	case Op_pow: return of_complex(scalar::CPow(a, b));
	case Op_min: return of_complex(scalar::CMin(a, b));
	case Op_max: return of_complex(scalar::CMax(a, b));
	case Op_fmin: return of_complex(scalar::CFMin(a, b));
	case Op_fmax: return of_complex(scalar::CFMax(a, b));
	case Op_neg: return of_complex(-a);
	case Op_conj: return of_complex({a.re, -a.im});
	}
	return of_complex(complex_function(op, a));
}

// apply_now computes an opcode for arguments of a type. Unary opcodes ignore the second argument.
DEVICE Value apply_now(i64 op, i64 type, Value a, Value b) {
	switch (type) {
	case Bool: return apply_bool(op, a.i != 0, b.i != 0);
	case Int8: return apply_integer<signed char>(op, (signed char)a.i, (signed char)b.i);
	case Int16: return apply_integer<short>(op, (short)a.i, (short)b.i);
	case Int32: return apply_integer<int>(op, (int)a.i, (int)b.i);
	case Int64: return apply_integer<i64>(op, a.i, b.i);
	case Uint8: return apply_integer<unsigned char>(op, (unsigned char)a.i, (unsigned char)b.i);
	case Uint16: return apply_integer<unsigned short>(op, (unsigned short)a.i, (unsigned short)b.i);
	case Uint32: return apply_integer<u32>(op, (u32)a.i, (u32)b.i);
	case Uint64: return apply_integer<u64>(op, (u64)a.i, (u64)b.i);
	case Float32: return apply_float<float>(op, (float)a.x, (float)b.x, b.i);
	case Float64: return apply_float<double>(op, a.x, b.x, b.i);
	}
#if TIER < 2
	return of_int(0);
#else
	Value v = apply_complex(op, {a.x, a.y}, {b.x, b.y});
	if (type == Complex64 && !(op >= Op_eq && op <= Op_ge) && !(op >= Op_isnan && op <= Op_signbit)) {
		v.x = (float)v.x;
		v.y = (float)v.y;
	}
	return v;
#endif
}

DEVICE_LARGE Value apply(i64 op, i64 type, Value a, Value b) { return apply_now(op, type, a, b); }

// is_function reports whether an opcode is one of the functions.
DEVICE constexpr bool is_function(i64 op) {
	switch (op) {
#define CASE(op, name) case Op_##op:
		FUNCTIONS(CASE)
		FUNCTIONS2(CASE)
#undef CASE
		return true;
	}
	return false;
}

// function_of is function for an opcode that is known at compile time.
template <i64 op, class T> DEVICE T function_of(T a, T b) {
#define CASE(o, name) if constexpr (op == Op_##o) return (T)elementary::name(a);
	FUNCTIONS(CASE)
#undef CASE
#define CASE(o, name) if constexpr (op == Op_##o) return (T)elementary::name(a, b);
	FUNCTIONS2(CASE)
#undef CASE
	return 0;
}

// apply_as is apply for an opcode and a type that are known at compile time: printed programs call it.
template <i64 op, i64 type> DEVICE Value apply_as(Value a, Value b) {
	if constexpr (type == Float32 && is_function(op)) return of_float((double)function_of<op>((float)a.x, (float)b.x));
	else if constexpr (type == Float64 && is_function(op)) return of_float(function_of<op>(a.x, b.x));
	else return apply_now(op, type, a, b);
}

// load_as and store_as are load_value and store_value, cast_as is cast, for types that are known at compile time.
template <i64 type, i64 to> DEVICE Value load_as(const char* p) {
	if constexpr (to == Bool) return of_int(load_now<bool>(p, type, to));
	else if constexpr (to <= Uint64) return of_int(load_now<i64>(p, type, to));
	else if constexpr (to == Float32) return of_float(load_now<float>(p, type, to));
	else if constexpr (to == Float64) return of_float(load_now<double>(p, type, to));
	else if constexpr (to == Complex64) {
		const c64 z = load_now<c64>(p, type, to);
		return of_complex({z.re, z.im});
	} else return of_complex(load_now<c128>(p, type, to));
}
template <i64 type, i64 from> DEVICE void store_as(char* p, Value v) {
	if constexpr (from == Bool) store_now(p, type, v.i != 0);
	else if constexpr (from >= Uint8 && from <= Uint64) store_now(p, type, (u64)v.i);
	else if constexpr (from < Uint8) store_now(p, type, v.i);
	else if constexpr (from == Float32) store_now(p, type, (float)v.x);
	else if constexpr (from == Float64) store_now(p, type, v.x);
	else if constexpr (from == Complex64) store_now(p, type, c64{(float)v.x, (float)v.y});
	else store_now(p, type, c128{v.x, v.y});
}
template <i64 from, i64 to> DEVICE Value cast_as(Value v) {
	if constexpr (from == to) return v;
	u64 element[2] = {0, 0};
	store_as<from, from>((char*)element, v);
	return load_as<from, to>((const char*)element);
}
