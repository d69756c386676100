package train_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// faulty is a trainer whose batches come from a prefetcher, and may fail.
func faulty(dir string, load func(indices []int) (data.Batch, error)) *train.Trainer {
	batches := data.NewPrefetcher(data.NewSampler(4096, 4), 4, 3, load)
	u := train.NewUpdater(batches, nn.NewScope(), optim.NewAdam(), regression, train.UpdaterOptions{Rand: nd.NewRand(1)})
	return train.New(u, train.Every(2000, train.Iteration), dir)
}

func TestFaultsOfExtensions(t *testing.T) {
	x, y := examples(4096)
	for want, run := range map[string]func(*train.Trainer) error{
		"extension broken: it panicked: out of luck": func(*train.Trainer) error { panic("out of luck") },
		"extension broken: no more":                  func(*train.Trainer) error { return errors.New("no more") },
		"extension broken: ":                         func(*train.Trainer) error { x.Reshape(3); return nil },
	} {
		left := assert.NoGoroutinesLeft(t)
		dir := t.TempDir()
		trainer := faulty(dir, data.Rows(x, y))
		trainer.Extend(train.NewSnapshot(), train.Settings{Trigger: train.Every(2, train.Iteration)})
		trainer.Extend(train.Func(run), train.Settings{Name: "broken", Trigger: train.At(train.Iteration, 5)})
		if err := trainer.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if trainer.Iteration() != 5 {
			t.Errorf("%d updates", trainer.Iteration())
		}
		wholeFiles(t, dir, "snapshot_iter_2", "snapshot_iter_4")
		left()
	}
}

// wholeFiles checks that a folder has exactly these files.
func wholeFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	if !slices.Equal(found, names) {
		t.Errorf("files %v, want %v", found, names)
	}
}

func TestFaultsOfData(t *testing.T) {
	defer assert.NoGoroutinesLeft(t)()
	x, y := examples(4096)
	rows := data.Rows(x, y)
	trainer := faulty(t.TempDir(), func(indices []int) (data.Batch, error) {
		for _, i := range indices {
			if i == 1000 {
				return nil, fmt.Errorf("example %d: %w", i, fs.ErrPermission)
			}
		}
		return rows(indices)
	})
	err := trainer.Run(t.Context())
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "update 251: example 1000") {
		t.Errorf("error %v", err)
	}
}

func TestClosedEarly(t *testing.T) {
	defer assert.NoGoroutinesLeft(t)()
	x, y := examples(4096)
	trainer := faulty(t.TempDir(), data.Rows(x, y))
	trainer.Extend(train.Func(func(t *train.Trainer) error { return t.Updater().Close() }), train.Settings{Trigger: train.At(train.Iteration, 3)})
	if err := trainer.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "it is closed") {
		t.Errorf("error %v", err)
	}
}

// TestInterrupted checks that the end of the context ends a training with a snapshot, from which the training resumes.
func TestInterrupted(t *testing.T) {
	defer assert.NoGoroutinesLeft(t)()
	x, y := examples(4096)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	trainer := faulty(dir, data.Rows(x, y))
	trainer.Extend(train.NewSnapshot())
	trainer.Extend(train.Func(func(*train.Trainer) error { cancel(); return nil }), train.Settings{Trigger: train.At(train.Iteration, 7)})
	if err := trainer.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	wholeFiles(t, dir, "snapshot_iter_7")
	again := faulty(dir, data.Rows(x, y))
	if err := archive.Load(filepath.Join(dir, "snapshot_iter_7"), again); err != nil || again.Iteration() != 7 {
		t.Errorf("%d updates, error %v", again.Iteration(), err)
	}
	if err := again.Updater().Close(); err != nil {
		t.Error(err)
	}
	if err := trainer.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "a trainer runs once") {
		t.Errorf("error %v", err)
	}
}

// TestTruncatedSnapshot checks that a truncated file is refused, and changes nothing.
func TestTruncatedSnapshot(t *testing.T) {
	dir := t.TempDir()
	trainer := course(dir, optim.NewAdam(), 0, 0)
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "snapshot_iter_7"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 10, len(raw) / 2, len(raw) - 1} {
		path := filepath.Join(dir, "cut")
		if err := os.WriteFile(path, raw[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		again := course(t.TempDir(), optim.NewAdam(), 0, 0)
		if err := archive.Load(path, again); err == nil || !strings.Contains(err.Error(), "cut") || again.Iteration() != 0 {
			t.Errorf("%d of %d bytes: error %v, %d updates", n, len(raw), err, again.Iteration())
		}
	}
}

func TestWrongArguments(t *testing.T) {
	for want, f := range map[string]func(){
		"a period of 0":                 func() { train.Every(0, train.Epoch) },
		"a period of 1.5":               func() { train.Every(1.5, train.Iteration) },
		"want an updater":               func() { train.New(nil, train.Every(1, train.Epoch), "out") },
		"0 goroutines":                  func() { train.NewParallel(loader(4, 2), nn.NewScope(), optim.NewAdam(), regression, 0) },
		"Keep -1":                       func() { train.NewSnapshot(train.SnapshotOptions{Keep: -1}) },
		"train.NewSnapshotObject: want": func() { train.NewSnapshotObject(nil) },
	} {
		err := nd.Catch(f)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestCompute: layers of both updaters compute in bfloat16, and the parameters stay float32.
func TestCompute(t *testing.T) {
	x, y := examples(16)
	var seen []dtype.DType
	lossOf := func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		h := nn.Affine(m, b[0], 1)
		if m.Training() {
			seen = append(seen, h.DType())
		}
		return ops.Mean(ops.Square(ops.Subtract(h.AsType(dtype.Float32), b[1])))
	}
	for _, parallel := range []bool{false, true} {
		seen = nil
		params, batches := nn.NewScope(), data.NewLoader(data.NewSampler(16, 4), data.Rows(x, y))
		var u train.Updater = train.NewUpdater(batches, params, optim.NewSGD(), lossOf, train.UpdaterOptions{Compute: dtype.BFloat16})
		if parallel {
			u = train.NewParallel(batches, params, optim.NewSGD(), lossOf, 1, train.UpdaterOptions{Compute: dtype.BFloat16})
		}
		if err := train.New(u, train.Every(2, train.Iteration), t.TempDir()).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(seen, []dtype.DType{dtype.BFloat16, dtype.BFloat16}) || params.Get("affine/W").DType() != dtype.Float32 {
			t.Errorf("layers computed in %v", seen)
		}
	}
}

// TestLossOfSeveralElements: the losses of the examples are refused, by every updater.
func TestLossOfSeveralElements(t *testing.T) {
	x, y := examples(16)
	each := func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		return ops.Square(ops.Subtract(nn.Affine(m, b[0], 1), b[1]))
	}
	batches := func() data.Batches[data.Batch] { return data.NewLoader(data.NewSampler(16, 4), data.Rows(x, y)) }
	for name, u := range map[string]train.Updater{
		"NewUpdater":  train.NewUpdater(batches(), nn.NewScope(), optim.NewSGD(), each),
		"NewParallel": train.NewParallel(batches(), nn.NewScope(), optim.NewSGD(), each, 2),
	} {
		err := train.New(u, train.Every(2, train.Iteration), t.TempDir()).Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), "the loss has shape (4, 1): want one number, such as ops.Mean(loss)") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
