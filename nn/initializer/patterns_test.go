package initializer_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// initially returns the initial value of a parameter w.
func initially(shape []int, initial initializer.Initializer, opts ...nn.ScopeOptions) *nd.Array {
	return nn.NewScope(opts...).Parameter("w", shape, initial, true)
}

func TestInitialPatterns(t *testing.T) {
	for _, c := range []struct {
		name    string
		initial initializer.Initializer
		shape   []int
		want    []float64
	}{
		{"Range", initializer.Range(3, -2), []int{2, 3}, []float64{3, 1, -1, 3, 1, -1}},
		{"Range of fractions", initializer.Range(0, 0.5), []int{3}, []float64{0, 0.5, 1}},
		{"Range of nothing", initializer.Range(0, 1), []int{2, 0}, []float64{}},
		{"Identity", initializer.Identity(1), []int{2, 2}, []float64{1, 0, 0, 1}},
		{"Identity with less rows", initializer.Identity(2), []int{2, 3}, []float64{2, 0, 0, 0, 2, 0}},
		{"Identity with more rows", initializer.Identity(2), []int{3, 2}, []float64{2, 0, 0, 2, 0, 0}},
		{"Identity of windows", initializer.Identity(1), []int{2, 2, 3}, []float64{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}},
		{"Identity of even windows", initializer.Identity(1), []int{1, 1, 2, 1}, []float64{0, 1}},
		{"Identity of nothing", initializer.Identity(1), []int{2, 2, 0}, []float64{}},
		{"Orthogonal of nothing", initializer.Orthogonal(1), []int{0, 3}, []float64{}},
	} {
		x := initially(c.shape, c.initial)
		if got := floats(x); !cmp.Equal(got, c.want) || !cmp.Equal(x.Shape(), c.shape) {
			t.Errorf("%s: %v of shape %v, want %v of %v", c.name, got, x.Shape(), c.want, c.shape)
		}
	}
}

// An identity as weights of a layer leaves its input as it is.
func TestIdentityLayers(t *testing.T) {
	x := images(2)
	same := nn.Convolution(nn.NewScope(), x, 2, []int{3, 5}, nn.ConvolutionOptions{Pad: []int{1, 2}, WInit: initializer.Identity(1)})
	if !cmp.Equal(floats(same), floats(x)) {
		t.Error("a convolution with the identity changes its input")
	}
	rows := x.Reshape(2, 50)
	if got := nn.Affine(nn.NewScope(), rows, 50, nn.AffineOptions{WInit: initializer.Identity(1)}); !cmp.Equal(floats(got), floats(rows)) {
		t.Error("an affine layer with the identity changes its input")
	}
}

func TestOrthogonal(t *testing.T) {
	const gain = 1.5
	for _, shape := range [][]int{{4, 4}, {3, 7}, {7, 3}, {4, 2, 3}, {20, 2, 3, 1}, {5}, {1, 5}} {
		for dt, near := range map[dtype.DType]float64{dtype.Float64: 1e-13, dtype.Float32: 1e-6, dtype.BFloat16: 0.05} {
			x := initially(shape, initializer.Orthogonal(gain), nn.ScopeOptions{DType: dt, Rand: nd.NewRand(7)})
			if x.DType() != dt || !cmp.Equal(x.Shape(), shape) {
				t.Errorf("%v: dtype %s and shape %v, want %s", shape, x.DType(), x.Shape(), dt)
			}
			m := x.AsType(dtype.Float64).Reshape(shape[0], -1)
			if m.Dim(0) > m.Dim(1) {
				m = m.T()
			}
			for i, v := range floats(ops.MatMul(m, m.T())) {
				want := 0.0
				if i%(m.Dim(0)+1) == 0 {
					want = gain * gain
				}
				if math.Abs(v-want) > near {
					t.Errorf("%v, %s: product %d of rows is %v, want %v", shape, dt, i, v, want)
				}
			}
		}
	}
}

// In uniformly drawn matrices each element has mean 0 and mean square 1/n, and the product of two elements has mean 0.
func TestOrthogonalIsDrawnEvenly(t *testing.T) {
	const n, draws = 3, 4000
	scope := nn.NewScope()
	var mean, square [n * n]float64
	cross := 0.0
	for k := range draws {
		v := floats(scope.Parameter(fmt.Sprint(k), []int{n, n}, initializer.Orthogonal(1), true))
		for i := range v {
			mean[i] += v[i] / draws
			square[i] += v[i] * v[i] / draws
		}
		cross += v[0] * v[4] / draws
	}
	for i := range mean {
		if math.Abs(mean[i]) > 5*math.Sqrt(1.0/n/draws) || math.Abs(square[i]-1.0/n) > 0.03 {
			t.Errorf("element %d has mean %v and mean square %v, want 0 and %v", i, mean[i], square[i], 1.0/n)
		}
	}
	if math.Abs(cross) > 0.03 {
		t.Errorf("two elements of the diagonal have the mean product %v, want 0", cross)
	}
}

