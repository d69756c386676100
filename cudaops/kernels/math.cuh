// Features of Go and of its packages math and math/bits that C++ lacks or leaves undefined: the basis of scalar.cuh.
// Neither file calls CUDA's mathematical functions, except roots, fused products and roundings, which are exact.
#pragma once
#include "ndgrad.cuh"

// Array is an array with value semantics; Slice is a view of one.
template <class T, int N> struct Array {
	T v[N];
	__device__ T& operator[](i64 i) { return v[i]; }
	__device__ const T& operator[](i64 i) const { return v[i]; }
};
template <class T> struct Slice {
	const T* v;
	i64 len;
	__device__ const T& operator[](i64 i) const { return v[i]; }
};

// Two holds the results of a function with two results.
template <class A, class B> struct Two {
	A a;
	B b;
};

// Arithmetic of Go's types: integers wrap, also in a division by -1.
template <class T> struct IsInteger { static constexpr bool value = true; };
template <> struct IsInteger<float> { static constexpr bool value = false; };
template <> struct IsInteger<double> { static constexpr bool value = false; };

template <class T> DEVICE T plus(T a, T b) {
	if constexpr (IsInteger<T>::value) return (T)((u64)a + (u64)b);
	else return a + b;
}
template <class T> DEVICE T minus(T a, T b) {
	if constexpr (IsInteger<T>::value) return (T)((u64)a - (u64)b);
	else return a - b;
}
template <class T> DEVICE T times(T a, T b) {
	if constexpr (IsInteger<T>::value) return (T)((u64)a * (u64)b);
	else return a * b;
}
template <class T> DEVICE T negative(T a) {
	if constexpr (IsInteger<T>::value) return (T)(0 - (u64)a);
	else return -a;
}
template <class T> DEVICE T quotient(T a, T b) {
	if constexpr (IsInteger<T>::value) {
		if (b == (T)-1 && (T)-1 < (T)0) return negative(a);
	}
	return a / b;
}
template <class T> DEVICE T remainder(T a, T b) {
	if (b == (T)-1 && (T)-1 < (T)0) return 0;
	return a % b;
}

// Shifts by the width of a type or more give 0, or the sign.
template <class T, class N> DEVICE T shift_left(T a, N n) { return (u64)n >= 8 * sizeof(T) ? (T)0 : (T)((u64)a << (u64)n); }
template <class T, class N> DEVICE T shift_right(T a, N n) { return (u64)n >= 8 * sizeof(T) ? (a < 0 ? (T)-1 : (T)0) : (T)(a >> (u64)n); }

DEVICE double math_inf(i64 sign) { return double_of(sign < 0 ? 0xfff0000000000000ull : 0x7ff0000000000000ull); }
DEVICE double math_nan() { return double_of(0x7ff8000000000001ull); }
DEVICE bool math_signbit(double x) { return bits_of(x) >> 63; }
DEVICE bool math_isnan(double x) { return x != x; }
DEVICE bool math_isinf(double x, i64 sign) { return (sign >= 0 && x > 0x1.fffffffffffffp+1023) || (sign <= 0 && x < -0x1.fffffffffffffp+1023); }

template <class T> DEVICE T go_min(T a, T b) {
	if (a != a) return a;
	if (b != b) return b;
	if (a == b) return math_signbit((double)a) ? a : b;
	return a < b ? a : b;
}
template <class T> DEVICE T go_max(T a, T b) {
	if (a != a) return a;
	if (b != b) return b;
	if (a == b) return math_signbit((double)a) ? b : a;
	return a > b ? a : b;
}
template <> DEVICE_SPECIAL i64 go_min<i64>(i64 a, i64 b) { return a < b ? a : b; }
template <> DEVICE_SPECIAL i64 go_max<i64>(i64 a, i64 b) { return a > b ? a : b; }

DEVICE double math_max(double x, double y) {
	if (math_isinf(x, 1) || math_isinf(y, 1)) return math_inf(1);
	return go_max(x, y);
}

// math_round rounds halves away from zero.
DEVICE double math_round(double x) {
	double whole = trunc(x);
	return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : copysign(whole, x);
}

