package dtype_test

import (
	"fmt"
	"math"
	"math/big"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/x448/float16"
)

// number is one real value without rounding: an exact number, or a value that only floats have (NaN, infinities,
// negative zero).
type number struct {
	exact   *big.Float // nil for other values
	special float64
}

var zero = number{exact: new(big.Float)}

func fromFloat(f float64) number {
	if f-f != 0 || f == 0 && math.Signbit(f) {
		return number{special: f}
	}
	return number{exact: big.NewFloat(f)}
}

func fromInt(i int64) number {
	return number{exact: new(big.Float).SetPrec(64).SetInt64(i)}
}

func fromUint(u uint64) number {
	return number{exact: new(big.Float).SetPrec(64).SetUint64(u)}
}

func (n number) isNaN() bool { return n.exact == nil && n.special != n.special }

func (n number) isZero() bool {
	if n.exact == nil {
		return n.special == 0
	}
	return n.exact.Sign() == 0
}

func (n number) equal(m number) bool {
	if n.exact != nil && m.exact != nil {
		return n.exact.Cmp(m.exact) == 0
	}
	if n.exact != nil || m.exact != nil {
		return false
	}
	return n.isNaN() && m.isNaN() || math.Float64bits(n.special) == math.Float64bits(m.special)
}

func (n number) String() string {
	if n.exact == nil {
		if n.special == 0 {
			return "-0"
		}
		return fmt.Sprint(n.special)
	}
	return n.exact.Text('g', 25)
}

// element is a value of any type.
type element struct{ re, im number }

func (e element) equal(o element) bool { return e.re.equal(o.re) && e.im.equal(o.im) }

func (e element) String() string { return fmt.Sprintf("(%v, %v)", e.re, e.im) }

// load reads an element. A bool is read as a byte, to detect one that is neither 0 nor 1.
func load(d dtype.DType, p unsafe.Pointer) element {
	switch d {
	case dtype.Bool, dtype.Uint8:
		return element{fromUint(uint64(*(*uint8)(p))), zero}
	case dtype.Uint16:
		return element{fromUint(uint64(*(*uint16)(p))), zero}
	case dtype.Uint32:
		return element{fromUint(uint64(*(*uint32)(p))), zero}
	case dtype.Uint64:
		return element{fromUint(*(*uint64)(p)), zero}
	case dtype.Int8:
		return element{fromInt(int64(*(*int8)(p))), zero}
	case dtype.Int16:
		return element{fromInt(int64(*(*int16)(p))), zero}
	case dtype.Int32:
		return element{fromInt(int64(*(*int32)(p))), zero}
	case dtype.Int64:
		return element{fromInt(*(*int64)(p)), zero}
	case dtype.Float16:
		return element{fromFloat(float64((*(*float16.Float16)(p)).Float32())), zero}
	case dtype.BFloat16:
		return element{fromFloat(float64((*(*dtype.BF16)(p)).Float32())), zero}
	case dtype.Float32:
		return element{fromFloat(float64(*(*float32)(p))), zero}
	case dtype.Float64:
		return element{fromFloat(*(*float64)(p)), zero}
	case dtype.Complex64:
		v := *(*[2]float32)(p)
		return element{fromFloat(float64(v[0])), fromFloat(float64(v[1]))}
	case dtype.Complex128:
		v := *(*[2]float64)(p)
		return element{fromFloat(v[0]), fromFloat(v[1])}
	}
	panic("no element type")
}

// converted converts e from type from to type to, slowly and exactly.
func converted(to, from dtype.DType, e element) element {
	switch {
	case to.IsBool():
		if e.re.isZero() && e.im.isZero() {
			return element{zero, zero}
		}
		return element{fromInt(1), zero}
	case to.IsInteger() && from.IsInexact():
		return element{truncated(to, e.re), zero}
	case to.IsInteger():
		return element{wrapped(to, e.re), zero}
	case to.IsComplex() && from.IsComplex():
		return element{rounded(to.Real(), e.re), rounded(to.Real(), e.im)}
	default:
		return element{rounded(to.Real(), e.re), zero}
	}
}

// wrapped returns the value congruent to n in the range of an integer type.
func wrapped(to dtype.DType, n number) number {
	i, _ := n.exact.Int(nil)
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(dtype.Info(to).Bits))
	i.Mod(i, modulus)
	if i.Cmp(new(big.Int).SetUint64(dtype.Info(to).MaxInt)) > 0 {
		i.Sub(i, modulus)
	}
	return number{exact: new(big.Float).SetInt(i)}
}

// truncated drops the fraction and saturates.
func truncated(to dtype.DType, n number) number {
	limits := dtype.Info(to)
	lowest, highest := fromInt(limits.MinInt), fromUint(limits.MaxInt)
	if n.exact == nil {
		switch {
		case n.special > 0:
			return highest
		case n.special < 0:
			return lowest
		}
		return zero
	}
	i, _ := n.exact.Int(nil)
	whole := new(big.Float).SetInt(i)
	switch {
	case whole.Cmp(highest.exact) > 0:
		return highest
	case whole.Cmp(lowest.exact) < 0:
		return lowest
	}
	return number{exact: whole}
}

// rounded returns the nearest value of a float type, ties to even.
func rounded(to dtype.DType, n number) number {
	if n.exact == nil || n.exact.Sign() == 0 {
		return n
	}
	limits := dtype.Info(to)
	negative := n.exact.Signbit()
	signed := func(f float64) number {
		if negative {
			f = -f
		}
		return fromFloat(f)
	}

	// The leading bit weighs 2^exponent; below Tiny fewer bits are stored.
	exponent := n.exact.MantExp(nil) - 1
	bits := limits.MantissaBits + 1 - max(0, limits.MinExp-exponent)
	if bits <= 0 {
		half := new(big.Float).SetMantExp(big.NewFloat(limits.SmallestSubnormal), -1)
		if new(big.Float).Abs(n.exact).Cmp(half) > 0 {
			return signed(limits.SmallestSubnormal)
		}
		return signed(0)
	}
	nearest := new(big.Float).SetMode(big.ToNearestEven).SetPrec(uint(bits)).Set(n.exact)
	if new(big.Float).Abs(nearest).Cmp(big.NewFloat(limits.Max)) > 0 {
		return signed(math.Inf(1))
	}
	return number{exact: nearest}
}
