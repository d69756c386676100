package fft

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// TestRoots compares roots of unity with the addition theorems in 200 bits.
func TestRoots(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 12, 97, 1000, 1 << 20, 3 * 5 * 7 * 11 * 13 * 16} {
		step := max(1, n/50)
		for k := 0; k <= n; k += step {
			re, im := root(k, n)
			cos, sin := exactRoot(k, n)
			if e := max(ulps(re, cos), ulps(im, sin)); e > 1.1 {
				t.Errorf("root(%d, %d) = %v, %v: off by %g units of the last digit", k, n, re, im, e)
			}
		}
	}
	for k, want := range [][2]float64{{1, 0}, {0, -1}, {-1, 0}, {0, 1}} {
		if re, im := root(k*25, 100); re != want[0] || im != want[1] {
			t.Errorf("%d quarter turns: %v, %v", k, re, im)
		}
	}
}

// exactRoot returns the cosine and the negative sine of 2πk/n, by the series.
func exactRoot(k, n int) (cos, sin *big.Float) {
	const bits = 300
	pi, _ := new(big.Float).SetPrec(bits).SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")
	if 2*k > n {
		k -= n
	}
	angle := new(big.Float).SetPrec(bits).Mul(pi, big.NewFloat(float64(-2*k)))
	angle.Quo(angle, big.NewFloat(float64(n)))
	cos, sin = new(big.Float).SetPrec(bits), new(big.Float).SetPrec(bits)
	term := new(big.Float).SetPrec(bits).SetInt64(1)
	for i := range 80 {
		sum := []*big.Float{cos, sin}[i%2]
		if i%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, angle)
		term.Quo(term, big.NewFloat(float64(i+1)))
	}
	return cos, sin
}

// ulps returns the distance of x from want in units of the last digit of x; tiny numbers are 0.
func ulps(x float64, want *big.Float) float64 {
	d, _ := new(big.Float).Sub(want, big.NewFloat(x)).Float64()
	if math.Abs(d) < 1e-80 {
		return 0
	}
	return math.Abs(d) / (math.Nextafter(math.Abs(x), 2) - math.Abs(x))
}

func TestRadices(t *testing.T) {
	for n, want := range map[int][]int{
		2: {2}, 4: {4}, 8: {8}, 16: {4, 4}, 32: {8, 4}, 64: {8, 8}, 128: {8, 4, 4}, 1024: {8, 8, 4, 4}, 30: {5, 3, 2}, 1001: {13, 11, 7}, 17: nil, 34: nil,
	} {
		if got := radicesOf(n, false); !slices.Equal(got, want) {
			t.Errorf("radicesOf(%d) = %v, want %v", n, got, want)
		}
	}
	for n, want := range map[int][]int{
		2: {2}, 4: {4}, 8: {8}, 16: {16}, 32: {8, 4}, 64: {8, 8}, 128: {16, 8}, 1024: {16, 8, 8}, 4096: {16, 16, 16}, 48: {3, 16}, 34: nil,
	} {
		if got := radicesOf(n, true); !slices.Equal(got, want) {
			t.Errorf("with 16, radicesOf(%d) = %v, want %v", n, got, want)
		}
	}
}

type ballast int

func (b ballast) size() int { return int(b) }

// TestPlansAreBounded fills a cache of plans: the ones used last stay.
func TestPlansAreBounded(t *testing.T) {
	c := cache{made: map[key]*entry{}}
	for n := range 2 * mostPlans {
		c.put(key{n: n}, ballast(1), 1)
		if c.get(key{n: 0}) == nil {
			t.Fatalf("after %d plans, the one that is always used is gone", n)
		}
	}
	if len(c.made) != mostPlans || c.bytes != mostPlans {
		t.Errorf("%d plans of %d bytes, want %d", len(c.made), c.bytes, mostPlans)
	}
	c.put(key{n: -1}, ballast(1), mostPlanBytes-1)
	c.put(key{n: -1}, ballast(1), mostPlanBytes)
	if len(c.made) != 1 || c.get(key{n: -1}) == nil || c.bytes != mostPlanBytes {
		t.Errorf("%d plans of %d bytes beside one that fills the cache", len(c.made), c.bytes)
	}
	c.put(key{n: -2}, ballast(1), 2*mostPlanBytes)
	if len(c.made) != 1 || c.get(key{n: -2}) == nil {
		t.Error("the plan that was made last is gone")
	}
}
