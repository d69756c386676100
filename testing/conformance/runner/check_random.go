package runner

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// draws returns the drawn values, and compares their dtype and shape with the expected ones, if given.
func (t *trial) draws(c *golden.Case) ([]float64, dtype.DType, error) {
	xs, err := t.resultArrays(1)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range []string{"dtype", "shape"} {
		if want := expected(c, name); want != nil {
			got, _ := arrayProperty(xs[0], name)
			if !equalValue(compare.Tolerance{}, got, want) {
				return nil, 0, fmt.Errorf("%s %v, want %v", name, got, catalogue.Describe(want))
			}
		}
	}
	return realParts(xs[0]), xs[0].DType(), nil
}

// checkDistribution checks that the mean is within 5 standard errors, that the share of values below each quantile is
// right within 0.006, and that all values lie in the support, whose upper end is excluded for reals.
func (t *trial) checkDistribution(c *golden.Case, _ compare.Tolerance) error {
	x, dt, err := t.draws(c)
	if err != nil {
		return err
	}
	mean, ok1 := golden.Float(expected(c, "mean"))
	std, ok2 := golden.Float(expected(c, "std"))
	quantiles, ok3 := expected(c, "quantiles").(golden.Object)
	if !ok1 || !ok2 || !ok3 || len(x) == 0 {
		return fmt.Errorf("want drawn and expected values")
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	n := float64(len(x))
	if off := math.Abs(sum/n - mean); !(off <= 5*std/math.Sqrt(n)) {
		return fmt.Errorf("the mean is %v, want %v within %v", sum/n, mean, 5*std/math.Sqrt(n))
	}
	for _, q := range quantiles {
		share, err := strconv.ParseFloat(q.Name, 64)
		bound, ok := golden.Float(q.Value)
		if err != nil || !ok {
			return fmt.Errorf("quantile %s is %v", q.Name, catalogue.Describe(q.Value))
		}
		below := 0
		for _, v := range x {
			if v < bound {
				below++
			}
		}
		if got := float64(below) / n; math.Abs(got-share) > 0.006 {
			return fmt.Errorf("%v of the values lie below %v, want %v", got, bound, share)
		}
	}
	return inSupport(x, dt, expected(c, "support"))
}

func inSupport(x []float64, dt dtype.DType, support golden.Value) error {
	ends, ok := support.(golden.List)
	if !ok || len(ends) != 2 {
		return nil
	}
	low, _ := golden.Float(ends[0])
	high, _ := golden.Float(ends[1])
	for i, v := range x {
		if !(v >= low && v <= high) || v == high && !dt.IsInteger() && !math.IsInf(high, 0) {
			return fmt.Errorf("value %d is %v, outside %v to %v", i, v, low, high)
		}
	}
	return nil
}

// checkFrequencies checks that the share of each of the values first, first+1, … is near its probability, and that no
// other values occur.
func (t *trial) checkFrequencies(c *golden.Case, tol compare.Tolerance) error {
	x, _, err := t.draws(c)
	if err != nil {
		return err
	}
	first, ok := golden.Int(expected(c, "first"))
	probabilities, isList := expected(c, "probabilities").(golden.List)
	if !ok || !isList || len(x) == 0 {
		return fmt.Errorf("want drawn and expected values")
	}
	counts := make([]int, len(probabilities))
	for _, v := range x {
		k := int(v) - first
		if v != math.Trunc(v) || k < 0 || k >= len(counts) {
			return fmt.Errorf("%v was drawn, want integers from %d to %d", v, first, first+len(counts)-1)
		}
		counts[k]++
	}
	for k, p := range probabilities {
		want, _ := golden.Float(p)
		if got := float64(counts[k]) / float64(len(x)); math.Abs(got-want) > tol.ATol {
			return fmt.Errorf("the share of %d is %v, want %v", first+k, got, want)
		}
	}
	return nil
}

// checkDistinct checks that no value was drawn twice, and that all lie in the range, whose upper end is excluded.
func (t *trial) checkDistinct(c *golden.Case, _ compare.Tolerance) error {
	x, _, err := t.draws(c)
	if err != nil {
		return err
	}
	ends, ok := expected(c, "range").(golden.List)
	if !ok || len(ends) != 2 {
		return fmt.Errorf("the case has no range")
	}
	low, _ := golden.Float(ends[0])
	high, _ := golden.Float(ends[1])
	for i, v := range x {
		if v < low || v >= high {
			return fmt.Errorf("%v was drawn, want at least %v and less than %v", v, low, high)
		}
		if slices.Contains(x[:i], v) {
			return fmt.Errorf("%v was drawn twice", v)
		}
	}
	return nil
}

// checkSeed checks that the function returns a stream for a seed: equal seeds give equal streams, other seeds other
// streams.
func (t *trial) checkSeed(c *golden.Case, _ compare.Tolerance) error {
	v, _ := c.Args.Get("seed")
	seed, ok := v.(*big.Int)
	if !ok {
		return fmt.Errorf("the case has no seed")
	}
	draw := func(seed *big.Int) ([]uint64, error) {
		other := *c
		other.Args = golden.Object{{Name: "seed", Value: seed}}
		again := &trial{file: t.file, device: t.device, fn: t.fn}
		if err := again.run(&other, catalogue.CallOptions{}); err != nil {
			return nil, err
		}
		rng, ok := again.result.Values[0].(*nd.Rand)
		if !ok {
			return nil, fmt.Errorf("got a %T, want a *nd.Rand", again.result.Values[0])
		}
		values := make([]uint64, 8)
		for i := range values {
			values[i] = rng.Uint64()
		}
		return values, nil
	}
	var streams [3][]uint64
	for i, s := range []*big.Int{seed, seed, new(big.Int).Add(seed, big.NewInt(1))} {
		var err error
		if streams[i], err = draw(s); err != nil {
			return err
		}
	}
	if !slices.Equal(streams[0], streams[1]) || slices.Equal(streams[0], streams[2]) {
		return fmt.Errorf("seed %v twice gives %v and %v, the next seed %v", seed, streams[0], streams[1], streams[2])
	}
	return nil
}
