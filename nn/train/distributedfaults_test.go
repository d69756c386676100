package train_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// onRanks runs a trainer on each of several ranks with two goroutines, and returns their errors. loss and load are told the rank.
func onRanks(t *testing.T, ranks int, dir string, lossOf func(rank int) train.LossFunc[data.Batch], load func(rank int, indices []int) error,
	extend func(rank int, trainer *train.Trainer)) []error {
	t.Helper()
	errs := make([]error, ranks)
	var running sync.WaitGroup
	for r, c := range comm.Local(ranks) {
		running.Go(func() {
			defer c.Close()
			x, y := examples(64)
			rows := data.Rows(x, y)
			s := data.NewSampler(64, 2, data.SamplerOptions{Rank: r, Size: ranks, Goroutines: 2, Shuffle: nd.NewRand(1)})
			batches := data.NewPrefetcher(s, 2, 3, func(indices []int) (data.Batch, error) {
				if load != nil {
					if err := load(r, indices); err != nil {
						return nil, err
					}
				}
				return rows(indices)
			})
			u := train.NewDistributed(c, batches, nn.NewScope(), optim.NewAdam(), lossOf(r),
				train.DistributedOptions{Goroutines: 2, UpdaterOptions: train.UpdaterOptions{Rand: nd.NewRand(1)}})
			trainer := train.New(u, train.Every(10, train.Iteration), dir)
			if extend != nil {
				extend(r, trainer)
			}
			errs[r] = trainer.Run(t.Context())
		})
	}
	running.Wait()
	return errs
}

func withSync(int) train.LossFunc[data.Batch] {
	return func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		return regression(m, data.Batch{nn.SyncBatchNormalization(m.Sub("first"), b[0]), b[1]}, r)
	}
}

// TestDistributedFaults: whatever goes wrong on one rank, all end with an error that names it, and no goroutine is left.
func TestDistributedFaults(t *testing.T) {
	defer assert.NoGoroutinesLeft(t)()
	calls := make([]int, 3)
	var lock sync.Mutex
	breaks := func(rank int) train.LossFunc[data.Batch] {
		return func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
			lock.Lock()
			calls[rank]++
			broken := rank == 1 && calls[rank] == 6
			lock.Unlock()
			if broken {
				panic("out of luck")
			}
			return withSync(rank)(m, b, r)
		}
	}
	shapes := func(rank int) train.LossFunc[data.Batch] {
		return func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
			return ops.Mean(nn.Affine(m, b[0], 1+rank))
		}
	}
	fails := func(rank int, trainer *train.Trainer) {
		trainer.Extend(train.Func(func(t *train.Trainer) error {
			if t.Rank() == 1 && t.Iteration() == 4 {
				return fs.ErrPermission
			}
			return nil
		}), train.Settings{Name: "unlucky"})
	}
	unreadable := func(rank int, indices []int) error {
		for _, i := range indices {
			if rank == 1 && i < 32 {
				return fmt.Errorf("example: %w", fs.ErrPermission)
			}
		}
		return nil
	}
	for name, test := range map[string]struct {
		errs []error
		all  string // what the errors of all ranks say
		on1  string
	}{
		"a panic":   {onRanks(t, 3, t.TempDir(), breaks, nil, nil), "out of luck", "goroutine"},
		"shapes":    {onRanks(t, 3, t.TempDir(), shapes, nil, nil), "array 0 of rank 0 is float32(4, 1), and that of rank 1 is float32(4, 2)", ""},
		"extension": {onRanks(t, 3, t.TempDir(), withSync, nil, fails), "extension unlucky: permission denied", ""},
		"data":      {onRanks(t, 3, t.TempDir(), withSync, unreadable, nil), "rank 1: example: permission denied", ""},
	} {
		for r, err := range test.errs {
			if err == nil || !strings.Contains(err.Error(), test.all) || r != 1 && !strings.Contains(err.Error(), "rank 1") {
				t.Errorf("%s: rank %d: error %v, want %q", name, r, err, test.all)
			}
		}
		if err := test.errs[1]; !strings.Contains(fmt.Sprint(err), test.on1) || name != "a panic" && name != "shapes" && !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: rank 1: error %v", name, err)
		}
	}
}

