package nn_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// normalized is what a normalisation of a batch and its gradients give.
type normalized struct{ y, gx, gbeta, ggamma, ggx *nd.Array }

// normalize computes a layer on x, the gradients of Σ(y·w)², and the gradient of the sum of squares of gx with respect to x.
func normalize(layer func(s *nn.Scope, x *nd.Array) *nd.Array, s *nn.Scope, x, w *nd.Array, c *comm.Communicator) normalized {
	tape := grad.NewTape()
	m, X := s.Watch(tape, nn.WatchOptions{Comm: c}), tape.Watch(x)
	y := layer(m, X)
	loss := ops.Sum(ops.Square(ops.Multiply(y, w)))
	beta, gamma := m.Get("bn/beta"), m.Get("bn/gamma")
	g := tape.Gradient(loss, X, beta, gamma)
	again := tape.GradientRecorded(loss, X)
	gg := tape.Gradient(ops.Sum(ops.Square(again[0])), X)
	return normalized{y.Detach(), g[0], g[1], g[2], gg[0]}
}

// TestSyncBatchNormalization: ranks with parts of a batch compute what one rank computes with the whole batch: results, gradients of the
// first and the second order, and running statistics. The parts have different sizes, also none.
func TestSyncBatchNormalization(t *testing.T) {
	rng := nd.NewRand(7)
	for _, cuts := range [][]int{{0, 6}, {0, 2, 6}, {0, 1, 1, 4, 6}} {
		x, w := random.Normal(rng, 1, 2, []int{6, 3, 2}, dtype.Float64), random.Normal(rng, 0, 1, []int{6, 3, 2}, dtype.Float64)
		whole := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
		plain := func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.BatchNormalization(s, x) }
		want := normalize(plain, whole, x, w, nil)
		ranks := len(cuts) - 1
		got, scopes := make([]normalized, ranks), make([]*nn.Scope, ranks)
		var running sync.WaitGroup
		for r, c := range comm.Local(ranks) {
			running.Go(func() {
				defer c.Close()
				g, err := c.NewGroup(context.Background(), "all", []int{0, 1, 2, 3}[:ranks])
				if err != nil {
					t.Error(err)
				}
				layer := func(s *nn.Scope, x *nd.Array) *nd.Array {
					if r%2 == 0 { // the same communicator, given in two ways
						return nn.SyncBatchNormalization(s, x, nn.SyncBatchNormalizationOptions{Comm: g})
					}
					return nn.SyncBatchNormalization(s, x)
				}
				part := nd.Span(cuts[r], cuts[r+1])
				scopes[r] = nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
				got[r] = normalize(layer, scopes[r], x.Index(part), w.Index(part), g)
			})
		}
		running.Wait()
		beta, gamma := nd.ZerosLike(want.gbeta), nd.ZerosLike(want.ggamma)
		near := func(what string, got, want *nd.Array) {
			t.Helper()
			if !assert.AllClose(t, got, want, 1e-9, 1e-9) {
				t.Error(what)
			}
		}
		for r, n := range got {
			part := nd.Span(cuts[r], cuts[r+1])
			what := fmt.Sprintf("%v, rank %d: ", cuts, r)
			near(what+"result", n.y, want.y.Index(part))
			near(what+"gradient", n.gx, want.gx.Index(part))
			near(what+"second gradient", n.ggx, want.ggx.Index(part))
			beta, gamma = ops.Add(beta, n.gbeta), ops.Add(gamma, n.ggamma)
			for _, name := range []string{"bn/mean", "bn/var"} {
				near(what+name, scopes[r].Get(name), whole.Get(name))
			}
		}
		near("gradient of beta", beta, want.gbeta)
		near("gradient of gamma", gamma, want.ggamma)
	}
}
