package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// OrthogonalFamily is a family of orthogonal polynomials. The constants say what p₁ is, and how pₖ₊₁ follows from pₖ and
// pₖ₋₁; p₀ is 1. The families of shifted polynomials are those of 2x - 1.
type OrthogonalFamily string

const (
	ChebyshevT        OrthogonalFamily = "chebyshev T"         // x; 2x·pₖ - pₖ₋₁
	ChebyshevU        OrthogonalFamily = "chebyshev U"         // 2x; 2x·pₖ - pₖ₋₁
	ChebyshevV        OrthogonalFamily = "chebyshev V"         // 2x - 1; 2x·pₖ - pₖ₋₁
	ChebyshevW        OrthogonalFamily = "chebyshev W"         // 2x + 1; 2x·pₖ - pₖ₋₁
	ShiftedChebyshevT OrthogonalFamily = "shifted chebyshev T" // ChebyshevT of 2x - 1
	ShiftedChebyshevU OrthogonalFamily = "shifted chebyshev U" // ChebyshevU of 2x - 1
	ShiftedChebyshevV OrthogonalFamily = "shifted chebyshev V" // ChebyshevV of 2x - 1
	ShiftedChebyshevW OrthogonalFamily = "shifted chebyshev W" // ChebyshevW of 2x - 1
	HermiteH          OrthogonalFamily = "hermite H"           // 2x; 2x·pₖ - 2k·pₖ₋₁
	HermiteHe         OrthogonalFamily = "hermite He"          // x; x·pₖ - k·pₖ₋₁
	LaguerreL         OrthogonalFamily = "laguerre L"          // 1 - x; ((2k + 1 - x)·pₖ - k·pₖ₋₁)/(k + 1)
	LegendreP         OrthogonalFamily = "legendre P"          // x; ((2k + 1)·x·pₖ - k·pₖ₋₁)/(k + 1)
)

// OrthogonalPolynomial returns the polynomials of degrees n of a family at x; a negative degree gives 0. The degrees, a
// number or an array of integers that broadcasts with x, are read on the host, and the recurrence is computed up to the
// largest of them, which is at most 2²⁰. 16-bit floats are computed in float32. Gradients flow to x; PyTorch has none.
// PyTorch: special.chebyshev_polynomial_t (with ChebyshevT), special.chebyshev_polynomial_u (with ChebyshevU),
// special.chebyshev_polynomial_v (with ChebyshevV), special.chebyshev_polynomial_w (with ChebyshevW),
// special.shifted_chebyshev_polynomial_t (with ShiftedChebyshevT), special.shifted_chebyshev_polynomial_u (with
// ShiftedChebyshevU), special.shifted_chebyshev_polynomial_v (with ShiftedChebyshevV),
// special.shifted_chebyshev_polynomial_w (with ShiftedChebyshevW), special.hermite_polynomial_h (with HermiteH),
// special.hermite_polynomial_he (with HermiteHe), special.laguerre_polynomial_l (with LaguerreL),
// special.legendre_polynomial_p (with LegendreP).
func OrthogonalPolynomial[N nd.Operand](family OrthogonalFamily, x *nd.Array, n N) *nd.Array {
	const fn nd.Func = "ops.OrthogonalPolynomial"
	degrees := nd.AsArray(n)
	fn.Check(x, degrees)
	given := []*nd.Array{x, degrees}
	if x.IsScalar() {
		panic(fn.Errorf(given, "want an array"))
	}
	if !degrees.DType().IsInteger() {
		panic(fn.Errorf(given, "degrees of dtype %s: want integers", degrees.DType()))
	}
	if _, ok := family.recurrence(); !ok {
		panic(fn.Errorf(given, "family %q: want one of the constants of type OrthogonalFamily", family))
	}
	if _, err := broadcast.Shapes(x.Shape(), degrees.Shape()); err != nil {
		panic(fn.Errorf(given, "%v", err))
	}
	if all := distinct(degrees); len(all) > 0 && all[len(all)-1] > maxDegree {
		panic(fn.Errorf(given, "degree %d: want at most %d", all[len(all)-1], maxDegree))
	}
	made := fn.Temporaries(&x, &degrees)
	defer made.Release()
	x = argument.Float(fn, x)
	t := x.DType()
	if t.Size() == 2 {
		x = x.AsType(dtype.Float32)
	}
	return made.Keep(orthogonalOp{fn, family, 0}.at(x, degrees).AsType(t))
}

// maxDegree bounds the time of a call.
const maxDegree = 1 << 20

// recurrence is p₁ = slope·x + start, and pₖ₊₁ = ((step[0]·x + step[1])·pₖ - step[2]·pₖ₋₁)/step[3].
type recurrence struct {
	slope, start float64
	step         func(k float64) [4]float64
}

