package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps returns the distance between a and b in float64 values.
func ulps(a, b float64) float64 {
	switch {
	case a == b || a != a && b != b:
		return 0
	case a != a || b != b:
		return math.Inf(1)
	}
	return math.Abs(float64(position(a) - position(b)))
}

// position numbers the float64 values in ascending order.
func position(x float64) int64 {
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

// The tests below evaluate the true value with math/big at random points.

const bigPrecision = 240

func newBig(x float64) *big.Float { return new(big.Float).SetPrec(bigPrecision).SetFloat64(x) }

func blankBig(precision uint) *big.Float { return new(big.Float).SetPrec(precision) }

// bigExp halves the argument until the power series is short.
func bigExp(x *big.Float) *big.Float {
	const halvings = 30
	small := blankBig(bigPrecision).SetMantExp(x, -halvings)
	sum, term := newBig(1), newBig(1)
	for k := 1; k < 14; k++ {
		term.Mul(term, small)
		term.Quo(term, newBig(float64(k)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog improves log(x) by Newton's method on exp.
func bigLog(x float64) *big.Float {
	fraction, exponent := math.Frexp(x)
	y := newBig(math.Log(fraction))
	for range 3 {
		// y += 2*(f-e**y)/(f+e**y)
		power, f := bigExp(y), newBig(fraction)
		difference := blankBig(bigPrecision).Sub(f, power)
		difference.Mul(difference, newBig(2))
		difference.Quo(difference, f.Add(f, power))
		y.Add(y, difference)
	}
	return y.Add(y, new(big.Float).Mul(newBig(float64(exponent)), bigLn2()))
}

// bigLn2 sums 2*atanh(1/3).
func bigLn2() *big.Float {
	sum, power := newBig(0), newBig(2)
	power.Quo(power, newBig(3))
	for k := 1; k < 2*bigPrecision/3; k += 2 {
		sum.Add(sum, new(big.Float).Quo(power, newBig(float64(k))))
		power.Quo(power, newBig(9))
	}
	return sum
}

// bigPi is Machin's formula.
func bigPi(precision uint) *big.Float {
	arcCot := func(n float64) *big.Float {
		number := func(x float64) *big.Float { return blankBig(precision).SetFloat64(x) }
		sum, power := number(0), number(1)
		power.Quo(power, number(n))
		for k := 1; power.MantExp(nil) > -int(precision); k += 2 {
			term := blankBig(precision).Quo(power, number(float64(k)))
			if k&2 == 0 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
			power.Quo(power, number(n*n))
		}
		return sum
	}
	four := blankBig(precision).SetInt64(4)
	pi := blankBig(precision).Mul(four, arcCot(5))
	pi.Sub(pi, arcCot(239))
	return pi.Mul(pi, four)
}

// bigSin reduces x by the given, sufficiently precise pi and sums the series.
func bigSin(x float64, pi *big.Float) *big.Float {
	precision := pi.Prec()
	turns := blankBig(precision).Quo(blankBig(precision).SetFloat64(x), pi)
	whole, _ := turns.Int(nil)
	r := blankBig(precision).Sub(turns, blankBig(precision).SetInt(whole))
	r.Mul(r, pi).SetPrec(bigPrecision)
	square := new(big.Float).Mul(r, r)
	sum, term := newBig(0).Set(r), newBig(0).Set(r)
	for k := 2.0; k < 80; k += 2 {
		term.Mul(term, square)
		term.Quo(term, newBig(-k*(k+1)))
		sum.Add(sum, term)
	}
	if whole.Bit(0) == 1 {
		sum.Neg(sum)
	}
	return sum
}

func checkAgainstBig(t *testing.T, name string, x, got float64, want *big.Float) {
	t.Helper()
	if rounded, _ := want.Float64(); ulps(got, rounded) > 1 {
		t.Errorf("%s at %v: got %v, want %v", name, x, got, rounded)
	}
}

func TestExpAndLogAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		x := random.Float64()*1450 - 742
		checkAgainstBig(t, "exp", x, Exp(x), bigExp(newBig(x)))
		x = math.Ldexp(1+random.Float64(), random.IntN(2098)-1074)
		checkAgainstBig(t, "log", x, Log(x), bigLog(x))
		x = 1 + math.Ldexp(random.Float64()-0.5, -random.IntN(50))
		checkAgainstBig(t, "log", x, Log(x), bigLog(x))
	}
}

func TestPowAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		x := math.Ldexp(1+random.Float64(), random.IntN(100)-50)
		y := (random.Float64() - 0.5) * 1400 / math.Abs(math.Log(x))
		logarithm := bigLog(x)
		checkAgainstBig(t, "pow", x, Pow(x, y), bigExp(logarithm.Mul(logarithm, newBig(y))))
	}
}

func TestSinAgainstBig(t *testing.T) {
	pi := bigPi(1400)
	random := rand.New(rand.NewPCG(5, 6))
	points := []float64{
		math.MaxFloat64, 1e22, 0x1p1000, 0x1p20, math.Nextafter(0x1p20, 0), math.Pi, 355, 1 << 53,
		6381956970095103 * 0x1p797, // the float64 nearest to a multiple of pi/2
	}
	for range 80 {
		points = append(points, math.Ldexp(1+random.Float64(), random.IntN(1100)-76))
	}
	for _, x := range points {
		checkAgainstBig(t, "sin", x, Sin(x), bigSin(x, pi))
	}
}
