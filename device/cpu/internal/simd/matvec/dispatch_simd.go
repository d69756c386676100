//go:build (amd64 || arm64) && !purego

package matvec

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// pass reads groups of rows.
//
//go:noinline
func pass[T Float](k kind, s *shape, p *pointers) {
	level := isa.Current()
	switch {
	case level == isa.Generic:
		plainPass[T](k, s, p)
	case unsafe.Sizeof(*new(T)) == 4:
		passSingle(k, level == isa.AVX512, s, p)
	default:
		passDouble(k, level == isa.AVX512, s, p)
	}
}

// rowsOf returns the number of rows that a routine reads at once.
func rowsOf(k kind) int {
	if k&pairs != 0 && isa.Current() == isa.AVX2 {
		return 2
	}
	return mostRows
}

// passSingle runs a routine.
func passSingle(k kind, wide bool, s *shape, p *pointers) {
	a, x, y, f, sums := (*float32)(p.a), (*float32)(p.x), (*float32)(p.y), (*float32)(p.factors), (*float32)(p.sums)
	switch {
	case k == both && wide:
		bothAVX512F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == both:
		bothAVX2F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots && wide:
		dotsAVX512F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots:
		dotsAVX2F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == axpys && wide:
		axpysAVX512F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == axpys:
		axpysAVX2F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == both|pairs && wide:
		bothComplexAVX512F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == both|pairs:
		bothComplexAVX2F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots|pairs && wide:
		dotsComplexAVX512F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots|pairs:
		dotsComplexAVX2F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case wide:
		axpysComplexAVX512F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	default:
		axpysComplexAVX2F32(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	}
}

// passDouble runs a routine.
func passDouble(k kind, wide bool, s *shape, p *pointers) {
	a, x, y, f, sums := (*float64)(p.a), (*float64)(p.x), (*float64)(p.y), (*float64)(p.factors), (*float64)(p.sums)
	switch {
	case k == both && wide:
		bothAVX512F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == both:
		bothAVX2F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots && wide:
		dotsAVX512F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots:
		dotsAVX2F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == axpys && wide:
		axpysAVX512F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == axpys:
		axpysAVX2F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == both|pairs && wide:
		bothComplexAVX512F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == both|pairs:
		bothComplexAVX2F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots|pairs && wide:
		dotsComplexAVX512F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case k == dots|pairs:
		dotsComplexAVX2F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	case wide:
		axpysComplexAVX512F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	default:
		axpysComplexAVX2F64(s.groups, s.n, s.grow, a, s.second, s.third, s.fourth, s.group, x, y, f, sums)
	}
}

//go:noinline
func rotatePiece[T Float](x, y []T, c, s T) {
	level := isa.Current()
	if level == isa.Generic || len(x) == 0 {
		plainRotate(x, y, c, s)
		return
	}
	n, v, w := len(x), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])
	switch wide := level == isa.AVX512; {
	case unsafe.Sizeof(c) == 4 && wide:
		rotateAVX512F32(n, (*float32)(v), (*float32)(w), float32(c), float32(s))
	case unsafe.Sizeof(c) == 4:
		rotateAVX2F32(n, (*float32)(v), (*float32)(w), float32(c), float32(s))
	case wide:
		rotateAVX512F64(n, (*float64)(v), (*float64)(w), float64(c), float64(s))
	default:
		rotateAVX2F64(n, (*float64)(v), (*float64)(w), float64(c), float64(s))
	}
}

//go:noinline
func reflectPiece[T Float](x, y, z []T, factors *[5]T) {
	level := isa.Current()
	if level == isa.Generic || len(x) == 0 {
		plainReflect(x, y, z, factors)
		return
	}
	n, p, q, r, f := len(x), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&z[0]), unsafe.Pointer(factors)
	switch wide := level == isa.AVX512; {
	case unsafe.Sizeof(x[0]) == 4 && wide:
		reflectAVX512F32(n, (*float32)(p), (*float32)(q), (*float32)(r), (*float32)(f))
	case unsafe.Sizeof(x[0]) == 4:
		reflectAVX2F32(n, (*float32)(p), (*float32)(q), (*float32)(r), (*float32)(f))
	case wide:
		reflectAVX512F64(n, (*float64)(p), (*float64)(q), (*float64)(r), (*float64)(f))
	default:
		reflectAVX2F64(n, (*float64)(p), (*float64)(q), (*float64)(r), (*float64)(f))
	}
}

//go:noinline
func polesPiece(gaps, weights []float64, offset float64) (sums [2]float64) {
	switch isa.Current() {
	case isa.AVX512:
		polesAVX512F64(len(gaps), &gaps[0], &weights[0], offset, &sums[0])
	case isa.AVX2:
		polesAVX2F64(len(gaps), &gaps[0], &weights[0], offset, &sums[0])
	default:
		return plainPoles(gaps, weights, offset)
	}
	return sums
}

