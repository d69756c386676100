package nd

import (
	"fmt"
	"math"
	"math/big"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Number lists the Go types of values that [Scalar] accepts or that fill an array.
type Number interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128
}

// Operand is what arithmetic takes: an array, or a Go number. A number is weak, as [Scalar] says: Multiply(x, 2) has x's dtype. Types
// that are defined by a number, such as float16.Float16, which is a uint16, are no operands.
type Operand interface{ *Array | Number }

// AsArray returns an operand as an array: an array itself, and the [Scalar] of a number.
func AsArray[T Operand](v T) *Array {
	// To return what the assertion gives would make the compiler allocate every number that is converted to any.
	if _, ok := any(v).(*Array); ok {
		return *(**Array)(unsafe.Pointer(&v))
	}
	return newScalar(scalarValueOf(v))
}

// weakKind is the kind of a weak scalar: it has no width.
type weakKind uint8

const (
	weakBool weakKind = iota
	weakInt
	weakFloat
	weakComplex
)

// strong returns the dtype of arrays that are made from such values alone.
func (k weakKind) strong() dtype.DType {
	return [...]dtype.DType{dtype.Bool, dtype.Int64, dtype.Float64, dtype.Complex128}[k]
}

// scalarValue is the value of a Scalar. Integers are exact: a sign and a magnitude.
type scalarValue struct {
	kind      weakKind
	negative  bool
	magnitude uint64
	re, im    float64
	huge      *big.Int // an integer beyond 64 bits; else nil
}

// scalarValueOf returns the value of a [Number].
func scalarValueOf(v any) scalarValue {
	signed := func(i int64) scalarValue {
		im := scalarValue{kind: weakInt, negative: i < 0, magnitude: uint64(i), re: float64(i)}
		if i < 0 {
			im.magnitude = -uint64(i)
		}
		return im
	}
	unsigned := func(u uint64) scalarValue { return scalarValue{kind: weakInt, magnitude: u, re: float64(u)} }
	switch v := v.(type) {
	case bool:
		im := scalarValue{kind: weakBool}
		if v {
			im.magnitude, im.re = 1, 1
		}
		return im
	case int:
		return signed(int64(v))
	case int8:
		return signed(int64(v))
	case int16:
		return signed(int64(v))
	case int32:
		return signed(int64(v))
	case int64:
		return signed(v)
	case uint:
		return unsigned(uint64(v))
	case uint8:
		return unsigned(uint64(v))
	case uint16:
		return unsigned(uint64(v))
	case uint32:
		return unsigned(uint64(v))
	case uint64:
		return unsigned(v)
	case float32:
		return scalarValue{kind: weakFloat, re: float64(v)}
	case float64:
		return scalarValue{kind: weakFloat, re: v}
	case complex64:
		return scalarValue{kind: weakComplex, re: float64(real(v)), im: float64(imag(v))}
	case complex128:
		return scalarValue{kind: weakComplex, re: real(v), im: imag(v)}
	}
	panic("unreachable: Number lists the types above")
}

// Scalar returns a number as a weak operand for the functions of package ops. A Scalar has no device. It adopts the
// dtype of the array it meets, as a Python number does in NumPy 2: an int8 array plus Scalar(2.5) is float64, a float16
// array plus Scalar(2.5) is float16, and a uint8 array plus Scalar(300) is refused. Alone it is bool, int64 (uint64 if
// int64 does not hold it), float64 or complex128.
//
// An elementwise function without options returns a Scalar if all its operands are Scalars. So a float32 array times
// the square root of a Scalar stays float32. [Array.Copy] and [Array.AsType] convert Scalars to arrays.
func Scalar[V Number](v V) *Array { return newScalar(scalarValueOf(v)) }

func newScalar(im scalarValue) *Array {
	block := &struct {
		x  Array
		im scalarValue
	}{im: im}
	x := &block.x
	x.fn, x.scalar, x.dtype = "nd.Scalar", &block.im, im.kind.strong()
	if im.kind == weakInt && !im.negative && im.magnitude > math.MaxInt64 {
		x.dtype = dtype.Uint64
	}
	x.setRank(0)
	return x
}

// ScalarInt is Scalar for an integer of any size. An integer beyond 64 bits fits no integer dtype, but every inexact
// one.
func ScalarInt(v *big.Int) *Array {
	f, _ := new(big.Float).SetInt(v).Float64()
	abs := new(big.Int).Abs(v)
	im := scalarValue{kind: weakInt, negative: v.Sign() < 0, re: f}
	if abs.IsUint64() {
		im.magnitude = abs.Uint64()
	} else {
		im.huge = new(big.Int).Set(v)
	}
	return newScalar(im)
}

// IsScalar reports whether x is a number made by [Scalar].
func (x *Array) IsScalar() bool {
	if x == nil {
		refuseNil("Array.IsScalar")
	}
	return x.scalar != nil
}

