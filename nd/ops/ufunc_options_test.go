package ops_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

func wantValues[T interface {
	dtype.Element
	comparable
}](t *testing.T, x *nd.Array, want ...T) {
	t.Helper()
	if got := nd.ToSlice[T](x); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A 0-d array has one element, as for NumPy.
func TestReduceOf0D(t *testing.T) {
	x := nd.Full([]int{}, 3)
	for _, axis := range []ops.Axes{nil, ops.Over(), ops.Over(0), ops.Over(-1)} {
		opstest.Repr(t, ops.UfuncOf(ops.Subtract).Reduce(x, ops.AlongOptions{Axis: axis}), "array(3)")
	}
	opstest.Repr(t, ops.UfuncOf(ops.Subtract).Reduce(x, ops.AlongOptions{Initial: nd.Scalar(5)}), "array(2)")
}

func TestOut(t *testing.T) {
	x := opstest.Vector(1.5, -2, 4)
	out := nd.Zeros([]int{3}, dtype.Float32)
	if y := ops.Multiply(x, 2, ops.Into(out)); y != out {
		t.Error("the result is not Out")
	}
	wantValues[float32](t, out, 3, -4, 8)

	rows := nd.Zeros([]int{2, 3})
	ops.Add(x, 1, ops.Into(rows))
	wantValues(t, rows, 2.5, -1, 5, 2.5, -1, 5)

	opstest.Refused(t, "an Out of int64 for float64", func() {
		ops.Exp(x, ops.Into(nd.Zeros([]int{3}, nd.ArrayOptions{DType: dtype.Int64})))
	})
	opstest.Refused(t, "a real Out for complex128", func() {
		ops.Add(x, 1i, ops.Into(nd.Zeros([]int{3})))
	})
	for _, shape := range [][]int{{2}, {1}, {}, {3, 1}, {2, 2}} {
		opstest.Refused(t, "an Out of another shape", func() { ops.Exp(x, ops.Into(nd.Zeros(shape))) })
	}
	kept := opstest.Vector(7.0, 8)
	opstest.Refused(t, "an Out of another shape", func() { ops.Exp(x, ops.Into(kept)) })
	wantValues(t, kept, 7.0, 8)
}

func TestOutInPlaceAndOverlapping(t *testing.T) {
	x := opstest.Vector(1.0, 2, 3, 4, 5)
	ops.Multiply(x, x, ops.Into(x))
	wantValues(t, x, 1.0, 4, 9, 16, 25)
	ops.Add(x.Index(nd.From(1)), x.Index(nd.Until(4)), ops.Into(x.Index(nd.Until(4))))
	wantValues(t, x, 5.0, 13, 25, 41, 25)
	ops.Positive(x.Flip(0), ops.Into(x))
	wantValues(t, x, 25.0, 41, 25, 13, 5)
	square := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	ops.Add(square, square.T(), ops.Into(square))
	wantValues(t, square, 2.0, 5, 5, 8)
	// The next call reads int64 from the same bytes to which it writes float64.
	n := opstest.Vector[int64](1, 2, 3)
	ops.Add(n, 1, ops.Into(n))
	wantValues[int64](t, n, 2, 3, 4)
}

func TestWhereOption(t *testing.T) {
	x := opstest.Vector(1.0, 2, 3)
	mask := opstest.Vector(true, false, true)
	wantValues(t, ops.Negative(x, ops.UfuncOptions{Where: mask}), -1.0, 0, -3)
	out := opstest.Vector(10.0, 20, 30)
	ops.Negative(x, ops.UfuncOptions{Where: mask, Out: out})
	wantValues(t, out, -1.0, 20, -3)
	wide := ops.Negative(x, ops.UfuncOptions{Where: nd.FromSlice([]bool{true, false}, 2, 1)})
	wantValues(t, wide, -1.0, -2, -3, 0, 0, 0)
	opstest.Refused(t, "a mask of numbers", func() { ops.Negative(x, ops.UfuncOptions{Where: x}) })
	opstest.Refused(t, "a mask of another shape", func() { ops.Negative(x, ops.UfuncOptions{Where: opstest.Vector(true, false)}) })
}

func TestDTypeOption(t *testing.T) {
	i := opstest.Vector[int32](1, 2, 3)
	f := opstest.Vector[float32](1, 2, 3)
	for _, test := range []struct {
		name string
		f    func(o ops.UfuncOptions) *nd.Array
		ok   []dtype.DType
		bad  []dtype.DType
	}{
		{"Add of int32", func(o ops.UfuncOptions) *nd.Array { return ops.Add(i, i, o) },
			[]dtype.DType{dtype.Int8, dtype.Int64, dtype.Float16, dtype.Complex64}, []dtype.DType{dtype.Uint8, dtype.Bool}},
		{"Add of float32", func(o ops.UfuncOptions) *nd.Array { return ops.Add(f, f, o) },
			[]dtype.DType{dtype.Float16, dtype.Float64, dtype.Complex64}, []dtype.DType{dtype.Int64, dtype.Bool}},
		{"Hypot of int32", func(o ops.UfuncOptions) *nd.Array { return ops.Hypot(i, i, o) },
			[]dtype.DType{dtype.Float16, dtype.Float32}, []dtype.DType{dtype.Int64, dtype.Complex64}},
		{"Divide of int32", func(o ops.UfuncOptions) *nd.Array { return ops.Divide(i, i, o) },
			[]dtype.DType{dtype.Float16, dtype.Float64, dtype.Complex64}, []dtype.DType{dtype.Int32}},
		{"Add of a weak float", func(o ops.UfuncOptions) *nd.Array { return ops.Add(i, 1.5, o) },
			[]dtype.DType{dtype.Float32}, []dtype.DType{dtype.Int32}},
		{"Less", func(o ops.UfuncOptions) *nd.Array { return ops.Less(f, f, o) },
			[]dtype.DType{dtype.Bool}, []dtype.DType{dtype.Float32}},
		{"FloatPower", func(o ops.UfuncOptions) *nd.Array { return ops.FloatPower(f, f, o) },
			[]dtype.DType{dtype.Float64, dtype.Complex128}, []dtype.DType{dtype.Float32}},
		{"Ldexp", func(o ops.UfuncOptions) *nd.Array { return ops.Ldexp(f, i, o) },
			[]dtype.DType{dtype.Float16, dtype.Float64}, []dtype.DType{dtype.Int32, dtype.Complex64}},
	} {
		for _, d := range test.ok {
			if y := test.f(ops.UfuncOptions{DType: d}); y.DType() != d {
				t.Errorf("%s with dtype %s is %s", test.name, d, y.DType())
			}
		}
		for _, d := range test.bad {
			opstest.Refused(t, test.name+" with dtype "+d.String(), func() { test.f(ops.UfuncOptions{DType: d}) })
		}
	}
}

func TestCastingOption(t *testing.T) {
	x, small, i := opstest.Vector(1.5, -2.5), opstest.Vector[int8](1, 2), opstest.Vector[int64](3, 4)
	with := func(rule dtype.Casting) ops.UfuncOptions { return ops.UfuncOptions{Casting: rule} }
	out := opstest.Vector[int8](0, 0)
	ops.Multiply(x, 2, ops.UfuncOptions{Out: out, Casting: dtype.CastUnsafe})
	wantValues[int8](t, out, 3, -5)
	wantValues[int8](t, ops.Add(x, 1.5, ops.UfuncOptions{DType: dtype.Int8, Casting: dtype.CastUnsafe}), 2, -1)
	wantValues[int64](t, ops.Add(small, i, with(dtype.CastSafe)), 4, 6)
	wantValues[int8](t, ops.Add(small, 1, with(dtype.CastNo)), 2, 3)        // a number is weak
	wantValues(t, ops.LogicalAnd(x, small, with(dtype.CastNo)), true, true) // bools are weak too
	for text, f := range map[string]func(){
		"cannot cast int8 to dtype int64 with casting rule no":        func() { ops.Add(small, i, with(dtype.CastNo)) },
		"cannot cast int8 to dtype float64 with casting rule equiv":   func() { ops.Add(small, 1.5, with(dtype.CastEquiv)) },
		"cannot cast float64 to dtype float32 with casting rule safe": func() { ops.Exp(x, ops.UfuncOptions{DType: dtype.Float32, Casting: dtype.CastSafe}) },
		"cannot cast int8 to dtype int64 with casting rule equiv":     func() { ops.Less(small, opstest.Vector[uint64](1, 2), with(dtype.CastEquiv)) },
		"the result is float64, which safe casting does not turn into float32": func() {
			ops.Exp(x, ops.UfuncOptions{Out: opstest.Vector[float32](0, 0), Casting: dtype.CastSafe})
		},
		`casting rule Casting(6): want no, equiv, safe, same_kind or unsafe`: func() { ops.Add(x, x, with(dtype.CastUnsafe+1)) },
	} {
		opstest.Refuses(t, text, f)
	}
	for _, o := range []ops.UfuncOptions{{Casting: dtype.CastUnsafe}, {Casting: dtype.CastSameKind, DType: dtype.Float32}} {
		_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Square(x, o) }, x)
		wantValues(t, g, 3.0, -5)
	}
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { // no gradient flows through integers
		return ops.Add(x, ops.Square(x, ops.UfuncOptions{DType: dtype.Int32, Casting: dtype.CastUnsafe}))
	}, x)
	wantValues(t, g, 1.0, 1)
}

