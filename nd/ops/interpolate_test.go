package ops_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// numbers reads a comma-separated list.
func numbers(t *testing.T, list string) *nd.Array {
	var all []float64
	for _, text := range strings.Split(list, ",") {
		all = append(all, number(t, text))
	}
	return nd.FromSlice(all, len(all))
}

// TestInterpAsRecorded interpolates at and between finite, infinite and undefined coordinates and samples, of real and of
// complex numbers, against NumPy's values.
func TestInterpAsRecorded(t *testing.T) {
	recorded(t, "interp", func(words []string) {
		x, xp, fp := numbers(t, words[0]), numbers(t, words[1]), numbers(t, words[2])
		against(t, strings.Join(words[:3], " "), func() *nd.Array { return ops.Interp(x, xp, fp) }, append([]string{"f8"}, words[3:]...), closeness{units: 1})
		samples := make([]complex128, fp.Size())
		for i := range samples {
			samples[i] = complex(5, nd.Value[float64](fp, i))
		}
		against(t, "complex "+strings.Join(words[:3], " "), func() *nd.Array {
			return ops.Imag(ops.Interp(x, xp, nd.FromSlice(samples, len(samples))))
		}, append([]string{"f8"}, words[3:]...), closeness{units: 1})
	})
}

// TestInterpGradientAtInfinities differentiates where the value is finite but a neighbour is not.
func TestInterpGradientAtInfinities(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		xp     []float64
		gx     string
		gf     string
		f0, f1 float64
	}{
		{[]float64{-inf, 1}, "array([0.])", "array([0., 1.])", 3, 10},
		{[]float64{0, inf}, "array([0.])", "array([1., 0.])", 3, 10},
		{[]float64{-inf, inf}, "array([0.])", "array([1., 0.])", 10, 10},
		{[]float64{0, 1}, "array([7.])", "array([0.5, 0.5])", 3, 10},
		{[]float64{0.5, 1}, "array([14.])", "array([1., 0.])", 3, 10},
		{[]float64{0, 0.5}, "array([14.])", "array([0., 1.])", 3, 10},
		{[]float64{1, 1}, "array([0.])", "array([1., 0.])", 3, 10},
	} {
		x, xp, fp := nd.FromSlice([]float64{0.5}, 1), nd.FromSlice(c.xp, 2), nd.FromSlice([]float64{c.f0, c.f1}, 2)
		_, gx := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Sum(ops.Interp(x, xp, fp)) }, x)
		opstest.Repr(t, gx, c.gx)
		_, gf := opstest.ValueAndGrad(func(f *nd.Array) *nd.Array { return ops.Sum(ops.Interp(x, xp, f)) }, fp)
		opstest.Repr(t, gf, c.gf)
	}
}

// TestInterpOfFarSamples interpolates where differences of samples or coordinates overflow, and where the slope does.
func TestInterpOfFarSamples(t *testing.T) {
	const most = math.MaxFloat64
	for _, c := range []struct{ x, x0, x1, f0, f1, want, slope float64 }{
		{0.25, 0, 1, -most, most, -most / 2, math.Inf(1)},
		{1, 0, 4, -most, most, -most / 2, most / 2},
		{most / 2, -most, most, 0, 8, 6, 0},
		{-most / 2, -most, most, -most, most, -most / 2, 1},
		{1e-300, 0, 4e-300, 0, 1e300, 2.5e299, math.Inf(1)},
	} {
		tape := grad.NewTape()
		x := tape.Watch(nd.FromSlice([]float64{c.x}))
		y := ops.Interp(x, nd.FromSlice([]float64{c.x0, c.x1}), nd.FromSlice([]float64{c.f0, c.f1}))
		if got := nd.ToSlice[float64](y)[0]; math.Abs(got/c.want-1) > 1e-15 {
			t.Errorf("%+v: %v", c, got)
		}
		if got := nd.ToSlice[float64](tape.Gradient(ops.Sum(y), x)[0])[0]; got != c.slope && math.Abs(got/c.slope-1) > 1e-15 && c.slope != 0 {
			t.Errorf("%+v: slope %v", c, got)
		}
	}
}
