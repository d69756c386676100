package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestFunctionalFormsOfPlainFunctions passes functions to every functional form that do not depend on x, return x
// itself, or return arrays with another owner. The results must be readable and belong to nobody else.
func TestFunctionalFormsOfPlainFunctions(t *testing.T) {
	other := grad.NewTape()
	arena := nd.NewArena()
	adopted := arena.Adopt(vector(7, 8))
	constant := vector(7, 8)
	type function struct {
		f        func(x *nd.Array) *nd.Array
		value    []float64
		diagonal float64 // of the Jacobian
	}
	functions := map[string]function{
		"independent":    {func(x *nd.Array) *nd.Array { return ops.Exp(nd.Zeros([]int{2})) }, []float64{1, 1}, 0},
		"a constant":     {func(x *nd.Array) *nd.Array { return constant }, []float64{7, 8}, 0},
		"of an arena":    {func(x *nd.Array) *nd.Array { return adopted }, []float64{7, 8}, 0},
		"x itself":       {func(x *nd.Array) *nd.Array { return x }, []float64{1, 2}, 1},
		"detached":       {func(x *nd.Array) *nd.Array { return ops.Exp(ops.Subtract(x, x).Detach()) }, []float64{1, 1}, 0},
		"floor":          {func(x *nd.Array) *nd.Array { return ops.Floor(x) }, []float64{1, 2}, 0},
		"linear":         {func(x *nd.Array) *nd.Array { return ops.Multiply(x, 3) }, []float64{3, 6}, 3},
		"x, and a view":  {func(x *nd.Array) *nd.Array { return ops.Add(x, x.Index(nd.All())) }, []float64{2, 4}, 2},
		"read elsewhere": {func(x *nd.Array) *nd.Array { ops.Square(x); return constant }, []float64{7, 8}, 0},
	}
	for name, c := range functions {
		t.Run(name, func(t *testing.T) {
			f, d := c.f, c.diagonal
			for round := range 2 { // the second with x of an arena that is released before the results are read
				a := nd.NewArena()
				x, v := vector(1, 2), vector(10, 100)
				if round == 1 {
					x = a.Adopt(x)
				}
				y, jv := grad.JVP(f, x, v)
				jacobian, hessian, hv := grad.Jacobian(f, x), grad.Hessian(f, x), grad.HVP(f, x, v)
				value, gs := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f(xs[0]) })(x)
				ys, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{f(xs[0]), f(xs[0])} }, x)
				pulled := pull([]*nd.Array{v, nil})
				for what, g := range map[string]*nd.Array{"jv": jv, "hv": hv, "gradient": gs[0], "Grad": grad.Grad(f)(x), "pulled": pulled[0]} {
					for whose, theirs := range map[string]*nd.Array{"v": v, "x": x, "the constant": constant, "the arena's": adopted} {
						if g.SharesMemory(theirs) {
							t.Errorf("%s has the memory of %s", what, whose)
						}
					}
				}
				a.Release()
				near(t, "value of JVP", y, c.value...)
				near(t, "JVP", jv, 10*d, 100*d)
				near(t, "Jacobian", jacobian, d, 0, 0, d)
				near(t, "Hessian", hessian, 0, 0, 0, 0)
				near(t, "HVP", hv, 0, 0)
				near(t, "value", value, c.value...)
				near(t, "gradient", gs[0], d, d)
				near(t, "first value", ys[0], c.value...)
				near(t, "second value", ys[1], c.value...)
				near(t, "pulled", pulled[0], 11*d, 101*d)
			}
		})
	}
	arena.Release()
	foreign := other.Watch(vector(7, 8))
	for name, form := range map[string]func(f func(x *nd.Array) *nd.Array){
		"JVP":      func(f func(x *nd.Array) *nd.Array) { grad.JVP(f, vector(1, 2), vector(1, 2)) },
		"HVP":      func(f func(x *nd.Array) *nd.Array) { grad.HVP(f, vector(1, 2), vector(1, 2)) },
		"Jacobian": func(f func(x *nd.Array) *nd.Array) { grad.Jacobian(f, vector(1, 2)) },
		"Hessian":  func(f func(x *nd.Array) *nd.Array) { grad.Hessian(f, vector(1, 2)) },
		"ValueAndGrad": func(f func(x *nd.Array) *nd.Array) {
			grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f(xs[0]) })(vector(1, 2))
		},
	} {
		t.Run(name+" of another tape", func(t *testing.T) {
			refused(t, func() { form(func(x *nd.Array) *nd.Array { return ops.Exp(foreign) }) }, "another tape")
			refused(t, func() { form(func(x *nd.Array) *nd.Array { return ops.Multiply(x, foreign) }) }, "two tapes")
			refused(t, func() { form(func(x *nd.Array) *nd.Array { return nil }) }, "nil")
			refused(t, func() {
				form(func(x *nd.Array) *nd.Array { y := ops.Exp(x); y.Release(); return y })
			}, "released")
		})
	}
}

// TestTheSameArrayTwice: an array that is passed, or requested, twice has two gradients, each with its own memory.
func TestTheSameArrayTwice(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1, 2))
	y := ops.Square(x)
	gs := tape.Gradient(y, x, x)
	gs[0].Assign(nd.Scalar(0))
	near(t, "the second", gs[1], 2, 4)
	near(t, "of two results", tape.VJP([]*nd.Array{y, y}, nil, x)[0], 4, 8)
	seed := vector(1, 1)
	gs = tape.VJP([]*nd.Array{y, x}, []*nd.Array{seed, seed}, x, y, x)
	gs[1].Assign(nd.Scalar(0))
	near(t, "the seed", seed, 1, 1)
	near(t, "of a result that is an argument", gs[2], 3, 5)
	v := vector(1, 2)
	ys, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{xs[0], xs[1]} }, v, v)
	both := pull(ys)
	both[0].Assign(nd.Scalar(0))
	near(t, "of the other argument", both[1], 1, 2)
	near(t, "the argument", v, 1, 2)
}
