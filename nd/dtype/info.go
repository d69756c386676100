package dtype

import "math"

// Limits describes the numbers of an element type, with the values of NumPy's
// iinfo and finfo. Fields that the kind does not have are 0.
type Limits struct {
	DType DType // the described type; for a complex type, the type of its parts
	Bits  int   // of one number

	// The smallest and largest integer; 0 and 1 for Bool.
	MinInt int64
	MaxInt uint64

	Max               float64 // the largest finite float; the smallest is -Max
	Tiny              float64 // the smallest positive normal float
	SmallestSubnormal float64
	Eps               float64 // from 1 to the next larger float
	EpsNeg            float64 // from 1 to the next smaller float
	Resolution        float64 // ten to the power -Precision, rounded to the type
	Precision         int     // reliable decimal digits
	MantissaBits      int     // stored bits of the mantissa (nmant)
	ExponentBits      int     // iexp
	MinExp            int     // Tiny is 2 to this power
	MaxExp            int     // the smallest power of 2 that overflows
}

// Info returns the limits of a type. The limits of a complex type are those of its parts; the limits of Unspecified are
// all 0.
// NumPy: finfo, iinfo.
func Info(d DType) Limits {
	d = d.Real()
	limits := Limits{DType: d, Bits: 8 * d.Size()}
	switch {
	case d == Bool:
		limits.MaxInt = 1
	case d.IsSigned():
		limits.MinInt = -1 << (limits.Bits - 1)
		limits.MaxInt = 1<<(limits.Bits-1) - 1
	case d.IsUnsigned():
		limits.MaxInt = math.MaxUint64 >> (64 - limits.Bits)
	case d == Float16:
		limits.setFloat(10, 5, 3, 0.00100040435791015625)
	case d == BFloat16:
		limits.setFloat(7, 8, 2, float64(BFloat16FromFloat64(0.01).Float32()))
	case d == Float32:
		limits.setFloat(23, 8, 6, float64(float32(1e-6)))
	case d == Float64:
		limits.setFloat(52, 11, 15, 1e-15)
	}
	return limits
}

// setFloat derives the limits of a binary floating-point format from the widths
// of its fields.
func (l *Limits) setFloat(mantissaBits, exponentBits, precision int, resolution float64) {
	l.MantissaBits, l.ExponentBits = mantissaBits, exponentBits
	l.Precision, l.Resolution = precision, resolution
	l.MaxExp = 1 << (exponentBits - 1)
	l.MinExp = 2 - l.MaxExp
	l.Eps = math.Ldexp(1, -mantissaBits)
	l.EpsNeg = l.Eps / 2
	l.Tiny = math.Ldexp(1, l.MinExp)
	l.SmallestSubnormal = math.Ldexp(1, l.MinExp-mantissaBits)
	l.Max = math.Ldexp(2-l.Eps, l.MaxExp-1)
}
