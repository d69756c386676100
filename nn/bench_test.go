package nn_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// BenchmarkUpdate updates ten million parameters in one array and in a hundred arrays, and a million in a thousand
// arrays.
func BenchmarkUpdate(b *testing.B) {
	for _, c := range []struct {
		name    string
		opt     func() *nn.Optimizer
		prepare func(*nn.Gradients)
	}{
		{"Sgd", func() *nn.Optimizer { return nn.NewSgd() }, nil},
		{"Momentum", func() *nn.Optimizer { return nn.NewMomentum() }, nil},
		{"Adam", func() *nn.Optimizer { return nn.NewAdam() }, nil},
		{"AdamW", func() *nn.Optimizer { return nn.NewAdamW() }, nil},
		{"Lamb", func() *nn.Optimizer { return nn.NewLamb() }, nil},
		{"AdamClipped", func() *nn.Optimizer { return nn.NewAdam() }, func(g *nn.Gradients) { g.ClipByGlobalNorm(1) }},
	} {
		for _, size := range []struct{ count, each int }{{1, 10_000_000}, {100, 100_000}, {1000, 1000}} {
			b.Run(fmt.Sprintf("%s/%dx%d", c.name, size.count, size.each), func(b *testing.B) {
				scope, values := nn.NewScope(), map[string]*nd.Array{}
				for i := range size.count {
					name := fmt.Sprint("w", i)
					w := scope.Parameter(name, []int{size.each}, nn.Constant(1), true)
					values[name] = nd.Full(w.Shape(), 0.01, nd.ArrayOptions{DType: dtype.Float32})
				}
				opt := c.opt()
				g := nn.NewGradients(scope, values)
				step := func() {
					if c.prepare != nil { // a norm is computed once
						g = nn.NewGradients(scope, values)
						c.prepare(g)
					}
					opt.Update(g)
				}
				step()
				b.ReportAllocs()
				for b.Loop() {
					step()
				}
			})
		}
	}
}
