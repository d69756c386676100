package matvec

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestPasses compares all passes with sums in float64, at every instruction level, for all small sizes.
func TestPasses(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		heights, widths := []int{0, 1, 3, 4, 5, 8, 11}, []int{0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, piece + 3}
		testPasses[float32](t, rng, heights, widths, 1e-6)
		testPasses[float64](t, rng, heights, widths, 1e-14)
	})
}

func FuzzTwins(f *testing.F) {
	f.Add(uint8(1), uint64(1))
	f.Fuzz(func(t *testing.T, level uint8, seed uint64) {
		defer isa.Narrow(level)()
		rng := rand.New(rand.NewPCG(7, seed))
		heights, widths := []int{rng.IntN(20)}, []int{rng.IntN(150)}
		testPasses[float32](t, rng, heights, widths, 1e-6)
		testPasses[float64](t, rng, heights, widths, 1e-14)
		testPairs[float32](t, rng, heights, widths, 1e-6)
		testPairs[float64](t, rng, heights, widths, 1e-14)
		testTriangle(t, rng, 1+widths[0], 1+rng.IntN(2))
		testUpdate[float32](t, rng, heights[0], widths[0], 1e-6)
		testUpdate[float64](t, rng, heights[0], widths[0], 1e-14)
		gaps, weights := make([]float64, 1+widths[0]), make([]float64, 1+widths[0])
		for i := range gaps {
			gaps[i], weights[i] = 0.25+float64(i)*rng.Float64(), rng.NormFloat64()/4
		}
		testPoles(t, gaps, weights, -rng.Float64())
	})
}

func testPasses[T Float](t *testing.T, rng *rand.Rand, heights, widths []int, tolerance float64) {
	random := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = T(rng.Float64() - 0.5)
		}
		return v
	}
	for _, m := range heights {
		for _, n := range widths {
			stride := n + m%3
			a, x, factors := random(m*stride+n), random(n), random(m)
			y, sums := random(n+1), random(m)
			y2, sums2 := append([]T(nil), y...), random(m)
			want := make([]float64, n)
			for j := range n {
				want[j] = float64(y[j])
				for i := range m {
					want[j] += float64(a[i*stride+j]) * float64(factors[i])
				}
			}
			guard := y[n]
			Both(sums, y[:n], a, stride, x, factors)
			Dots(sums2, a, stride, x)
			Axpys(y2[:n], a, stride, factors)
			for j := range n {
				if math.Abs(float64(y[j])-want[j]) > tolerance*float64(m+1) || math.Abs(float64(y2[j])-want[j]) > tolerance*float64(m+1) {
					t.Fatalf("m=%d n=%d: y[%d] = %v and %v, want %v", m, n, j, y[j], y2[j], want[j])
				}
			}
			if y[n] != guard || y2[n] != guard {
				t.Fatalf("m=%d n=%d: an element after the vector was written", m, n)
			}
			for i := range m {
				sum := 0.0
				for j := range n {
					sum += float64(a[i*stride+j]) * float64(x[j])
				}
				if math.Abs(float64(sums[i])-sum) > tolerance*float64(n+1) || math.Abs(float64(sums2[i])-sum) > tolerance*float64(n+1) {
					t.Fatalf("m=%d n=%d: sums[%d] = %v and %v, want %v", m, n, i, sums[i], sums2[i], sum)
				}
			}
		}
	}
	for n := range 70 {
		x, y := random(n), random(n)
		x2, y2 := append([]T(nil), x...), append([]T(nil), y...)
		Rotate(x, y, 0.6, 0.8)
		plainRotate(x2, y2, 0.6, 0.8)
		for i := range x {
			if math.Abs(float64(x[i]-x2[i])) > tolerance || math.Abs(float64(y[i]-y2[i])) > tolerance {
				t.Fatalf("n=%d: rotated %d is %v, %v, want %v, %v", n, i, x[i], y[i], x2[i], y2[i])
			}
		}
	}
}

