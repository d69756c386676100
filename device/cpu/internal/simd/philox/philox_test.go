package philox

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

var counters = []uint64{0, 7, 1<<32 - 3, 1 << 40, math.MaxUint64 - 20}

// lengths returns lengths around whole vectors and around pieces.
func lengths() []int {
	n := []int{1<<13 - 1, 1 << 13, 1<<13 + 17}
	for i := range 70 {
		n = append(n, i)
	}
	return n
}

func TestRoutinesEqualTheDefinitions(t *testing.T) {
	keys := NewKeys([2]uint32{0xA4093822, 0x299F31D0})
	twin.Levels(t, func(t *testing.T) {
		for _, n := range lengths() {
			for _, counter := range counters {
				equal(t, n, func(y []uint64) { Words(y, counter, keys) }, func(y []uint64) { plainWords(y, counter, keys) })
				for _, least := range []uint32{0, 1, 5 << 20, 1<<24 - 1, 1 << 24} {
					equal(t, n, func(y []uint8) { Coins(y, counter, keys, least) }, func(y []uint8) { plainCoins(y, counter, keys, least) })
				}
				for _, bits := range []int{8, 11, 24} {
					equal(t, n, func(y []float32) { Uniforms32(y, counter, keys, bits) },
						func(y []float32) { plainUniforms32(y, counter, keys, bits) })
				}
				equal(t, n, func(y []float64) { Uniforms64(y, counter, keys) }, func(y []float64) { plainUniforms64(y, counter, keys) })
			}
		}
	})
}

// equal compares draws, and checks that nothing outside the elements is written.
func equal[T uint64 | uint8 | float32 | float64](t *testing.T, n int, draw, define func(y []T)) {
	t.Helper()
	const guard = 99
	y, want := make([]T, n+3), make([]T, n)
	y[0], y[n+1], y[n+2] = guard, guard, guard
	draw(y[1 : n+1])
	define(want)
	for i, v := range want {
		if y[i+1] != v {
			t.Fatalf("n=%d: element %d is %v, want %v", n, i, y[i+1], v)
		}
	}
	if y[0] != guard || y[n+1] != guard || y[n+2] != guard {
		t.Fatalf("n=%d: written outside", n)
	}
}

func TestNormals(t *testing.T) {
	keys := NewKeys([2]uint32{0x243F6A88, 0x85A308D3})
	twin.Levels(t, func(t *testing.T) {
		checkNormals(t, Normals32, keys, 4e-7)
		checkNormals(t, Normals64, keys, 4e-16*3)
	})
}

// checkNormals compares with the reference, and checks that a number does not depend on the others that are drawn with
// it.
func checkNormals[T float32 | float64](t *testing.T, draw func(y []T, counter uint64, keys *Keys), keys *Keys, near float64) {
	t.Helper()
	const many = 20_000
	y, want := make([]T, many), make([]float64, many)
	for _, counter := range counters {
		draw(y, counter, keys)
		plainNormals(want, counter, keys)
		for i, v := range want {
			if d := math.Abs(float64(y[i]) - v); !(d <= near*max(1, math.Abs(v))) {
				t.Fatalf("counter %d: %v, want %v", counter+uint64(i), y[i], v)
			}
		}
		for n := range 40 {
			part := make([]T, n+2)
			draw(part[1:n+1], counter+3, keys)
			if part[0] != 0 || part[n+1] != 0 {
				t.Fatalf("n=%d: written outside", n)
			}
			for i, v := range part[1 : n+1] {
				if v != y[3+i] {
					t.Fatalf("n=%d: element %d is %v, and %v with others", n, i, v, y[3+i])
				}
			}
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	keys := NewKeys([2]uint32{1, 2})
	x, y, z := make([]float32, 8192), make([]float64, 8192), make([]uint8, 8192)
	for _, c := range []struct {
		name string
		draw func()
	}{
		{"uniform32", func() { Uniforms32(x, 0, keys, 24) }},
		{"uniform64", func() { Uniforms64(y, 0, keys) }},
		{"coins", func() { Coins(z, 0, keys, 1<<23) }},
		{"normal32", func() { Normals32(x, 0, keys) }},
		{"normal64", func() { Normals64(y, 0, keys) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.draw()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8192, "ns/number")
		})
	}
}
