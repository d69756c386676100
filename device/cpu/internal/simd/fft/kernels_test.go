package fft

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// twins are the same call by the current routines and by plain Go, with the same lanes. Each writes to out, whose other
// elements must not change.
func twins[T Float](t *testing.T, out []T, routine, plain func(out []T)) {
	t.Helper()
	other := append([]T(nil), out...)
	routine(out)
	plain(other)
	for i, v := range out {
		if same := math.Float64bits(float64(v)) == math.Float64bits(float64(other[i])); !same {
			t.Fatalf("element %d of %d is %v, want %v", i, len(out), v, other[i])
		}
	}
}

func numbers[T Float](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(rng.NormFloat64())
	}
	return x
}

// anyRadix returns a radix of the current instructions.
func anyRadix[T Float](rng *rand.Rand) int {
	if i := rng.IntN(len(Radices) + 1); i < len(Radices) {
		return Radices[i]
	}
	if HasSixteen[T]() {
		return 16
	}
	return 8
}

// allTwins compares every routine with its plain form, for sizes that the random numbers choose.
func allTwins[T Float](t *testing.T, rng *rand.Rand) {
	lanes := Lanes[T]()
	size := 2 * lanes
	radix, m, s := anyRadix[T](rng), 1+rng.IntN(5), 1+rng.IntN(4)
	row := s + rng.IntN(3)
	x, w := numbers[T](rng, radix*m*row*size), numbers[T](rng, 2*(radix-1)*m)
	if m == 1 {
		w = nil
	}
	twins(t, numbers[T](rng, radix*m*s*size+3),
		func(y []T) { run(radix, m, s, x, (row-s)*size, m*row*size, y, (radix-1)*s*size, s*size, w) },
		func(y []T) {
			plainPass(lanes, radix, m, s, x, (row-s)*size, m*row*size, y, (radix-1)*s*size, s*size, w)
		})

	if pass := (Pass[T]{Radix: radix, M: 1}); pass.InPlace() {
		twins(t, numbers[T](rng, radix*s*size+3),
			func(y []T) { run(radix, 1, s, y, 0, s*size, y, 0, s*size, nil) },
			func(y []T) { plainPass(lanes, radix, 1, s, y, 0, s*size, y, 0, s*size, nil) })
	}

	n, columns := 1+rng.IntN(5), 1+rng.IntN(4*lanes)
	stride, vectors := columns+rng.IntN(3), (columns+lanes-1)/lanes
	x = numbers[T](rng, 2*((n-1)*stride+columns))
	twins(t, numbers[T](rng, n*vectors*size+3),
		func(y []T) { loadColumns(n, &x[0], stride, columns/lanes, columns%lanes, &y[0], &y[lanes]) },
		func(y []T) { plainLoadColumns(lanes, n, &x[0], stride, columns, &y[0], &y[lanes]) })
	v, scale := numbers[T](rng, n*vectors*size), T(rng.NormFloat64())
	twins(t, numbers[T](rng, 2*((n-1)*stride+columns)+3),
		func(y []T) {
			storeColumns(n, &y[0], stride, columns/lanes, columns%lanes, &v[0], &v[lanes], scale)
		},
		func(y []T) { plainStoreColumns(lanes, n, &y[0], stride, columns, &v[0], &v[lanes], scale) })

	n = 1 + rng.IntN(3*lanes)
	stride = n + rng.IntN(3)
	padded := (n + lanes/2 - 1) / (lanes / 2) * (lanes / 2)
	addresses := func(x []T) **T {
		rows := make([]unsafe.Pointer, lanes)
		for l := range rows {
			rows[l] = unsafe.Pointer(&x[2*l*stride])
		}
		return (**T)(unsafe.Pointer(&rows[0]))
	}
	x = numbers[T](rng, 2*lanes*stride)
	twins(t, numbers[T](rng, n*size), func(y []T) {
		whole := make([]T, padded*size)
		loadRows(n, addresses(x), addresses(x), &whole[0], &whole[lanes])
		copy(y, whole)
	}, func(y []T) { plainLoadRows(lanes, n, addresses(x), &y[0], &y[lanes]) })
	v = numbers[T](rng, padded*size)
	twins(t, numbers[T](rng, 2*lanes*stride+3),
		func(y []T) { storeRows(n, addresses(y), &v[0], &v[lanes], scale) },
		func(y []T) { plainStoreRows(lanes, n, addresses(y), &v[0], &v[lanes], scale) })

	blocks, xStride := 1+rng.IntN(3), 1+rng.IntN(3)
	yStride := blocks + rng.IntN(2)
	x, w = numbers[T](rng, blocks*lanes*xStride*size), numbers[T](rng, blocks*lanes*size)
	for _, u := range [][]T{nil, numbers[T](rng, 2*blocks*lanes)} {
		twins(t, numbers[T](rng, yStride*lanes*size+3),
			func(y []T) { turn(blocks, x, xStride, w, u, y, yStride) },
			func(y []T) { plainTurn(lanes, blocks, x, xStride, w, u, y, yStride) })
	}

	n = 1 + rng.IntN(5)
	x, w = numbers[T](rng, n*size), numbers[T](rng, n*size)
	twins(t, numbers[T](rng, n*size+3),
		func(y []T) { multiply(n, x, w, y, 0, lanes) },
		func(y []T) { plainMultiply(lanes, n, x, w, y, 0, lanes) })

	tail := rng.IntN(lanes)
	n = rng.IntN(4)
	if n == 0 && tail == 0 {
		n = 1
	}
	pairs := n*lanes + tail
	x, w = numbers[T](rng, 4*pairs), numbers[T](rng, (n+1)*size)
	a, b, c := T(rng.NormFloat64()), T(rng.NormFloat64()), T(rng.NormFloat64())
	at := func(x []T) (low, high unsafe.Pointer) {
		low = unsafe.Pointer(&x[0])
		return low, unsafe.Add(low, (4*pairs-2)*int(unsafe.Sizeof(x[0])))
	}
	low, high := at(x)
	twins(t, numbers[T](rng, 4*pairs+3), func(y []T) {
		lowTo, highTo := at(y)
		mirror(n, low, high, w, lowTo, highTo, tail, a, b, c)
	}, func(y []T) {
		lowTo, highTo := at(y)
		plainMirror(lanes, n, (*T)(low), (*T)(high), w, (*T)(lowTo), (*T)(highTo), tail, a, b, c)
	})

	rows, length := 1+rng.IntN(5), 2*SquareRow+rng.IntN(3)
	bytes := length * int(unsafe.Sizeof(a))
	x, w = numbers[T](rng, rows*length), SquareFactors[T](func(k int) (re, im float64) { return math.Cos(float64(k)), math.Sin(float64(k)) })
	swap := Swapped(rng.IntN(2) == 1)
	twins(t, numbers[T](rng, rows*length),
		func(y []T) { squares(rows, &x[0], bytes, &y[0], bytes, w, swap, scale) },
		func(y []T) { plainSquares(rows, &x[0], bytes, &y[0], bytes, w, swap, scale) })
	twins(t, x, // in place
		func(x []T) { squares(rows, &x[0], bytes, &x[0], bytes, w, swap, scale) },
		func(x []T) { plainSquares(rows, &x[0], bytes, &x[0], bytes, w, swap, scale) })
}

