package gradcheck_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestNumerical(t *testing.T) {
	x, w := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2).T(), nd.FromSlice([]float64{0.5, -1}, 2)
	gy := nd.FromSlice([]float64{1, 10}, 2)
	f := func(xs []*nd.Array) []*nd.Array {
		return []*nd.Array{ops.MatMul(xs[0], xs[1]), ops.Exp(xs[1]), ops.Square(xs[1])}
	}
	g := gradcheck.Numerical(f, []*nd.Array{x, w}, []*nd.Array{gy, nil, nd.Ones([]int{2})}, 1e-4)
	assert.AllClose(t, g[0], nd.FromSlice([]float64{0.5, -1, 5, -10}, 2, 2), 1e-7, 1e-9)
	assert.AllClose(t, g[1], nd.FromSlice([]float64{1*1 + 10*2 + 1, 3 + 40 - 2}, 2), 1e-7, 1e-9)
	if nd.ToSlice[float64](x)[1] != 3 {
		t.Error("the argument was changed")
	}
	half := nd.FromSlice([]float32{0.5})
	first := gradcheck.Numerical(f, []*nd.Array{nd.Ones([]int{1, 1}), half}, []*nd.Array{nd.Ones([]int{1}), nil, nil}, 1e-2)
	if first[1].DType() != dtype.Float32 {
		t.Errorf("the gradient of float32 is %s", first[1].DType())
	}
	for what, refused := range map[string]func(){
		"integers":        func() { gradcheck.Numerical(f, []*nd.Array{nd.FromSlice([]int{1})}, nil, 1e-3) },
		"no step":         func() { gradcheck.Numerical(f, []*nd.Array{x}, nil, 0) },
		"two results":     func() { gradcheck.Numerical(f, []*nd.Array{x, w}, []*nd.Array{gy}, 1e-3) },
		"no array at all": func() { gradcheck.Numerical(f, []*nd.Array{nil}, nil, 1e-3) },
	} {
		if nd.Catch(refused) == nil {
			t.Errorf("%s: not refused", what)
		}
	}
}

func TestBackward(t *testing.T) {
	x, w, n := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2).T(), nd.FromSlice([]float64{0.5, -1}), nd.FromSlice([]int{1, 2})
	right := func(xs []*nd.Array) []*nd.Array {
		return []*nd.Array{ops.MatMul(xs[0], xs[1]), ops.Add(ops.Exp(xs[1]), xs[2])}
	}
	wrong := func(xs []*nd.Array) []*nd.Array { return right([]*nd.Array{xs[0], xs[1].Detach(), xs[2]}) }
	in, gys := []*nd.Array{x, w, n}, []*nd.Array{nd.FromSlice([]float64{1, 10}), nil}
	single := []*nd.Array{x.AsType(dtype.Float32), w.AsType(dtype.Float32), n.AsType(dtype.Int16)}
	strict := 1e-7
	if !gradcheck.Backward(t, right, in, []*nd.Array{gys[0], nd.Ones([]int{2})}) || !gradcheck.Backward(t, right, in, nil) {
		t.Error("right gradients are refused")
	}
	gradcheck.Backward(t, wrong, in, nil, gradcheck.BackwardOptions{NoGrads: []bool{false, true}})
	gradcheck.Backward(t, right, single, nil, gradcheck.BackwardOptions{DType: dtype.Float64})
	gradcheck.Backward(t, right, []*nd.Array{n, n, n}, nil)
	for what, fails := range map[string]func(t *verdict) bool{
		"a wrong gradient": func(v *verdict) bool { return gradcheck.Backward(v, wrong, in, nil) },
		"differences in half": func(v *verdict) bool {
			return gradcheck.Backward(v, right, in, nil, gradcheck.BackwardOptions{DType: dtype.Float16})
		},
		"strict tolerances": func(v *verdict) bool {
			return gradcheck.Backward(v, right, single, nil, gradcheck.BackwardOptions{RTol: &strict, ATol: &strict, Eps: 1e-2})
		},
	} {
		if v := (verdict{TB: t}); fails(&v) || !v.failed {
			t.Errorf("%s passes", what)
		}
	}
	if err := nd.Catch(func() { gradcheck.Backward(t, right, in, nil, gradcheck.BackwardOptions{NoGrads: make([]bool, 4)}) }); err == nil {
		t.Error("4 NoGrads for 3 arrays are accepted")
	}
	if err := nd.Catch(func() { gradcheck.Backward(t, right, in, gys[:1]) }); err == nil {
		t.Error("one gradient for two results is accepted")
	}
}

func TestUnary(t *testing.T) {
	sine := func(x *nd.Array) *nd.Array { return ops.Sin(x) }
	gradcheck.Unary(t, sine, math.Sin)
	positive := gradcheck.UnaryOptions{Make: func(shape []int, dt dtype.DType) *nd.Array {
		return nd.Full(shape, 0.75, dt)
	}}
	gradcheck.Unary(t, func(x *nd.Array) *nd.Array { return ops.Log(x) }, math.Log, positive)
	for what, f := range map[string]func(x *nd.Array) *nd.Array{
		"another function": func(x *nd.Array) *nd.Array { return ops.Cos(x) },
		"another dtype":    func(x *nd.Array) *nd.Array { return ops.Sin(x.AsType(dtype.Float64)) },
		"another shape":    func(x *nd.Array) *nd.Array { return ops.Sin(x.Reshape(-1)) },
		"no gradient":      func(x *nd.Array) *nd.Array { return ops.Sin(x.Detach()) },
	} {
		v := verdict{TB: t}
		gradcheck.Unary(&v, f, math.Sin)
		if !v.failed {
			t.Errorf("%s passes", what)
		}
	}
}
