package conv

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/clamp"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// guard surrounds the memory that a routine may write.
const guard = -77

func each(t *testing.T, test32 func(t *testing.T, s *Kernels), test64 func(t *testing.T, s *Kernels)) {
	twin.Levels(t, func(t *testing.T) {
		t.Run("float32", func(t *testing.T) { test32(t, ForFloat32()) })
		t.Run("float64", func(t *testing.T) { test64(t, ForFloat64()) })
	})
}

// values returns random elements that are off elements past an aligned address; some are special.
func values[T float](rng *rand.Rand, n, off int, special bool) []T {
	x := make([]T, n+off)[off:]
	for i := range x {
		x[i] = T(rng.Float64() - 0.5)
		if special && rng.IntN(64) == 0 {
			x[i] = [...]T{T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN()), 0, T(math.Copysign(0, -1)), 1e-40}[rng.IntN(6)]
		}
	}
	return x
}

func pointer[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

func epsilon[T float]() float64 {
	var v T
	if unsafe.Sizeof(v) == 4 {
		return 1.0 / (1 << 23)
	}
	return 1.0 / (1 << 52)
}

// near reports whether an element is a sum of k products within rounding.
func near[T float](got, want T, k int) bool {
	a, b := float64(got), float64(want)
	return a == b || a != a && b != b || math.Abs(a-b) <= epsilon[T]()*float64(k+2)*(1+math.Abs(b))
}

// startOf returns the initial values of sums, sometimes nil.
func startOf[T float](rng *rand.Rand, n, k int) *T {
	if k%2 == 0 {
		return nil
	}
	return &values[T](rng, n, k%4, false)[0]
}

// boundsOf returns bounds, sometimes nil.
func boundsOf[T float](rng *rand.Rand) *clamp.Bounds[T] {
	negative := T(math.Copysign(0, -1))
	inf := T(math.Inf(1))
	return [...]*clamp.Bounds[T]{nil, {Low: 0, High: inf}, {Low: -0.5, High: 1, Zero: negative}, {Low: -inf, High: 0.25, Zero: negative}}[rng.IntN(4)]
}

func TestWithFilters(t *testing.T) { each(t, testWithFilters[float32], testWithFilters[float64]) }

func testWithFilters[T float](t *testing.T, s *Kernels) {
	rng := rand.New(rand.NewPCG(1, 2))
	for vectors := 1; vectors <= s.Vectors; vectors++ {
		width := vectors * s.Lanes
		for _, k := range []int{0, 1, 2, 3, 7, 64, 147} {
			for _, special := range []bool{false, true} {
				x, w := values[T](rng, 300, k%4, special), values[T](rng, k*width, k%3, special)
				off, from, to := make([]int, k), make([]int, s.Positions(vectors)), make([]int, s.Positions(vectors))
				for i := range off {
					off[i] = rng.IntN(150)
				}
				for i := range from {
					from[i], to[i] = rng.IntN(150), 1+i*(width+1)
				}
				for _, add := range []bool{false, true} {
					got, want := make([]T, 2+s.Positions(vectors)*(width+1)), make([]T, 2+s.Positions(vectors)*(width+1))
					start, bounds := startOf[T](rng, width, k), boundsOf[T](rng)
					for i := range got {
						got[i], want[i] = guard, guard
					}
					s.WithFilters(vectors, pointer(x), from, off, pointer(w), pointer(got), to, add, unsafe.Pointer(start), 1<<20, unsafe.Pointer(bounds))
					plainLanes(&x[0], from, off, w, &want[0], to, add, width, start, bounds)
					for i := range got {
						if !near(got[i], want[i], k) {
							t.Fatalf("%d vectors, %d terms, add %v: element %d is %v, want %v", vectors, k, add, i, got[i], want[i])
						}
					}
				}
			}
		}
	}
}

func TestWithPositions(t *testing.T) { each(t, testWithPositions[float32], testWithPositions[float64]) }

func testWithPositions[T float](t *testing.T, s *Kernels) {
	rng := rand.New(rand.NewPCG(3, 4))
	for filters := 1; filters <= s.Filters; filters++ {
		width := s.Width(filters)
		for _, k := range []int{0, 1, 2, 3, 7, 64, 147} {
			for _, special := range []bool{false, true} {
				x, w := values[T](rng, 150+width, k%4, special), values[T](rng, k*filters, k%3, special)
				off := make([]int, k)
				for i := range off {
					off[i] = rng.IntN(150)
				}
				for _, add := range []bool{false, true} {
					stride := width + k%3
					start, bounds := startOf[T](rng, filters, k), boundsOf[T](rng)
					got, want := make([]T, 1+filters*stride+1), make([]T, 1+filters*stride+1)
					for i := range got {
						got[i], want[i] = guard, guard
					}
					s.WithPositions(filters, pointer(x), off, pointer(w), pointer(got[1:]), stride, add, unsafe.Pointer(start), unsafe.Pointer(bounds))
					plainRows(&x[0], off, w, &want[1], stride, add, filters, width, start, bounds)
					for i := range got {
						if !near(got[i], want[i], k) {
							t.Fatalf("%d filters, %d terms, add %v: element %d is %v, want %v", filters, k, add, i, got[i], want[i])
						}
					}
				}
			}
		}
	}
}

// TestClamp: bounds, zeros and NaN come out as they are defined, bit by bit.
func TestClamp(t *testing.T) { each(t, testClamp[float32], testClamp[float64]) }

func testClamp[T float](t *testing.T, s *Kernels) {
	negative, inf, nan := T(math.Copysign(0, -1)), T(math.Inf(1)), T(math.NaN())
	sums := []T{negative, 0, 1, -1, 7, inf, -inf, nan}
	for _, c := range []struct {
		bounds clamp.Bounds[T]
		want   []T
	}{
		{clamp.Bounds[T]{Low: 0, High: inf}, []T{0, 0, 1, 0, 7, inf, 0, nan}},
		{clamp.Bounds[T]{Low: 0, High: 6, Zero: negative}, []T{negative, 0, 1, 0, 6, 6, 0, nan}},
		{clamp.Bounds[T]{Low: -inf, High: inf, Zero: negative}, sums},
	} {
		start := make([]T, 64)
		copy(start, sums)
		got := make([]T, s.Positions(1)*s.Lanes)
		s.WithFilters(1, pointer(start), make([]int, s.Positions(1)), nil, nil, pointer(got), multiples(s.Lanes, s.Positions(1)), false, pointer(start), 0, unsafe.Pointer(&c.bounds))
		rows := make([]T, s.Width(1))
		for i, v := range sums {
			s.WithPositions(1, pointer(start), nil, nil, pointer(rows), s.Width(1), false, unsafe.Pointer(&v), unsafe.Pointer(&c.bounds))
			for _, have := range []T{got[min(i, s.Lanes-1)], rows[s.Width(1)-1]} {
				want := c.want[i]
				if i < s.Lanes && (have != want && want == want || math.Signbit(float64(have)) != math.Signbit(float64(want)) && want == want || have == have && want != want) {
					t.Errorf("%v clamped by %v is %v, want %v", v, c.bounds, have, want)
				}
			}
		}
	}
}

func multiples(step, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i * step
	}
	return all
}

