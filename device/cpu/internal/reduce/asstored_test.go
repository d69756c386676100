package reduce

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestAsStored: a reduction that computes the values has the bits of one that reads them from memory, for all groupings.
func TestAsStored(t *testing.T) {
	shapes := [][]int{{1}, {7}, {1000}, {1500}, {5000}, {70000}, {300000}, {40, 50}, {3, 4000}, {300, 7}, {3, 5000}, {5000, 3}, {200, 600}, {200, 5000}, {9, 3, 5}, {20, 30, 40},
		{3, 1, 700}, {6, 5, 4, 300}}
	if testing.Short() {
		shapes = slices.DeleteFunc(shapes, func(shape []int) bool { return broadcast.Size(shape) > 40000 })
	}
	twin.Levels(t, func(t *testing.T) {
		choose := rand.New(rand.NewPCG(3, 7))
		for _, shape := range shapes {
			for reduced := range 1 << len(shape) {
				if reduced == 0 {
					continue
				}
				testAsStored[float32](t, choose, shape, reduced, "x * s - y")
				testAsStored[float64](t, choose, shape, reduced, "x * s - y")
				testAsStored[int16](t, choose, shape, reduced, "x * s - y")
				testAsStored[float32](t, choose, shape, reduced, "y * s")
				if reduced == 1<<len(shape)-1 && len(shape) < 3 {
					for range 8 { // squares and guards
						testAsStored[float32](t, choose, shape, reduced, "y * s")
					}
				}
			}
		}
	})
}

func testAsStored[T float32 | float64 | int16](t *testing.T, choose *rand.Rand, shape []int, reduced int, body string) {
	t.Helper()
	dt, rank := dtype.Of[T](), len(shape)
	p := launchtest.Compile(t, dt, "T x, T y", "T out", body)
	n := broadcast.Size(shape)
	data := make([]T, n)
	for i, v := range launchtest.Uniform(n) {
		data[i] = T(v * 100)
	}
	l := launchtest.Launch(shape, launchtest.New([]T{0}, make([]int, rank)...), launchtest.NewStrided([]T{3}, 0, make([]int, rank)), launchtest.New(data, shape...))
	l.Program, l.Scalars[0] = p, device.Scalar{Re: 1.25, Int: 3}
	l.Combine = device.CombineSum
	form := choose.IntN(8)
	if form < 2 {
		l.Combine = []device.Combine{device.CombineMax, device.CombineProd}[form]
	}
	// The loop has the reduced axes last.
	axis, strides, outputs := 0, broadcast.Strides(shape), 1
	put := func(k int) {
		l.Shape[axis] = shape[k]
		l.Operands[2].Strides[axis] = strides[k]
		axis++
	}
	var kept []int
	for k := range rank {
		if reduced>>k&1 == 0 {
			put(k)
			kept = append(kept, shape[k])
			outputs *= shape[k]
		}
	}
	l.Reduced = rank - len(kept)
	for k := range rank {
		if reduced>>k&1 != 0 {
			put(k)
		}
	}
	if dt.IsFloat() && l.Combine == device.CombineSum {
		l.Squares = form%2 == 0
		if form >= 4 {
			post, err := device.Source{Name: "post", Inputs: "T v, T unit", Outputs: "T out", Body: "v * unit"}.Compile(func(byte) dtype.DType { return dt })
			if err != nil {
				t.Fatal(err)
			}
			l.Post = post
			if form >= 6 { // so large that the sum is computed again
				l.Scalars[0].Re = 1e36
			}
		}
	}
	results := func(asStored bool) []byte {
		out := launchtest.New(make([]T, outputs), kept...)
		c := device.NewLaunch()
		*c = *l
		c.Operands[0] = out.Operand
		clear(c.Operands[0].Strides[len(kept):])
		if c.AsStored = asStored; !asStored {
			values := make([]T, n)
			x := launchtest.New(values, shape...)
			e := device.NewLaunch()
			*e = *l
			x.Strides = l.Operands[2].Strides
			e.Operands[0], e.Attributes = x.Operand, device.Attributes{Program: p}
			elementwise.Elementwise(e)
			c.Program, c.N, c.Operands[1] = device.Identities.Of(dt), 2, x.Operand
		}
		Reduce(c)
		return out.Bytes
	}
	want := results(false)
	for _, n := range []int{1, 3} {
		before := workers.Set(n)
		if got := results(true); !bytes.Equal(got, want) {
			t.Errorf("%s of %s %v, axes %b, squares %v, guarded %v, %d workers: the bits differ", l.Combine, dt, fmt.Sprint(shape, body), reduced, l.Squares, l.Guarded(), n)
		}
		workers.Set(before)
	}
}
