// Package ufunc is the framework of elementwise functions: a [Definition] is a function's name and its body, an
// expression. Its program is compiled for a dtype on the first call, and its gradients are derived from it.
//
// A call checks its arguments, finds the dtype to compute in (types.go), separates arrays from scalars and finds the
// shape (operands.go), runs the program, and records it if a tape has recorded an argument (elementwise.go). Calls on
// few elements take a faster path (flat.go).
package ufunc

import (
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Options are the options of a call; the functions' own options have the same fields.
type Options struct {
	Out, Where *nd.Array
	DType      dtype.DType
	Casting    dtype.Casting
}

// Definition is the definition of an elementwise function, written once as an expression. Its names are a and b for two
// operands, x for one, y for the result; their type is T.
type Definition struct {
	Fn       nd.Func // the name in messages, such as "ops.Add"
	In       string  // declarations; empty means "T x", or "T a, T b" if Two is set
	Two      bool
	Scalars  string
	Body     string
	Body64   string // Body for float64, if it differs from that for narrower floats; empty means Body
	Complex  string // Body for complex dtypes, if Body is only for real ones; its gradient follows from the opcodes' rules
	Gradient string // as device.Source.Gradient; empty means the gradient that follows from the opcodes' rules
	Out      string // the type of the result y; empty means "T"; R is T's real type; "T, int32" declares a second result z
	Loop     loop   // nil accepts every dtype and computes in it

	programs device.Programs
	flat     nd.Flat
}

// Program returns the program for arrays of dtype t.
func (d *Definition) Program(t dtype.DType) *device.Program { return d.programs.OfSource(t, d.source) }

func (d *Definition) source(t dtype.DType) device.Source {
	s := device.Source{Name: string(d.Fn), Inputs: d.In, Scalars: d.Scalars, Outputs: "T y", Body: d.Body, Gradient: d.Gradient}
	if t == dtype.Float64 && d.Body64 != "" {
		s.Body = d.Body64
	}
	if t.IsComplex() && d.Complex != "" {
		s.Body, s.Gradient = d.Complex, ""
	}
	if s.Inputs == "" {
		s.Inputs = "T x"
		if d.Two {
			s.Inputs = "T a, T b"
		}
	}
	if d.Out != "" {
		types := strings.Split(d.Out, ", ")
		for k := range types {
			types[k] += " " + string("yz"[k])
		}
		s.Outputs = strings.Join(types, ", ")
	}
	return s
}

// Call1 runs a function with one operand.
func (d *Definition) Call1(x *nd.Array, o Options) *nd.Array {
	if o.mayBeFlat() {
		if y := d.flat.Call(d.Fn, o.Out, x, nil, d.flatProgram); y != nil {
			return y
		}
	}
	return d.Call(o, nil, x)
}

// Call2 runs a function with two operands.
func (d *Definition) Call2(a, b *nd.Array, o Options) *nd.Array {
	if b != nil && o.mayBeFlat() {
		if y := d.flat.Call(d.Fn, o.Out, a, b, d.flatProgram); y != nil {
			return y
		}
	}
	return d.Call(o, nil, a, b)
}

// Apply1, Apply2 and Compute are Call1, Call2 and Call without options.
func (d *Definition) Apply1(x *nd.Array) *nd.Array    { return d.Call1(x, Options{}) }
func (d *Definition) Apply2(a, b *nd.Array) *nd.Array { return d.Call2(a, b, Options{}) }
func (d *Definition) Compute(scalars []float64, in ...*nd.Array) *nd.Array {
	return d.Call(Options{}, scalars, in...)
}

// Call runs the function on any number of arrays, and scalars. Inputs declared with a type of their own (such as "bool
// c") are converted to it; the others promote together.
func (d *Definition) Call(o Options, scalars []float64, in ...*nd.Array) *nd.Array {
	d.Fn.Check(in...)
	t := d.LoopType(o, in)
	return Run(d.Fn, d.Program(t), Scalars(t, scalars...), o, in)
}

// Scalars returns numbers as the scalars of a program for dtype t.
func Scalars(t dtype.DType, values ...float64) []device.Scalar {
	var scalars []device.Scalar
	for _, v := range values {
		scalars = append(scalars, device.ScalarOf(v, dtype.ComputeType(t)))
	}
	return scalars
}

// LoopType resolves promotion: it returns the dtype in which the call computes. A requested dtype must be that of a
// loop.
func (d *Definition) LoopType(o Options, in []*nd.Array) dtype.DType {
	common := CommonType(in)
	o.CheckCasting(d.Fn, in)
	if o.DType.Valid() && d.Out == "bool" {
		if !o.DType.IsBool() {
			panic(d.Fn.Errorf(in, "the result is bool, not %s", o.DType))
		}
		o.DType = dtype.Unspecified
	}
	if o.DType.Valid() {
		common = o.DType
		o.CheckInputs(d.Fn, in, common)
	}
	t := common
	if d.Loop != nil {
		t = d.Loop(common)
		if len(in) == 2 && t.IsFloat() && !common.IsInexact() && !in[0].IsScalar() && !in[1].IsScalar() {
			t = dtype.Promote(d.Loop(in[0].DType()), d.Loop(in[1].DType())) // uint16 and int16 promote to float32, not int32
		}
	}
	if !t.Valid() || o.DType.Valid() && t != o.DType {
		panic(d.Fn.Errorf(in, "it has no meaning for dtype %s", common))
	}
	if o.Casting != 0 && !t.IsBool() { // every rule converts to truth values
		o.CheckInputs(d.Fn, in, t)
	}
	d.Fn.CheckFits(t, in...)
	return t
}
