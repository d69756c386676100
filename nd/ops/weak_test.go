package ops_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// TestWeakScalarsAsRecorded calls every function of two operands with arrays of all dtypes and weak scalars, and
// compares with NumPy's recorded results and errors.
func TestWeakScalarsAsRecorded(t *testing.T) {
	functions := map[string]binary{}
	for _, r := range binaryRules {
		for name, f := range r.funcs {
			functions[strings.ToLower(name)] = f
		}
	}
	calls := 0
	recorded(t, "weak", func(words []string) {
		f := functions[strings.ReplaceAll(words[0], "_", "")]
		if f == nil {
			t.Fatalf("no function %s", words[0])
		}
		if strings.HasPrefix(words[0], "logical") && words[4] == "-" {
			return // NumPy fails to test integers beyond 64 bits for 0
		}
		x, v := recordedOperand(t, words[1]), weakScalar(t, words[2])
		if words[0] == "logaddexp" && (x.DType().IsComplex() || v.DType().IsComplex()) {
			return // NumPy has no such function for complex numbers
		}
		bound := closeness{units: 8}
		if words[0] == "power" && x.DType() == dtype.Complex64 {
			bound.units = 1000 // NumPy multiplies powers in complex64
		}
		against(t, strings.Join(words[:4], " "), func() *nd.Array {
			if words[3] == "a" {
				return f(v, x)
			}
			return f(x, v)
		}, words[4:], bound)
		calls++
	})
	if calls < 10_000 {
		t.Errorf("%d calls", calls)
	}
}

// TestWeakScalarsAreRounded calls the same functions with a scalar, and with an array that holds the scalar rounded to
// the common dtype.
func TestWeakScalarsAreRounded(t *testing.T) {
	numbers := []float64{0.1, 1. / 3, 1e-8, 65504, 65520, -65535, 1e300, math.Inf(-1), math.NaN()}
	for _, r := range binaryRules {
		if r.rule == doubleOnly {
			continue // the scalar is compared in float64
		}
		for name, f := range r.funcs {
			if strings.HasPrefix(name, "Logical") {
				continue // these functions test whether the number itself is 0
			}
			for _, code := range strings.Fields(operandTypes) {
				for _, v := range numbers {
					compareRounded(t, name, f, recordedOperand(t, code), nd.Scalar(v))
				}
			}
		}
	}
}

func compareRounded(t *testing.T, name string, f binary, x, v *nd.Array) {
	t.Helper()
	meet := dtype.ResultType(x.Operand(), v.Operand())
	rounded := nd.FromSlice([]float64{nd.Value[float64](v)}, 1).AsType(meet)
	for side, call := range map[string]binary{"a": func(a, b *nd.Array, _ ...ops.UfuncOption) *nd.Array { return f(b, a) }, "b": f} {
		var got, wanted *nd.Array
		err := nd.Catch(func() { got = call(x, v) })
		if refused := nd.Catch(func() { wanted = call(x, rounded) }); (refused != nil) != (err != nil) {
			t.Errorf("%s(%v, %v) as %s: %v, but %v with an array of %v", name, x.DType(), v, side, err, refused, meet)
		} else if err == nil && fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", wanted) {
			t.Errorf("%s(%v, %v) as %s: %#v, but %#v with an array of %v", name, x, v, side, got, wanted, meet)
		}
	}
}

// TestOperandsAreConvertedFirst computes in a 16-bit float dtype with wider operands.
func TestOperandsAreConvertedFirst(t *testing.T) {
	for _, r := range binaryRules {
		for name, f := range r.funcs {
			for _, to := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
				for _, code := range strings.Fields(operandTypes) {
					x := recordedOperand(t, code)
					y := x.Index(nd.All().By(-1))
					got, refused := computedIn(f, to, x, y)
					wanted, other := computedIn(f, to, x.AsType(to), y.AsType(to))
					if !refused && !other && fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", wanted) {
						t.Errorf("%s of %s in %s: %v, but %v of operands of that dtype", name, code, to, got, wanted)
					}
				}
			}
		}
	}
}