func TestTranspose(t *testing.T) { each(t, testTranspose[float32], testTranspose[float64]) }

func testTranspose[T float](t *testing.T, s *Kernels) {
	rng := rand.New(rand.NewPCG(5, 6))
	for rows := range 42 {
		all := []int{0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 1000}
		if rows >= 40 { // several pieces of rows
			rows, all = 1100*(rows-39), []int{1, 20, 33}
		}
		if rows == 1 {
			all = append(all, 1<<15+1)
		}
		for _, columns := range all {
			along, across := columns+rng.IntN(3), rows+rng.IntN(3)
			src := values[T](rng, rows*along, rows%5, true)
			got, want := make([]T, columns*across+2), make([]T, columns*across+2)
			for i := range got {
				got[i], want[i] = guard, guard
			}
			s.Transpose(rows, columns, pointer(got[1:]), across, pointer(src), along)
			for i := range rows {
				for j := range columns {
					want[1+j*across+i] = src[i*along+j]
				}
			}
			for i := range got {
				if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
					t.Fatalf("%d x %d: element %d is %v, want %v", rows, columns, i, got[i], want[i])
				}
			}
		}
	}
}

func TestCopyRows(t *testing.T) { each(t, testCopyRows[float32], testCopyRows[float64]) }

func testCopyRows[T float](t *testing.T, s *Kernels) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 80 {
		for rows := range 4 {
			to, from := n+rng.IntN(3), n+rng.IntN(3)
			src := values[T](rng, rows*from, n%5, true)
			got, want := make([]T, rows*to+2), make([]T, rows*to+2)
			for i := range got {
				got[i], want[i] = guard, guard
			}
			s.CopyRows(rows, n, pointer(got[1:]), to, pointer(src), from)
			for r := range rows {
				copy(want[1+r*to:], src[r*from:][:n])
			}
			for i := range got {
				if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
					t.Fatalf("%d rows of %d: element %d is %v, want %v", rows, n, i, got[i], want[i])
				}
			}
		}
	}
}

func TestProducts(t *testing.T) { each(t, testProducts[float32], testProducts[float64]) }

