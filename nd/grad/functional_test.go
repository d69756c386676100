package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func cube(x *nd.Array) *nd.Array { return ops.Power(x, 3.0) }

func TestJVP(t *testing.T) {
	y, jv := grad.JVP(cube, vector(1, 2), vector(1, 10))
	near(t, "value", y, 1, 8)
	near(t, "derivative", jv, 3, 120)
}

func TestJacobian(t *testing.T) {
	m := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2)
	j := grad.Jacobian(func(x *nd.Array) *nd.Array { return ops.MatMul(m, x) }, vector(7, 8))
	if s := j.Shape(); len(s) != 2 || s[0] != 3 || s[1] != 2 {
		t.Fatalf("shape %v", s)
	}
	near(t, "of m·x", j, 1, 2, 3, 4, 5, 6)
}

func TestHessian(t *testing.T) {
	h := grad.Hessian(func(x *nd.Array) *nd.Array { return ops.Multiply(ops.Sum(cube(x)), x.Index(nd.At(0))) }, vector(2, 3))
	// f = x⁴ + y³x
	near(t, "of x⁴+xy³", h, 12*4, 27, 27, 6*3*2)
	near(t, "times v", grad.HVP(func(x *nd.Array) *nd.Array { return ops.Sum(cube(x)) }, vector(2, 3), vector(1, 10)), 12, 180)
}

func TestGradNests(t *testing.T) {
	x := vector(0.5, 2)
	near(t, "first", grad.Grad(cube)(x), 0.75, 12)
	near(t, "third", grad.Grad(grad.Grad(grad.Grad(cube)))(x), 6, 6)
	near(t, "fourth", grad.Grad(grad.Grad(grad.Grad(grad.Grad(cube))))(x), 0, 0)
	near(t, "within a Jacobian", grad.Jacobian(grad.Grad(cube), x), 3, 0, 0, 12)
}

func TestValueAndGradNests(t *testing.T) {
	f := func(xs ...*nd.Array) *nd.Array { return cube(xs[0]) }
	first := func(xs ...*nd.Array) *nd.Array { _, g := grad.ValueAndGrad(f)(xs...); return g[0] }
	second := func(xs ...*nd.Array) *nd.Array { _, g := grad.ValueAndGrad(first)(xs...); return g[0] }
	y, g := grad.ValueAndGrad(second)(vector(5))
	near(t, "second", y, 30)
	near(t, "third", g[0], 6)
}

func TestVJPOfSeveralResults(t *testing.T) {
	ys, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array {
		return []*nd.Array{ops.Multiply(xs[0], xs[1]), ops.Exp(xs[0])}
	}, vector(0, 1), vector(3, 4))
	near(t, "first value", ys[0], 0, 4)
	gs := pull([]*nd.Array{vector(1, 1), nil})
	near(t, "x", gs[0], 3+1, 4+2.718281828459045)
	near(t, "y", gs[1], 0, 1)
	near(t, "again, zeros where nothing flows", pull([]*nd.Array{vector(0, 0), vector(0, 0)})[1], 0, 0)
}

func TestCustomFunction(t *testing.T) {
	clipped := &grad.Function{
		Name:     "test.straightThrough",
		Forward:  func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(in[0])} },
		Backward: func(c *nd.Call) { c.SetGx(0, ops.Multiply(c.Gy(0), ops.Multiply(c.In(0), 2.0))) },
	}
	near(t, "second order", grad.Hessian(func(x *nd.Array) *nd.Array { return clipped.Call(x)[0] }, vector(3)), 2)
}

func TestCheckpointRefusesCapturedArrays(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x, w := tape.Watch(vector(1)), tape.Watch(vector(2))
	refused(t, func() {
		grad.Checkpoint(func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Multiply(in[0], w)} }, x)
	}, "grad.Checkpoint", "argument")
	count := 0
	y := grad.Checkpoint(func(in []*nd.Array) []*nd.Array {
		count++
		return []*nd.Array{ops.Multiply(ops.Exp(in[0]), in[1])}
	}, x, w)[0]
	near(t, "gradient", tape.Gradient(y, w)[0], 2.718281828459045)
	if count != 2 {
		t.Errorf("computed %d times, want 2", count)
	}
}

func TestHooksSeeOperations(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	var recorded, returned []string
	tape.OnRecord = func(n *nd.Node) { recorded = append(recorded, string(n.Func)) }
	tape.OnGradient = func(n *nd.Node, gy, gx []*nd.Array) { returned = append(returned, string(n.Func)) }
	x := tape.Watch(vector(1))
	tape.Gradient(ops.Exp(ops.Square(x)), x)
	if len(recorded) != 2 || recorded[0] != "ops.Square" || returned[0] != "ops.Exp" || returned[1] != "ops.Square" {
		t.Errorf("recorded %v, backward pass through %v", recorded, returned)
	}
}

// Gradients of parts are added up in place, unless a hook must see each.
func TestHooksSeeEveryPart(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	parts := 0
	tape.OnGradient = func(n *nd.Node, gy, gx []*nd.Array) {
		if n.Inputs() > 0 && gx[0] != nil && gy[0].Size() == 1 && gx[0].Size() == 3 {
			parts++
		}
	}
	x := ops.Square(tape.Watch(vector(1, 2, 3)))
	y := nd.Zeros([]int{1})
	for i := range 3 {
		y = ops.Add(y, ops.Exp(x.Index(nd.Span(i, i+1))))
	}
	tape.Gradient(y)
	tape.Gradient(y, x)
	if parts != 3 {
		t.Errorf("the hook saw the gradients of %d parts, want 3", parts)
	}
}
