// Replaces CUDA's headers when g++ compiles kernels for the CPU emulator. Every file of kernels is compiled with
// -DNDGRAD_EMULATOR and with this header included first.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __shared__ static thread_local
#define __align__(n) alignas(n)

struct dim3 {
	unsigned x, y, z;
};
extern thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;

// Defined in fibers.cpp: the threads of a block are fibers of one thread of the stream.
extern "C" {
int emulator_barrier(int votes);                                            // the sum of all votes
void emulator_warp_barrier(unsigned mask);                                  // of the warp's threads in mask
unsigned long long emulator_exchange(unsigned mask, unsigned long long value, int lane); // the value of another lane
unsigned emulator_ballot(unsigned mask, int vote);
unsigned emulator_match(unsigned mask, unsigned long long value); // the lanes that have the same value
void *emulator_shared(void);
void emulator_fail(int code); // the context is lost
typedef void (*emulator_call)(void *function, const char *arguments);
void emulator_register(const char *name, void *function, emulator_call call, const size_t *sizes, int parameters);
}

// Calls a kernel with packed arguments, each aligned to its alignment. References refer to the packed argument itself.
template <class... A> struct Call {
	template <size_t... I> static void run(void *function, const char *packed, std::index_sequence<I...>) {
		[[maybe_unused]] size_t at[sizeof...(A) + 1], next = 0, k = 0;
		((next = (next + alignof(std::decay_t<A>) - 1) / alignof(std::decay_t<A>) * alignof(std::decay_t<A>), at[k++] = next, next += sizeof(std::decay_t<A>)), ...);
		((void (*)(A...))function)(*(std::decay_t<A> *)(packed + at[I])...);
	}
	static void packed(void *function, const char *arguments) { run(function, arguments, std::index_sequence_for<A...>{}); }
	explicit Call(const char *name, void (*function)(A...)) {
		static const size_t sizes[] = {sizeof(std::decay_t<A>)..., 0};
		emulator_register(name, (void *)function, packed, sizes, sizeof...(A));
	}
};
#define REGISTER(name) static Call registered_##name(#name, name);
#define PARAMETER(...) const __VA_ARGS__ &p

#define DYNAMIC_SHARED(T, name) T *name = (T *)emulator_shared()

#define __syncthreads() ((void)emulator_barrier(0))
#define __syncthreads_count(v) emulator_barrier((v) != 0)
#define __syncthreads_or(v) (emulator_barrier((v) != 0) != 0)
static inline int __syncthreads_and(int v) { return emulator_barrier(v == 0) == 0; }
static inline void __syncwarp(unsigned mask = 0xffffffffu) { emulator_warp_barrier(mask); }
static inline void __threadfence() {}
static inline void __threadfence_system() {}
static inline void __threadfence_block() {}

static inline int emulator_lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
template <class T> static inline T emulator_shuffle(unsigned mask, T value, int lane) {
	unsigned long long bits = 0;
	memcpy(&bits, &value, sizeof value);
	bits = emulator_exchange(mask, bits, lane);
	memcpy(&value, &bits, sizeof value);
	return value;
}
template <class T> static inline T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {
	return emulator_shuffle(mask, v, (emulator_lane() & ~(width - 1)) + (lane & (width - 1)));
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T v, int x, int width = 32) { return emulator_shuffle(mask, v, emulator_lane() ^ x); }
template <class T> static inline T __shfl_down_sync(unsigned mask, T v, unsigned d, int width = 32) {
	int lane = emulator_lane();
	return emulator_shuffle(mask, v, (lane & (width - 1)) + (int)d < width ? lane + (int)d : lane);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T v, unsigned d, int width = 32) {
	int lane = emulator_lane();
	return emulator_shuffle(mask, v, (lane & (width - 1)) >= (int)d ? lane - (int)d : lane);
}
static inline unsigned __ballot_sync(unsigned mask, int v) { return emulator_ballot(mask, v != 0); }
static inline unsigned __match_any_sync(unsigned mask, unsigned v) { return emulator_match(mask, v); }
static inline int __any_sync(unsigned mask, int v) { return emulator_ballot(mask, v != 0) != 0; }
static inline int __all_sync(unsigned mask, int v) { return emulator_ballot(mask, v == 0) == 0; }

// Fibers switch only at barriers, but streams are threads, so atomics are real.
template <class T> static inline T atomicCAS(T *p, T compare, T v) {
	__atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return compare;
}
template <class T, class F> static inline T emulator_update(T *p, F f) {
	T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
	while (!__atomic_compare_exchange_n(p, &old, f(old), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
	}
	return old;
}
#define EMULATOR_ATOMIC(name, T, e) \
	static inline T name(T *p, T v) { return emulator_update(p, [v](T old) -> T { return e; }); }
#define EMULATOR_ATOMICS(T)                          \
	EMULATOR_ATOMIC(atomicAdd, T, old + v)           \
	EMULATOR_ATOMIC(atomicExch, T, v)                \
	EMULATOR_ATOMIC(atomicMin, T, v < old ? v : old) \
	EMULATOR_ATOMIC(atomicMax, T, old < v ? v : old) \
	EMULATOR_ATOMIC(atomicAnd, T, old &v)            \
	EMULATOR_ATOMIC(atomicOr, T, old | v)            \
	EMULATOR_ATOMIC(atomicXor, T, old ^ v)
EMULATOR_ATOMICS(int)
EMULATOR_ATOMICS(unsigned)
EMULATOR_ATOMICS(long long)
EMULATOR_ATOMICS(unsigned long long)

static inline unsigned __float_as_uint(float x) { unsigned u; memcpy(&u, &x, 4); return u; }
static inline int __float_as_int(float x) { int u; memcpy(&u, &x, 4); return u; }
static inline float __uint_as_float(unsigned u) { float x; memcpy(&x, &u, 4); return x; }
static inline float __int_as_float(int u) { float x; memcpy(&x, &u, 4); return x; }
static inline long long __double_as_longlong(double x) { long long u; memcpy(&u, &x, 8); return u; }
static inline double __longlong_as_double(long long u) { double x; memcpy(&x, &u, 8); return x; }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
template <class T> static inline T __ldg(const T *p) { return *p; }
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