// TestDistributedInterrupt: when the context of one rank is cancelled, all end after the same update with one snapshot, from which the
// training ends as one that was not interrupted, on another number of ranks too.
func TestDistributedInterrupt(t *testing.T) {
	const updates = 9
	want := run{dir: t.TempDir(), updates: updates}.end(t, layout{2, 2})
	dir := t.TempDir()
	errs, at := make([]error, 2), make([]int, 2)
	var running sync.WaitGroup
	for r, c := range comm.Local(2) {
		running.Go(func() {
			defer c.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			trainer, _ := run{dir: dir, updates: updates, options: train.DistributedOptions{Sharded: true}}.trainer(c, layout{2, 2})
			trainer.Extend(train.Func(func(t *train.Trainer) error {
				if t.Rank() == 1 && t.Iteration() == 2 {
					cancel()
				}
				return nil
			}))
			errs[r] = trainer.Run(ctx)
			at[r] = trainer.Iteration()
		})
	}
	running.Wait()
	for r, err := range errs {
		if !errors.Is(err, context.Canceled) || at[r] != 3 {
			t.Errorf("rank %d: after %d updates, error %v", r, at[r], err)
		}
	}
	if !strings.Contains(errs[0].Error(), "rank 1 was interrupted") {
		t.Errorf("error %v", errs[0])
	}
	wholeFiles(t, dir, "log", "snapshot_iter_3")
	for _, l := range []layout{{4, 1}, {1, 4}} {
		o := run{dir: t.TempDir(), updates: updates, resume: filepath.Join(dir, "snapshot_iter_3")}
		sameFiles(t, fmt.Sprint(l), o.end(t, l), want)
	}
}

// TestDistributedRemainder: at the end of batches that end, the last update has fewer of them, and the results are still those of Parallel.
func TestDistributedRemainder(t *testing.T) {
	trained := func(l layout) map[string][]byte {
		dir := t.TempDir()
		var running sync.WaitGroup
		for r, c := range comm.Local(max(l.ranks, 1)) {
			running.Go(func() {
				defer c.Close()
				x, y := examples(33)
				s := data.NewSampler(33, 3, data.SamplerOptions{Rank: r, Size: c.Size(), Goroutines: l.goroutines, Once: true}) // 11 batches
				batches := data.NewLoader(s, data.Rows(x, y))
				o := train.UpdaterOptions{Rand: nd.NewRand(1)}
				params := nn.NewScope()
				var u train.Updater
				if l.ranks == 0 {
					u = train.NewParallel(batches, params, optim.NewAdam(), withSync(0), l.goroutines, o)
				} else {
					u = train.NewDistributed(c, batches, params, optim.NewAdam(), withSync(0), train.DistributedOptions{UpdaterOptions: o, Goroutines: l.goroutines})
				}
				if err := train.New(u, train.Every(9, train.Iteration), dir).Run(t.Context()); err != nil || u.Iteration() != 3 {
					t.Errorf("%v: %d updates, error %v", l, u.Iteration(), err)
				}
				if r == 0 {
					if err := archive.Save(filepath.Join(dir, "end.npz"), params); err != nil {
						t.Error(err)
					}
				}
			})
		}
		running.Wait()
		return members(t, filepath.Join(dir, "end.npz"))
	}
	want := trained(layout{0, 4})
	for _, l := range []layout{{1, 4}, {2, 2}, {4, 1}} {
		sameFiles(t, fmt.Sprint(l), trained(l), want)
	}
}

func TestDistributedMisuse(t *testing.T) {
	c := comm.Local(1)[0]
	defer c.Close()
	batches := loader(4, 2)
	for want, f := range map[string]func(){
		"train.NewDistributed: want a communicator": func() { train.NewDistributed(nil, batches, nn.NewScope(), optim.NewAdam(), regression) },
		"-1 goroutines, buckets of 0 bytes": func() {
			train.NewDistributed(c, batches, nn.NewScope(), optim.NewAdam(), regression, train.DistributedOptions{Goroutines: -1})
		},
	} {
		if err := nd.Catch(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestTooFewBatches: all ranks refuse a first update in which one has no batch, and batches that are not dealt to the ranks in order.
func TestTooFewBatches(t *testing.T) {
	for want, sampler := range map[string]func(rank int) *data.Sampler{
		"1 batches for 2 ranks of 1 goroutines in the first update": func(rank int) *data.Sampler {
			return data.NewSampler(2, 2, data.SamplerOptions{Rank: rank, Size: 2, Once: true})
		},
		"rank 1 has a batch, and a rank before it has none": func(rank int) *data.Sampler {
			return data.NewSampler(2, 2, data.SamplerOptions{Rank: 1 - rank, Size: 2, Once: true})
		},
	} {
		var running sync.WaitGroup
		for r, c := range comm.Local(2) {
			running.Go(func() {
				defer c.Close()
				x, y := examples(2)
				u := train.NewDistributed(c, data.NewLoader(sampler(r), data.Rows(x, y)), nn.NewScope(), optim.NewAdam(), withSync(r))
				err := u.Update(nil)
				if err == nil || err == io.EOF || !strings.Contains(err.Error(), want) {
					t.Errorf("rank %d: error %v, want %q", r, err, want)
				}
				if err := u.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
	}
}
