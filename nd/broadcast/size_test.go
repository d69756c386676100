package broadcast

import (
	"math"
	"math/big"
	"testing"
)

// TestSizesDoNotWrap compares sums and products of extreme lengths with exact ones.
func TestSizesDoNotWrap(t *testing.T) {
	lengths := []int{0, 1, -1, 2, -2, 3, 7, -7, 1 << 31, 1 << 40, 3 << 31, math.MaxInt / 2, math.MaxInt/2 + 1, 1 << 62, -1 << 62, math.MaxInt - 1,
		math.MaxInt, math.MinInt + 1, math.MinInt}
	inRange := func(n *big.Int) int {
		switch {
		case n.IsInt64():
			return int(n.Int64())
		case n.Sign() < 0:
			return math.MinInt
		}
		return math.MaxInt
	}
	exact := func(n int) *big.Int { return big.NewInt(int64(n)) }
	for _, a := range lengths {
		for _, b := range lengths {
			if got, want := Sum(a, b), inRange(new(big.Int).Add(exact(a), exact(b))); got != want {
				t.Errorf("%d + %d = %d, want %d", a, b, got, want)
			}
			for _, c := range lengths {
				product := new(big.Int).Mul(exact(a), exact(b))
				if got, want := Product(a, b, c), inRange(product.Mul(product, exact(c))); got != want {
					t.Errorf("%d·%d·%d = %d, want %d", a, b, c, got, want)
				}
			}
		}
	}
	if Sum() != 0 || Product() != 1 {
		t.Errorf("no lengths: %d and %d, want 0 and 1", Sum(), Product())
	}
}
