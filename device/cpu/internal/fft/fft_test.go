package fft

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

type number interface{ complex64 | complex128 }

// launch runs the kernel on operands with the same shape and strides in elements.
func launch[C number](y, x []C, shape, strides []int, inverse bool) {
	l := device.NewLaunch()
	defer l.Recycle()
	l.Rank, l.N, l.Outputs, l.Inverse = len(shape), 2, 1, inverse
	copy(l.Shape[:], shape)
	for k, v := range [][]C{y, x} {
		op := &l.Operands[k]
		size := int(unsafe.Sizeof(v[0]))
		op.Memory = device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(v)), Size: size * len(v)}
		op.Offset, op.DType, op.Len = 0, dtype.Complex64, 0
		if size == 16 {
			op.DType = dtype.Complex128
		}
		copy(op.Strides[:], strides)
	}
	FFT(l)
}

// transformed runs the kernel on contiguous rows.
func transformed[C number](x []C, n int, inverse bool) []C {
	y := make([]C, len(x))
	launch(y, x, []int{len(x) / n, n}, []int{n, 1}, inverse)
	return y
}

func randomRow[C number](n int) []C {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	row := make([]C, n)
	for i := range row {
		row[i] = C(complex(random.NormFloat64(), random.NormFloat64()))
	}
	return row
}

func wide[C number](x []C) []complex128 {
	y := make([]complex128, len(x))
	for i, z := range x {
		y[i] = complex128(z)
	}
	return y
}

func norm(x []complex128) float64 {
	sum := 0.0
	for _, z := range x {
		sum += real(z)*real(z) + imag(z)*imag(z)
	}
	return math.Sqrt(sum)
}

func epsilonOf[C number]() float64 {
	if unsafe.Sizeof(*new(C)) == 8 {
		return 0x1p-23
	}
	return 0x1p-52
}

// lengths are of every kind: small ones, powers of the radices, mixed ones, primes, and multiples of large primes.
func lengths() []int {
	var all []int
	for n := 1; n <= 70; n++ {
		all = append(all, n)
	}
	return append(all, 81, 96, 97, 100, 121, 127, 128, 143, 169, 210, 243, 256, 257, 343, 360, 500, 512, 625, 720, 997, 1000, 1001, 1009,
		1024, 1155, 1331, 1536, 2000, 2048, 2197, 4096, 4095, 5003, 6561, 7919, 8192, 10000, 10007, 16384, 16807, 30030, 32768, 65536,
		100000, 1<<17, 3<<15, 360360)
}

// TestExactly compares transforms with exact sums: the error is at most 2·log₂(n) units of the last digit, in the norm.
func TestExactly(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		lengths := lengths()
		switch {
		case testing.Short():
			lengths = slices.DeleteFunc(lengths, func(n int) bool { return n > 5000 })
		case isa.Current() == isa.Generic: // plain Go is slow
			lengths = slices.DeleteFunc(lengths, func(n int) bool { return n > 20000 })
		}
		testExactly[complex64](t, lengths)
		testExactly[complex128](t, lengths)
	})
	if !testing.Short() {
		testExactly[complex64](t, []int{1 << 22, 1048573})
		testExactly[complex128](t, []int{1 << 22, 1048573})
	}
}

func testExactly[C number](t *testing.T, lengths []int) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range lengths {
		roots, x := rootsOf(n), randomRow[C](n)
		of := wide(x)
		for _, inverse := range []bool{false, true} {
			y := transformed(x, n, inverse)
			var errors, sizes []complex128
			for _, k := range frequenciesToCheck(n, rng) {
				want := exact(of, roots, k, inverse)
				errors, sizes = append(errors, complex128(y[k])-want), append(sizes, want)
			}
			bound := (2*math.Log2(float64(n)) + 1) * epsilonOf[C]()
			if e := norm(errors) / norm(sizes); !(e <= bound) {
				t.Errorf("%T, length %d, inverse %v: relative error %.3g, want at most %.3g", x[0], n, inverse, e, bound)
			}
		}
	}
}

// TestRoundTrips holds transforms there and back to 6 units of the last digit, for any number of rows, with any layout.
func TestRoundTrips(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testRoundTrips[complex64](t)
		testRoundTrips[complex128](t)
	})
}

func testRoundTrips[C number](t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 30, 32, 60, 64, 97, 128, 210, 256, 499, 1000, 1024, 2310, 4096} {
		for _, rows := range []int{1, 3, 17} {
			for _, columns := range []int{0, 1, 5, 33} {
				shape, strides := []int{rows, n}, []int{n, 1}
				if columns > 0 {
					shape, strides = []int{rows, columns, n}, []int{columns * n, 1, columns}
				}
				if columns > 0 && rows*n > 1100 {
					continue
				}
				x := randomRow[C](rows * n * max(columns, 1))
				y := slices.Clone(x)
				launch(y, x, shape, strides, false)
				launch(y, y, shape, strides, true) // in place
				for i := range y {
					y[i] = C(complex128(y[i])/complex(float64(n), 0)) - x[i]
				}
				if e := norm(wide(y)) / norm(wide(x)); e > 6*epsilonOf[C]() {
					t.Fatalf("%T, shape %v: relative error %g", x[0], shape, e)
				}
			}
		}
	}
}

// TestLayoutsAgree compares columns, strided rows and rows in reverse order with contiguous rows.
func TestLayoutsAgree(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, n := range []int{1, 6, 13, 17, 64, 100, 1024} {
			for _, columns := range []int{1, 7, 40} {
				x := randomRow[complex64](n * columns)
				rows := make([]complex64, len(x))
				for i := range n {
					for c := range columns {
						rows[c*n+i] = x[i*columns+c]
					}
				}
				want := transformed(rows, n, false)
				y := make([]complex64, len(x))
				launch(y, x, []int{columns, n}, []int{1, columns}, false)
				apart := make([]complex64, 2*len(x))
				for i, z := range rows {
					apart[2*i] = z
				}
				launch(apart, apart, []int{columns, n}, []int{2 * n, 2}, false)
				bound := 1e-6 * float64(n)
				for i, z := range want {
					if a, b := y[i%n*columns+i/n], apart[2*i]; cmplx.Abs(complex128(a-z)) > bound || cmplx.Abs(complex128(b-z)) > bound {
						t.Fatalf("length %d, %d columns: %v and %v, want %v", n, columns, a, b, z)
					}
				}
			}
		}
	})
}

func TestFFTIsTheSameAtAnyNumberOfWorkers(t *testing.T) {
	defer workers.BeEager(workers.BeEager(true))
	for _, n := range []int{1, 12, 211, 1000, 1 << 16, 100000, 50021} {
		x := randomRow[complex64](max(1, 30000/n) * n)
		var want []complex64
		for _, count := range []int{1, 2, 3, 8} {
			old := workers.Set(count)
			got := transformed(x, n, true)
			workers.Set(old)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("length %d: the bits with %d workers differ", n, count)
			}
		}
	}
}

func TestFFTServesManyGoroutinesAtOnce(t *testing.T) {
	x := randomRow[complex64](50 * 509)
	want := transformed(x, 509, false)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if !slices.Equal(transformed(x, 509, false), want) {
					t.Error("another result")
				}
			}
		})
	}
	all.Wait()
}
