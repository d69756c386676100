package chainerfiles_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// mlp is the predictor in the recorded training runs.
type mlp struct{}

func (mlp) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := ops.ReLU(link.Linear{OutSize: 8}.Apply(s.Sub("l1"), x))
	h = ops.ReLU(link.Linear{OutSize: 8}.Apply(s.Sub("l2"), h))
	return link.Linear{OutSize: 4}.Apply(s.Sub("l3"), h)
}

// run is the record of a training run.
type run struct {
	Epochs   int
	Interval []any

	TrainExamples int `json:"train_examples"`
	BatchSize     int `json:"batch_size"`
	TestBatchSize int `json:"test_batch_size"`

	Iterations []struct {
		Iteration   int
		Epoch       int
		EpochDetail float64 `json:"epoch_detail"`
		IsNewEpoch  bool    `json:"is_new_epoch"`
		Observation map[string]float64
	}
}

// TestTrainings repeats the recorded training runs with the trainer, from the start and from snapshots that Chainer
// took. Final parameters and optimizers, the observation of each update, logs and printed tables must be Chainer's.
func TestTrainings(t *testing.T) {
	for name, optimizer := range map[string]func() (*optim.Optimizer, func(g *optim.Gradients)){
		"train_sgd": func() (*optim.Optimizer, func(*optim.Gradients)) { return optim.NewSGD(optim.SGDOptions{LR: 0.1}), nil },
		"train_adam": func() (*optim.Optimizer, func(*optim.Gradients)) {
			return optim.NewAdam(optim.AdamOptions{LR: 0.02}), nil
		},
		"train_momentum": func() (*optim.Optimizer, func(*optim.Gradients)) {
			return optim.NewMomentum(optim.MomentumOptions{LR: 0.05}), func(g *optim.Gradients) {
				g.ClipByGlobalNorm(1)
				g.WeightDecay(0.01)
			}
		},
	} {
		for _, from := range []int{0, 9, 18} {
			t.Run(fmt.Sprintf("%s from %d", name, from), func(t *testing.T) {
				opt, hook := optimizer()
				newTraining(t, name, opt, hook).resume(t, from)
			})
		}
	}
}

// training is the state of a repeated training run.
type training struct {
	name     string
	recorded run
	params   *nn.Scope
	opt      *optim.Optimizer
	trainer  *train.Trainer
	log      *train.LogReport
	seen     []report.Values
	printed  string // printed by Chainer
	table    strings.Builder
	count    count
}

func newTraining(t *testing.T, name string, opt *optim.Optimizer, hook func(*optim.Gradients)) *training {
	tr := &training{name: name, recorded: object[run](t, recorded(t, name, "run.json")), params: nn.NewScope(), opt: opt}
	set := npz(t, recorded(t, name, "data.npz"))
	model := link.Classifier{Predictor: mlp{}}
	interval := train.Every(tr.recorded.Interval[0].(float64), unit(tr.recorded.Interval[1]))
	examples := data.NewLoader(data.NewSampler(tr.recorded.TrainExamples, tr.recorded.BatchSize), data.Rows(set.Get("train_x"), set.Get("train_t")))
	tests := data.NewLoader(data.NewSampler(set.Get("test_x").Dim(0), tr.recorded.TestBatchSize, data.SamplerOptions{Once: true}),
		data.Rows(set.Get("test_x"), set.Get("test_t")))

	updater := train.NewUpdater(examples, tr.params, opt, model.Loss, train.UpdaterOptions{Hook: hook})
	tr.trainer = train.New(updater, train.Every(float64(tr.recorded.Epochs), train.Epoch), t.TempDir())
	tr.trainer.Extend(train.NewEvaluator(tests, tr.params, model.Loss), train.Settings{Trigger: interval})
	tr.trainer.Extend(train.ObserveLR(opt))
	tr.log = train.NewLogReport(train.LogReportOptions{Trigger: interval})
	tr.trainer.Extend(tr.log)
	tr.trainer.Extend(train.NewLogReport(train.LogReportOptions{Keys: []string{"main/loss"}, Trigger: train.Every(8, train.Iteration),
		FileName: "loss_log_{iteration}", Postprocess: func(v *report.Values) {
			loss, _ := v.Get("main/loss")
			v.Set("doubled", 2*loss)
		}}), train.Settings{Name: "second_log"})
	tr.trainer.Extend(train.Func(func(t *train.Trainer) error {
		var copied report.Values
		for name, v := range t.Observation().All() {
			copied.Set(name, v)
		}
		tr.seen = append(tr.seen, copied)
		return nil
	}))
	tr.printed = text(t, recorded(t, name, "print_report.txt"))
	header, _, _ := strings.Cut(tr.printed, "\n")
	table := train.NewPrintReport(tr.log, strings.Fields(header)...)
	table.Out = &tr.table
	tr.trainer.Extend(table)
	tr.trainer.Extend(train.NewSnapshot(), train.Settings{Trigger: train.Every(2, train.Epoch)})
	tr.trainer.Extend(train.NewSnapshotObject(tr.params, train.SnapshotOptions{FileName: "model_iter_{iteration}"}),
		train.Settings{Trigger: train.Every(2, train.Epoch)})
	return tr
}