func TestWeightNormalizationScale(t *testing.T) {
	w := nd.FromSlice([]float64{3, 0, 4, 1, 2, 2}).Reshape(2, 3)
	for _, c := range []struct {
		o    initializer.WeightNormalizationScaleOptions
		want []float64
	}{
		{initializer.WeightNormalizationScaleOptions{}, []float64{5, 3}},
		{initializer.WeightNormalizationScaleOptions{Axis: ops.Over(-1), Eps: new(0.0)}, []float64{math.Sqrt(10), 2, math.Sqrt(20)}},
		{initializer.WeightNormalizationScaleOptions{Eps: new(11.0)}, []float64{6, math.Sqrt(20)}},
	} {
		got := floats(initially([]int{len(c.want)}, initializer.WeightNormalizationScale(w, c.o), nn.ScopeOptions{DType: dtype.Float64}))
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%+v: %v, want %v", c.o, got, c.want)
			}
		}
	}
	z := nd.FromSlice([]complex128{3 + 4i, 12i})
	if got := floats(initially([]int{2}, initializer.WeightNormalizationScale(z))); !cmp.Equal(got, []float64{5, 12}) {
		t.Errorf("the norms of complex weights are %v", got)
	}
}

func TestUniformInt(t *testing.T) {
	count := map[float64]int{}
	for _, v := range floats(initially([]int{50, 200}, initializer.UniformInt(-2, 3))) {
		count[v]++
	}
	for v := -2.0; v < 3; v++ {
		if n := count[v]; math.Abs(float64(n)-2000) > 200 {
			t.Errorf("%v was drawn %d times of 10000, want 2000", v, n)
		}
	}
	if len(count) != 5 {
		t.Errorf("drew %d values, want 5", len(count))
	}
}

// The draws for a parameter follow from the scope's seed and the parameter's path only.
func TestDrawsFollowThePath(t *testing.T) {
	names := []string{"a/w", "b/w", "b/c/w"}
	draw := func(order []string, seed uint64, initial initializer.Initializer) map[string][]float64 {
		s := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(seed)})
		drawn := map[string][]float64{}
		for _, name := range order {
			drawn[name] = floats(s.Parameter(name, []int{3, 4}, initial, true))
		}
		return drawn
	}
	for name, initial := range map[string]initializer.Initializer{
		"Uniform": initializer.Uniform(0, 1), "Normal": initializer.Normal(1), "UniformInt": initializer.UniformInt(0, 1000), "Orthogonal": initializer.Orthogonal(1),
	} {
		first := draw(names, 1, initial)
		if again := draw([]string{"b/c/w", "a/w", "b/w"}, 1, initial); !cmp.Equal(again, first) {
			t.Errorf("%s: the order of creation matters", name)
		}
		if cmp.Equal(first["a/w"], first["b/w"]) || cmp.Equal(draw(names, 2, initial)["a/w"], first["a/w"]) {
			t.Errorf("%s: two paths, or two seeds, have the same draws", name)
		}
	}
}

func TestRefusedInitializers(t *testing.T) {
	for _, c := range []struct {
		part    string
		shape   []int
		initial initializer.Initializer
		dt      dtype.DType
	}{
		{"want at least 1 axes", nil, initializer.Range(0, 1), dtype.Float32},
		{"want at least 1 axes", nil, initializer.Orthogonal(1), dtype.Float32},
		{"want a float dtype", []int{2, 2}, initializer.Orthogonal(1), dtype.Complex64},
		{"want at least 2 axes", []int{3}, initializer.Identity(1), dtype.Float32},
		{"no numbers from 3 up to", []int{3}, initializer.UniformInt(3, 3), dtype.Float32},
		{"made an array of another shape", []int{2}, initializer.WeightNormalizationScale(nd.Zeros([]int{3, 2})), dtype.Float32},
		{"made an array of another shape", []int{2}, initializer.Values(nd.Zeros([]int{3})), dtype.Float32},
	} {
		s := nn.NewScope(nn.ScopeOptions{DType: c.dt})
		refused(t, c.part, func() { s.Parameter("w", c.shape, c.initial, true) })
		if names := s.Names(); names != nil {
			t.Errorf("%s: the refused parameter is there: %v", c.part, names)
		}
	}
	refused(t, "initializer.WeightNormalizationScale", func() {
		initializer.WeightNormalizationScale(nd.Zeros([]int{3}), initializer.WeightNormalizationScaleOptions{Axis: ops.Over(1)})
	})
}
