package reference

import (
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestKernelsOnReferenceValues compares the CPU's kernels, which have other algorithms than scalar.
func TestKernelsOnReferenceValues(t *testing.T) {
	opcodes := map[string]device.Op{"gammadensity": device.OpGammaPDF}
	for op := device.OpAdd; op < device.OpCount; op++ {
		opcodes[op.String()] = op
	}
	for _, r := range unary {
		testKernel(t, opcodes, r.name, r.ulps, r.points)
	}
	for _, r := range binary {
		testKernel(t, opcodes, r.name, r.ulps, r.points)
	}
}

func testKernel[P [2]float64 | [3]float64](t *testing.T, opcodes map[string]device.Op, name string, ulps float64, points []P) {
	op, ok := opcodes[strings.ToLower(name)]
	if !ok {
		return // a function of several opcodes
	}
	var rows [][]float64
	for _, p := range points {
		switch p := any(p).(type) {
		case [2]float64:
			rows = append(rows, p[:])
		case [3]float64:
			rows = append(rows, p[:])
		}
	}
	t.Run(name, func(t *testing.T) {
		testPoints[float64](t, op, ulps, rows)
		testPoints[float32](t, op, ulps, rows)
	})
}

// testPoints computes an opcode in the type T for those points that T can hold. The kernels may round once more than the functions.
func testPoints[T float32 | float64](t *testing.T, op device.Op, ulps float64, points [][]float64) {
	points = slices.DeleteFunc(slices.Clone(points), func(p []float64) bool {
		return slices.ContainsFunc(p[:op.Arity()], func(v float64) bool { return float64(T(v)) != v })
	})
	if len(points) == 0 {
		return
	}
	points = slices.Repeat(points, 10) // more than a few vectors
	in := make([]*nd.Array, op.Arity())
	for i := range in {
		x := make([]T, len(points))
		for j, p := range points {
			x[j] = T(p[i])
		}
		in[i] = nd.FromSlice(x)
	}
	inputs, body := []string{"T a", "T a, T b"}[op.Arity()-1], []string{"(a)", "(a, b)"}[op.Arity()-1]
	for j, got := range nd.ToSlice[T](ops.MustKernel(inputs, "T y", "y = "+op.String()+body).Call(in...)) {
		if want := T(points[j][op.Arity()]); !near(got, want, ulps) {
			t.Errorf("%T: %s%v = %v, want %v within %v ulp", got, op, points[j][:op.Arity()], got, want, ulps)
		}
	}
}
