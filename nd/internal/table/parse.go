package table

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// parserOf returns a function that reads a number for a dtype, and the dtype in which it stores the number. If a parser
// returns false, it has not written to its target.
func parserOf(dt dtype.DType) (parse func(field string, to unsafe.Pointer) bool, parsed dtype.DType) {
	bits := 8 * dt.Size()
	switch {
	case dt.IsBool():
		return func(field string, to unsafe.Pointer) bool {
			v, err := strconv.ParseInt(field, 10, 64)
			if err == nil {
				*(*bool)(to) = v != 0
			}
			return err == nil
		}, dtype.Bool
	case dt.IsSigned():
		return func(field string, to unsafe.Pointer) bool {
			v, err := strconv.ParseInt(field, 10, bits)
			if err == nil {
				*(*int64)(to) = v
			}
			return err == nil
		}, dtype.Int64
	case dt.IsUnsigned():
		return func(field string, to unsafe.Pointer) bool {
			v, err := strconv.ParseUint(strings.TrimPrefix(field, "+"), 10, bits)
			if err == nil {
				*(*uint64)(to) = v
			}
			return err == nil
		}, dtype.Uint64
	case dt.IsFloat():
		return func(field string, to unsafe.Pointer) bool {
			v, ok := parseFloat(field, dt)
			if ok {
				*(*float64)(to) = v
			}
			return ok
		}, dtype.Float64
	}
	return func(field string, to unsafe.Pointer) bool {
		v, ok := parseComplex(field, dt.Real())
		if ok {
			*(*complex128)(to) = v
		}
		return ok
	}, dtype.Complex128
}

// parseFloat reads a decimal number, inf or nan, and rounds it to the nearest number of a dtype, in one step; numbers out
// of range become infinities.
func parseFloat(s string, dt dtype.DType) (float64, bool) {
	if strings.ContainsAny(s, "xX_") { // Go's hexadecimal numbers and digit separators
		return 0, false
	}
	bits := 64
	if dt == dtype.Float32 {
		bits = 32
	}
	v, err := strconv.ParseFloat(s, bits)
	if err == nil && dt.Size() == 2 {
		return roundedOnce(s, v, dt), true
	}
	if err != nil && len(s) == 4 && (s[0] == '-' || s[0] == '+') && strings.EqualFold(s[1:], "nan") {
		return math.NaN(), true
	}
	return v, err == nil || math.IsInf(v, 0)
}

// roundedOnce returns the number of a 16-bit dtype that is nearest to the decimal number s, to which v is the nearest
// float64. If the neighbours of v round to different numbers, v may be halfway between these, and then what v lost
// decides.
func roundedOnce(s string, v float64, dt dtype.DType) float64 {
	below, above := math.Nextafter(v, math.Inf(-1)), math.Nextafter(v, math.Inf(1))
	if roundedTo(dt, below) == roundedTo(dt, above) {
		return roundedTo(dt, v)
	}
	exact, ok := new(big.Rat).SetString(s)
	given := new(big.Rat).SetFloat64(v)
	switch {
	case !ok || given == nil: // infinity or NaN
	case exact.Cmp(given) < 0:
		v = below
	case exact.Cmp(given) > 0:
		v = above
	}
	return roundedTo(dt, v)
}

// roundedTo rounds to a 16-bit dtype.
func roundedTo(dt dtype.DType, v float64) float64 {
	if dt == dtype.BFloat16 {
		return float64(dtype.BFloat16FromFloat64(v).Float32())
	}
	return float64(dtype.Float16FromFloat64(v).Float32())
}

// parseComplex reads a number such as 1, 2j, 1+2j or (1+2j), whose parts have a dtype.
func parseComplex(s string, dt dtype.DType) (complex128, bool) {
	if inner, ok := strings.CutPrefix(s, "("); ok {
		if s, ok = strings.CutSuffix(inner, ")"); !ok {
			return 0, false
		}
		s = strings.TrimSpace(s)
	}
	body, imaginary := strings.CutSuffix(s, "j")
	if !imaginary {
		body, imaginary = strings.CutSuffix(s, "J")
	}
	if !imaginary {
		re, ok := parseFloat(s, dt)
		return complex(re, 0), ok
	}
	sign := len(body) - 1 // the sign of the imaginary part, unless it is at the beginning
	for sign > 0 && !((body[sign] == '+' || body[sign] == '-') && body[sign-1]|0x20 != 'e') {
		sign--
	}
	re, ok := 0.0, true
	if sign > 0 {
		re, ok = parseFloat(body[:sign], dt)
		body = body[sign:]
	}
	im, ok2 := parseFloat(body, dt)
	return complex(re, im), ok && ok2
}