// frontTwins compares the first halves of transforms of one row or two.
func frontTwins[T Float](t *testing.T, rng *rand.Rand) {
	radix, blocks, lanes := 8<<rng.IntN(2), 1+rng.IntN(3), wideLanes[T]()
	columns := blocks * lanes
	size := 2 * int(unsafe.Sizeof(*new(T)))
	x, w := numbers[T](rng, 2*(radix+1)*(columns+3)), numbers[T](rng, 2*blocks*(radix-1)*lanes)
	xStride, second := (columns+rng.IntN(3))*size, lanes/2*size+rng.IntN(lanes)*size
	swap := Swapped(rng.IntN(2) == 1)
	twins(t, numbers[T](rng, 2*radix*columns+3),
		func(y []T) { front(radix, blocks, &x[0], xStride, second, y, w, swap) },
		func(y []T) { plainFront(radix, blocks, &x[0], xStride, second, y, w, swap) })
}

// directTwins compares passes that read or write complex numbers with a pass and a conversion in plain Go.
func directTwins[T Float](t *testing.T, rng *rand.Rand) {
	lanes := Lanes[T]()
	radix, m, c := anyRadix[T](rng), 2+rng.IntN(5), 1+rng.IntN(4)
	columns, n, size := c*lanes, m*radix, 2*lanes
	stride := columns + rng.IntN(3)
	swap, scale := Swapped(rng.IntN(2) == 1), T(rng.NormFloat64())
	re, im := swap.parts(lanes)
	pass := Pass[T]{Radix: radix, M: m, Factors: numbers[T](rng, 2*(radix-1)*m)}
	if pass.Reads(columns) {
		x := numbers[T](rng, 2*n*stride)
		twins(t, numbers[T](rng, n*c*size+3),
			func(y []T) { pass.Read(columns, unsafe.Pointer(&x[0]), stride, y, swap) },
			func(y []T) {
				split := make([]T, n*c*size)
				plainLoadColumns(lanes, n, &x[0], stride, columns, &split[re], &split[im])
				plainPass(lanes, radix, m, c, split, 0, m*c*size, y, (radix-1)*c*size, c*size, pass.Factors)
			})
	}
	pass = Pass[T]{Radix: radix, M: 1}
	if pass.Writes(columns) {
		x := numbers[T](rng, n*c*size)
		twins(t, numbers[T](rng, 2*n*stride+3),
			func(y []T) { pass.Write(n, columns, x, unsafe.Pointer(&y[0]), stride, swap, scale) },
			func(y []T) {
				split := make([]T, n*c*size)
				plainPass(lanes, radix, 1, m*c, x, 0, m*c*size, split, 0, m*c*size, nil)
				plainStoreColumns(lanes, n, &y[0], stride, columns, &split[re], &split[im], scale)
			})
	}
	if pass.WritesPairs() {
		x := numbers[T](rng, n*size)
		second := n*lanes + rng.IntN(3)
		twins(t, numbers[T](rng, 2*second+3),
			func(y []T) {
				pass.WritePairs(n, x, unsafe.Pointer(&y[0]), second*int(unsafe.Sizeof(scale)), swap, scale)
			},
			func(y []T) {
				split := make([]T, n*size)
				plainPass(lanes, radix, 1, m, x, 0, m*size, split, 0, m*size, nil)
				for i := range n {
					for row := range 2 {
						for k := range lanes / 2 {
							at := i*size + pairedLane(row, k)
							y[row*second+i*lanes+2*k], y[row*second+i*lanes+2*k+1] = split[at+re]*scale, split[at+im]*scale
						}
					}
				}
			})
	}
}