// TestFilledOnceRounded fills arrays with a number that, rounded to float32, lies midway between two 16-bit floats.
func TestFilledOnceRounded(t *testing.T) {
	for dt, ulp := range map[dtype.DType]float64{dtype.Float16: 0x1p-10, dtype.BFloat16: 0x1p-7} {
		v := 1 + ulp/2 + 0x1p-40
		x := nd.Zeros([]int{2}, dt)
		x.Assign(nd.Scalar(v))
		for _, y := range []*nd.Array{x, nd.Full([]int{2}, v, dt), nd.Scalar(v).AsType(dt)} {
			if got := nd.Value[float64](y.Ravel(), 0); got != 1+ulp {
				t.Errorf("%v as %s: %v, want %v", v, dt, got, 1+ulp)
			}
		}
	}
}

// TestGradientsOfConvertedOperands differentiates results computed in a 16-bit float from wider operands. The gradients
// have the operands' dtype, and are those at the converted values.
func TestGradientsOfConvertedOperands(t *testing.T) {
	x, y := nd.FromSlice([]float64{0.1, 3}), nd.FromSlice([]float32{1. / 3, 7})
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		return ops.Sum(ops.Multiply(x, y, ops.UfuncOptions{DType: dtype.Float16}))
	}, x)
	opstest.Repr(t, g, "array([0.33325195, 7. ])")
}

// TestReducedOperandsAreConvertedFirst checks the same for sums, products and means.
func TestReducedOperandsAreConvertedFirst(t *testing.T) {
	reductions := map[string]func(x *nd.Array, dt dtype.DType) *nd.Array{
		"CumSum":  func(x *nd.Array, dt dtype.DType) *nd.Array { return ops.CumSum(x, ops.ScanOptions{DType: dt}) },
		"CumProd": func(x *nd.Array, dt dtype.DType) *nd.Array { return ops.CumProd(x, ops.ScanOptions{DType: dt}) },
	}
	for name, f := range map[string]func(x *nd.Array, opts ...ops.ReduceOption) *nd.Array{
		"Sum": ops.Sum, "Prod": ops.Prod, "Mean": ops.Mean, "NanSum": ops.NanSum, "NanProd": ops.NanProd, "NanMean": ops.NanMean} {
		reductions[name] = func(x *nd.Array, dt dtype.DType) *nd.Array { return f(x, ops.ReduceOptions{DType: dt}) }
	}
	for name, f := range reductions {
		for _, to := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
			for _, code := range strings.Fields("i2 i4 i8 u2 u4 u8 f2 bf f4 f8") {
				x := nd.FromSlice([]float64{65520, 65521, 0.1}, 3).AsType(parseType(t, code))
				if got, wanted := f(x, to), f(x.AsType(to), to); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", wanted) {
					t.Errorf("%s of %s in %s: %v, but %v of elements of that dtype", name, code, to, got, wanted)
				}
			}
		}
	}
}

func computedIn(f binary, dt dtype.DType, x, y *nd.Array) (z *nd.Array, refused bool) {
	err := nd.Catch(func() { z = f(x, y, ops.UfuncOptions{DType: dt}) })
	return z, err != nil
}

