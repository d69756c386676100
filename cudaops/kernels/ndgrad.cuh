// The basis of all kernels: numbers, element types, operands of a loop, and the macros for entries.
//
// NVRTC compiles this text for a GPU, and g++ for the CPU emulator (folder emulator), which defines NDGRAD_EMULATOR and
// includes its own header first. An entry has one parameter, a struct whose fields have 8 bytes each, in the format of
// cudaops/launch.go.
#pragma once

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

#ifdef NDGRAD_EMULATOR
#define DEVICE static inline
#define DEVICE_SPECIAL inline
#define DEVICE_LARGE static __attribute__((noinline))
#define TABLE(name, count, ...) static const __VA_ARGS__ name[count]
#else
#define DEVICE static __device__ __forceinline__
#define DEVICE_SPECIAL __device__ __forceinline__
#define DEVICE_LARGE static __device__ __noinline__
#define TABLE(name, count, ...) static __device__ const __VA_ARGS__ name[count]
#define REGISTER(name)
#define PARAMETER(...) const __grid_constant__ __VA_ARGS__ p
#define DYNAMIC_SHARED(T, name)                          \
	extern __shared__ __align__(16) char name##_bytes[]; \
	T* name = (T*)name##_bytes
#endif

// NARROW and WIDE are the entries for loops of at most 8 axes, and for all others. A PTX file contains only one of the
// two, because drivers compile a whole file when it is loaded.
#if NDGRAD_RANK == 32
#define NARROW(...)
#else
#define NARROW(...) __VA_ARGS__
#endif
#if NDGRAD_RANK == 8
#define WIDE(...)
#else
#define WIDE(...) __VA_ARGS__
#endif

