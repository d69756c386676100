package grad_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// nodesOf records f(x) of a float64 vector of three elements, and passes the operations to look before the tape forgets
// them.
func nodesOf(f func(x *nd.Array), look func(nodes []*nd.Node)) {
	tape := grad.NewTape()
	defer tape.Release()
	var nodes []*nd.Node
	tape.OnRecord = func(n *nd.Node) { nodes = append(nodes, n) }
	f(tape.Watch(vector(1, 2, 3)))
	look(nodes)
}

func TestNodesTellWhatWasComputed(t *testing.T) {
	m := nd.Ones([]int{2, 3}, dtype.Float32)
	two := &grad.Function{
		Name:    "test.two",
		Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{in[0].Copy(), nil, ops.Equal(in[0], in[0])} },
	}
	for want, f := range map[string]func(x *nd.Array){
		"ops.Exp: float64(3,) -> float64(3,)":                             func(x *nd.Array) { ops.Exp(x) },
		"ops.Multiply: float32(2, 3), float64(3,) -> float64(2, 3)":       func(x *nd.Array) { ops.Multiply(m, x) },
		"test.scaled: float64(3,), 2.5 -> float64(3,)":                    func(x *nd.Array) { scaled(nil).Call(x, nd.Scalar(2.5)) },
		"ops.Sum: float64(3,) -> float64()":                               func(x *nd.Array) { ops.Sum(x) },
		"Array.AsType: float64(3,) -> float32(3,)":                        func(x *nd.Array) { x.AsType(dtype.Float32) },
		"ops.Split: float64(3,) -> float64(1,), float64(1,), float64(1,)": func(x *nd.Array) { ops.Split(x, 3) },
		"test.two: float64(3,) -> float64(3,), nil, bool(3,)":             func(x *nd.Array) { two.Call(x) },
	} {
		nodesOf(f, func(nodes []*nd.Node) {
			if len(nodes) != 1 || nodes[0].String() != want {
				t.Errorf("%v, want %q", nodes, want)
			}
		})
	}
}

func TestNodesHaveShapesAndDTypes(t *testing.T) {
	column := nd.Ones([]int{2, 1}, dtype.Float32)
	nodesOf(func(x *nd.Array) { ops.Multiply(column, x) }, func(nodes []*nd.Node) {
		n := nodes[0]
		for _, e := range []struct {
			shape, wantShape []int
			dt, wantDType    dtype.DType
		}{
			{n.Shape(0), []int{2, 1}, n.DType(0), dtype.Float32},
			{n.Shape(1), []int{3}, n.DType(1), dtype.Float64},
			{n.OutShape(0), []int{2, 3}, n.OutDType(0), dtype.Float64},
		} {
			if !slices.Equal(e.shape, e.wantShape) || e.dt != e.wantDType {
				t.Errorf("%s of shape %v, want %s of %v", e.dt, e.shape, e.wantDType, e.wantShape)
			}
		}
		n.Shape(0)[0] = 7 // Shape returns a copy
		watched, _ := n.Input(1)
		if got := watched.String(); n.Shape(0)[0] != 2 || got != "Tape.Watch: -> float64(3,)" || watched.Claims() != (nd.Claims{}) {
			t.Errorf("shape %v; the watched array is %q and claims %v", n.Shape(0), got, watched.Claims())
		}
	})
}

// TestNodesClaim: exp reads its result, a product its other factor, a sum and a view nothing.
func TestNodesClaim(t *testing.T) {
	factor := vector(4, 5, 6)
	for name, c := range map[string]struct {
		f       func(x *nd.Array)
		in, out []bool
	}{
		"exp":     {func(x *nd.Array) { ops.Exp(x) }, []bool{false}, []bool{true}},
		"product": {func(x *nd.Array) { ops.Multiply(x, factor) }, []bool{false, true}, []bool{false}},
		"sum":     {func(x *nd.Array) { ops.Add(x, factor) }, []bool{false, false}, []bool{false}},
		"view":    {func(x *nd.Array) { x.Index(nd.From(1)) }, []bool{false}, []bool{false}},
	} {
		nodesOf(c.f, func(nodes []*nd.Node) {
			claims := nodes[0].Claims()
			for i, want := range c.in {
				if claims.HasIn(i) != want {
					t.Errorf("%s: input %d is claimed: %v, want %v", name, i, !want, want)
				}
			}
			for i, want := range c.out {
				if claims.HasOut(i) != want {
					t.Errorf("%s: output %d is claimed: %v, want %v", name, i, !want, want)
				}
			}
		})
	}
	all := nd.Claims{In: 1 << 63, Out: 1 << 63}
	if !all.HasIn(63) || !all.HasIn(100) || !all.HasOut(64) || all.HasIn(62) || all.HasOut(0) {
		t.Error("the last bit is not that of all inputs and outputs from 63 on")
	}
}
