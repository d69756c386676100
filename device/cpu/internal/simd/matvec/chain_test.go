package matvec

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestRotateChain compares RotateChain with its reference, in both directions, and checks that nothing beside the rows is written.
func TestRotateChain(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for count := range 6 {
			for n := range 40 {
				testRotateChain[float32](t, count, n, 1e-6)
				testRotateChain[float64](t, count, n, 1e-15)
			}
		}
	})
}

func testRotateChain[T Float](t *testing.T, count, n int, tolerance float64) {
	line := n + 2
	c, s := make([]T, count), make([]T, count)
	for i := range c {
		c[i], s[i] = T(math.Cos(float64(i+1))), T(math.Sin(float64(i+1)))
	}
	for _, step := range []int{line, -line} {
		a := make([]T, (count+1)*line)
		for i := range a {
			a[i] = T(math.Sin(float64(i * i)))
		}
		want, start := append([]T(nil), a...), 0
		if step < 0 {
			start = count * line
		}
		RotateChain(a, start, step, n, c, s)
		plainRotateChain(want, start, step, n, c, s)
		for i, v := range a {
			if math.Abs(float64(v-want[i])) > tolerance*float64(count+1) || i%line >= n && v != want[i] {
				t.Fatalf("%d rotations of %d elements, line %d: element %d is %v, want %v", count, n, step, i, v, want[i])
			}
		}
	}
}
