package table

import (
	"fmt"
	"math"
	"math/big"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// number is a real number to be written.
type number struct {
	dtype dtype.DType
	i     int64 // a bool, or a signed integer
	u     uint64
	f     float64
}

func numberOf(dt dtype.DType, values text.Values, at int) number {
	n := number{dtype: dt}
	switch {
	case dt.IsBool():
		if values.Bools[at] {
			n.i = 1
		}
	case dt.IsSigned():
		n.i = values.Ints[at]
	case dt.IsUnsigned():
		n.u = values.Uints[at]
	default:
		n.f = values.Floats[at]
	}
	return n
}

// partOf returns the real or the imaginary part of a complex number.
func partOf(dt dtype.DType, z complex128, imaginary bool) number {
	if imaginary {
		return number{dtype: dt.Real(), f: imag(z)}
	}
	return number{dtype: dt.Real(), f: real(z)}
}

// values converts the number to the form that package text takes.
func (n number) values() text.Values {
	return text.Values{Bools: []bool{n.i != 0}, Ints: []int64{n.i}, Uints: []uint64{n.u}, Floats: []float64{n.f}}
}

// whole returns the number as an integer: floats lose their fraction.
func (n number) whole() (*big.Int, error) {
	switch {
	case n.dtype.IsUnsigned():
		return new(big.Int).SetUint64(n.u), nil
	case !n.dtype.IsFloat():
		return big.NewInt(n.i), nil
	case math.IsNaN(n.f) || math.IsInf(n.f, 0):
		return nil, fmt.Errorf("%v is not an integer", n.f)
	}
	i, _ := big.NewFloat(n.f).Int(nil)
	return i, nil
}

// float returns the number as a float64, and, if none has this value, also the exact value.
func (n number) float() (v float64, exact *big.Float) {
	switch {
	case n.dtype.IsUnsigned():
		if v = float64(n.u); v != 1<<64 && uint64(v) == n.u {
			return v, nil
		}
		return v, new(big.Float).SetUint64(n.u)
	case n.dtype.IsFloat():
		return n.f, nil
	}
	if v = float64(n.i); v != 1<<63 && int64(v) == n.i {
		return v, nil
	}
	return v, new(big.Float).SetInt64(n.i)
}