func TestBroadcasting(t *testing.T) {
	column := nd.FromSlice([]float64{1, 2}, 2, 1)
	row := opstest.Vector(10.0, 20, 30)
	wantValues(t, ops.Add(column, row), 11.0, 21, 31, 12, 22, 32)
	if got := ops.Add(nd.Zeros([]int{3, 1, 0}), nd.Zeros([]int{2, 1})).Shape(); !slices.Equal(got, []int{3, 2, 0}) {
		t.Errorf("an empty result has shape %v", got)
	}
	point := ops.Add(nd.Ones([]int{}), 2)
	if point.Rank() != 0 || nd.Value[float64](point) != 3 {
		t.Errorf("a 0-d array gives %v", point)
	}
	if y := ops.Maximum(1, 2.5); !y.IsScalar() || nd.Value[float64](y) != 2.5 {
		t.Errorf("two scalars give %v", y)
	}
	opstest.Refused(t, "shapes that do not broadcast", func() { ops.Add(row, opstest.Vector(1.0, 2)) })
	strided := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3).T().Index(nd.All().By(-2))
	wantValues(t, ops.Negative(strided), -3.0, -6, -1, -4)
}

func TestReleasedAndNilOperands(t *testing.T) {
	x := opstest.Vector(1.0)
	x.Release()
	opstest.Refused(t, "a released operand", func() { ops.Add(x, 1) })
	var missing *nd.Array
	for name, f := range map[string]func(){
		"Exp": func() { ops.Exp(nil) }, "Power": func() { ops.Power(missing, 2) }, "Less": func() { ops.Less(missing, missing) },
		"Clip": func() { ops.Clip(nil, 0, 1) }, "Conj": func() { ops.Conj(nil) }, "Frexp": func() { ops.Frexp(nil) },
		"Ldexp": func() { ops.Ldexp(opstest.Vector(1.5), missing) }, "Where": func() { ops.Where(nil, missing, missing) }, "ClipMin": func() { ops.ClipMin(opstest.Vector(1.5), missing) },
		"Round": func() { ops.Round(nil) }, "RReLU": func() { ops.RReLU(nil) }, "CReLU": func() { ops.CReLU(nil) },
		"PReLU": func() { ops.PReLU(opstest.Vector(1.5), nil) }, "SELU": func() { ops.SELU(nil) }, "AddN": func() { ops.AddN(nil) },
		"BinaryCrossEntropy": func() { loss.BinaryCrossEntropy(nil, nil) }, "NaNToNum": func() { ops.NaNToNum(nil) },
	} {
		opstest.Refused(t, "a nil operand of "+name, f)
	}
	opstest.Refused(t, "no operand", func() { ops.AddN() })
}