// math_ldexp is x·2^n, rounded once.
DEVICE double math_ldexp(double x, i64 n) {
	if (x == 0 || x - x != 0) return x;
	i64 e = (i64)(bits_of(x) >> 52 & 0x7ff);
	if (e == 0) { // subnormal: scaled up exactly
		x *= 0x1p52;
		e = (i64)(bits_of(x) >> 52 & 0x7ff) - 52;
	}
	e += n;
	u64 rest = bits_of(x) & ~(0x7ffull << 52);
	if (e >= 0x7ff) return copysign(math_inf(1), x);
	if (e > 0) return double_of(rest | (u64)e << 52);
	if (e < -53) return copysign(0.0, x);
	return double_of(rest | (u64)(e + 53) << 52) * 0x1p-53; // the only rounding
}

// math_frexp splits x into a fraction of at least 1/2 and a power of two.
DEVICE Two<double, i64> math_frexp(double x) {
	if (x == 0 || x - x != 0) return {x, 0};
	i64 e = 0;
	if (fabs(x) < 0x1p-1022) {
		x *= 0x1p52;
		e = -52;
	}
	e += (i64)(bits_of(x) >> 52 & 0x7ff) - 1022;
	return {double_of((bits_of(x) & ~(0x7ffull << 52)) | 1022ull << 52), e};
}

// math_mod is the remainder with the sign of x, computed exactly, by long division.
DEVICE_LARGE double math_mod(double x, double y) {
	if (y == 0 || x - x != 0 || y != y) return math_nan();
	y = fabs(y);
	double rest = fabs(x);
	if (rest < y) return x;
	Two<double, i64> of_y = math_frexp(y);
	while (rest >= y) {
		Two<double, i64> of_rest = math_frexp(rest);
		i64 shift = of_rest.b - of_y.b;
		if (of_rest.a < of_y.a) shift--;
		rest -= math_ldexp(y, shift);
	}
	return copysign(rest, x);
}

DEVICE double math_nextafter(double x, double y) {
	if (x != x || y != y) return math_nan();
	if (x == y) return x;
	if (x == 0) return copysign(double_of(1), y);
	return double_of((y > x) == (x > 0) ? bits_of(x) + 1 : bits_of(x) - 1);
}
DEVICE float math_nextafter32(float x, float y) {
	if (x != x || y != y) return (float)math_nan();
	if (x == y) return x;
	if (x == 0) return float_of(1u | (bits_of(y) & 0x80000000u));
	return float_of((y > x) == (x > 0) ? bits_of(x) + 1 : bits_of(x) - 1);
}

DEVICE Two<u64, u64> bits_mul64(u64 a, u64 b) { return {__umul64hi(a, b), a * b}; }
DEVICE Two<u32, u32> bits_mul32(u32 a, u32 b) { return {__umulhi(a, b), a * b}; }
DEVICE Two<u64, u64> bits_add64(u64 a, u64 b, u64 carry) {
	u64 sum = a + b + carry;
	return {sum, ((a & b) | ((a | b) & ~sum)) >> 63};
}
DEVICE Two<u64, u64> bits_sub64(u64 a, u64 b, u64 borrow) {
	u64 difference = a - b - borrow;
	return {difference, ((~a & b) | (~(a ^ b) & difference)) >> 63};
}
DEVICE i64 bits_zeros(u64 a) { return __clzll((i64)a); }

template <class T> DEVICE Complex<T> operator+(Complex<T> a, Complex<T> b) { return {a.re + b.re, a.im + b.im}; }
template <class T> DEVICE Complex<T> operator-(Complex<T> a, Complex<T> b) { return {a.re - b.re, a.im - b.im}; }
template <class T> DEVICE Complex<T> operator-(Complex<T> a) { return {-a.re, -a.im}; }
template <class T> DEVICE bool operator==(Complex<T> a, Complex<T> b) { return a.re == b.re && a.im == b.im; }
template <class T> DEVICE bool operator!=(Complex<T> a, Complex<T> b) { return !(a == b); }
