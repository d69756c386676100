package optim_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// TestMeanOver: ranks with several gradients each have the mean of all, bit for bit, with statements and missing gradients.
func TestMeanOver(t *testing.T) {
	const total = 6
	model := func() *nn.Scope {
		s := nn.NewScope()
		s.Set("w", nd.Ones([]int{50, 40}, dtype.Float32))
		s.Set("half", nd.Ones([]int{7}, dtype.Float16))
		s.Set("complex", nd.Ones([]int{3}, dtype.Complex128))
		s.Set("some", nd.Ones(nil, dtype.Float32))
		s.Set("none", nd.Ones([]int{2}, dtype.Float32))
		return s
	}
	part := func(s *nn.Scope, i int) *optim.Gradients {
		rng := nd.NewRand(uint64(i))
		values := map[string]*nd.Array{
			"w":       random.Normal(rng, 0, 1, []int{40, 50}, dtype.Float32).T(),
			"half":    random.Normal(rng, 0, 1, []int{7}, dtype.Float32).AsType(dtype.Float16),
			"complex": random.Normal(rng, 0, 1, []int{3}).AsType(dtype.Complex128),
		}
		if i%4 == 1 {
			values["some"] = nd.Full(nil, float32(i))
		}
		g := optim.NewGradients(s, values)
		if i%2 == 0 {
			g.Scale(1.5)
		}
		return g
	}
	s := model()
	var all []*optim.Gradients
	for i := range total {
		all = append(all, part(s, i))
	}
	want := optim.Mean(all...)
	for _, ranks := range []int{1, 2, 3, 6} {
		var running sync.WaitGroup
		for r, c := range comm.Local(ranks) {
			running.Go(func() {
				defer c.Close()
				s := model()
				var mine []*optim.Gradients
				for i := range total / ranks {
					mine = append(mine, part(s, r*total/ranks+i))
				}
				got, err := optim.MeanOver(t.Context(), c, mine...)
				if err != nil {
					t.Error(err)
					return
				}
				for name, w := range want.All() {
					if g := got.Get(name); (g == nil) != (w == nil) || w != nil && (!ops.ArrayEqual(g, w) || g.DType() != w.DType()) {
						t.Errorf("%d ranks: %s: %v, want %v", ranks, name, g, w)
					}
				}
			})
		}
		running.Wait()
	}

	c := comm.Local(1)[0]
	refused(t, "optim.MeanOver: no gradients", func() { optim.MeanOver(t.Context(), c) })
	var running sync.WaitGroup
	for r, c := range comm.Local(2) {
		running.Go(func() {
			defer c.Close()
			_, err := optim.MeanOver(t.Context(), c, all[:1+r]...)
			if want := "rank 0 has 1 arrays, and rank 1 has 2"; err == nil || !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
	running.Wait()
}