//go:noinline
func reflectColumnsPiece[T Float](rows int, a []T, line int, factors *[5]T) {
	switch {
	case isa.Current() == isa.Generic:
		plainReflectColumns(rows, a, line, factors)
	case unsafe.Sizeof(a[0]) == 4:
		reflectColumnsAVX2F32(rows, isa.Singles(&a[0]), 4*line, isa.Singles(&factors[0]))
	default:
		reflectColumnsAVX2F64(rows, isa.Doubles(&a[0]), 8*line, isa.Doubles(&factors[0]))
	}
}

//go:noinline
func quotientsPiece(gaps, weights []float64, offset float64) (squares float64) {
	switch isa.Current() {
	case isa.AVX512:
		quotientsAVX512F64(len(gaps), &gaps[0], &weights[0], offset, &squares)
	case isa.AVX2:
		quotientsAVX2F64(len(gaps), &gaps[0], &weights[0], offset, &squares)
	default:
		return plainQuotients(gaps, weights, offset)
	}
	return squares
}

//go:noinline
func scaleQuotientsPiece(y, gaps, divisors []float64, offset float64) {
	switch isa.Current() {
	case isa.AVX512:
		scaleQuotientsAVX512F64(len(y), &y[0], &gaps[0], &divisors[0], offset)
	case isa.AVX2:
		scaleQuotientsAVX2F64(len(y), &y[0], &gaps[0], &divisors[0], offset)
	default:
		plainScaleQuotients(y, gaps, divisors, offset)
	}
}

//go:noinline
func updatePiece[T Float](sums, a []T, stride int, f, v, g, w, x []T) {
	level, rows, n, size := isa.Current(), len(sums), len(x), int(unsafe.Sizeof(x[0]))
	if level == isa.Generic {
		plainUpdate(sums, a, stride, f, v, g, w, x)
		return
	}
	switch wide := level == isa.AVX512; {
	case size == 4 && wide:
		updateAVX512F32(rows, n, isa.Singles(&a[0]), 4*stride, isa.Singles(&f[0]), isa.Singles(&v[0]), isa.Singles(&g[0]), isa.Singles(&w[0]), isa.Singles(&x[0]), isa.Singles(&sums[0]))
	case size == 4:
		updateAVX2F32(rows, n, isa.Singles(&a[0]), 4*stride, isa.Singles(&f[0]), isa.Singles(&v[0]), isa.Singles(&g[0]), isa.Singles(&w[0]), isa.Singles(&x[0]), isa.Singles(&sums[0]))
	case wide:
		updateAVX512F64(rows, n, isa.Doubles(&a[0]), 8*stride, isa.Doubles(&f[0]), isa.Doubles(&v[0]), isa.Doubles(&g[0]), isa.Doubles(&w[0]), isa.Doubles(&x[0]), isa.Doubles(&sums[0]))
	default:
		updateAVX2F64(rows, n, isa.Doubles(&a[0]), 8*stride, isa.Doubles(&f[0]), isa.Doubles(&v[0]), isa.Doubles(&g[0]), isa.Doubles(&w[0]), isa.Doubles(&x[0]), isa.Doubles(&sums[0]))
	}
}

//go:noinline
func rotateChainPiece[T Float](a []T, start, line, n int, c, s []T) {
	level := isa.Current()
	if level == isa.Generic {
		plainRotateChain(a, start, line, n, c, s)
		return
	}
	switch wide := level == isa.AVX512; {
	case unsafe.Sizeof(c[0]) == 4 && wide:
		rotateChainAVX512F32(len(c), n, isa.Singles(&a[start]), 4*line, isa.Singles(&c[0]), isa.Singles(&s[0]))
	case unsafe.Sizeof(c[0]) == 4:
		rotateChainAVX2F32(len(c), n, isa.Singles(&a[start]), 4*line, isa.Singles(&c[0]), isa.Singles(&s[0]))
	case wide:
		rotateChainAVX512F64(len(c), n, isa.Doubles(&a[start]), 8*line, isa.Doubles(&c[0]), isa.Doubles(&s[0]))
	default:
		rotateChainAVX2F64(len(c), n, isa.Doubles(&a[start]), 8*line, isa.Doubles(&c[0]), isa.Doubles(&s[0]))
	}
}

//go:noinline
func gapsPiece(gaps, d []float64, at float64) {
	switch isa.Current() {
	case isa.AVX512:
		gapsAVX512F64(len(d), &gaps[0], &d[0], at)
	case isa.AVX2:
		gapsAVX2F64(len(d), &gaps[0], &d[0], at)
	default:
		plainGaps(gaps, d, at)
	}
}

//go:noinline
func squareGapsPiece(gaps, d []float64, at float64) {
	switch isa.Current() {
	case isa.AVX512:
		squareGapsAVX512F64(len(d), &gaps[0], &d[0], at)
	case isa.AVX2:
		squareGapsAVX2F64(len(d), &gaps[0], &d[0], at)
	default:
		plainSquareGaps(gaps, d, at)
	}
}
