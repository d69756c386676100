package ops

import (
	"strings"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// UfuncOptions are the options of elementwise functions, as NumPy's universal functions have them.
type UfuncOptions struct {
	// Out receives the result, converted to its dtype (which same_kind casting must allow); inputs broadcast to its shape.
	Out *nd.Array
	// Where is a bool array: where it is false, Out keeps its elements, or the result is 0 without Out.
	Where *nd.Array
	// DType is the dtype to compute in, and of the result; by default the one that the operands promote to.
	DType dtype.DType
}

// elementwise is the definition of an elementwise function, written once as an expression: names a, b for two operands,
// x for one, y for the result, of type T.
type elementwise struct {
	fn       nd.Func // as messages name it, such as "ops.Add"
	in       string  // declarations; empty means "T x", or "T a, T b" where two is set
	two      bool
	scalars  string
	body     string
	body64   string // of float64, where that takes more than narrower floats; empty means the same
	gradient string // as device.Source.Gradient; empty means by the opcodes' rules
	out      string // type of the result y: "T" unless given; R is T's real type; "T, int32" is a second result z
	loop     loop   // nil: every dtype, computed as it is

	programs [dtype.Count]atomic.Pointer[device.Program]
	flat     nd.Flat
}

// loop maps the dtype that the operands promote to to the one that is computed in; dtype.Unspecified refuses.
type loop func(common dtype.DType) dtype.DType

// The loops of NumPy's functions.
func floatOf(t dtype.DType) dtype.DType  { return dtype.FloatType(t) }
func number(t dtype.DType) dtype.DType   { return only(!t.IsBool(), t) }
func realType(t dtype.DType) dtype.DType { return only(!t.IsComplex(), t) }
func bitType(t dtype.DType) dtype.DType  { return only(t.IsBool() || t.IsInteger(), t) }

func only(ok bool, t dtype.DType) dtype.DType {
	if ok {
		return t
	}
	return dtype.Unspecified
}

// boolAsInt8 computes bools as int8, as NumPy does where arithmetic has no meaning for them.
func boolAsInt8(t dtype.DType) dtype.DType {
	if t.IsBool() {
		return dtype.Int8
	}
	return t
}

// realNumber refuses complex numbers, and computes bools as int8.
func realNumber(t dtype.DType) dtype.DType { return realType(boolAsInt8(t)) }

// asBool is the loop of functions of truth values: every dtype is one, 0 being false.
func asBool(dtype.DType) dtype.DType { return dtype.Bool }

// realFloat is floatOf without complex numbers.
func realFloat(t dtype.DType) dtype.DType { return realType(dtype.FloatType(t)) }

// quotient leaves floats and complex numbers, and makes integers and bools float64.
func quotient(t dtype.DType) dtype.DType {
	if t.IsInexact() {
		return t
	}
	return dtype.Float64
}

// realQuotient is quotient without complex numbers.
func realQuotient(t dtype.DType) dtype.DType { return realType(quotient(t)) }

func (d *elementwise) program(t dtype.DType) *device.Program {
	if p := d.programs[t].Load(); p != nil {
		return p
	}
	s := d.source()
	if t == dtype.Float64 && d.body64 != "" {
		s.Body = d.body64
	}
	p, err := s.Compile(func(letter byte) dtype.DType {
		if letter == 'R' {
			return t.Real()
		}
		return t
	})
	if err != nil {
		panic(err) // a definition that does not parse is caught by the test of all definitions
	}
	d.programs[t].CompareAndSwap(nil, p)
	return d.programs[t].Load()
}

func (d *elementwise) source() device.Source {
	s := device.Source{Name: string(d.fn), Inputs: d.in, Scalars: d.scalars, Outputs: "T y", Body: d.body, Gradient: d.gradient}
	if s.Inputs == "" {
		s.Inputs = "T x"
		if d.two {
			s.Inputs = "T a, T b"
		}
	}
	if d.out != "" {
		types := strings.Split(d.out, ", ")
		for k := range types {
			types[k] += " " + string("yz"[k])
		}
		s.Outputs = strings.Join(types, ", ")
	}
	return s
}

func (d *elementwise) call1(x *nd.Array, opts []UfuncOptions) *nd.Array {
	if y := d.callFlat(x, nil, opts); y != nil {
		return y
	}
	return d.call(opts, nil, x)
}

func (d *elementwise) call2(a, b *nd.Array, opts []UfuncOptions) *nd.Array {
	if b != nil {
		if y := d.callFlat(a, b, opts); y != nil {
			return y
		}
	}
	return d.call(opts, nil, a, b)
}

// call runs the function. Inputs declared with a type of their own (such as "bool c") convert to it; the others
// promote together.
func (d *elementwise) call(opts []UfuncOptions, scalars []float64, in ...*nd.Array) *nd.Array {
	o := firstOf(opts)
	d.fn.Check(in...)
	t := d.loopType(o, in)
	var values []device.Scalar
	for _, v := range scalars {
		values = append(values, device.ScalarOf(v, dtype.ComputeType(t)))
	}
	return run(d.fn, d.program(t), values, o, in)
}

// loopType resolves promotion: the dtype in which the call computes. A dtype that is asked for must be that of a loop.
func (d *elementwise) loopType(o UfuncOptions, in []*nd.Array) dtype.DType {
	common := commonType(in)
	if o.DType.Valid() && d.out == "bool" {
		if !o.DType.IsBool() {
			panic(d.fn.Errorf(in, "the result is bool, not %s", o.DType))
		}
		o.DType = dtype.Unspecified
	}
	if o.DType.Valid() {
		common = o.DType
		for _, x := range in {
			if !sameKind(common, x) {
				panic(d.fn.Errorf(in, "cannot cast %s to dtype %s with casting rule same_kind", x.DType(), common))
			}
		}
	}
	t := common
	if d.loop != nil {
		t = d.loop(common)
		if len(in) == 2 && t.IsFloat() && !common.IsInexact() && !in[0].IsScalar() && !in[1].IsScalar() {
			t = dtype.Promote(d.loop(in[0].DType()), d.loop(in[1].DType())) // uint16 and int16 meet in float32, not int32
		}
	}
	if !t.Valid() || o.DType.Valid() && t != o.DType {
		panic(d.fn.Errorf(in, "it has no meaning for dtype %s", common))
	}
	for _, x := range in {
		if !x.Fits(t) {
			panic(d.fn.Errorf(in, "an integer is out of bounds for %s", t))
		}
	}
	return t
}

// sameKind reports whether x may be converted to dtype t: by same_kind casting, for which an integer immediate has no sign.
func sameKind(t dtype.DType, x *nd.Array) bool {
	return x.IsScalar() && x.DType().IsInteger() || dtype.CanCast(x.DType(), t, dtype.CastSameKind)
}

// takes reports whether an array of dtype t may hold x: an integer immediate must be in its range, too.
func takes(t dtype.DType, x *nd.Array) bool { return sameKind(t, x) && x.Fits(t) }

// commonType is the dtype that the arrays promote to; immediates are weak.
func commonType(in []*nd.Array) dtype.DType {
	if len(in) == 1 {
		return in[0].DType()
	}
	if len(in) == 2 && !in[0].IsScalar() && !in[1].IsScalar() {
		return dtype.Promote(in[0].DType(), in[1].DType())
	}
	operands := make([]dtype.Operand, len(in))
	for i, x := range in {
		operands[i] = x.Operand()
	}
	return dtype.ResultType(operands...)
}

// valueOr is the value of an option, or its default.
func valueOr[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}