// recurrence returns the family's recurrence, or false for an unknown family.
func (f OrthogonalFamily) recurrence() (recurrence, bool) {
	chebyshev := func(float64) [4]float64 { return [4]float64{2, 0, 1, 1} }
	shifted := func(float64) [4]float64 { return [4]float64{4, -2, 1, 1} }
	switch f {
	case ChebyshevT:
		return recurrence{1, 0, chebyshev}, true
	case ChebyshevU:
		return recurrence{2, 0, chebyshev}, true
	case ChebyshevV:
		return recurrence{2, -1, chebyshev}, true
	case ChebyshevW:
		return recurrence{2, 1, chebyshev}, true
	case ShiftedChebyshevT:
		return recurrence{2, -1, shifted}, true
	case ShiftedChebyshevU:
		return recurrence{4, -2, shifted}, true
	case ShiftedChebyshevV:
		return recurrence{4, -3, shifted}, true
	case ShiftedChebyshevW:
		return recurrence{4, -1, shifted}, true
	case HermiteH:
		return recurrence{2, 0, func(k float64) [4]float64 { return [4]float64{2, 0, 2 * k, 1} }}, true
	case HermiteHe:
		return recurrence{1, 0, func(k float64) [4]float64 { return [4]float64{1, 0, k, 1} }}, true
	case LaguerreL:
		return recurrence{-1, 1, func(k float64) [4]float64 { return [4]float64{-1, 2*k + 1, k, k + 1} }}, true
	case LegendreP:
		return recurrence{1, 0, func(k float64) [4]float64 { return [4]float64{2*k + 1, 0, k, k + 1} }}, true
	}
	return recurrence{}, false
}

// The steps of the recurrence, of polynomials and of their derivatives; more is the order of the derivative times
// step[0], and s the derivative of one order less. A product that leaves the range decides alone: the other terms are
// smaller, or have its sign.
var (
	polynomialStep = ufunc.Definition{Fn: "ops.OrthogonalPolynomial", In: "T x, T p, T q", Scalars: "T a, T b, T c, T d",
		Body: "t = (a * x + b) * p; y = (isinf(t) ? t : t - c * q) / d"}
	derivativeStep = ufunc.Definition{Fn: "ops.OrthogonalPolynomial", In: "T x, T p, T q, T s", Scalars: "T a, T b, T c, T d, T more",
		Body: "t = p == 0 ? T(0) : (a * x + b) * p; y = (isinf(t) ? t : t + more * s - c * q) / d"}
)

// orthogonalOp is the derivative of an order of polynomials, with the inputs x and the degrees.
type orthogonalOp struct {
	fn     nd.Func
	family OrthogonalFamily
	order  int
}

func (orthogonalOp) Claims() nd.Claims { return nd.Claims{In: 3} }

// VJP multiplies by the derivative of the next order.
func (op orthogonalOp) VJP(c *nd.Call) {
	op.order++
	c.SetGx(0, c.Func().SumTo(Multiply(c.Gy(0), op.at(c.In(0), c.In(1))), c.Shape(0)))
}

func (op orthogonalOp) at(x, degrees *nd.Array) *nd.Array {
	shape, _ := broadcast.Shapes(x.Shape(), degrees.Shape()) // they are checked
	wanted := distinct(degrees)
	y := op.fn.NewFilled(x.DType(), shape, 0, x)
	f, _ := op.family.recurrence()
	points := x.Detach()
	// rows[m] holds the derivatives of order m of the last two polynomials, the older first.
	rows := make([][2]*nd.Array, op.order+1)
	last := 1.0 // the polynomial of degree 0; its derivatives are 0
	for m := range rows {
		rows[m] = [2]*nd.Array{op.fn.NewFilled(x.DType(), nil, 0, x), op.fn.NewFilled(x.DType(), nil, last, x)}
		last = 0
	}
	for k := int64(0); len(wanted) > 0; k++ {
		if k > 0 {
			op.next(f, points, rows, float64(k-1))
		}
		if wanted[0] == k {
			op.choose(y, degrees, k, rows[op.order][1])
			wanted = wanted[1:]
		}
	}
	for _, row := range rows {
		row[0].Release()
		row[1].Release()
	}
	release.Unless(points, x)
	op.fn.Record(op, []*nd.Array{x, degrees}, y)
	return y
}

// next replaces the polynomials of degrees k-1 and k by those of degrees k and k+1.
func (op orthogonalOp) next(f recurrence, x *nd.Array, rows [][2]*nd.Array, k float64) {
	step := f.step(k)
	if k == 0 {
		step = [4]float64{f.slope, f.start, 0, 1}
	}
	for m := len(rows) - 1; m >= 0; m-- { // an order reads the order below it at degree k
		older, last := rows[m][0], rows[m][1]
		var y *nd.Array
		if m == 0 {
			y = polynomialStep.Compute(step[:], x, last, older)
		} else {
			y = derivativeStep.Compute(append(step[:], float64(m)*step[0]), x, last, older, rows[m-1][1])
		}
		older.Release()
		rows[m] = [2]*nd.Array{last, y}
	}
}

// choose writes p to the elements of y whose degree is k.
func (op orthogonalOp) choose(y, degrees *nd.Array, k int64, p *nd.Array) {
	if degrees.Size() == 1 {
		y.Assign(p)
		return
	}
	isDegree := Equal(degrees, k)
	chosen := Where(isDegree, p, y)
	y.Assign(chosen)
	chosen.Release()
	isDegree.Release()
}

// distinct returns the degrees that occur, from 0 on, in ascending order.
func distinct(degrees *nd.Array) []int64 {
	if degrees.IsScalar() {
		return atLeastZero([]int64{nd.Value[int64](degrees)})
	}
	plain := degrees.Detach()
	whole := plain.AsType(dtype.Int64)
	all := slices.Clone(nd.ToSlice[int64](whole))
	release.Unless(whole, plain)
	release.Unless(plain, degrees)
	slices.Sort(all)
	return atLeastZero(slices.Compact(all))
}

// atLeastZero returns the numbers of a sorted list that are not negative.
func atLeastZero(sorted []int64) []int64 {
	from, _ := slices.BinarySearch(sorted, 0)
	return sorted[from:]
}
