package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/clamp"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// guard is an element that no routine may overwrite.
const guard = 12345

// testMultiply compares a block with sums in float64. c has a margin of guards, and the sums sometimes have bounds. form says which factor is transposed
// and how the block is multiplied. d says what is added: nothing, c itself, or a row.
func testMultiply[T Float](t *testing.T, rng *rand.Rand, m, n, k int, form, d string) {
	t.Helper()
	size := int(unsafe.Sizeof(*new(T)))
	random := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.Float64() - 0.5)
		}
		return x
	}
	a, b, c, row := random(m*k), random(k*n), random(m*(n+3)+3), random(n)
	for i := range c {
		if i < 3 || (i-3)%(n+3) >= n {
			c[i] = guard
		}
	}
	old := append([]T(nil), c...)
	p := Block{
		M: m, N: n, K: k, A: unsafe.Pointer(&a[0]), ALine: k * size, ADepth: size, B: unsafe.Pointer(&b[0]), BDepth: n * size,
		C: unsafe.Pointer(&c[3]), CLine: (n + 3) * size,
	}
	left := func(i, l int) float64 { return float64(a[i*k+l]) }
	right := func(l, j int) float64 { return float64(b[l*n+j]) }
	if form == "transposed" || form == "packed" {
		p.ALine, p.ADepth = size, m*size
		left = func(i, l int) float64 { return float64(a[l*m+i]) }
	}
	if form == "lines" || form == "packed" {
		right = func(l, j int) float64 { return float64(b[j*k+l]) }
	}
	switch d {
	case "c":
		p.D, p.DLine = p.C, p.CLine
	case "row":
		p.D = unsafe.Pointer(&row[0])
	}
	bounds := &clamp.Bounds[T]{Low: -0.5, High: 0.25, Zero: T(math.Copysign(0, -1))}
	if form != "lines" && rng.IntN(2) == 0 {
		p.Bounds = unsafe.Pointer(bounds)
	}
	switch form {
	case "lines":
		MultiplyLines[T](&p, k*size, n)
	case "packed", "packed rows":
		packA, panels := make([]T, SizeA[T](m, k)/size+1), make([]T, SizeB[T](n, k)/size+1)
		packA[len(packA)-1], panels[len(panels)-1] = guard, guard
		PackA[T](&p, unsafe.Pointer(&packA[0]))
		columns, line, depth := Columns[T](), k*size, size
		if form == "packed rows" {
			line, depth = size, n*size
		}
		p.BPanel, p.BDepth = columns*k*size, columns*size
		for j := 0; j < n; j += columns {
			PackB[T](unsafe.Pointer(&panels[j*k]), unsafe.Add(p.B, j*line), line, depth, min(columns, n-j), k)
		}
		p.B = unsafe.Pointer(&panels[0])
		Multiply[T](&p)
		if packA[len(packA)-1] != guard || panels[len(panels)-1] != guard {
			t.Fatalf("%dx%dx%d %s: the memory after the panels is overwritten", m, n, k, form)
		}
	default:
		Multiply[T](&p)
	}
	tolerance := 1e-6
	if size == 8 {
		tolerance = 1e-15
	}
	for i, got := range c {
		y, x := (i-3)/(n+3), (i-3)%(n+3)
		if i < 3 || x >= n {
			if got != guard {
				t.Fatalf("%dx%dx%d %s %s: element %d beside the result is overwritten with %v", m, n, k, form, d, i, got)
			}
			continue
		}
		var want, magnitude float64
		switch d {
		case "c":
			want = float64(old[i])
		case "row":
			want = float64(row[x])
		}
		for l := range k {
			v := left(y, l) * right(l, x)
			want += v
			magnitude += math.Abs(v)
		}
		if p.Bounds != nil {
			want = min(max(want, float64(bounds.Low)), float64(bounds.High))
		}
		if math.Abs(float64(got)-want) > tolerance*(magnitude+1) {
			t.Fatalf("%dx%dx%d %s %s: element (%d, %d) is %v, want %v", m, n, k, form, d, y, x, got, want)
		}
	}
}

// TestMultiplyLine has one line of a, for which a routine walks over groups of lines of b, up to a limit.
func TestMultiplyLine(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{4, 7, 24, 25, 130} {
			for _, k := range []int{1, 8, 20, 33, 4096} {
				testMultiply[float32](t, rng, 1, n, k, "lines", "")
				testMultiply[float64](t, rng, 1, n, k, "lines", "")
			}
		}
	})
}

func TestMultiply(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		forms, added := []string{"plain", "transposed", "lines", "packed", "packed rows"}, []string{"", "c", "row"}
		for m := 1; m <= 26; m += 1 + m/13 {
			for i, n := range []int{1, 3, 4, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 128, 150} {
				form, d := forms[(m+i)%len(forms)], added[rng.IntN(len(added))]
				testMultiply[float32](t, rng, m, n, 1+rng.IntN(20), form, d)
				testMultiply[float64](t, rng, m, n, 1+rng.IntN(10), form, d)
			}
		}
		for _, form := range []string{"plain", "transposed", "lines", "packed", "packed rows"} {
			testMultiply[float32](t, rng, 40, 33, 5000, form, "c")
		}
	})
}

func BenchmarkMultiply(b *testing.B) {
	for _, n := range []int{32, 64, 128, 256, 512} {
		b.Run(fmt.Sprint("f32/", n), func(b *testing.B) { benchmarkMultiply[float32](b, n) })
		b.Run(fmt.Sprint("f64/", n), func(b *testing.B) { benchmarkMultiply[float64](b, n) })
	}
}

func benchmarkMultiply[T Element](b *testing.B, n int) {
	x, y, z := make([]T, n*n), make([]T, n*n), make([]T, n*n)
	size := int(unsafe.Sizeof(x[0]))
	p := Block{
		M: n, N: n, K: n, A: unsafe.Pointer(&x[0]), ALine: n * size, ADepth: size, B: unsafe.Pointer(&y[0]), BDepth: n * size,
		C: unsafe.Pointer(&z[0]), CLine: n * size,
	}
	for b.Loop() {
		Multiply[T](&p)
	}
	b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
