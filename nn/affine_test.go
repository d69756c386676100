package nn_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func ramp(shape ...int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return nd.Arange(0, float64(n), 1, dtype.Float32).Reshape(shape...)
}

func TestAffineAgainstLoops(t *testing.T) {
	for _, c := range []struct {
		x    []int
		base *int
		out  []int
	}{
		{x: []int{3, 4}, out: []int{5}},
		{x: []int{2, 3, 4}, out: []int{2}},
		{x: []int{2, 3, 4}, base: new(2), out: []int{3}},
		{x: []int{2, 3, 4}, base: new(-2), out: []int{3}},
		{x: []int{2, 3}, base: new(0), out: []int{4}},
		{x: []int{2, 3}, base: new(2), out: []int{4}},
		{x: []int{3, 4}, out: []int{2, 3}},
		{x: []int{0, 4}, out: []int{2}},
		{x: []int{3, 0}, out: []int{2}},
	} {
		base := 1
		if c.base != nil {
			base = *c.base
		}
		if base < 0 {
			base += len(c.x)
		}
		m, k, n := 1, 1, 1
		for _, d := range c.x[:base] {
			m *= d
		}
		for _, d := range c.x[base:] {
			k *= d
		}
		for _, d := range c.out {
			n *= d
		}
		s := nn.NewScope()
		x := ramp(c.x...)
		y := nn.Affine(s, x, n, nn.AffineOptions{BaseAxis: c.base, OutShape: c.out, BInit: initializer.Uniform(-1, 1)})
		if want := append(append([]int{}, c.x[:base]...), c.out...); !cmp.Equal(y.Shape(), want) {
			t.Fatalf("x %v, base axis %d: shape %v, want %v", c.x, base, y.Shape(), want)
		}
		if got, want := s.Get("affine/W").Shape(), append([]int{k}, c.out...); !cmp.Equal(got, want) {
			t.Errorf("W has shape %v, want %v", got, want)
		}
		xs, ws, bs, ys := floats(x), floats(s.Get("affine/W")), floats(s.Get("affine/b")), floats(y)
		for i := range m {
			for j := range n {
				want := bs[j]
				for l := range k {
					want += float64(xs[i*k+l] * ws[l*n+j])
				}
				if got := ys[i*n+j]; math.Abs(got-want) > 1e-4 {
					t.Errorf("x %v, base axis %d: y[%d, %d] = %v, want %v", c.x, base, i, j, got, want)
				}
			}
		}
	}
}

func TestAffineOptions(t *testing.T) {
	s := nn.NewScope()
	x := ramp(2, 3)
	y := nn.Affine(s, x, 2, nn.AffineOptions{WithBias: new(false), WInit: initializer.Values(ramp(3, 2))})
	if !cmp.Equal(s.Names(), []string{"affine/W"}) || !cmp.Equal(floats(y), []float64{10, 13, 28, 40}) {
		t.Errorf("without bias %q, %v", s.Names(), y)
	}
	for _, v := range floats(nn.NewScope().Parameter("b", []int{5}, nil, true)) {
		if v != 0 {
			t.Errorf("an initial bias of %v", v)
		}
	}

	tape := grad.NewTape()
	model := s.Watch(tape)
	wx := tape.Watch(x)
	loss := ops.Sum(nn.Affine(model.Fixed(), wx, 2, nn.AffineOptions{WithBias: new(false)}))
	if g := optim.GradientsOf(model, loss).Get("affine/W"); g != nil {
		t.Errorf("a fixed weight has the gradient %v", g)
	}
	if got := floats(tape.Gradient(loss, wx)[0]); !cmp.Equal(got, []float64{1, 5, 9, 1, 5, 9}) {
		t.Errorf("gradient of x: %v", got)
	}
	if !s.Param("affine/W").NeedGrad() {
		t.Error("Fixed froze the parameter itself")
	}

	refused(t, "BaseAxis 3", func() { nn.Affine(nn.NewScope(), x, 2, nn.AffineOptions{BaseAxis: new(3)}) })
	refused(t, "OutShape", func() { nn.Affine(nn.NewScope(), x, 2, nn.AffineOptions{OutShape: []int{3}}) })
	refused(t, "nn.Affine", func() { nn.Affine(nn.NewScope(), x, -1) })
	refused(t, "used here with shape (4, 2)", func() { nn.Affine(s, ramp(2, 4), 2) })
}

func TestAffineConvertsBatches(t *testing.T) {
	s := nn.NewScope()
	x := ramp(2, 3)
	y := nn.Affine(s, x, 2)
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Int64, dtype.Uint8, dtype.Float16} {
		batch := x.AsType(dt)
		got := nn.Affine(s, batch, 2)
		if got.DType() != dtype.Float32 || !cmp.Equal(floats(got), floats(y)) {
			t.Errorf("of %s: %v of %s, want %v", dt, got, got.DType(), y)
		}
		if batch.IsReleased() {
			t.Errorf("of %s: the batch was released", dt)
		}
	}
	tape := grad.NewTape()
	defer tape.Reset()
	batch := tape.Watch(x.AsType(dtype.Float64))
	g := tape.Gradient(ops.Sum(nn.Affine(s, batch, 2)), batch)[0]
	if g.DType() != dtype.Float64 {
		t.Errorf("the gradient of a batch of float64 is %s", g.DType())
	}
	wide := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
	if got := nn.Affine(wide, x, 2).DType(); got != dtype.Float64 {
		t.Errorf("a model of float64 computes in %s", got)
	}
}