// TestTriangle compares Triangle and TrianglePairs with Both of one row at a time.
func TestTriangle(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 11, 16, 21, 40, 65, 150} {
			testTriangle(t, rng, n, 1)
			testTriangle(t, rng, n, 2)
		}
	})
}

func testTriangle(t *testing.T, rng *rand.Rand, n, parts int) {
	random := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.Float64() - 0.5
		}
		return v
	}
	stride := (n + 2) * parts
	a, x, y, sums := random(n*stride), random(n*parts), random(n*parts), random(n*parts)
	want, wantSums := append([]float64(nil), y...), make([]float64, n*parts)
	group := Group(parts == 2)
	for i := range n {
		m := i / group * group * parts
		row, f, s := a[i*stride:], x[i*parts:(i+1)*parts], wantSums[i*parts:(i+1)*parts]
		if parts == 2 {
			BothPairs(s, want[:m], row, 0, x[:m], f)
		} else {
			Both(s, want[:m], row, 0, x[:m], f)
		}
	}
	if parts == 2 {
		TrianglePairs(sums, y, a, stride, x)
	} else {
		Triangle(sums, y, a, stride, x)
	}
	for i := range y {
		if math.Abs(y[i]-want[i]) > 1e-13 || math.Abs(sums[i]-wantSums[i]) > 1e-13 {
			t.Fatalf("n=%d, %d floats a number: float %d is %v, want %v, and its sum %v, want %v", n, parts, i, y[i], want[i], sums[i], wantSums[i])
		}
	}
}

// TestPairs compares the passes over complex numbers with sums in complex128.
func TestPairs(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		heights, widths := []int{1, 2, 3, 4, 5, 11}, []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 50, piece/2 + 3}
		testPairs[float32](t, rng, heights, widths, 1e-6)
		testPairs[float64](t, rng, heights, widths, 1e-14)
	})
}

func testPairs[T Float](t *testing.T, rng *rand.Rand, heights, widths []int, tolerance float64) {
	random := func(n int) []T {
		v := make([]T, 2*n)
		for i := range v {
			v[i] = T(rng.Float64() - 0.5)
		}
		return v
	}
	at := func(x []T, i int) complex128 { return complex(float64(x[2*i]), float64(x[2*i+1])) }
	for _, m := range heights {
		for _, n := range widths {
			stride := n + m%3
			a, x, factors, y, sums := random(m*stride+n), random(n), random(m), random(n), random(m)
			y2, sums2 := append([]T(nil), y...), random(m)
			want := make([]complex128, n)
			for j := range n {
				want[j] = at(y, j)
				for i := range m {
					want[j] += at(a, i*stride+j) * at(factors, i)
				}
			}
			BothPairs(sums, y, a, 2*stride, x, factors)
			DotsPairs(sums2, a, 2*stride, x)
			AxpysPairs(y2, a, 2*stride, factors)
			for j, w := range want {
				if cmplx.Abs(at(y, j)-w) > tolerance*float64(m+1) || cmplx.Abs(at(y2, j)-w) > tolerance*float64(m+1) {
					t.Fatalf("m=%d n=%d: y[%d] = %v and %v, want %v", m, n, j, at(y, j), at(y2, j), w)
				}
			}
			for i := range m {
				var w complex128
				for j := range n {
					w += cmplx.Conj(at(a, i*stride+j)) * at(x, j)
				}
				if cmplx.Abs(at(sums, i)-w) > tolerance*float64(n+1) || cmplx.Abs(at(sums2, i)-w) > tolerance*float64(n+1) {
					t.Fatalf("m=%d n=%d: sums[%d] = %v and %v, want %v", m, n, i, at(sums, i), at(sums2, i), w)
				}
			}
		}
	}
}

// TestReflect compares Reflect with its reference.
func TestReflect(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testReflect[float32](t, 1e-6)
		testReflect[float64](t, 1e-15)
	})
}

