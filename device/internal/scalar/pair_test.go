package scalar

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestPairsHaveTwiceTheDigits compares the arithmetic of pairs with arithmetic in 300 bits.
func TestPairsHaveTwiceTheDigits(t *testing.T) {
	wide := func(a pair) *big.Float {
		return new(big.Float).SetPrec(300).Add(new(big.Float).SetPrec(300).SetFloat64(a.hi), big.NewFloat(a.lo))
	}
	empty := func() *big.Float { return new(big.Float).SetPrec(300) }
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		a, b := twoSum(rng.ExpFloat64()+0.01, rng.NormFloat64()*0x1p-54), twoSum(rng.ExpFloat64()+0.01, rng.NormFloat64()*0x1p-54)
		for name, c := range map[string]struct {
			got  pair
			want *big.Float
		}{
			"add":      {a.add(b), empty().Add(wide(a), wide(b))},
			"addFloat": {a.addFloat(b.hi), empty().Add(wide(a), big.NewFloat(b.hi))},
			"mul":      {a.mul(b), empty().Mul(wide(a), wide(b))},
			"mulFloat": {a.mulFloat(b.hi), empty().Mul(wide(a), big.NewFloat(b.hi))},
			"square":   {a.square(), empty().Mul(wide(a), wide(a))},
			"div":      {a.div(b), empty().Quo(wide(a), wide(b))},
			"sqrt":     {a.sqrt(), empty().Sqrt(wide(a))},
		} {
			distance := empty().Quo(empty().Sub(wide(c.got), c.want), c.want)
			if d, _ := distance.Float64(); d > 0x1p-96 || d < -0x1p-96 {
				t.Fatalf("%s of %v and %v is off by %g", name, a, b, d)
			}
		}
	}
}