func unit(name any) train.Unit {
	if name == "epoch" {
		return train.Epoch
	}
	return train.Iteration
}

// resume trains to the end, from the start or from Chainer's snapshot after some updates.
func (tr *training) resume(t *testing.T, from int) {
	if from == 0 {
		load(t, recorded(t, tr.name, "initial.npz"), tr.params)
	} else {
		load(t, recorded(t, tr.name, fmt.Sprint("snapshot_iter_", from)), tr.trainer)
	}
	if err := tr.trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	tr.count.parameters(t, tr.params, npz(t, recorded(t, tr.name, "final.npz")))
	tr.observations(t, from)
	tr.logs(t, from)
	if from == 0 && !alike(tr.table.String(), tr.printed) { // Chainer does not save an unfinished interval
		t.Errorf("printed\n%swant\n%s", tr.table.String(), tr.printed)
	}
	tr.snapshots(t, from)
	tr.count.report(t)
}

// observations compares the values observed after each update.
func (tr *training) observations(t *testing.T, from int) {
	if len(tr.seen) != len(tr.recorded.Iterations)-from {
		t.Fatalf("%d updates, want %d", len(tr.seen), len(tr.recorded.Iterations)-from)
	}
	for i, got := range tr.seen {
		at := tr.recorded.Iterations[from+i]
		if got.Len() != len(at.Observation) {
			t.Errorf("update %d: observed %v, want %v", at.Iteration, got.Names(), at.Observation)
		}
		for name, want := range at.Observation {
			if v, ok := got.Get(name); !ok || !near(v, want) {
				t.Errorf("update %d: %s is %v, want %v", at.Iteration, name, v, want)
			}
			tr.count++
		}
	}
}

// logs compares the files of both logs. After a snapshot within an interval, Chainer's log lacks the earlier
// observations.
func (tr *training) logs(t *testing.T, from int) {
	if from == 0 || tr.recorded.Interval[1] == "epoch" {
		tr.logFile(t, "log")
	}
	if from%8 == 0 {
		tr.logFile(t, "loss_log_8")
	}
	if from <= 9 && from%8 == 0 {
		tr.logFile(t, "loss_log_16")
	}
}

func (tr *training) logFile(t *testing.T, name string) {
	t.Helper()
	tr.sameLog(t, name, text(t, filepath.Join(tr.trainer.Out(), name)), text(t, recorded(t, tr.name, name)))
}

