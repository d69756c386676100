package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// integerWays are the ways in which an integer product is tested: with unpacked factors, transposed, along lines, and
// packed.
var integerWays = []string{"plain", "transposed", "lines", "packed", "packed rows"}

// testIntegers compares a block with sums that are computed element by element. If added is set, c itself is added to them, or a row. c has a margin of guards.
func testIntegers[T Element](t *testing.T, rng *rand.Rand, m, n, k int, way string, added bool) {
	t.Helper()
	size := int(unsafe.Sizeof(*new(T)))
	random := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			if x[i] = T(rng.Uint64()); Reorders[T]() { // moderate numbers
				x[i] = T(rng.Uint32()&0x87ff87ff | 0x3c003c00)
			}
		}
		return x
	}
	a, b, c := random(m*k), random(k*n), random(m*(n+3)+3)
	old := append([]T(nil), c...)
	p := Block{
		M: m, N: n, K: k, A: unsafe.Pointer(&a[0]), ALine: k * size, ADepth: size, B: unsafe.Pointer(&b[0]), BDepth: n * size,
		C: unsafe.Pointer(&c[3]), CLine: (n + 3) * size, Signs: Signs(rng.IntN(4)),
	}
	left, right := func(i, l int) T { return a[i*k+l] }, func(l, j int) T { return b[l*n+j] }
	if way == "transposed" || way == "packed" {
		p.ALine, p.ADepth = size, m*size
		left = func(i, l int) T { return a[l*m+i] }
	}
	if way == "lines" || way == "packed" {
		right = func(l, j int) T { return b[j*k+l] }
	}
	row := random(n)
	d := func(i, _ int) T { return old[i] }
	switch {
	case added && way == "plain":
		p.D, d = unsafe.Pointer(&row[0]), func(_, x int) T { return row[x] }
	case added:
		p.D, p.DLine = p.C, p.CLine
	}
	addProduct, add := adders[T](p.Signs)
	if addProduct == nil {
		addProduct = func(sum, a, b T) T { return sum + a*b }
	}
	if add == nil {
		add = func(x, y T) T { return x + y }
	}
	switch way {
	case "lines":
		MultiplyLines[T](&p, k*size, n)
	case "packed", "packed rows":
		packA, panels := make([]T, SizeA[T](m, k)/size), make([]T, SizeB[T](n, k)/size)
		if PacksA[T]() {
			PackA[T](&p, unsafe.Pointer(&packA[0]))
		}
		columns, line, depth := Columns[T](), k*size, size
		if way == "packed rows" {
			line, depth = size, n*size
		}
		p.BPanel, p.BDepth = columns*k*size, columns*size
		for j := 0; j < n; j += columns {
			PackB[T](unsafe.Pointer(&panels[j*k]), unsafe.Add(p.B, j*line), line, depth, min(columns, n-j), k)
		}
		p.B = unsafe.Pointer(&panels[0])
		Multiply[T](&p)
	default:
		Multiply[T](&p)
	}
	for i, got := range c {
		y, x := (i-3)/(n+3), (i-3)%(n+3)
		want := old[i]
		if i >= 3 && x < n {
			want = 0
			for l := range k {
				want = addProduct(want, left(y, l), right(l, x))
			}
			if added {
				want = add(want, d(i, x))
			}
		}
		if got != want {
			t.Fatalf("%T, %dx%dx%d %s: element %d of c, (%d, %d), is %x, want %x", got, m, n, k, way, i, y, x, got, want)
		}
	}
}

func TestMultiplyIntegers(t *testing.T) {
	everyInstructions(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for m := 1; m <= 26; m += 1 + m/13 {
			for i, n := range []int{1, 3, 4, 8, 9, 15, 16, 17, 31, 32, 33, 65} {
				way, added := integerWays[(m+i)%len(integerWays)], rng.IntN(2) == 0
				testIntegers[uint32](t, rng, m, n, 1+rng.IntN(20), way, added)
				testIntegers[uint64](t, rng, m, n, 1+rng.IntN(10), way, added)
				testIntegers[Pairs](t, rng, m, n, 1+rng.IntN(20), way, added)
				if isa.VNNI() || isa.Current() == isa.Generic {
					testIntegers[Quads](t, rng, m, n, 1+rng.IntN(20), way, added)
				}
			}
		}
	})
}

func TestMultiplyMatrixQuads(t *testing.T) {
	test := func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, m := range []int{1, 2, 15, 16, 17, 31, 32, 33, 50, 70} {
			for _, n := range []int{1, 3, 15, 16, 17, 31, 32, 33, 65} {
				for _, k := range []int{1, 7, 15, 16, 17, 32, 50} {
					testIntegers[MatrixQuads](t, rng, m, n, k, "plain", rng.IntN(2) == 0)
					testIntegers[MatrixQuads](t, rng, m, n, k, "packed rows", rng.IntN(2) == 0)
				}
			}
		}
	}
	if isa.AMX() {
		t.Run("amx", test)
	}
	defer isa.Use(isa.Use(isa.Generic))
	t.Run("generic", test)
}

func TestDotOfIntegers(t *testing.T) {
	everyInstructions(t, func(t *testing.T) {
		a, b := make([]uint32, 10_000), make([]uint32, 10_000)
		var want uint32
		for i := range a {
			a[i], b[i] = uint32(i*i+7), uint32(i*0x9e3779b9)
			want += a[i] * b[i]
			if i%997 > 0 {
				continue
			}
			if got := Dot(a[:i+1], b[:i+1]); got != want {
				t.Fatalf("%d elements: %d, want %d", i+1, got, want)
			}
		}
	})
}

// everyInstructions runs a test at every level, and at the highest level also without VNNI.
func everyInstructions(t *testing.T, test func(t *testing.T)) {
	twin.Levels(t, test)
	defer isa.UseVNNI(isa.UseVNNI(false))
	t.Run("without VNNI", test)
}

func BenchmarkMultiplyIntegers(b *testing.B) {
	for _, n := range []int{64, 256, 512} {
		b.Run(fmt.Sprint("i32/", n), func(b *testing.B) { benchmarkMultiply[uint32](b, n) })
		b.Run(fmt.Sprint("i64/", n), func(b *testing.B) { benchmarkMultiply[uint64](b, n) })
		b.Run(fmt.Sprint("pairs/", n), func(b *testing.B) { benchmarkMultiply[Pairs](b, n) })
		if isa.VNNI() {
			b.Run(fmt.Sprint("quads/", n), func(b *testing.B) { benchmarkMultiply[Quads](b, n) })
		}
	}
}
