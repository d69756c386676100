package elementwise

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestRowsAgreeWithLoops compares launches whose operands are rows, in several forms, with the Go loops, bit by bit. The blocks
// end with the last element.
func TestRowsAgreeWithLoops(t *testing.T) {
	lengths := []int{63, 65, 200, 64, 128, 1000}
	if testing.Short() {
		lengths = lengths[:3]
	}
	for _, body := range []string{"x*y + s", "fmod(y, x)", "x < y ? x : s", "max(x, y)", "s - x"} {
		single := launchtest.Compile(t, dtype.Float32, "T x, T y", "T out", body)
		double := launchtest.Compile(t, dtype.Float64, "T x, T y", "T out", body)
		for _, rows := range []int{1, 2, 33} {
			for _, n := range lengths {
				rowForms(t, single, []float32{0.75, 1e12}, rows, n)
				rowForms(t, double, []float64{0.75, 1e12}, rows, n)
			}
		}
	}
}

// rowForms runs a program with each form of x and y. large is a scalar, and an element for which functions leave the vector code.
func rowForms[T float32 | float64](t *testing.T, p *device.Program, large []T, rows, n int) {
	t.Helper()
	const planes = 2
	loop := []int{planes, rows, n}
	for _, x := range rowStrides(rows, n) {
		for _, y := range rowStrides(rows, n) {
			var want []byte
			for level := isa.Generic; level <= isa.Best; level++ {
				old := isa.Use(level)
				rng := rand.New(rand.NewPCG(3, 3))
				out := launchtest.New(make([]T, planes*rows*n), loop...)
				l := launchtest.Launch(loop, out, endingArray(rng, x, loop, large), endingArray(rng, y, loop, large))
				l.Program = p
				l.Scalars[0] = device.Scalar{Re: float64(large[0])}
				Elementwise(l)
				l.Recycle()
				isa.Use(old)
				if level == isa.Generic {
					want = out.Bytes
				} else if !bytes.Equal(out.Bytes, want) {
					t.Fatalf("%v, %T, loop %v, strides %v and %v: wrong", level, large[0], loop, x, y)
				}
			}
		}
	}
}

// rowStrides returns the strides of rows that lie apart, that repeat, with one element each, and with every second
// element, forwards and from the last row to the first.
func rowStrides(rows, n int) [][]int {
	return [][]int{{rows * (n + 3), n + 3, 1}, {0, 0, 1}, {rows, 1, 0}, {0, 2, 0}, {2 * rows * n, 2 * n, 2}, {2 * n, -2 * n, 2}, {1, 0, 2}}
}

// endingArray returns random numbers for a loop, in a block that begins and ends with elements of the loop.
func endingArray[T float32 | float64](rng *rand.Rand, strides, loop []int, large []T) launchtest.Array {
	first, last := 0, 0
	for axis, stride := range strides {
		if reach := stride * (loop[axis] - 1); reach < 0 {
			first -= reach
		} else {
			last += reach
		}
	}
	x := make([]T, first+last+1)
	for i := range x {
		x[i] = T(rng.Float64()*4 - 2)
	}
	x[len(x)/2] = large[1]
	return launchtest.NewStrided(x, first, strides)
}
