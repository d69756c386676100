package ops_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestEinsumPath(t *testing.T) {
	chain := []*nd.Array{nd.Zeros([]int{10, 3}), nd.Zeros([]int{3, 40}), nd.Zeros([]int{40, 2})}
	path, text := ops.EinsumPath("ij,jk,kl->il", chain...)
	if want := [][]int{{1, 2}, {0, 1}}; !slices.EqualFunc(path, want, slices.Equal) {
		t.Errorf("path %v, want %v", path, want)
	}
	if want := `ij,jk,kl->il
multiplications, all at once: 4800
multiplications, in this order: 300
elements of the largest product: 20
  (1, 2)  jk,kl->jl  240
  (0, 1)  ij,jl->il  60
`; text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if path, _ := ops.EinsumPath("ii", nd.Zeros([]int{3, 3})); len(path) != 1 || !slices.Equal(path[0], []int{0}) {
		t.Errorf("of one operand: %v", path)
	}
	_, text = ops.EinsumPath("...ij,...jx,y", nd.Zeros([]int{5, 1, 2, 3}), nd.Zeros([]int{4, 3, 1}), nd.Zeros([]int{6}))
	if want := `...ij,...jx,y
multiplications, all at once: 1440
multiplications, in this order: 360
elements of the largest product: 240
  (0, 1)  ...ij,...jx->...ix  120
  (0, 1)  y,...ix->y...ix  240
`; text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	opstest.Refuses(t, "are for 2 operands, got 1", func() { ops.EinsumPath("i,i", chain[0]) })
}

func TestSubscripts(t *testing.T) {
	for _, c := range []struct {
		inputs [][]int
		output []int
		want   string
	}{
		{[][]int{{0, 1}, {1, 2}}, []int{0, 2}, "AB,BC->AC"},
		{[][]int{{25, 26, 51}}, nil, "Zaz"},
		{[][]int{{ops.EllipsisAxis, 0}, {}}, []int{}, "...A,->"},
	} {
		if got := ops.Subscripts(c.inputs, c.output); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.inputs, c.output, got, c.want)
		}
	}
	opstest.Refuses(t, "axis 52: want 0 to 51, or EllipsisAxis", func() { ops.Subscripts([][]int{{52}}, nil) })
	opstest.Refuses(t, "axis -2: want 0 to 51, or EllipsisAxis", func() { ops.Subscripts(nil, []int{-2}) })
}

func TestEinsumWith(t *testing.T) {
	a, b := opstest.Normal(1, dtype.Float64, 2, 3).AsType(dtype.Float32), opstest.Normal(2, dtype.Float64, 3, 4).AsType(dtype.Float32)
	both := []*nd.Array{a, b}
	out := nd.Zeros([]int{2, 4})
	if y := ops.EinsumWith("ij,jk", both, ops.EinsumOptions{Out: out}); y != out {
		t.Error("it does not return Out")
	}
	opstest.Repr(t, ops.All(ops.Equal(out, ops.MatMul(a.AsType(dtype.Float64), b.AsType(dtype.Float64)))), "array(True)")
	y := ops.EinsumWith("ij,jk", both, ops.EinsumOptions{DType: dtype.Complex64})
	opstest.Repr(t, ops.All(ops.Equal(y, ops.MatMul(a.AsType(dtype.Complex64), b))), "array(True)")
	diagonal := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2) // a view of the operand itself
	ops.EinsumWith("ij->ji", []*nd.Array{diagonal}, ops.EinsumOptions{Out: diagonal})
	opstest.Repr(t, diagonal, "array([[1., 3.], [2., 4.]])")
	opstest.Refuses(t, "want an Out that holds all its values, not one of dtype float16", func() {
		ops.EinsumWith("ij,jk", both, ops.EinsumOptions{Out: nd.Zeros([]int{2, 4}, dtype.Float16)})
	})
	opstest.Refuses(t, "the result has shape (2, 4), Out (4, 2)", func() { ops.EinsumWith("ij,jk", both, ops.EinsumOptions{Out: nd.Zeros([]int{4, 2})}) })
	opstest.Refuses(t, "operand 0 is float32: want a dtype whose values all fit int64", func() {
		ops.EinsumWith("ij,jk", both, ops.EinsumOptions{DType: dtype.Int64})
	})
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		y := nd.Zeros([]int{2, 4})
		return ops.EinsumWith("ij,jk", xs, ops.EinsumOptions{Out: y})
	}, a.AsType(dtype.Float64), b.AsType(dtype.Float64))
}