func testReflect[T Float](t *testing.T, tolerance float64) {
	factors := [5]T{0.5, -0.25, 1.5, 0.75, -0.4}
	for n := range 70 {
		var got, want [3][]T
		for k := range got {
			for i := range n + 1 {
				got[k] = append(got[k], T(math.Sin(float64(i*(k+2)))))
			}
			want[k] = append([]T(nil), got[k]...)
		}
		Reflect(got[0][:n], got[1], got[2], &factors)
		plainReflect(want[0][:n], want[1], want[2], &factors)
		const line = 5
		rows, wantRows := make([]T, (n+1)*line), make([]T, (n+1)*line)
		for i := range rows {
			rows[i] = T(math.Sin(float64(i * i)))
		}
		copy(wantRows, rows)
		ReflectColumns(n, rows, line, &factors)
		plainReflectColumns(n, wantRows, line, &factors)
		for i, v := range rows {
			if math.Abs(float64(v-wantRows[i])) > 4*tolerance {
				t.Fatalf("n=%d: element (%d, %d) is %v, want %v", n, i/line, i%line, v, wantRows[i])
			}
		}
		for k := range got {
			for i, v := range got[k] {
				if math.Abs(float64(v-want[k][i])) > 4*tolerance {
					t.Fatalf("n=%d: element %d of vector %d is %v, want %v", n, i, k, v, want[k][i])
				}
			}
		}
	}
}

// TestPoles compares Poles with its reference, also at an offset of 0, which must not divide by it beside the vectors.
func TestPoles(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for n := range 70 {
			gaps, weights := make([]float64, n+1), make([]float64, n+1)
			for i := range gaps {
				gaps[i], weights[i] = float64(i)+0.25, math.Sin(float64(i))
			}
			for _, offset := range []float64{0, 0.5, -3} {
				testPoles(t, gaps, weights, offset)
			}
		}
	})
}

// testPoles compares the sums, quotients and products of all gaps but the last with their references.
func testPoles(t *testing.T, gaps, weights []float64, offset float64) {
	n := len(gaps) - 1
	sum, slope := Poles(gaps[:n], weights, offset)
	want := plainPoles(gaps[:n], weights, offset)
	quotients, product := append([]float64(nil), gaps...), append([]float64(nil), weights...)
	squares := Quotients(quotients[:n], weights, offset)
	ScaleQuotients(product[:n], gaps, gaps, offset)
	wantSquares := 0.0
	for i, g := range gaps {
		wantQuotient, wantProduct := weights[i]/(g-offset), weights[i]*((g-offset)/g)
		if i == n {
			wantQuotient, wantProduct = g, weights[i] // after the vectors
		} else {
			wantSquares += wantQuotient * wantQuotient
		}
		if quotients[i] != wantQuotient || product[i] != wantProduct {
			t.Fatalf("n=%d, offset %v: quotient %d is %v and the product %v, want %v and %v", n, offset, i, quotients[i], product[i], wantQuotient, wantProduct)
		}
	}
	if !(math.Abs(squares-wantSquares) <= 1e-13*float64(n)) {
		t.Fatalf("n=%d, offset %v: the squares sum to %v, want %v", n, offset, squares, wantSquares)
	}
	if !(math.Abs(sum-want[0]) <= 1e-14*float64(n)) || !(math.Abs(slope-want[1]) <= 1e-13*float64(n)) {
		t.Fatalf("n=%d, offset %v: %v and %v, want %v", n, offset, sum, slope, want)
	}
}

// TestPassesDoNotAllocate calls passes as a factorisation does, thousands of times.
func TestPassesDoNotAllocate(t *testing.T) {
	a, x, y, factors, sums := make([]float64, 64), make([]float64, 8), make([]float64, 8), make([]float64, 8), make([]float64, 8)
	if n := testing.AllocsPerRun(100, func() { Both(sums, y, a, 8, x, factors); Rotate(x, y, 1, 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