// TestWeakStaysWeak checks that results of functions of Scalars alone do not widen a float32 array.
func TestWeakStaysWeak(t *testing.T) {
	half, two := nd.Scalar(1.5), nd.Scalar(2)
	x := opstest.Vector[float32](1, 2)
	for name, y := range map[string]*nd.Array{
		"Square": ops.Square(half), "Sqrt of an integer": ops.Sqrt(two), "Add": ops.Add(half, two), "Maximum": ops.Maximum(two, half),
		"Where": ops.Where(ops.Greater(two, half), half, two), "Divide": ops.Divide(two, two), "Clip": ops.Clip(half, 0, two),
		"a chain": ops.Exp(ops.Negative(ops.Multiply(ops.Square(half), 0.5))), "Modf": first(ops.Modf(half)),
	} {
		if !y.IsScalar() || y.DType() != dtype.Float64 {
			t.Errorf("%s: %#v is no Scalar, but an array of %s", name, y, y.DType())
		}
		if met := ops.Multiply(x, y); met.DType() != dtype.Float32 {
			t.Errorf("%s makes float32 %s", name, met.DType())
		}
	}
	opstest.Repr(t, ops.Multiply(x.AsType(dtype.Int8), ops.Square(two)), "array([4, 8], dtype=int8)")
	opstest.Refuses(t, "out of bounds for int8", func() { ops.Multiply(x.AsType(dtype.Int8), ops.Square(nd.Scalar(20))) })
	opstest.Repr(t, ops.Multiply(x, ops.Sqrt(nd.Scalar(complex(-1, 0)))), "array([0.+1.j, 0.+2.j], dtype=complex64)")
	wide := 1<<62 + 1
	if got := nd.Value[int](ops.Add(wide, 2)); got != wide+2 {
		t.Errorf("whole numbers are exact: %d", got)
	}
	if got := fmt.Sprint(ops.Square(half), ops.Square(half).Shape()); got != "2.25 []" {
		t.Errorf("it prints as %s", got)
	}
	for name, y := range map[string]*nd.Array{
		"a dtype": ops.Square(half, ops.UfuncOptions{DType: dtype.Float32}), "a mask": ops.Square(half, ops.UfuncOptions{Where: opstest.Vector(true)}),
		"an array": ops.Add(half, nd.Full(nil, 2.0)), "a reduction": ops.Sum(half), "AsType": ops.Square(half).AsType(dtype.Float32),
		"a float16 of a bool": ops.Exp(nd.Scalar(true)),
	} {
		if y.IsScalar() {
			t.Errorf("with %s: %v is a Scalar", name, y)
		}
	}
}

func first(x, _ *nd.Array) *nd.Array { return x }

// TestWeakRates checks that a rate computed from numbers does not change the dtype of gradients and steps of a float32
// model.
func TestWeakRates(t *testing.T) {
	w := opstest.Vector[float32](1, 2)
	rate := ops.Divide(0.1, ops.Sqrt(nd.Scalar(4)))
	y, g := opstest.ValueAndGrad(func(w *nd.Array) *nd.Array { return ops.Multiply(ops.Square(w), rate) }, w)
	if y.DType() != dtype.Float32 || g.DType() != dtype.Float32 {
		t.Errorf("the value is %s, the gradient %s", y.DType(), g.DType())
	}
	opstest.Repr(t, g, "array([0.1, 0.2], dtype=float32)")
}

// TestNumbersAreOperands gives Go numbers where arrays are taken: they are weak, as either operand and of every type of number.
func TestNumbersAreOperands(t *testing.T) {
	x := nd.FromSlice([]float32{1, 2})
	for _, y := range []*nd.Array{
		ops.Multiply(x, 2), ops.Multiply(2.0, x), ops.Multiply(x, uint8(2)), ops.Add(x, 1.5), ops.Subtract(1, x),
		ops.Where(ops.Greater(x, 1.5), x, 0), ops.Clip(x, 0, 1.5), ops.ClipMin(x, int64(1)), ops.ClipMax(x, 1),
	} {
		if y.DType() != dtype.Float32 {
			t.Errorf("%v is %s, want float32", y, y.DType())
		}
	}
	opstest.Repr(t, ops.Subtract(1, x), "array([ 0., -1.], dtype=float32)")
	opstest.Repr(t, ops.Where(ops.Greater(x, 1.5), x, 0), "array([0., 2.], dtype=float32)")
	opstest.Repr(t, ops.LogicalAnd(x, true), "array([ True, True])")
	if v := ops.Add(2, 3); !v.IsScalar() || v.Float() != 5 {
		t.Errorf("2 + 3 is %v, want a Scalar", v)
	}
	small := nd.FromSlice([]uint8{1, 2})
	opstest.Refuses(t, "ops.Add: the integer 300 is out of bounds for uint8", func() { ops.Add(small, 300) })
	opstest.Repr(t, ops.Where(ops.Greater(small, 1), small, 300), "array([44, 2], dtype=uint8)") // wraps, as in NumPy
}