// Operand returns what promotion sees of x: its dtype, or a weak kind.
func (x *Array) Operand() dtype.Operand {
	if !x.IsScalar() {
		return dtype.Operand{DType: x.dtype}
	}
	switch x.scalar.kind {
	case weakInt:
		return dtype.Operand{Weak: dtype.WeakInt}
	case weakFloat:
		return dtype.Operand{Weak: dtype.WeakFloat}
	case weakComplex:
		return dtype.Operand{Weak: dtype.WeakComplex}
	}
	return dtype.Operand{DType: dtype.Bool}
}

// Fits reports whether an array of dtype dt can store a Scalar. An integer dtype holds an integer or float whose whole part
// is in its range; no real dtype holds a complex number; bools and complex dtypes hold every number. These are the rules by
// which NumPy refuses Python's numbers. An array always fits, because its elements are converted, as by [Array.AsType].
func (x *Array) Fits(dt dtype.DType) bool { return !x.IsScalar() || x.scalar.misfit(dt) == "" }

// CheckFits panics with the function's error unless arrays of dtype dt can store those operands that are Scalars, as
// [Array.Fits] says. Functions call it for every number that becomes an element.
func (fn Func) CheckFits(dt dtype.DType, operands ...*Array) {
	for _, x := range operands {
		if !x.IsScalar() {
			continue
		}
		if why := x.scalar.misfit(dt); why != "" {
			panic(fn.Errorf(operands, "%s", why))
		}
	}
}

func (im *scalarValue) fits(dt dtype.DType) bool {
	if im.kind != weakInt || dt.IsInexact() || dt.IsBool() {
		return true
	}
	return im.huge == nil && dtype.FitsInt(dt, im.negative, im.magnitude)
}

// misfit says why an array of dtype dt cannot store the number, under the rules of [Array.Fits]. It is empty if the
// number fits.
func (im *scalarValue) misfit(dt dtype.DType) string {
	switch {
	case dt.IsBool() || dt.IsComplex():
		return ""
	case im.kind == weakComplex:
		return fmt.Sprintf("%s does not hold the complex number %v", dt, complex(im.re, im.im))
	case !im.fits(dt):
		return fmt.Sprintf("the integer %v is out of bounds for %s", im.integer(), dt)
	case im.kind == weakFloat && dt.IsInteger():
		whole := math.Abs(math.Trunc(im.re))
		if !(whole < 1<<64) || !dtype.FitsInt(dt, im.re < 0, uint64(whole)) {
			return fmt.Sprintf("%v is out of bounds for %s", im.re, dt)
		}
	}
	return ""
}

// integer returns the value of a Scalar that is an integer.
func (im *scalarValue) integer() *big.Int {
	if im.huge != nil {
		return im.huge
	}
	v := new(big.Int).SetUint64(im.magnitude)
	if im.negative {
		v.Neg(v)
	}
	return v
}

// MinScalarType returns the smallest dtype that holds a number. For an integer it is an unsigned type, unless the
// number is negative. For floats and complex numbers it is a type of sufficient range; precision does not count. The
// counterpart for an array is its DType.
// NumPy: min_scalar_type.
func MinScalarType[V Number](v V) dtype.DType {
	im := scalarValueOf(v)
	small := func(v, limit float64) bool { return -limit < v && v < limit }
	switch im.kind {
	case weakBool:
		return dtype.Bool
	case weakInt:
		for _, dt := range [...]dtype.DType{dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64, dtype.Int8, dtype.Int16, dtype.Int32} {
			if dt.IsUnsigned() != im.negative && im.fits(dt) {
				return dt
			}
		}
		return dtype.Int64
	case weakFloat:
		switch {
		case small(im.re, 65000), im.re-im.re != 0: // NaN and infinities too
			return dtype.Float16
		case small(im.re, 3.4e38):
			return dtype.Float32
		}
		return dtype.Float64
	}
	if small(im.re, 3.4e38) && small(im.im, 3.4e38) {
		return dtype.Complex64
	}
	return dtype.Complex128
}

// Immediate returns the value of a Scalar, rounded to dtype t, as a launch parameter of t's compute type.
func (x *Array) Immediate(t dtype.DType) device.Scalar {
	if !x.IsScalar() {
		panic(Func("Array.Immediate").Errorf([]*Array{x}, "want a Scalar"))
	}
	return x.scalar.as(t)
}

// as converts the value as AsType would.
func (im *scalarValue) as(t dtype.DType) device.Scalar {
	switch {
	case im.kind == weakComplex && t.IsComplex():
		return device.Scalar{Re: device.ScalarOf(im.re, t).Re, Im: device.ScalarOf(im.im, t).Re}
	case im.kind == weakComplex && t.IsBool() && im.im != 0:
		return device.Scalar{Int: 1}
	case im.kind > weakInt || t.IsInexact():
		return device.ScalarOf(im.re, t)
	case t.IsBool() && im.magnitude != 0:
		return device.Scalar{Int: 1}
	case im.negative && !t.IsBool():
		return device.Scalar{Int: -int64(im.magnitude)}
	}
	return device.Scalar{Int: int64(im.magnitude)}
}
