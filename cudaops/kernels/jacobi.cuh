// Rotations of pairs (Jacobi).
#pragma once
#include "matrices.cuh"

// sweeps is the largest number of rotations of each pair; about ten are enough.
const int sweeps = 60;

template <class T> struct Rotation {
	double cosine;
	T sine;
};

// rotation_of returns the rotation that makes the Hermitian matrix (a, c; c̄, b) diagonal. For complex numbers the sine
// has the phase of c.
template <class T> DEVICE Rotation<T> rotation_of(double a, double b, T c) {
	double cotangent = (b - a) / (2 * magnitude(c));
	double tangent = copysign(1.0, cotangent) / (fabs(cotangent) + hypot(1.0, cotangent));
	double cosine = 1 / hypot(1.0, tangent);
	return {cosine, entry_of<T>(cosine * tangent) * phase(c)};
}

template <class T> DEVICE void turn(T& x, T& y, double cosine, T sine) {
	T first = cosine * x - sine * y;
	y = conjugate(sine) * x + cosine * y;
	x = first;
}

// Pair is a pair if both of its numbers are below n, otherwise none.
struct Pair {
	i64 p, q;
	__device__ bool in(i64 n) const { return p < n && q < n; }
};

// rounds is the number of rounds in which all pairs of n numbers meet, pairs the number of pairs in each. If n is odd,
// one number pauses per round.
DEVICE i64 rounds(i64 n) { return n < 2 ? 0 : (n + 1) / 2 * 2 - 1; }
DEVICE i64 pairs(i64 n) { return (n + 1) / 2; }

// pair_of returns a pair of a round. The numbers form a circle and move one step per round, except the last.
DEVICE Pair pair_of(i64 n, i64 round, i64 i) {
	i64 circle = rounds(n);
	if (i == 0) return {circle, round};
	return {(round + i) % circle, (round - i + circle) % circle};
}