func testProducts[T float](t *testing.T, s *Kernels) {
	rng := rand.New(rand.NewPCG(9, 10))
	for trial := range 600 {
		rows, n, taps := rng.IntN(5), rng.IntN(70), rng.IntN(25)
		if trial%50 == 0 {
			n = 20_000
		}
		apart, step := n+rng.IntN(3), n+rng.IntN(3)
		a, x := values[T](rng, rows*apart, trial%4, trial%3 == 0), values[T](rng, rows*step+20, trial%5, trial%4 == 0)
		off := make([]int, taps)
		for i := range off {
			off[i] = rng.IntN(20)
		}
		got, want := make([]T, taps+2), make([]T, taps+2)
		s.Products(rows, n, pointer(a), apart, pointer(x), step, off, pointer(got[1:]))
		plainProducts(rows, n, &append(a, 0)[0], apart, &x[0], step, off, &want[1])
		for i := range got {
			if !near(got[i], want[i], rows*n) {
				t.Fatalf("%d rows of %d, %d taps: element %d is %v, want %v", rows, n, taps, i, got[i], want[i])
			}
		}
	}
}

func TestSlide(t *testing.T) { each(t, testSlide[float32], testSlide[float64]) }

func testSlide[T float](t *testing.T, s *Kernels) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, height := range []int{3, 5, 7} {
		for trial := range 120 {
			rows, n, taps := 1+rng.IntN(3*s.Rows), 1+rng.IntN(70), 1+rng.IntN(8)
			if trial%40 == 0 {
				n = 5000
			}
			apart, step := n+rng.IntN(3), n+rng.IntN(10)
			x, w := values[T](rng, (rows+height)*step+n+40, trial%4, trial%3 == 0), values[T](rng, taps*height, trial%3, false)
			off := make([]int, taps)
			for i := range off {
				off[i] = rng.IntN(10)
			}
			start := startOf[T](rng, 1, trial)
			got, want := make([]T, 2+rows*apart), make([]T, 2+rows*apart)
			for i := range got {
				got[i], want[i] = guard, guard
			}
			s.Slide(height, rows, n, pointer(got[1:]), apart, pointer(x), step, off, pointer(w), unsafe.Pointer(start))
			plainSlide(height, rows, n, &want[1], apart, &x[0], step, off, w, start)
			for i := range got {
				if !near(got[i], want[i], height*taps) {
					t.Fatalf("height %d, %d rows of %d, %d taps: element %d is %v, want %v", height, rows, n, taps, i, got[i], want[i])
				}
			}
		}
	}
}

func BenchmarkTiles(b *testing.B) {
	s := ForFloat32()
	const k = 144
	x, w, c := make([]float32, 4096), make([]float32, k*64), make([]float32, 4096)
	off, from, to := make([]int, k), make([]int, 16), make([]int, 16)
	for i := range off {
		off[i] = i/9*58 + i%9/3*9 + i%3
	}
	for v := 1; v <= s.Vectors; v++ {
		for i := range from {
			from[i], to[i] = i, i*v*s.Lanes
		}
		b.Run(fmt.Sprintf("filters/%d", v), func(b *testing.B) {
			for b.Loop() {
				s.WithFilters(v, pointer(x), from, off, pointer(w), pointer(c), to, true, nil, 0, nil)
			}
			b.ReportMetric(2*k*float64(s.Positions(v)*v*s.Lanes)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
	for f := 1; f <= s.Filters; f++ {
		b.Run(fmt.Sprintf("positions/%d", f), func(b *testing.B) {
			for b.Loop() {
				s.WithPositions(f, pointer(x), off, pointer(w), pointer(c), s.Width(f), true, nil, nil)
			}
			b.ReportMetric(2*k*float64(f*s.Width(f))*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
	b.Run("transpose/48x128", func(b *testing.B) {
		src, dst := make([]float32, 48*3136), make([]float32, 48*128)
		b.SetBytes(48 * 128 * 4)
		for b.Loop() {
			s.Transpose(48, 128, pointer(dst), 48, pointer(src), 3136)
		}
	})
}

func TestTileTransformations(t *testing.T) {
	each(t, testTileTransformations[float32], testTileTransformations[float64])
}

func testTileTransformations[T float](t *testing.T, s *Kernels) {
	rng, plain := rand.New(rand.NewPCG(13, 14)), plain[T]()
	for n := range 80 {
		step, apart := n+rng.IntN(5), n+rng.IntN(5)
		d := values[T](rng, 3*step+n, n%5, true)
		for results, run := range map[int][2]func(n int, d unsafe.Pointer, step int, y unsafe.Pointer, apart int){
			4: {s.TileInput, plain.TileInput}, 2: {s.TileOutput, plain.TileOutput},
		} {
			got, want := make([]T, results*apart+2), make([]T, results*apart+2)
			for i := range got {
				got[i], want[i] = guard, guard
			}
			run[0](n, pointer(d), step, pointer(got[1:]), apart)
			run[1](n, pointer(d), step, pointer(want[1:]), apart)
			for i := range got {
				if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
					t.Fatalf("%d elements, %d results: element %d is %v, want %v", n, results, i, got[i], want[i])
				}
			}
		}
	}
}
