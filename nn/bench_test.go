package nn_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// BenchmarkUpdate moves parameters of a million elements in all, in one and in many arrays.
func BenchmarkUpdate(b *testing.B) {
	single := nd.ArrayOptions{DType: dtype.Float32}
	for _, solver := range []*nn.Optimizer{nn.NewSgd(), nn.NewMomentum(), nn.NewAdam()} {
		for _, count := range []int{1, 1000} {
			b.Run(fmt.Sprintf("%s/%d", solver.Name(), count), func(b *testing.B) {
				scope, values := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(1)}), map[string]*nd.Array{}
				for i := range count {
					name := fmt.Sprint("w", i)
					w := scope.Parameter(name, []int{1_000_000 / count}, nn.Constant(1), true)
					values[name] = nd.Ones(w.Shape(), single)
				}
				g := nn.NewGradients(scope, values)
				solver.Update(g)
				for b.Loop() {
					solver.Update(g)
				}
			})
		}
	}
}
