package sweeps

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/ndgrad/ndgrad/testing/golden"
)

// extremes are integers that no size survives: their products overflow, and no machine has so much memory.
var extremes = []int64{-1, 1 << 40, 1 << 62, math.MaxInt64, math.MinInt64}

// repetitions are arguments that say how often something is done, for as long as that may take.
var repetitions = map[string]string{"nnabla.functions.spectral_norm": "itr"}

// TestSweepExtremes passes extreme integers in place of each one among the arguments, and of the numbers in lists: the function
// works or refuses.
func TestSweepExtremes(t *testing.T) {
	sweep(t, func(s *subject) error {
		for _, p := range s.b.Signature.Params {
			if s.b.Targets[p.Name].Ignored || p.Name == repetitions[s.c.Function] {
				continue
			}
			v, given := s.c.Args.Get(p.Name)
			if !given {
				v = p.Default
			}
			for _, extreme := range extremes {
				for _, w := range withInteger(v, big.NewInt(extreme)) {
					o := s.call(setting{args: func(args golden.Object) golden.Object {
						for i := range args {
							if args[i].Name == p.Name {
								args[i].Value = w
								return args
							}
						}
						return append(args, golden.Member{Name: p.Name, Value: w})
					}})
					if err := o.mayRefuse(); err != nil {
						return fmt.Errorf("%s=%v: %w", p.Name, w, err)
					}
				}
			}
		}
		return nil
	})
}

// withInteger returns what a value becomes when one of the integers in it is replaced, for each of them.
func withInteger(v golden.Value, i *big.Int) []golden.Value {
	switch v := v.(type) {
	case *big.Int:
		return []golden.Value{i}
	case golden.List:
		var all []golden.Value
		for k, item := range v {
			for _, w := range withInteger(item, i) {
				list := append(golden.List(nil), v...)
				list[k] = w
				all = append(all, list)
			}
		}
		return all
	}
	return nil
}
