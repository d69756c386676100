package ufunc

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// loop maps the dtype that the operands promote to to the dtype to compute in; dtype.Unspecified means that the
// function does not support it.
type loop func(common dtype.DType) dtype.DType

// FloatOf converts integers and bools to floats. It and the functions below are the loops of NumPy's functions.
func FloatOf(t dtype.DType) dtype.DType { return dtype.FloatType(t) }

func Number(t dtype.DType) dtype.DType { return Only(!t.IsBool(), t) }

func RealType(t dtype.DType) dtype.DType { return Only(!t.IsComplex(), t) }

func BitType(t dtype.DType) dtype.DType { return Only(t.IsBool() || t.IsInteger(), t) }

func Only(ok bool, t dtype.DType) dtype.DType {
	if ok {
		return t
	}
	return dtype.Unspecified
}

// BoolAsInt8 computes bools as int8, as NumPy does where arithmetic has no meaning for bools.
func BoolAsInt8(t dtype.DType) dtype.DType {
	if t.IsBool() {
		return dtype.Int8
	}
	return t
}

// RealNumber refuses complex numbers, and computes bools as int8.
func RealNumber(t dtype.DType) dtype.DType { return RealType(BoolAsInt8(t)) }

// AsBool is the loop of functions of truth values: it accepts every dtype; 0 is false.
func AsBool(dtype.DType) dtype.DType { return dtype.Bool }

// RealFloat is FloatOf without complex numbers.
func RealFloat(t dtype.DType) dtype.DType { return RealType(dtype.FloatType(t)) }

// Quotient keeps floats and complex numbers, and converts integers and bools to float64.
func Quotient(t dtype.DType) dtype.DType {
	if t.IsInexact() {
		return t
	}
	return dtype.Float64
}

// RealQuotient is Quotient without complex numbers.
func RealQuotient(t dtype.DType) dtype.DType { return RealType(Quotient(t)) }

// sameKind reports whether same_kind casting converts x to dtype t; an integer scalar converts to signed and unsigned
// dtypes.
func sameKind(t dtype.DType, x *nd.Array) bool {
	return x.IsScalar() && x.DType().IsInteger() || dtype.CanCast(x.DType(), t, dtype.CastSameKind)
}

// CheckCasting panics for an unknown casting rule.
func (o *Options) CheckCasting(fn nd.Func, in []*nd.Array) {
	if o.Casting != 0 && !o.Casting.Valid() {
		panic(fn.Errorf(in, "casting rule %v: want no, equiv, safe, same_kind or unsafe", o.Casting))
	}
}

// CheckInputs panics for operands that the call's rule does not convert to dtype t.
func (o *Options) CheckInputs(fn nd.Func, in []*nd.Array, t dtype.DType) {
	rule := o.casting()
	for _, x := range in {
		if rule == dtype.CastUnsafe || x.Operand().Weak != dtype.NotWeak && sameKind(t, x) {
			continue
		}
		if !dtype.CanCast(x.DType(), t, rule) {
			panic(fn.Errorf(in, "cannot cast %s to dtype %s with casting rule %s", x.DType(), t, rule))
		}
	}
}

// casting returns the casting rule of the call.
func (o *Options) casting() dtype.Casting {
	if o.Casting == 0 {
		return dtype.CastSameKind
	}
	return o.Casting
}

// asScalar returns y, the result of a function of scalars only, as a scalar, so that it does not widen the arrays that
// it is combined with. A result of bools in a dtype that no scalar has, such as float16, stays an array.
func asScalar(y *nd.Array) (v *nd.Array) {
	switch y.DType() {
	case dtype.Bool:
		v = nd.Scalar(nd.Value[bool](y))
	case dtype.Int64:
		v = nd.Scalar(nd.Value[int64](y))
	case dtype.Uint64:
		v = nd.Scalar(nd.Value[uint64](y))
	case dtype.Float64:
		v = nd.Scalar(nd.Value[float64](y))
	case dtype.Complex128:
		v = nd.Scalar(nd.Value[complex128](y))
	default:
		return y
	}
	y.Release()
	return v
}

// Takes reports whether an array of dtype t may hold x: an integer scalar must also be in its range.
func Takes(t dtype.DType, x *nd.Array) bool { return sameKind(t, x) && x.Fits(t) }

// CommonType returns the dtype that the arrays promote to; scalars are weak.
func CommonType(in []*nd.Array) dtype.DType {
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
