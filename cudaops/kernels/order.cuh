// The order of sorted numbers, mapped to unsigned integers: NaN comes last; complex numbers are ordered by their real
// parts and then by their imaginary parts.
#pragma once
#include "ndgrad.cuh"

// Key128 is the key of a complex128, compared by its upper half first.
struct Key128 {
	u64 high, low;
};
DEVICE bool operator<(Key128 a, Key128 b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }
DEVICE bool operator==(Key128 a, Key128 b) { return a.high == b.high && a.low == b.low; }

// ordered is the key of a float that is not NaN, computed from its n bits. Both zeros have the same key.
template <class U> DEVICE U ordered(U bits, int n, bool descending) {
	U sign = (U)1 << (n - 1), key = (U)(bits << (8 * sizeof(U) - n + 1)) == 0 ? sign : bits & sign ? ~bits : bits | sign;
	if (descending) key = ~key;
	return (U)(key << (8 * sizeof(U) - n)) >> (8 * sizeof(U) - n);
}

// float_key gives NaN, whose magnitude bits exceed those of infinity, the largest key.
template <class U> DEVICE U float_key(U bits, U infinity, int n, bool descending) {
	U all = (U) ~(U)0 >> (8 * sizeof(U) - n);
	return (bits & all >> 1) > infinity ? all : ordered(bits, n, descending);
}

// complex_key orders numbers with a NaN part after all others: first those whose real part is not NaN, then those whose
// imaginary part is not NaN.
template <class U> DEVICE void complex_key(U re, U im, U infinity, bool descending, U* high, U* low) {
	const int n = 8 * sizeof(U);
	const U all = ~(U)0;
	bool no_re = (re & all >> 1) > infinity, no_im = (im & all >> 1) > infinity;
	*high = no_re ? all - !no_im : no_im ? all - 2 : ordered(re, n, descending);
	*low = no_re && no_im ? 0 : ordered(no_im ? re : im, n, descending);
}

// key_of is the key of an element. A key of 4 bytes is for types of up to 4 bytes, and has as many bits as the type.
DEVICE void key_of(const char* p, i64 type, bool descending, u32* key) {
	switch (type) {
	case Bool: *key = (*p != 0) != descending; return;
	case Int8: *key = (unsigned char)(*p ^ (descending ? 0x7f : 0x80)); return;
	case Uint8: *key = (unsigned char)(*p ^ (descending ? 0xff : 0)); return;
	case Int16: *key = *(const unsigned short*)p ^ (descending ? 0x7fffu : 0x8000u); return;
	case Uint16: *key = *(const unsigned short*)p ^ (descending ? 0xffffu : 0); return;
	case Int32: *key = *(const u32*)p ^ (descending ? 0x7fffffffu : 0x80000000u); return;
	case Uint32: *key = *(const u32*)p ^ (descending ? ~0u : 0); return;
	case Float16: *key = float_key<u32>(*(const unsigned short*)p, 0x7c00, 16, descending); return;
	case BFloat16: *key = float_key<u32>(*(const unsigned short*)p, 0x7f80, 16, descending); return;
	}
	*key = float_key<u32>(*(const u32*)p, 0x7f800000, 32, descending);
}
DEVICE void key_of(const char* p, i64 type, bool descending, u64* key) {
	switch (type) {
	case Int64: *key = *(const u64*)p ^ (descending ? ~0ull >> 1 : 1ull << 63); return;
	case Uint64: *key = *(const u64*)p ^ (descending ? ~0ull : 0); return;
	case Float64: *key = float_key<u64>(*(const u64*)p, 0x7ff0000000000000ull, 64, descending); return;
	}
	u32 high, low;
	complex_key<u32>(((const u32*)p)[0], ((const u32*)p)[1], 0x7f800000, descending, &high, &low);
	*key = (u64)high << 32 | low;
}
DEVICE void key_of(const char* p, i64, bool descending, Key128* key) {
	complex_key<u64>(((const u64*)p)[0], ((const u64*)p)[1], 0x7ff0000000000000ull, descending, &key->high, &key->low);
}

// half_of is the part of a key that is sorted by at a time: the whole key, or a half of it.
DEVICE u32 half_of(u32 key, bool) { return key; }
DEVICE u64 half_of(u64 key, bool) { return key; }
DEVICE u64 half_of(Key128 key, bool high) { return high ? key.high : key.low; }
