package train_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/train"
)

// optimizers are all optimizers of package nn.
var optimizers = []func() *optim.Optimizer{
	func() *optim.Optimizer { return optim.NewSGD() }, func() *optim.Optimizer { return optim.NewSGDW() },
	func() *optim.Optimizer { return optim.NewMomentum() }, func() *optim.Optimizer { return optim.NewNesterov() },
	func() *optim.Optimizer { return optim.NewNesterovAG() }, func() *optim.Optimizer { return optim.NewLars() },
	func() *optim.Optimizer { return optim.NewAdaDelta() }, func() *optim.Optimizer { return optim.NewAdaGrad() },
	func() *optim.Optimizer { return optim.NewAdaBelief() }, func() *optim.Optimizer { return optim.NewRMSprop() },
	func() *optim.Optimizer { return optim.NewRMSpropGraves() }, func() *optim.Optimizer { return optim.NewSMORMS3() },
	func() *optim.Optimizer { return optim.NewAdam() }, func() *optim.Optimizer { return optim.NewAdamW() },
	func() *optim.Optimizer { return optim.NewAdaBound() }, func() *optim.Optimizer { return optim.NewAdamax() },
	func() *optim.Optimizer { return optim.NewAMSGRAD() }, func() *optim.Optimizer { return optim.NewAMSBound() },
	func() *optim.Optimizer { return optim.NewLamb() }, func() *optim.Optimizer { return optim.NewLion() },
}

// The end of each training, and the updates at which it is saved: after the first update, within an epoch (14 examples
// in batches of 4), within an interval of the log (3 updates), and at the end of an interval.
const end = 11

var stops = []float64{1, 5, 6, 7}

// course is a trainer with all kinds of state: parameters, statistics, an optimizer, dropout, the order of the
// examples, logs, a shift of the learning rate and a trigger that keeps the best value.
func course(dir string, opt *optim.Optimizer, workers, goroutines int) *train.Trainer {
	const n, batch = 14, 4
	x, y := examples(n)
	sampler := data.NewSampler(n, batch, data.SamplerOptions{Shuffle: nd.NewRand(17)})
	batches := data.Batches[data.Batch](data.NewLoader(sampler, data.Rows(x, y)))
	if workers > 0 {
		batches = data.NewPrefetcher(sampler, workers, 3, data.Rows(x, y))
	}
	params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(2)})
	o := train.UpdaterOptions{Rand: nd.NewRand(9), Hook: func(g *optim.Gradients) { g.WeightDecay(1e-3) }}
	var updater train.Updater = train.NewUpdater(batches, params, opt, regression, o)
	if goroutines > 0 {
		updater = train.NewParallel(batches, params, opt, regression, goroutines, o)
	}
	t := train.New(updater, train.Every(end, train.Iteration), dir)
	tests := data.NewLoader(data.NewSampler(n, 5, data.SamplerOptions{Once: true}), data.Rows(x, y))
	t.Extend(train.NewEvaluator(tests, params, regression), train.Settings{Trigger: train.Every(2, train.Iteration)})
	t.Extend(train.NewExponentialShift(train.LearningRate(opt), 0.9), train.Settings{Trigger: train.Every(4, train.Iteration)})
	t.Extend(train.ObserveLR(opt))
	t.Extend(train.NewLogReport(train.LogReportOptions{Trigger: train.Every(3, train.Iteration)}))
	t.Extend(train.NewLogReport(train.LogReportOptions{Keys: []string{"main/loss"}, FileName: "best"}),
		train.Settings{Trigger: train.MinValue("main/loss", train.Every(2, train.Iteration))})
	t.Extend(train.NewSnapshot(), train.Settings{Trigger: train.At(train.Iteration, append([]float64{end}, stops...)...)})
	return t
}

// elapsed matches the times in a log.
var elapsed = regexp.MustCompile(`"elapsed_time": [0-9.e+-]+`)

// members returns the files in a zip archive by their names.
func members(t *testing.T, path string) map[string][]byte {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if all[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return all
}

// logs returns the texts of a snapshot without times.
func logs(t *testing.T, path string) (all []string) {
	t.Helper()
	z, err := nd.OpenNpz(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, name := range z.StringNames() {
		text, err := z.ReadStrings(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, name, elapsed.ReplaceAllString(text.Values[0], ""))
	}
	return all
}

// sameBut compares the entries of two snapshots byte for byte, except times.
func sameBut(t *testing.T, got, want string) {
	t.Helper()
	entries, wanted := members(t, got), members(t, want)
	for name, w := range wanted {
		if timed := name == "_snapshot_elapsed_time.npy" || strings.HasSuffix(name, "/_log.npy"); !timed && !bytes.Equal(entries[name], w) {
			t.Errorf("%s differs", name)
		}
	}
	if len(entries) != len(wanted) {
		t.Errorf("%d entries, want %d", len(entries), len(wanted))
	}
	if g, w := logs(t, got), logs(t, want); !slices.Equal(g, w) {
		t.Errorf("logs are\n%s\nwant\n%s", g, w)
	}
}

// A training that resumes from its snapshot ends with the same entries as a training that never stopped.
func TestResume(t *testing.T) {
	kinds := []struct{ workers, goroutines int }{{0, 0}, {4, 0}}
	for k, newOptimizer := range optimizers {
		t.Run(newOptimizer().Name(), func(t *testing.T) {
			t.Parallel() // the test mostly waits for the disk
			dir := t.TempDir()
			all := kinds
			if k < 3 {
				all = append(all[:len(all):len(all)], struct{ workers, goroutines int }{2, 3})
			}
			for _, kind := range all {
				whole := filepath.Join(dir, fmt.Sprint("whole", kind))
				if err := course(whole, newOptimizer(), kind.workers, kind.goroutines).Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				for _, at := range stops {
					again := filepath.Join(dir, fmt.Sprint(at, kind))
					trainer := course(again, newOptimizer(), kind.workers, kind.goroutines)
					if err := archive.Load(filepath.Join(whole, fmt.Sprint("snapshot_iter_", at)), trainer); err != nil {
						t.Fatal(err)
					}
					if err := trainer.Run(t.Context()); err != nil {
						t.Fatal(err)
					}
					last := fmt.Sprint("snapshot_iter_", end)
					sameBut(t, filepath.Join(again, last), filepath.Join(whole, last))
				}
			}
		})
	}
}
