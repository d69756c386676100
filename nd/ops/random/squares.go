package random

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// ChiSquare draws from the chi-squared distribution with df degrees of freedom: for a whole df, the sum of the squares of df standard
// normal numbers. The degrees of freedom are a number, or an array that broadcasts to the shape; a nil shape means that
// of the array. No gradient flows.
// NumPy: random.chisquare.
func ChiSquare[D nd.Operand](rng *nd.Rand, df D, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.ChiSquare"
	return chiSquare(fn, rng, nd.AsArray(df), shape, floatOptions(fn, opts))
}

func chiSquare(fn nd.Func, rng *nd.Rand, df *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &df)
	defer d.made.Release()
	wantPositives(fn, "a number of degrees of freedom", df)
	return d.end(d.chiSquare(df))
}

// NoncentralChiSquare draws from the noncentral chi-squared distribution: for a whole df, the sum of the squares of df
// normal numbers with variance 1, where nonc is the sum of the squares of their means. The parameters are numbers or arrays, which
// broadcast to the shape; a nil shape means their broadcast shape. No gradient flows.
// NumPy: random.noncentral_chisquare.
func NoncentralChiSquare[D, N nd.Operand](rng *nd.Rand, df D, nonc N, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.NoncentralChiSquare"
	return noncentralChiSquare(fn, rng, nd.AsArray(df), nd.AsArray(nonc), shape, floatOptions(fn, opts))
}

func noncentralChiSquare(fn nd.Func, rng *nd.Rand, df, nonc *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &df, &nonc)
	defer d.made.Release()
	wantPositives(fn, "a number of degrees of freedom", df)
	wantNoncentrality(fn, nonc)
	return d.end(d.noncentral(df, nonc))
}

func wantNoncentrality(fn nd.Func, nonc *nd.Array) {
	wantFromZero(fn, "a noncentrality", nonc)
	wantAll(fn, nonc, upTo(nd.Scalar(float64(maxCount))), "a noncentrality is too large")
}

// F draws from Fisher's F distribution: the quotient of two chi-squared numbers, each divided by its degrees of freedom, dfNum and
// dfDen. The parameters are numbers or arrays, which broadcast to the shape; a nil shape means their broadcast shape. No gradient
// flows.
// NumPy: random.f.
func F[N, D nd.Operand](rng *nd.Rand, dfNum N, dfDen D, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.F"
	return fisher(fn, rng, nd.AsArray(dfNum), nd.AsArray(dfDen), nd.Scalar(0.0), shape, floatOptions(fn, opts))
}

// NoncentralF draws from the noncentral F distribution: [F] with a numerator from the noncentral chi-squared distribution with
// noncentrality nonc. The parameters are numbers or arrays, which broadcast to the shape; a nil shape means their broadcast shape.
// No gradient flows.
// NumPy: random.noncentral_f.
func NoncentralF[N, D, C nd.Operand](rng *nd.Rand, dfNum N, dfDen D, nonc C, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.NoncentralF"
	return fisher(fn, rng, nd.AsArray(dfNum), nd.AsArray(dfDen), nd.AsArray(nonc), shape, floatOptions(fn, opts))
}

func fisher(fn nd.Func, rng *nd.Rand, dfNum, dfDen, nonc *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &dfNum, &dfDen, &nonc)
	defer d.made.Release()
	wantPositives(fn, "a number of degrees of freedom", dfNum, dfDen)
	wantNoncentrality(fn, nonc)
	above, below := d.noncentral(dfNum, nonc), d.chiSquare(dfDen)
	return d.end(ops.Divide(ops.Divide(above, dfNum), ops.Divide(below, dfDen)))
}

// StudentT draws from Student's t distribution with df degrees of freedom: a standard normal number, divided by the root of a chi-squared
// number over df. The degrees of freedom are a number, or an array that broadcasts to the shape; a nil shape means that of the array.
// No gradient flows.
// NumPy: random.standard_t.
func StudentT[D nd.Operand](rng *nd.Rand, df D, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.StudentT"
	return studentT(fn, rng, nd.AsArray(df), shape, floatOptions(fn, opts))
}

func studentT(fn nd.Func, rng *nd.Rand, df *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &df)
	defer d.made.Release()
	wantPositives(fn, "a number of degrees of freedom", df)
	z, spread := d.normal(), ops.Sqrt(ops.Divide(d.chiSquare(df), df))
	return d.end(ops.Divide(z, spread))
}
