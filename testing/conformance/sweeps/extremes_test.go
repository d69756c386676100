package sweeps

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/testing/golden"
)

// extremes are integers that are no possible sizes: their products overflow, and no machine has that much memory.
var extremes = []int64{-1, 1 << 40, 1 << 62, math.MaxInt64, math.MinInt64}

// repetitions are arguments that give a number of repetitions, which may take arbitrarily long.
var repetitions = map[string]string{
	"nnabla.functions.spectral_norm":               "itr",
	"nnabla.parametric_functions.cpd3_convolution": "max_iter",
}

// TestSweepExtremes replaces each integer among the arguments, and each number in lists, by extreme integers. The
// function must work or refuse.
func TestSweepExtremes(t *testing.T) {
	sweep(t, func(s *subject) error {
		for _, p := range s.fn.Params {
			if p.Ignored() || p.Name == repetitions[s.c.Function] {
				continue
			}
			v, given := s.c.Args.Get(p.Name)
			if !given {
				v = p.Default
			}
			for _, extreme := range extremes {
				for _, w := range withInteger(v, big.NewInt(extreme)) {
					o := s.call(setting{fresh: true, args: func(args golden.Object) golden.Object { return replaced(args, p.Name, w) }})
					if err := o.mayRefuse(); err != nil {
						return fmt.Errorf("%s=%v: %w", p.Name, w, err)
					}
				}
			}
		}
		return nil
	})
}

// withInteger returns the values that result from replacing one of the integers in a value, for each of them.
func withInteger(v golden.Value, i *big.Int) []golden.Value {
	if _, ok := v.(*big.Int); ok {
		return []golden.Value{i}
	}
	var all []golden.Value
	list, _ := listOf(v)
	for k, item := range list {
		for _, w := range withInteger(item, i) {
			other := slices.Clone(list)
			other[k] = w
			all = append(all, other)
		}
	}
	return all
}
