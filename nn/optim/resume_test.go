package optim_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// course is a training with all kinds of state: parameters, statistics, an optimizer, dropout, and the order of the
// examples.
type course struct {
	params  *nn.Scope
	opt     *optim.Optimizer
	batches data.Batches[data.Batch]
	rng     *nd.Rand
	updates int
}

func newCourse(opt *optim.Optimizer, workers int) *course {
	rng := nd.NewRand(11)
	x := images(17)
	sampler := data.NewSampler(17, 4, data.SamplerOptions{Shuffle: rng.Split()})
	r := &course{params: nn.NewScope(nn.ScopeOptions{Rand: rng.Split()}), opt: opt, rng: rng.Split()}
	if workers == 0 {
		r.batches = data.NewLoader(sampler, data.Rows(x))
	} else {
		r.batches = data.NewPrefetcher(sampler, workers, 3, data.Rows(x))
	}
	return r
}

func (r *course) train(t *testing.T, until int) {
	t.Helper()
	tape := grad.NewTape()
	for ; r.updates < until; r.updates++ {
		batch, err := r.batches.Next()
		if err != nil {
			t.Fatal(err)
		}
		model := r.params.Watch(tape, nn.WatchOptions{Rand: r.rng})
		g := optim.GradientsOf(model, ops.Mean(ops.Square(imageNet(model, batch[0]))))
		g.WeightDecay(1e-3)
		r.opt.Update(g)
		tape.Reset()
	}
}

func (r *course) Archive(a *archive.Archive) {
	a.Object("params", r.params)
	a.Object("opt", r.opt.Of(r.params))
	a.Object("batches", r.batches)
	a.Object("rng", archive.Stream(r.rng))
	a.Int("updates", &r.updates)
}

func (r *course) save(t *testing.T, path string) []byte {
	t.Helper()
	if err := archive.Save(path, r); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A training that resumes from its checkpoint ends with the same bytes as a training that never stopped.
func TestResume(t *testing.T) {
	for k := range references {
		newOptimizer := references[k].opt
		t.Run(newOptimizer().Name(), func(t *testing.T) {
			t.Parallel() // the test mostly waits for the disk
			dir := t.TempDir()
			const end = 11 // in the third epoch
			whole := newCourse(newOptimizer(), 0)
			whole.train(t, end)
			want := whole.save(t, filepath.Join(dir, "whole.npz"))
			for _, at := range []int{1, 6, 7} { // 6 updates are 24 of 17 images: in the middle of an epoch
				for _, workers := range []int{0, 3} {
					path := filepath.Join(dir, fmt.Sprintf("%d-%d.npz", at, workers))
					first := newCourse(newOptimizer(), workers)
					first.train(t, at)
					first.save(t, path)
					second := newCourse(newOptimizer(), workers)
					if err := archive.Load(path, second); err != nil {
						t.Fatal(err)
					}
					second.train(t, end)
					if got := second.save(t, path); !bytes.Equal(got, want) {
						t.Errorf("stopped at update %d with %d workers, it ends elsewhere", at, workers)
					}
					first.batches.Close()
					second.batches.Close()
				}
			}
		})
	}
}