// sameLog compares two logs, except times.
func (tr *training) sameLog(t *testing.T, name, got, want string) {
	t.Helper()
	g, w := parsed(t, got), parsed(t, want)
	if len(g) != len(w) {
		t.Errorf("%s has %d entries, want %d", name, len(g), len(w))
		return
	}
	for i := range w {
		if len(g[i]) != len(w[i]) {
			t.Errorf("%s: entry %d is %v, want %v", name, i, g[i], w[i])
		}
		for key, v := range w[i] {
			if x, ok := g[i][key]; !ok || key != "elapsed_time" && !near(x, v) {
				t.Errorf("%s: %s of entry %d is %v, want %v", name, key, i, x, v)
			}
			tr.count++
		}
	}
	if g, w := withoutNumbers(got), withoutNumbers(want); g != w {
		t.Errorf("%s has different lines:\n%s\nwant\n%s", name, g, w)
	}
}

func parsed(t *testing.T, log string) (entries []map[string]float64) {
	t.Helper()
	if err := json.Unmarshal([]byte(log), &entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

// text returns the text of a file.
func text(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// alike reports whether two texts are equal except for the last of six digits. Package train tests that a log is
// printed byte for byte as Chainer prints it.
func alike(a, b string) bool {
	return len(a) == len(b) && slices.EqualFunc(strings.Fields(a), strings.Fields(b), func(x, y string) bool {
		v, failed := strconv.ParseFloat(x, 64)
		w, err := strconv.ParseFloat(y, 64)
		return x == y || failed == nil && err == nil && math.Abs(v-w) <= 2e-6*math.Abs(w)
	})
}

// withoutNumbers returns a text without its numbers.
func withoutNumbers(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c == '.' || c == '-' || c == 'e' {
			return -1
		}
		return c
	}, text)
}

// snapshots compares the entries of the snapshots, and of the final saved state, with those of Chainer's files. This
// library's files contain more entries.
func (tr *training) snapshots(t *testing.T, from int) {
	out := tr.trainer.Out()
	for _, at := range []int{9, 18} {
		if at <= from {
			continue
		}
		tr.entries(t, filepath.Join(out, fmt.Sprint("snapshot_iter_", at)), recorded(t, tr.name, fmt.Sprint("snapshot_iter_", at)), from)
		model := nn.NewScope()
		load(t, filepath.Join(out, fmt.Sprint("model_iter_", at)), model)
		tr.count.parameters(t, model, npz(t, recorded(t, tr.name, fmt.Sprint("model_iter_", at))))
	}
	for name, o := range map[string]archive.Object{"trainer_final.npz": tr.trainer, "optimizer_final.npz": tr.opt.ChainerOf(tr.params)} {
		path := filepath.Join(out, name)
		if err := archive.Save(path, o); err != nil {
			t.Fatal(err)
		}
		tr.entries(t, path, recorded(t, tr.name, name), from)
	}
}

// entries compares the entries of two files, except times.
func (tr *training) entries(t *testing.T, ours, theirs string, from int) {
	t.Helper()
	got := npz(t, ours)
	for _, want := range npz(t, theirs) {
		if want.Name == "_snapshot_elapsed_time" {
			continue
		}
		x := got.Get(want.Name)
		tr.count.same(t, want.Name, x, want.Array)
		if x != nil && (x.DType() != want.Array.DType() || x.Rank() != want.Array.Rank()) {
			t.Errorf("%s is %s, want %s", want.Name, x.DType(), want.Array.DType())
		}
	}
	if from > 0 { // Chainer does not save an unfinished interval
		return
	}
	g, w := texts(t, ours), texts(t, theirs)
	for name, want := range w {
		tr.sameLog(t, name, g[name], want)
	}
}

// texts returns the texts in a file by name.
func texts(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := nd.OpenNpz(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := map[string]string{}
	for _, name := range z.StringNames() {
		text, err := z.ReadStrings(name)
		if err != nil || len(text.Values) != 1 {
			t.Fatalf("%s: %q, %v", name, text.Values, err)
		}
		all[name] = text.Values[0]
	}
	return all
}
