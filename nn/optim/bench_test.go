package optim_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// BenchmarkUpdate updates ten million parameters in one array and in a hundred arrays, and a million in a thousand
// arrays.
func BenchmarkUpdate(b *testing.B) {
	for _, c := range []struct {
		name    string
		opt     func() *optim.Optimizer
		prepare func(*optim.Gradients)
	}{
		{"SGD", func() *optim.Optimizer { return optim.NewSGD() }, nil},
		{"Momentum", func() *optim.Optimizer { return optim.NewMomentum() }, nil},
		{"Adam", func() *optim.Optimizer { return optim.NewAdam() }, nil},
		{"AdamW", func() *optim.Optimizer { return optim.NewAdamW() }, nil},
		{"Lamb", func() *optim.Optimizer { return optim.NewLamb() }, nil},
		{"AdamClipped", func() *optim.Optimizer { return optim.NewAdam() }, func(g *optim.Gradients) { g.ClipByGlobalNorm(1) }},
	} {
		for _, size := range []struct{ count, each int }{{1, 10_000_000}, {100, 100_000}, {1000, 1000}} {
			b.Run(fmt.Sprintf("%s/%dx%d", c.name, size.count, size.each), func(b *testing.B) {
				scope, values := nn.NewScope(), map[string]*nd.Array{}
				for i := range size.count {
					name := fmt.Sprint("w", i)
					w := scope.Parameter(name, []int{size.each}, initializer.Constant(1), true)
					values[name] = nd.Full(w.Shape(), 0.01, dtype.Float32)
				}
				opt := c.opt()
				g := optim.NewGradients(scope, values)
				step := func() {
					if c.prepare != nil { // a norm is computed once
						g = optim.NewGradients(scope, values)
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
