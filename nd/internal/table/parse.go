package table

import (
	"math"
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
			v, ok := parseFloat(field)
			if ok {
				*(*float64)(to) = v
			}
			return ok
		}, dtype.Float64
	}
	return func(field string, to unsafe.Pointer) bool {
		v, ok := parseComplex(field)
		if ok {
			*(*complex128)(to) = v
		}
		return ok
	}, dtype.Complex128
}

// parseFloat reads a decimal number, inf or nan; numbers out of range become infinities.
func parseFloat(s string) (float64, bool) {
	if strings.ContainsAny(s, "xX_") { // Go's hexadecimal numbers and digit separators
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && len(s) == 4 && (s[0] == '-' || s[0] == '+') && strings.EqualFold(s[1:], "nan") {
		return math.NaN(), true
	}
	return v, err == nil || math.IsInf(v, 0)
}

// parseComplex reads a number such as 1, 2j, 1+2j or (1+2j).
func parseComplex(s string) (complex128, bool) {
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
		re, ok := parseFloat(s)
		return complex(re, 0), ok
	}
	sign := len(body) - 1 // the sign of the imaginary part, unless it is at the beginning
	for sign > 0 && !((body[sign] == '+' || body[sign] == '-') && body[sign-1]|0x20 != 'e') {
		sign--
	}
	re, ok := 0.0, true
	if sign > 0 {
		re, ok = parseFloat(body[:sign])
		body = body[sign:]
	}
	im, ok2 := parseFloat(body)
	return complex(re, im), ok && ok2
}
