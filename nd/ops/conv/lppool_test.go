package conv_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// TestLPPoolingOfAnySize pools windows whose powers leave the range, alone, beside usual windows, and overlapping them.
func TestLPPoolingOfAnySize(t *testing.T) {
	sizes := map[dtype.DType][]float64{
		dtype.Float16: {0x1p-9, 1, 0x1p9}, dtype.BFloat16: {0x1p-120, 1, 0x1p120},
		dtype.Float32: {0x1p-120, 0x1p-80, 0x1p-30, 1, 0x1p43, 0x1p90, 0x1p120}, dtype.Float64: {0x1p-1000, 0x1p-500, 1, 0x1p400, 0x1p1010},
	}
	for dt, factors := range sizes {
		tolerance := 1e-5
		if dt.Size() == 2 {
			tolerance = 0.01
		}
		for p, want := range map[int][]float64{2: {5, 13, 10}, 3: {math.Cbrt(27 - 64), math.Cbrt(125 + 1728), math.Cbrt(512 + 216)}} {
			var values, expected []float64
			for _, f := range factors {
				values = append(values, 3*f, -4*f, 5*f, 12*f, 8*f, 6*f, 0, 0)
				expected = append(expected, want[0]*f, want[1]*f, want[2]*f, 0)
			}
			x := nd.FromSlice(values).AsType(dt)
			y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return conv.LPPooling(x, []int{2}, p) }, x)
			got, slopes := nd.ToSlice[float64](y.AsType(dtype.Float64)), nd.ToSlice[float64](g.AsType(dtype.Float64))
			for i, w := range expected {
				if len(got) != len(expected) || got[i] != w && !(math.Abs(got[i]/w-1) <= tolerance) {
					t.Errorf("p = %d, %s: window %d is %v, want %v", p, dt, i, got[i], w)
					continue
				}
				for k := 2 * i; k < 2*i+2; k++ {
					slope := 0.0
					if w != 0 {
						slope = math.Pow(values[k]/w, float64(p-1))
					}
					if !(math.Abs(slopes[k]-slope) <= tolerance*max(1, slope)) {
						t.Errorf("p = %d, %s: the gradient of element %d is %v, want %v", p, dt, k, slopes[k], slope)
					}
				}
			}
		}
	}
	single := conv.PoolingOptions{Stride: []int{1}}
	y := conv.LPPooling(opstest.Vector[float32](3e20, 4e20, 3, 4, 3e-30, 4e-30), []int{2}, 2, single)
	for i, want := range []float64{5e20, 4e20, 5, 4, 5e-30} {
		if got := nd.Value[float64](y.Index(nd.At(i)).AsType(dtype.Float64)); !(math.Abs(got/want-1) < 1e-6) {
			t.Errorf("overlapping window %d is %v, want %v", i, got, want)
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	y = conv.LPPooling(opstest.Vector(inf, 1, nan, 1, 0x3p700, 0x4p700, 3, 4), []int{2}, 2)
	opstest.Floats(t, "windows of infinities and NaN", y, inf, nan, 0x5p700, 5)
	y = conv.LPPooling(nd.Full([]int{1, 1, 4, 4}, 1e200), []int{3}, 2, conv.PoolingOptions{Pad: []int{1}, CoverPadding: true})
	want := ops.Multiply(conv.LPPooling(nd.Ones([]int{1, 1, 4, 4}, dtype.Float64), []int{3}, 2, conv.PoolingOptions{Pad: []int{1}, CoverPadding: true}), 1e200)
	opstest.Close(t, y, want, 1e190)
}
