package train_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// lenet is a small LeNet with both kinds of batch normalisation, dropout and a parameter that only some batches use.
func lenet(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
	h := nn.Convolution(m.Sub("conv"), b[0], 4, []int{3, 3})
	h = conv.MaxPooling(ops.ReLU(nn.SyncBatchNormalization(m.Sub("sync"), h)), []int{2, 2})
	h = ops.Tanh(nn.BatchNormalization(m.Sub("plain"), nn.Affine(m.Sub("l1"), h, 12)))
	if m.Training() {
		h = nn.Dropout(m, h, 0.25)
	}
	extra := m.Sub("rare").Parameter("b", []int{10}, nil, true)
	if !m.Training() || nd.Value[int](b[1], 0)%3 == 0 {
		h = ops.Add(nn.Affine(m.Sub("l2"), h, 10), extra)
	} else {
		h = nn.Affine(m.Sub("l2"), h, 10)
	}
	l := ops.Mean(loss.SoftmaxCrossEntropy(h, b[1]))
	r.Report("loss", l)
	return l
}

// layout is a number of ranks, and of goroutines of each; 0 ranks are train.Parallel.
type layout struct{ ranks, goroutines int }

// run is a distributed training: what it needs beside its layout.
type run struct {
	dir     string
	resume  string // a snapshot
	updates int
	options train.DistributedOptions
	c       func(c *comm.Communicator, t *train.Trainer) // is called on each rank before the training
}

const runExamples, runBatch = 44, 3

// trainer returns a rank's trainer and its model.
func (o run) trainer(c *comm.Communicator, l layout) (*train.Trainer, *nn.Scope) {
	rng := nd.NewRand(3)
	x, labels := random.Normal(rng, 0, 1, []int{runExamples, 1, 8, 8}, dtype.Float32), random.Integers(rng, 0, 10, []int{runExamples})
	s := data.SamplerOptions{Shuffle: nd.NewRand(7), Goroutines: l.goroutines, Rank: c.Rank(), Size: c.Size()}
	batches := data.NewPrefetcher(data.NewSampler(runExamples, runBatch, s), 2, 3, data.Rows(x, labels))
	params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(2)})
	opt := optim.NewAdam()
	options := o.options
	options.Goroutines, options.Rand = l.goroutines, nd.NewRand(9)
	options.Hook = func(g *optim.Gradients) { g.ClipByGlobalNorm(1); g.WeightDecay(1e-3) }
	var u train.Updater
	if l.ranks == 0 {
		u = train.NewParallel(batches, params, opt, lenet, l.goroutines, options.UpdaterOptions)
	} else {
		u = train.NewDistributed(c, batches, params, opt, lenet, options)
	}
	t := train.New(u, train.Every(float64(o.updates), train.Iteration), o.dir)
	tests := data.NewLoader(data.NewSampler(17, 2, data.SamplerOptions{Once: true, Rank: c.Rank(), Size: c.Size()}), data.Rows(x, labels))
	t.Extend(train.NewEvaluator(tests, params, lenet), train.Settings{Trigger: train.Every(4, train.Iteration)})
	t.Extend(train.NewExponentialShift(train.LearningRate(opt), 0.9), train.Settings{Trigger: train.Every(4, train.Iteration)})
	t.Extend(train.NewLogReport(train.LogReportOptions{Trigger: train.Every(3, train.Iteration)}))
	t.Extend(train.NewSnapshot(), train.Settings{Trigger: train.At(train.Iteration, 5, float64(o.updates))})
	return t, params
}

// start runs the training, and returns the error of each rank.
func (o run) start(t *testing.T, l layout) []error {
	t.Helper()
	errs := make([]error, max(l.ranks, 1))
	var running sync.WaitGroup
	for r, c := range comm.Local(max(l.ranks, 1)) {
		running.Go(func() {
			defer c.Close()
			trainer, _ := o.trainer(c, l)
			if o.resume != "" {
				if err := archive.Load(o.resume, trainer); err != nil {
					errs[r] = errors.Join(err, trainer.Updater().Close())
					return
				}
			}
			if o.c != nil {
				o.c(c, trainer)
			}
			errs[r] = trainer.Run(t.Context())
		})
	}
	running.Wait()
	return errs
}

// end runs the training without errors, and returns its last snapshot, without times.
func (o run) end(t *testing.T, l layout) map[string][]byte {
	t.Helper()
	if err := errors.Join(o.start(t, l)...); err != nil {
		t.Fatalf("%v: %v", l, err)
	}
	return snapshotOf(t, o.dir, o.updates)
}

