package onnx

import (
	"fmt"
	"math"
	"sort"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Narrow is a tensor whose elements are of a type that no array has: floats of 8, 6 and 4 bits, and integers of 4 and 2
// bits. Array holds the numbers exactly, in float32, int8 or uint8.
type Narrow struct {
	Type  ElementType
	Array *nd.Array
}

// floatFormat is a format of floats of up to 8 bits.
type floatFormat struct {
	bits, mantissa, bias int
	special              int // one of the following
	unsigned             bool
}

// Which codes are special.
const (
	noSpecial   = iota // all codes are finite numbers
	infinities         // the largest exponent means Inf and NaN, as in IEEE 754
	onlyNaN            // all bits of exponent and mantissa set mean NaN
	negativeNaN        // the code of -0 means NaN
)

var floatFormats = map[ElementType]floatFormat{
	Float8E4M3FN:   {bits: 8, mantissa: 3, bias: 7, special: onlyNaN},
	Float8E4M3FNUZ: {bits: 8, mantissa: 3, bias: 8, special: negativeNaN},
	Float8E5M2:     {bits: 8, mantissa: 2, bias: 15, special: infinities},
	Float8E5M2FNUZ: {bits: 8, mantissa: 2, bias: 16, special: negativeNaN},
	Float8E8M0:     {bits: 8, mantissa: 0, bias: 127, special: onlyNaN, unsigned: true},
	Float6E2M3:     {bits: 6, mantissa: 3, bias: 1},
	Float6E3M2:     {bits: 6, mantissa: 2, bias: 3},
	Float4E2M1:     {bits: 4, mantissa: 1, bias: 1},
}

// integerBits are the bits of narrow integers.
var integerBits = map[ElementType]int{Uint4: 4, Int4: 4, Uint2: 2, Int2: 2}

// IsNarrow reports whether tensors of the type are values of type Narrow.
func (e ElementType) IsNarrow() bool {
	_, float := floatFormats[e]
	return float || integerBits[e] > 0
}

// narrowDType returns the dtype that holds the numbers of a narrow type.
func (e ElementType) narrowDType() dtype.DType {
	switch e {
	case Uint4, Uint2:
		return dtype.Uint8
	case Int4, Int2:
		return dtype.Int8
	}
	return dtype.Float32
}

// narrowBits returns the size of an element in bits.
func (e ElementType) narrowBits() int {
	if f, ok := floatFormats[e]; ok {
		return f.bits
	}
	return integerBits[e]
}

// decode returns the number of a code.
func (f floatFormat) decode(code int) float32 {
	sign := 1.0
	if !f.unsigned {
		if code>>(f.bits-1)&1 != 0 {
			sign = -1
		}
		if f.special == negativeNaN && code == 1<<(f.bits-1) {
			return float32(math.NaN())
		}
		code &= 1<<(f.bits-1) - 1
	}
	exponent, fraction := code>>f.mantissa, code&(1<<f.mantissa-1)
	switch top := f.codes() - 1; {
	case f.special == onlyNaN && code == top:
		return float32(math.NaN())
	case f.special == infinities && exponent == top>>f.mantissa:
		if fraction != 0 {
			return float32(math.NaN())
		}
		return float32(sign * math.Inf(1))
	}
	if exponent == 0 && !f.unsigned {
		return float32(sign * math.Ldexp(float64(fraction), 1-f.bias-f.mantissa))
	}
	return float32(sign * math.Ldexp(float64(fraction+1<<f.mantissa), exponent-f.bias-f.mantissa))
}

// codes returns the number of codes without the sign.
func (f floatFormat) codes() int {
	if f.unsigned {
		return 1 << f.bits
	}
	return 1 << (f.bits - 1)
}

// positive returns the finite numbers that are not negative, in order. The index of a number is its code.
func (f floatFormat) positive() []float64 {
	var all []float64
	for code := range f.codes() {
		if v := float64(f.decode(code)); !math.IsNaN(v) && !math.IsInf(v, 0) {
			all = append(all, v)
		}
	}
	return all
}

// rounder returns the function that rounds a number to the format, to the nearest, ties to even codes. Beyond the largest
// number, saturate gives the largest number, else the result is infinite, or NaN in a format without infinities.
func (f floatFormat) rounder(saturate bool) func(v float64) float64 {
	all := f.positive()
	largest := all[len(all)-1]
	step := largest - all[len(all)-2]
	beyond := func(sign float64) float64 {
		switch {
		case saturate || f.special == noSpecial:
			return math.Copysign(largest, sign)
		case f.special == infinities:
			return math.Copysign(math.Inf(1), sign)
		}
		return math.NaN()
	}
	return func(v float64) float64 {
		a := math.Abs(v)
		switch {
		case math.IsNaN(v):
			if f.special == noSpecial {
				return 0
			}
			return v
		case math.IsInf(v, 0):
			if f.special == infinities && !saturate {
				return v
			}
			return beyond(v)
		case a > largest+step/2 || a == largest+step/2 && len(all)%2 == 0 || a > largest && saturate: // ties to even
			return beyond(v)
		case a > largest:
			return math.Copysign(largest, v)
		}
		i := sort.SearchFloat64s(all, a)
		if all[i] != a && i > 0 {
			low, high := a-all[i-1], all[i]-a
			if low < high || low == high && (i-1)%2 == 0 {
				i--
			}
		}
		if f.special == negativeNaN && all[i] == 0 {
			return 0
		}
		return math.Copysign(all[i], v)
	}
}

// conversion says how numbers become narrow floats.
type conversion struct {
	overflow bool   // beyond the largest number the result is infinite or NaN; otherwise it is the largest number
	round    string // of FLOAT8E8M0: "up", "down" or "nearest"
}

// narrow converts numbers to a narrow type: floats are rounded, integers lose the bits that the type does not have.
func (how conversion) narrow(x *nd.Array, t ElementType) Narrow {
	if f, ok := floatFormats[t]; ok {
		round := f.rounder(!how.overflow)
		if f.unsigned {
			round = f.powerOfTwo(how)
		}
		values := nd.ToSlice[float64](x.Detach().AsType(dtype.Float64))
		rounded := make([]float32, len(values))
		for i, v := range values {
			rounded[i] = float32(round(v))
		}
		return Narrow{t, nd.FromSlice(rounded, x.Shape()...).To(x.Device())}
	}
	bits := integerBits[t]
	values := nd.ToSlice[int64](x.Detach().AsType(dtype.Int64))
	for i, v := range values {
		v &= 1<<bits - 1
		if t.narrowDType() == dtype.Int8 {
			v = v << (64 - bits) >> (64 - bits)
		}
		values[i] = v
	}
	return Narrow{t, nd.FromSlice(values, x.Shape()...).AsType(t.narrowDType()).To(x.Device())}
}

// powerOfTwo returns the function that rounds to a power of two.
func (f floatFormat) powerOfTwo(how conversion) func(v float64) float64 {
	all := f.positive()
	return func(v float64) float64 {
		a := math.Abs(v)
		i := sort.SearchFloat64s(all, a)
		switch {
		case math.IsNaN(v) || how.overflow && (i == len(all) || a < all[0]):
			return math.NaN()
		case i == len(all):
			return all[i-1]
		case i > 0 && all[i] != a && (how.round == "down" || how.round == "nearest" && a-all[i-1] < all[i]-a):
			i--
		}
		return all[i]
	}
}

// unpack returns the numbers of packed codes, the first one in the lowest bits.
func unpack(t ElementType, data []byte, count int) ([]float32, error) {
	bits := t.narrowBits()
	if want := (count*bits + 7) / 8; len(data) != want {
		return nil, fmt.Errorf("%d bytes for %d elements of type %s", len(data), count, t)
	}
	f, isFloat := floatFormats[t]
	values := make([]float32, count)
	for i := range values {
		at := i * bits
		window := int(data[at/8])
		if at%8+bits > 8 {
			window |= int(data[at/8+1]) << 8
		}
		code := window >> (at % 8) & (1<<bits - 1)
		switch {
		case isFloat:
			values[i] = f.decode(code)
		case t.narrowDType() == dtype.Int8:
			values[i] = float32(code << (64 - bits) >> (64 - bits))
		default:
			values[i] = float32(code)
		}
	}
	return values, nil
}
