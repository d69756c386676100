package compliance

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// number is a value of any element type. exact tells which of the two fields holds it.
type number struct {
	exact bool
	int   int64 // bools and integers; unsigned 64-bit integers by their bits
	z     complex128
}

func integerNumber(v int64) number    { return number{exact: true, int: v} }
func floatNumber(v float64) number    { return number{z: complex(v, 0)} }
func complexOf(re, im float64) number { return number{z: complex(re, im)} }

// store writes the number as an element.
func (n number) store(dt dtype.DType, p unsafe.Pointer) {
	if n.exact {
		dtype.Convert(dt, p, 1, dtype.Int64, unsafe.Pointer(&n.int), 1, 1)
		return
	}
	dtype.Convert(dt, p, 1, dtype.Complex128, unsafe.Pointer(&n.z), 1, 1)
}

// load reads an element.
func load(dt dtype.DType, p unsafe.Pointer) number {
	if dt.IsInexact() {
		n := number{}
		dtype.Convert(dtype.Complex128, unsafe.Pointer(&n.z), 1, dt, p, 1, 1)
		return n
	}
	n := number{exact: true}
	dtype.Convert(dtype.Int64, unsafe.Pointer(&n.int), 1, dt, p, 1, 1)
	return n
}

func (n number) magnitude() number {
	if n.exact {
		return integerNumber(max(n.int, -n.int))
	}
	return floatNumber(cmplx.Abs(n.z))
}

// filling draws a random number for an element type.
type filling func(*rand.Rand, dtype.DType) number

// tame draws floats around zero and small integers, whose sums and products stay in range.
func tame(r *rand.Rand, dt dtype.DType) number {
	switch {
	case dt.IsBool():
		return integerNumber(r.Int64N(2))
	case dt.IsUnsigned():
		return integerNumber(r.Int64N(10))
	case dt.IsInteger():
		return integerNumber(r.Int64N(19) - 9)
	case dt.IsComplex():
		return complexOf(r.NormFloat64(), r.NormFloat64())
	}
	return floatNumber(r.NormFloat64())
}

// nearOne draws numbers whose products neither grow nor vanish quickly.
func nearOne(r *rand.Rand, dt dtype.DType) number {
	switch {
	case dt.IsComplex():
		return number{z: cmplx.Rect(0.8+0.4*r.Float64(), 2*math.Pi*r.Float64())}
	case dt.IsFloat():
		return floatNumber(math.Copysign(0.8+0.4*r.Float64(), r.Float64()-0.5))
	}
	return tame(r, dt)
}

// fromFewValues draws from few values, so that ties and NaNs are frequent.
func fromFewValues(r *rand.Rand, dt dtype.DType) number {
	part := func() float64 {
		return [...]float64{0, math.Copysign(0, -1), 1, -1, 2, -2, math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(9)]
	}
	switch {
	case dt.IsComplex():
		return complexOf(part(), part())
	case dt.IsFloat():
		return floatNumber(part())
	case dt.IsSigned():
		return integerNumber(r.Int64N(5) - 2)
	}
	return integerNumber(r.Int64N(3))
}

// wild draws from the whole range of a type, including special values.
func wild(r *rand.Rand, dt dtype.DType) number {
	switch {
	case dt.IsBool():
		return integerNumber(r.Int64N(2))
	case dt.IsInteger():
		if r.IntN(2) == 0 {
			return tame(r, dt)
		}
		if special := specials(dt); r.IntN(3) == 0 {
			return special[r.IntN(len(special))]
		}
		return integerNumber(int64(r.Uint64()))
	case dt.IsComplex():
		return complexOf(wildFloat(r, dt.Real()), wildFloat(r, dt.Real()))
	}
	return floatNumber(wildFloat(r, dt))
}

func wildFloat(r *rand.Rand, dt dtype.DType) float64 {
	switch r.IntN(6) {
	case 0:
		return specialFloats(dt)[r.IntN(len(specialFloats(dt)))]
	case 1:
		limits := dtype.Info(dt)
		exponent := limits.MinExp - 4 + r.IntN(limits.MaxExp-limits.MinExp)
		return math.Ldexp(math.Copysign(1+r.Float64(), r.Float64()-0.5), exponent)
	case 2:
		return 100 * r.NormFloat64()
	}
	return 2 * r.NormFloat64()
}

// specials lists the values of a type that functions handle specially.
func specials(dt dtype.DType) []number { return allSpecials()[dt] }

// allSpecials is computed once: suites draw from it for every element.
var allSpecials = sync.OnceValue(func() (all [dtype.Count][]number) {
	for _, dt := range types {
		all[dt] = slices.Clip(specialsOf(dt))
	}
	return all
})

func specialsOf(dt dtype.DType) []number {
	var all []number
	switch {
	case dt.IsBool():
		return []number{integerNumber(0), integerNumber(1)}
	case dt.IsInteger():
		limits := dtype.Info(dt)
		for _, v := range []int64{0, 1, 2, 3, 7, 12, 30, int64(limits.Bits) - 1, int64(limits.Bits),
			int64(limits.MaxInt), int64(limits.MaxInt - 1), int64(limits.MaxInt / 2), limits.MinInt, limits.MinInt + 1} {
			all = append(all, integerNumber(v))
		}
		if dt.IsSigned() {
			for _, v := range []int64{-1, -2, -3, -7, -12} {
				all = append(all, integerNumber(v))
			}
		}
		return all
	case dt.IsComplex():
		parts := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2, 30, math.Inf(1), math.Inf(-1), math.NaN()}
		for _, re := range parts {
			for _, im := range parts {
				all = append(all, complexOf(re, im))
			}
		}
		return all
	}
	for _, v := range specialFloats(dt) {
		all = append(all, floatNumber(v))
	}
	return all
}

// specialFloats lists the floats at which functions have poles, jumps, limits of their ranges, or ties.
func specialFloats(dt dtype.DType) []float64 {
	limits := dtype.Info(dt)
	all := []float64{math.NaN()}
	for _, v := range []float64{0, 1, 2, 3, 10, 0.5, 1.5, 2.5, 0.25, 0.1, 1.0 / 3, math.Pi, math.Pi / 2, math.E, 20.75, 63, 88.5, 150,
		709.5, 745.2, 1e4, limits.SmallestSubnormal, limits.Tiny, limits.Tiny / 2, limits.Eps, 1 + limits.Eps, 1 - limits.EpsNeg,
		limits.Max, limits.Max / 4, math.Inf(1)} {
		all = append(all, v, -v)
	}
	return append(all, math.Copysign(0, -1))
}

// types are all element types.
var types = func() (all []dtype.DType) {
	for dt := dtype.Bool; dt < dtype.Count; dt++ {
		all = append(all, dt)
	}
	return all
}()

// floatTypes are the element types of floats.
var floatTypes = []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64}