// snapshotOf returns what is in a snapshot that does not depend on the time, nor on how values are reported.
func snapshotOf(t *testing.T, dir string, update int) map[string][]byte {
	t.Helper()
	all := members(t, filepath.Join(dir, fmt.Sprint("snapshot_iter_", update)))
	for name := range all {
		if strings.Contains(name, "elapsed") || strings.Contains(name, "LogReport") {
			delete(all, name)
		}
	}
	return all
}

// sameFiles compares snapshots byte for byte.
func sameFiles(t *testing.T, what string, got, want map[string][]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d entries, want %d", what, len(got), len(want))
	}
	for name, w := range want {
		if !bytes.Equal(got[name], w) {
			t.Errorf("%s: %s differs", what, name)
		}
	}
}

// TestLayouts: one process with four goroutines, two with two and four with one end with the same bytes, as does Parallel, with small
// buckets and with sharded states too. So does a training that is resumed in the middle by another layout.
func TestLayouts(t *testing.T) {
	const updates = 9
	want := run{dir: t.TempDir(), updates: updates}.end(t, layout{0, 4})
	var logs []string
	snapshots := map[layout]string{}
	for _, l := range []layout{{1, 4}, {2, 2}, {4, 1}} {
		for _, o := range []train.DistributedOptions{{}, {BucketBytes: 300, Sharded: true}} {
			dir := t.TempDir()
			sameFiles(t, fmt.Sprint(l, o), run{dir: dir, updates: updates, options: o}.end(t, l), want)
			text, err := os.ReadFile(filepath.Join(dir, "log"))
			if err != nil {
				t.Fatal(err)
			}
			logs = append(logs, elapsed.ReplaceAllString(string(text), ""))
			snapshots[l] = filepath.Join(dir, "snapshot_iter_5")
		}
	}
	for i, log := range logs {
		if log != logs[0] || !strings.Contains(log, "validation/main/loss") {
			t.Errorf("log %d is\n%s\nwant\n%s", i, log, logs[0])
		}
	}
	for from, to := range map[layout]layout{{1, 4}: {4, 1}, {4, 1}: {2, 2}, {2, 2}: {0, 4}} {
		o := run{dir: t.TempDir(), updates: updates, resume: snapshots[from], options: train.DistributedOptions{Sharded: true}}
		sameFiles(t, fmt.Sprintf("%v after %v", to, from), o.end(t, to), want)
	}
}

// TestExchangeTime: the time that a rank's gradients are exchanged grows, and no more of it is hidden than there is.
func TestExchangeTime(t *testing.T) {
	o := run{dir: t.TempDir(), updates: 6, options: train.DistributedOptions{BucketBytes: 300}, c: func(c *comm.Communicator, trainer *train.Trainer) {
		before := time.Duration(0)
		trainer.Extend(train.Func(func(trainer *train.Trainer) error {
			total, hidden := trainer.Updater().(*train.Distributed[data.Batch]).ExchangeTime()
			if total <= before || hidden < 0 || hidden > total {
				t.Errorf("rank %d: %v, of which %v hidden, after %v before the update", c.Rank(), total, hidden, before)
			}
			before = total
			return nil
		}), train.Settings{Name: "clock", Trigger: train.Every(1, train.Iteration)})
	}}
	if err := errors.Join(o.start(t, layout{2, 1})...); err != nil {
		t.Error(err)
	}
}

// TestDistributedFast: with Fast, the order of the sums is the engine's; results are nearly the same.
func TestDistributedFast(t *testing.T) {
	var params []*nn.Scope
	for _, fast := range []bool{false, true} {
		var running sync.WaitGroup
		for _, c := range comm.Local(2) {
			running.Go(func() {
				defer c.Close()
				trainer, p := run{dir: t.TempDir(), updates: 3, options: train.DistributedOptions{Fast: fast}}.trainer(c, layout{2, 2})
				if err := trainer.Run(context.Background()); err != nil {
					t.Error(err)
				}
				if c.Rank() == 0 {
					params = append(params, p)
				}
			})
		}
		running.Wait()
	}
	for name, p := range params[0].All() {
		if !ops.AllClose(p.Value(), params[1].Get(name), ops.IsCloseOptions{ATol: nd.Scalar(1e-4)}) {
			t.Errorf("%s: %v, want %v", name, params[1].Get(name), p.Value())
		}
	}
}
