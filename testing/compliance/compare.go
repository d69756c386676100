package compliance

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// closeness reports whether a float or complex element is close enough to the reference's. k is its row-major index in
// the output. Bools and integers are always compared exactly.
type closeness func(dt dtype.DType, got, want complex128, k int) bool

// same requires equal bits. All NaNs count as equal.
func same(_ dtype.DType, got, want complex128, _ int) bool {
	return sameFloat(real(got), real(want)) && sameFloat(imag(got), imag(want))
}

func sameFloat(got, want float64) bool {
	return math.Float64bits(got) == math.Float64bits(want) || got != got && want != want
}

// equal requires equal values. Zeros of both signs are equal.
func equal(_ dtype.DType, got, want complex128, _ int) bool {
	return equalFloat(real(got), real(want)) && equalFloat(imag(got), imag(want))
}

func equalFloat(got, want float64) bool { return got == want || got != got && want != want }

// ulps allows a distance of at most limit floats of the element type, and a difference below slack epsilons. The sign
// of a zero counts. Complex numbers may differ by limit units in the last place of their modulus, unless they are
// special.
func ulps(limit int64, slack float64) closeness {
	return func(dt dtype.DType, got, want complex128, _ int) bool {
		if same(dt, got, want, 0) {
			return true
		}
		eps := dtype.Info(dt).Eps
		if dt.IsComplex() {
			return isFinite(got) && isFinite(want) &&
				cmplx.Abs(got-want) <= 2*float64(limit)*eps*cmplx.Abs(want)+slack*eps+4*dtype.Info(dt).SmallestSubnormal
		}
		x, y := real(got), real(want)
		if x != x || y != y {
			return false
		}
		d := ordinal(dt, x) - ordinal(dt, y)
		return math.Signbit(x) == math.Signbit(y) && -limit <= d && d <= limit || math.Abs(x-y) <= slack*eps
	}
}

func isFinite(z complex128) bool { return !cmplx.IsNaN(z) && !cmplx.IsInf(z) }

// ordinal numbers the floats of a type from the smallest to the largest, infinities included.
func ordinal(dt dtype.DType, v float64) int64 {
	var bits int64
	switch a := math.Abs(v); dt {
	case dtype.Float64:
		bits = int64(math.Float64bits(a))
	case dtype.Float32:
		bits = int64(math.Float32bits(float32(a)))
	case dtype.Float16:
		bits = int64(dtype.Float16FromFloat64(a))
	case dtype.BFloat16:
		bits = int64(dtype.BFloat16FromFloat64(a))
	}
	if math.Signbit(v) {
		return -bits
	}
	return bits
}

// within allows an error of tolerance(k) plus one rounding to the element type, in each part. Parts that are not finite
// must be equal.
func within(tolerance func(k int) float64) closeness {
	return func(dt dtype.DType, got, want complex128, k int) bool {
		limits := dtype.Info(dt)
		near := func(x, y float64) bool {
			return equalFloat(x, y) || math.Abs(x-y) <= tolerance(k)+2*limits.Eps*math.Abs(y)+limits.SmallestSubnormal && !math.IsInf(y, 0)
		}
		return near(real(got), real(want)) && near(imag(got), imag(want))
	}
}

// absolute allows the same error for all elements.
func absolute(tolerance float64) closeness { return within(func(int) float64 { return tolerance }) }

// summed returns the largest difference of two sums of n numbers, relative to the sum of their magnitudes. The device
// sums in type t and pairwise; the reference sums in sequence and in float64.
func summed(t dtype.DType, n int) float64 {
	return epsilon(t)*(16+math.Log2(float64(n+1))) + epsilon(dtype.Float64)*float64(n)
}

// epsilon is the relative rounding error of computations with elements of a type.
func epsilon(dt dtype.DType) float64 { return dtype.Info(dtype.ComputeType(dt)).Eps }