// DEVICE begins a function, DEVICE_LARGE a function that is called instead of inlined, DEVICE_SPECIAL a template
// specialisation. KERNEL begins the body of a kernel, a template over the largest rank R, and makes its entries name_8
// and name_32. The struct p of its arguments is Params<R>.
#define KERNEL(name, Params)                                                                                      \
	template <int R> DEVICE void name(const Params<R>& p);                                                        \
	NARROW(extern "C" __global__ void name##_8(PARAMETER(Params<8>)) { name<8>(p); } REGISTER(name##_8))          \
	WIDE(extern "C" __global__ void name##_32(PARAMETER(Params<32>)) { name<32>(p); } REGISTER(name##_32))        \
	template <int R> DEVICE void name(const Params<R>& p)

// KERNEL_OF is KERNEL for a body that is also a template over the class T of the numbers it computes with. A letter in
// the names of the entries gives the class: b bool, i i64, u u64, f float, d double, c c64, z c128. KERNEL_INEXACT
// makes only f, d, c and z, KERNEL_FLOATS only f and d.
#define KERNEL_OF(name, Params)                                      \
	template <class T, int R> DEVICE void name(const Params<R>& p);  \
	ENTRY_OF(name, b, bool, Params)                                  \
	ENTRY_OF(name, i, i64, Params)                                   \
	ENTRY_OF(name, u, u64, Params)                                   \
	ENTRY_OF(name, f, float, Params)                                 \
	ENTRY_OF(name, d, double, Params)                                \
	ENTRY_OF(name, c, c64, Params)                                   \
	ENTRY_OF(name, z, c128, Params)                                  \
	template <class T, int R> DEVICE void name(const Params<R>& p)

#define KERNEL_INEXACT(name, Params)                                 \
	template <class T, int R> DEVICE void name(const Params<R>& p);  \
	ENTRY_OF(name, f, float, Params)                                 \
	ENTRY_OF(name, d, double, Params)                                \
	ENTRY_OF(name, c, c64, Params)                                   \
	ENTRY_OF(name, z, c128, Params)                                  \
	template <class T, int R> DEVICE void name(const Params<R>& p)

#define KERNEL_FLOATS(name, Params)                                  \
	template <class T, int R> DEVICE void name(const Params<R>& p);  \
	ENTRY_OF(name, f, float, Params)                                 \
	ENTRY_OF(name, d, double, Params)                                \
	template <class T, int R> DEVICE void name(const Params<R>& p)

#define ENTRY_OF(name, letter, T, Params)                                                                                    \
	NARROW(extern "C" __global__ void name##_##letter##_8(PARAMETER(Params<8>)) { name<T, 8>(p); } REGISTER(name##_##letter##_8))     \
	WIDE(extern "C" __global__ void name##_##letter##_32(PARAMETER(Params<32>)) { name<T, 32>(p); } REGISTER(name##_##letter##_32))

// The element types, with their numbers in package dtype.
enum : i64 { Bool = 1, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float16, BFloat16, Float32, Float64, Complex64, Complex128 };

// Complex numbers.
template <class T> struct Complex {
	T re, im;
};
typedef Complex<float> c64;
typedef Complex<double> c128;

// Wide<T> is the type in which sums of T are carried.
template <class T> struct WideOf { typedef T type; };
template <> struct WideOf<float> { typedef double type; };
template <> struct WideOf<c64> { typedef c128 type; };
template <class T> using Wide = typename WideOf<T>::type;

DEVICE u32 bits_of(float x) { return __float_as_uint(x); }
DEVICE u64 bits_of(double x) { return (u64)__double_as_longlong(x); }
DEVICE float float_of(u32 bits) { return __uint_as_float(bits); }
DEVICE double double_of(u64 bits) { return __longlong_as_double((i64)bits); }

// narrow truncates an integer to the width of a type, and extends it again.
DEVICE i64 narrow(i64 v, i64 to) {
	switch (to) {
	case Int8: return (signed char)v;
	case Int16: return (short)v;
	case Int32: return (int)v;
	case Uint8: return (unsigned char)v;
	case Uint16: return (unsigned short)v;
	case Uint32: return (u32)v;
	}
	return v;
}

// saturate truncates towards 0. Values out of range become the nearest number of the type, NaN becomes 0.
DEVICE i64 saturate(double x, i64 to) {
	if (x != x) return 0;
	switch (to) {
	case Int8: return x <= -128 ? -128 : x >= 127 ? 127 : (i64)x;
	case Int16: return x <= -32768 ? -32768 : x >= 32767 ? 32767 : (i64)x;
	case Int32: return x <= -2147483648.0 ? -2147483648LL : x >= 2147483647.0 ? 2147483647LL : (i64)x;
	case Int64: return x <= -9223372036854775808.0 ? -9223372036854775807LL - 1 : x >= 9223372036854775808.0 ? 9223372036854775807LL : (i64)x;
	case Uint8: return x <= 0 ? 0 : x >= 255 ? 255 : (i64)x;
	case Uint16: return x <= 0 ? 0 : x >= 65535 ? 65535 : (i64)x;
	case Uint32: return x <= 0 ? 0 : x >= 4294967295.0 ? 4294967295LL : (i64)x;
	}
	return x <= 0 ? 0 : x >= 18446744073709551616.0 ? -1 : (i64)(u64)x;
}

// half_to_float and similar functions convert the 16-bit floats with integer arithmetic, so that they give the same
// bits everywhere.
DEVICE float half_to_float(unsigned short h) {
	u32 sign = (u32)(h & 0x8000) << 16, magnitude = h & 0x7fff;
	if (magnitude >= 0x7c00) return float_of(sign | 0x7f800000 | magnitude << 13 | (magnitude > 0x7c00 ? 0x400000 : 0));
	if (magnitude >= 0x400) return float_of(sign | ((magnitude << 13) + (112u << 23)));
	return float_of(sign | bits_of((float)magnitude * 0x1p-24f));
}

DEVICE unsigned short float_to_half(float x) {
	u32 b = bits_of(x);
	unsigned short sign = (unsigned short)(b >> 16 & 0x8000);
	b &= 0x7fffffff;
	if (b < 0x38800000) return sign | (unsigned short)(bits_of(float_of(b) + 0.5f) - 0x3f000000); // the sum rounds to subnormals
	if (b < 0x47800000) return sign | (unsigned short)((b + (b >> 13 & 1) + 0xfff - (112u << 23)) >> 13);
	if (b <= 0x7f800000) return sign | 0x7c00;
	return sign | 0x7e00 | (unsigned short)(b >> 13 & 0x3ff);
}

DEVICE float brain_to_float(unsigned short h) { return float_of((u32)h << 16); }

DEVICE unsigned short float_to_brain(float x) {
	u32 b = bits_of(x);
	if ((b & 0x7fffffff) > 0x7f800000) return (unsigned short)(b >> 16 | 0x40);
	return (unsigned short)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

// round_to_odd narrows x such that rounding the result to 16 bits gives the same as rounding x once.
DEVICE float round_to_odd(double x) {
	float y = (float)x;
	double wide = y;
	u32 b = bits_of(y);
	if (wide == x || x != x || (b & 1)) return y;
	return float_of(fabs(wide) > fabs(x) ? b - 1 : b + 1);
}
DEVICE float round_to_odd(float x) { return x; }

DEVICE float magnitude_to_odd(u64 v) {
	int dropped = 64 - (v ? __clzll((i64)v) : 64) - 24;
	if (dropped > 0) {
		u64 low = ((u64)1 << dropped) - 1;
		if (v & low) v = (v & ~low) | (low + 1);
	}
	return (float)v;
}
DEVICE float round_to_odd(i64 v) { return v < 0 ? -magnitude_to_odd(0 - (u64)v) : magnitude_to_odd((u64)v); }
DEVICE float round_to_odd(u64 v) { return magnitude_to_odd(v); }
DEVICE float round_to_odd(bool v) { return v; }

// Converted<T>::from converts a number to class T. to is the register type, which determines the width of integers.
template <class T> struct Converted {
	template <class S> static __device__ T from(S x, i64) { return (T)x; }
	template <class S> static __device__ T from(Complex<S> z, i64) { return (T)z.re; }
};
template <> struct Converted<bool> {
	template <class S> static __device__ bool from(S x, i64) { return x != 0; }
	template <class S> static __device__ bool from(Complex<S> z, i64) { return z.re != 0 || z.im != 0; }
};
template <class I> struct ConvertedInteger {
	static __device__ I from(bool v, i64) { return v; }
	static __device__ I from(i64 v, i64 to) { return (I)narrow(v, to); }
	static __device__ I from(u64 v, i64 to) { return (I)narrow((i64)v, to); }
	static __device__ I from(float x, i64 to) { return (I)saturate(x, to); }
	static __device__ I from(double x, i64 to) { return (I)saturate(x, to); }
	template <class S> static __device__ I from(Complex<S> z, i64 to) { return (I)saturate(z.re, to); }
};
template <> struct Converted<i64> : ConvertedInteger<i64> {};
template <> struct Converted<u64> : ConvertedInteger<u64> {};
template <class F> struct Converted<Complex<F>> {
	template <class S> static __device__ Complex<F> from(S x, i64) { return {(F)x, 0}; }
	template <class S> static __device__ Complex<F> from(Complex<S> z, i64) { return {(F)z.re, (F)z.im}; }
};

// convert converts a number of class S to class T, with register type to.
template <class T, class S> DEVICE T convert(S x, i64 to) { return Converted<T>::from(x, to); }

// Native<T> is the element type whose elements are stored as numbers of class T.
template <class T> struct Native;
template <> struct Native<bool> { enum : i64 { type = Bool }; };
template <> struct Native<i64> { enum : i64 { type = Int64 }; };
template <> struct Native<u64> { enum : i64 { type = Uint64 }; };
template <> struct Native<float> { enum : i64 { type = Float32 }; };
template <> struct Native<double> { enum : i64 { type = Float64 }; };
template <> struct Native<c64> { enum : i64 { type = Complex64 }; };
template <> struct Native<c128> { enum : i64 { type = Complex128 }; };

// load_now reads an element of any type. It is for callers that know the type at compile time, load_converted for all
// others.
template <class T> DEVICE T load_now(const char* p, i64 type, i64 to) {
	switch (type) {
	case Bool: return convert<T>(*p != 0, to);
	case Int8: return convert<T>((i64) * (const signed char*)p, to);
	case Int16: return convert<T>((i64) * (const short*)p, to);
	case Int32: return convert<T>((i64) * (const int*)p, to);
	case Int64: return convert<T>(*(const i64*)p, to);
	case Uint8: return convert<T>((u64) * (const unsigned char*)p, to);
	case Uint16: return convert<T>((u64) * (const unsigned short*)p, to);
	case Uint32: return convert<T>((u64) * (const u32*)p, to);
	case Uint64: return convert<T>(*(const u64*)p, to);
	case Float16: return convert<T>(half_to_float(*(const unsigned short*)p), to);
	case BFloat16: return convert<T>(brain_to_float(*(const unsigned short*)p), to);
	case Float32: return convert<T>(*(const float*)p, to);
	case Float64: return convert<T>(*(const double*)p, to);
	case Complex64: return convert<T>(*(const c64*)p, to);
	}
	return convert<T>(*(const c128*)p, to);
}
template <class T> DEVICE_LARGE T load_converted(const char* p, i64 type, i64 to) { return load_now<T>(p, type, to); }

// load reads an element as a number of class T, of register type to.
template <class T> DEVICE T load(const char* p, i64 type, i64 to) {
	if (type == Native<T>::type && to == type && type != Bool) return *(const T*)p;
	return load_converted<T>(p, type, to);
}

template <class T> DEVICE T real_part(T x) { return x; }
template <class T> DEVICE T real_part(Complex<T> z) { return z.re; }

// store_now writes a number to an element of any type. store_converted is for types that are unknown at compile time.
template <class T> DEVICE void store_now(char* p, i64 type, T v) {
	switch (type) {
	case Bool: *(unsigned char*)p = convert<bool>(v, Bool); return;
	case Int8: case Uint8: *(unsigned char*)p = (unsigned char)convert<i64>(v, type); return;
	case Int16: case Uint16: *(unsigned short*)p = (unsigned short)convert<i64>(v, type); return;
	case Int32: case Uint32: *(u32*)p = (u32)convert<i64>(v, type); return;
	case Int64: case Uint64: *(i64*)p = convert<i64>(v, type); return;
	case Float16: *(unsigned short*)p = float_to_half(round_to_odd(real_part(v))); return;
	case BFloat16: *(unsigned short*)p = float_to_brain(round_to_odd(real_part(v))); return;
	case Float32: *(float*)p = convert<float>(v, type); return;
	case Float64: *(double*)p = convert<double>(v, type); return;
	case Complex64: *(c64*)p = convert<c64>(v, type); return;
	}
	*(c128*)p = convert<c128>(v, type);
}
template <class T> DEVICE_LARGE void store_converted(char* p, i64 type, T v) { store_now<T>(p, type, v); }

// store writes a number to an element.
template <class T> DEVICE void store(char* p, i64 type, T v) {
	if (type == Native<T>::type) *(T*)p = v;
	else store_converted<T>(p, type, v);
}

// Operand is an array in the form that kernels use.
template <int R> struct Operand {
	char* data;    // its first element
	i64 type;      // of the elements
	i64 size;      // bytes of an element
	i64 len;       // elements of a raw operand
	i64 strides[R]; // along the axes of the loop, in elements
	// load reads the element at a distance of `at` elements from the first one.
	template <class T> __device__ T load(i64 at, i64 to) const { return ::load<T>(data + at * size, type, to); }
	template <class T> __device__ void store(i64 at, T v) const { ::store<T>(data + at * size, type, v); }
};

// divide is a/b for numbers that are not negative.
DEVICE i64 divide(i64 a, i64 b) {
	if (((u64)a | (u64)b) >> 32) return a / b;
	return (u32)a / (u32)b;
}

// Loop is a loop with N operands.
template <int R, int N> struct Loop {
	i64 rank, count; // axes and points
	i64 shape[R];
	Operand<R> at[N];
	// offset returns the offset of operand k's element for point i, in elements. Points are numbered in row-major order
	// of the axes from first up to, but not including, end.
	__device__ i64 offset(int k, i64 i, int first, int end) const {
		i64 sum = 0;
		for (int axis = end - 1; axis >= first; axis--) {
			i64 rest = divide(i, shape[axis]);
			sum += (i - rest * shape[axis]) * at[k].strides[axis];
			i = rest;
		}
		return sum;
	}
	__device__ i64 offset(int k, i64 i) const { return offset(k, i, 0, (int)rank); }
};

// FOR_POINTS walks each thread through its share of the numbers from 0 to count.
#define FOR_POINTS(i, count) \
	for (i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x, i##_step = gridDim.x * (i64)blockDim.x; i < (count); i += i##_step)
