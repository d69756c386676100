package grad_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestSeedsAreChecked passes a seed, or a direction, that does not match the result to every form of gradient.
func TestSeedsAreChecked(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	released := vector(1, 2)
	released.Release()
	seeds := map[string]*nd.Array{
		"device":   nd.FromSliceOn(ref, []float64{1, 2}),
		"Scalar":   nd.Scalar(1.0),
		"float32":  nd.FromSlice([]float32{1, 2}),
		"int64":    nd.FromSlice([]int64{1, 2}),
		"complex":  nd.FromSlice([]complex128{1, 2}),
		"(2, 1)":   nd.Ones([]int{2, 1}),
		"(1,)":     nd.Ones([]int{1}),
		"()":       nd.Ones(nil),
		"released": released,
	}
	f := func(x *nd.Array) *nd.Array { return ops.Square(ops.Softmax(x)) }
	many := func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{f(xs[0])} }
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1, 2))
	y := f(x)
	forms := map[string]func(seed *nd.Array){
		"Tape.VJP":         func(seed *nd.Array) { tape.VJP([]*nd.Array{y}, []*nd.Array{seed}, x) },
		"Tape.VJPRecorded": func(seed *nd.Array) { tape.VJPRecorded([]*nd.Array{y}, []*nd.Array{seed}, x) },
		"grad.JVP":         func(seed *nd.Array) { grad.JVP(f, vector(1, 2), seed) },
		"grad.HVP":         func(seed *nd.Array) { grad.HVP(f, vector(1, 2), seed) },
		"grad.VJP, pulled": func(seed *nd.Array) { _, pull := grad.VJP(many, vector(1, 2)); pull([]*nd.Array{seed}) },
		"grad.VJP, pulled and recorded": func(seed *nd.Array) {
			_, pull := grad.VJP(many, tape.Watch(vector(1, 2)))
			pull([]*nd.Array{seed})
		},
	}
	for name, form := range forms {
		for what, seed := range seeds {
			var refused *nd.Error
			err := nd.Catch(func() { form(seed) })
			fn, _, _ := strings.Cut(name, ",")
			if !errors.As(err, &refused) || string(refused.Func) != fn {
				t.Errorf("%s with a seed of %s: %v, want an error of %s", name, what, err, fn)
				continue
			}
			if what != "released" && (!strings.Contains(err.Error(), what) || len(refused.Shapes) < 2) {
				t.Errorf("%s with a seed of %s: %v does not say so, with both operands", name, what, err)
			}
		}
	}
	refused(t, func() { tape.VJP([]*nd.Array{y}, []*nd.Array{nil, nil}, x) }, "Tape.VJP", "2 gradients for 1")
	refused(t, func() { tape.VJP([]*nd.Array{nil}, nil, x) }, "Tape.VJP", "nil")
	refused(t, func() { tape.Gradient(y, nil) }, "Tape.Gradient", "nil")
	refused(t, func() { tape.GradientRecorded(nil, x) }, "Tape.GradientRecorded", "nil")
	refused(t, func() { tape.Gradient(y, nd.Scalar(1.0)) }, "Tape.Gradient", "not recorded")
	refused(t, func() { grad.JVP(f, vector(1, 2), nil) }, "grad.JVP", "nil")
	refused(t, func() { grad.HVP(f, nil, vector(1, 2)) }, "grad.HVP", "nil")
}

// TestGradientsOfFunctionsAreChecked returns gradients that do not match the argument from a user-defined function.
func TestGradientsOfFunctionsAreChecked(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	released := vector(1, 2)
	released.Release()
	for what, g := range map[string]*nd.Array{
		"device ref": nd.FromSliceOn(ref, []float64{1, 2}), "Scalar": nd.Scalar(1.0), "(1,)": vector(1), "released": released,
	} {
		tape := grad.NewTape()
		f := grad.Function{
			Name:     "test.function",
			Forward:  func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Exp(in[0])} },
			Backward: func(c *nd.Call) { c.SetGx(0, g) },
		}
		x := tape.Watch(vector(1, 2))
		y := f.Call(x)[0]
		refused(t, func() { tape.Gradient(y, x) }, "test.function", what)
		refused(t, func() { tape.GradientRecorded(y, x) }, "test.function", what)
		tape.Release()
	}
	x := vector(1, 2)
	tape := grad.NewTape()
	defer tape.Release()
	wide := grad.Function{
		Name:     "test.wide",
		Forward:  func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Exp(in[0])} },
		Backward: func(c *nd.Call) { c.SetGx(0, c.Gy(0).AsType(dtype.Float32)) },
	}
	w := tape.Watch(x)
	near(t, "converted", tape.Gradient(wide.Call(w)[0], w)[0], 1, 1)
}
