package nn_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

func TestPReLU(t *testing.T) {
	x := waves(2, 3, 4)
	for _, c := range []struct {
		o     nn.PReLUOptions
		shape []int
		of    func(k int) int // the slope of an element
	}{
		{nn.PReLUOptions{}, []int{}, func(int) int { return 0 }},
		{nn.PReLUOptions{Shared: new(false)}, []int{3}, func(k int) int { return k / 4 % 3 }},
		{nn.PReLUOptions{Shared: new(false), BaseAxis: new(-1)}, []int{4}, func(k int) int { return k % 4 }},
		{nn.PReLUOptions{Shared: new(false), BaseAxis: new(0)}, []int{2}, func(k int) int { return k / 12 }},
	} {
		s := float64s()
		y := nn.PReLU(s, x, c.o)
		want := floats(x)
		for k, v := range want {
			want[k] = math.Abs(v)
		}
		closeTo(t, "with the initial slopes", y, want, 0)
		if got := s.Get("prelu/slope").Shape(); len(s.Names()) != 1 || !cmp.Equal(got, c.shape) {
			t.Errorf("the parameters are %q, of shape %v; want prelu/slope of %v", s.Names(), got, c.shape)
		}
		vary(s)
		slopes := floats(s.Get("prelu/slope"))
		for k, v := range floats(x) {
			if want[k] = v; v < 0 {
				want[k] *= slopes[c.of(k)]
			}
		}
		closeTo(t, "y", nn.PReLU(s, x, c.o), want, 1e-15)
		checkGradients(t, s, func(s *nn.Scope, xs []*nd.Array) *nd.Array { return nn.PReLU(s, xs[0], c.o) }, x)
	}

	quarter := nn.PReLU(nn.NewScope(), nd.FromSlice([]int{-4, 4}), nn.PReLUOptions{SlopeInit: initializer.Constant(0.25)})
	if got := floats(quarter); !cmp.Equal(got, []float64{-1, 4}) || quarter.DType() != dtype.Float32 {
		t.Errorf("with slopes of a quarter: %v of %s", got, quarter.DType())
	}
	s := nn.NewScope()
	refused(t, "BaseAxis 3", func() { nn.PReLU(s, x, nn.PReLUOptions{Shared: new(false), BaseAxis: new(3)}) })
	refused(t, "real numbers", func() { nn.PReLU(s, x.AsType(dtype.Complex64)) })
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
}

// TestPReLUAtZero tests that the gradient at 0 is NNabla's, 1.
func TestPReLUAtZero(t *testing.T) {
	tape := grad.NewTape()
	x := tape.Watch(nd.FromSlice([]float32{0, -1, 1}))
	y := nn.PReLU(nn.NewScope().Watch(tape), x)
	if got := floats(tape.Gradient(y, x)[0]); !cmp.Equal(got, []float64{1, -1, 1}) {
		t.Errorf("the gradient is %v", got)
	}
}
