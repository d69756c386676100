// Sums of products in the wide type of a class: what products of matrices and convolutions add up.
#pragma once
#include "opcodes.cuh"

// Sum<T> carries sums of products of class T: bools are combined by or and and, integers wrap, floats are carried in float64.
template <class T> struct Sum {
	typedef Wide<T> Number;
	static __device__ Number zero() { return (Number)0; }
	static __device__ void add(Number& sum, Number a, Number b) { sum = plus(sum, times(a, b)); }
	static __device__ Number plus_one(Number sum, Number a) { return plus(sum, a); }
};
template <> struct Sum<bool> {
	typedef bool Number;
	static __device__ bool zero() { return false; }
	static __device__ void add(bool& sum, bool a, bool b) { sum = sum || (a && b); }
	static __device__ bool plus_one(bool sum, bool a) { return sum || a; }
};
template <class F> struct Sum<Complex<F>> {
	typedef c128 Number;
	static __device__ c128 zero() { return {0, 0}; }
	static __device__ void add(c128& sum, c128 a, c128 b) { sum = sum + scalar::CMul(a, b); }
	static __device__ c128 plus_one(c128 sum, c128 a) { return sum + a; }
};

// narrowed is a sum in class T, rounded once.
template <class T, class W> DEVICE T narrowed(W v, i64 type) { return convert<T>(v, type); }