func TestRoutinesEqualPlainGo(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for seed := range uint64(400) {
			allTwins[float32](t, rand.New(rand.NewPCG(1, seed)))
			frontTwins[float32](t, rand.New(rand.NewPCG(5, seed)))
			allTwins[float64](t, rand.New(rand.NewPCG(2, seed)))
			frontTwins[float64](t, rand.New(rand.NewPCG(6, seed)))
			directTwins[float32](t, rand.New(rand.NewPCG(3, seed)))
			directTwins[float64](t, rand.New(rand.NewPCG(4, seed)))
		}
	})
}

func FuzzTwins(f *testing.F) {
	f.Add(uint8(1), uint64(1))
	f.Add(uint8(2), uint64(2))
	f.Fuzz(func(t *testing.T, level uint8, seed uint64) {
		defer isa.Narrow(level)()
		allTwins[float32](t, rand.New(rand.NewPCG(1, seed)))
		frontTwins[float32](t, rand.New(rand.NewPCG(5, seed)))
		allTwins[float64](t, rand.New(rand.NewPCG(2, seed)))
		frontTwins[float64](t, rand.New(rand.NewPCG(6, seed)))
		directTwins[float32](t, rand.New(rand.NewPCG(3, seed)))
		directTwins[float64](t, rand.New(rand.NewPCG(4, seed)))
	})
}

// TestFMA compares fused multiplications of float32 with exact sums.
func TestFMA(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(a, b, c float32) {
		exact := new(big.Float).SetPrec(400)
		exact.Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)).SetPrec(400))
		exact.Add(exact, big.NewFloat(float64(c)))
		if want, _ := exact.Float32(); fma(a, b, c) != want {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", a, b, c, fma(a, b, c), want)
		}
	}
	for range 100000 {
		c := float32(rng.NormFloat64()) * float32(math.Ldexp(1, rng.IntN(60)-30))
		check(float32(rng.NormFloat64()), float32(rng.NormFloat64()), c)
	}
	// The sum is 1 + 2^-24 and a bit more or less than that: half a unit of the last digit of 1.
	tiny := float32(0x1p-60)
	check(1+0x1p-23, 0x1p-24, 1)
	check(0x1p-24, 1, 1)
	check(tiny, tiny, 1+0x1p-23)
	for _, sign := range []float32{1, -1} {
		check(sign*(0x1p-12+0x1p-35), 0x1p-12, sign)
		check(sign*(0x1p-12-0x1p-36), 0x1p-12, sign)
	}
}

// TestLongPasses compares passes that are cut into several calls with passes of one vector at a time.
func TestLongPasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	size := 2 * Lanes[float32]()
	for _, c := range []struct{ m, s, row int }{{1, 5000, 5000}, {3, 5000, 5003}, {3000, 1, 2}, {500, 7, 7}} {
		pass := Pass[float32]{Radix: 2, M: c.m, Factors: numbers[float32](rng, 2*c.m)}
		x, y := numbers[float32](rng, 2*c.m*c.row*size), make([]float32, 2*c.m*c.s*size)
		pass.Run(c.s, x, c.row, y)
		w := pass.Factors
		if c.m == 1 {
			w = nil
		}
		want := make([]float32, len(y))
		plainPass(size/2, 2, c.m, c.s, x, (c.row-c.s)*size, c.m*c.row*size, want, c.s*size, c.s*size, w)
		if !slices.Equal(y, want) {
			t.Errorf("%+v: another result", c)
		}
	}
}
