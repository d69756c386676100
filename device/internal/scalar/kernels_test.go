package scalar_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestKernelsOnReferenceValues compares the CPU's kernels, which have other algorithms than this package, with the tables of correctly
// rounded values.
func TestKernelsOnReferenceValues(t *testing.T) {
	opcodes := map[string]device.Op{"gammadensity": device.OpGammaPDF}
	for op := device.OpAdd; op < device.OpCount; op++ {
		opcodes[op.String()] = op
	}
	functions := 0
	for _, r := range scalar.References() {
		op, ok := opcodes[strings.ToLower(r.Name)]
		if !ok {
			continue // a function of several opcodes
		}
		functions++
		t.Run(r.Name, func(t *testing.T) {
			testKernel[float64](t, op, r.Ulps, r.Points)
			testKernel[float32](t, op, r.Ulps, r.Points)
		})
	}
	t.Log(functions, "functions")
}

// testKernel computes an opcode in the type T for those points that T can hold. The kernels may round once more than the functions.
func testKernel[T float32 | float64](t *testing.T, op device.Op, limit float64, points [][]float64) {
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
		arguments, want := points[j][:op.Arity()], points[j][op.Arity()]
		unit := math.Abs(float64(scalar.Spacing(T(want))))
		if same := got == T(want) || got != got && want != want; !same && !(math.Abs(float64(got)-want) <= limit*unit) {
			t.Errorf("%T: %s%v = %v, want %v within %v ulp", got, op, arguments, got, want, limit)
		}
	}
}
