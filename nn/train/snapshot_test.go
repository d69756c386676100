package train_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/train"
)

// TestSnapshotKeeps checks that the newest files remain, and all files of others.
func TestSnapshotKeeps(t *testing.T) {
	for keep, want := range map[int][]string{
		0: {"at_0", "at_1", "at_2", "at_3", "at_4"},
		1: {"at_0", "at_4"},
		3: {"at_0", "at_2", "at_3", "at_4"},
		9: {"at_0", "at_1", "at_2", "at_3", "at_4"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "at_0"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		trainer := train.New(newCounter(8, 4, nil), train.Every(4, train.Iteration), dir)
		trainer.Extend(train.NewSnapshot(train.SnapshotOptions{FileName: "at_{iteration}", Keep: keep}),
			train.Settings{Trigger: train.Every(1, train.Iteration)})
		if err := trainer.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		wholeFiles(t, dir, want...)
	}
}

// TestSnapshotOfOneName checks that a file with a constant name is overwritten each time, and is never removed as too
// many.
func TestSnapshotOfOneName(t *testing.T) {
	dir := t.TempDir()
	trainer := train.New(newCounter(8, 4, nil), train.Every(3, train.Epoch), dir)
	trainer.Extend(train.NewSnapshot(train.SnapshotOptions{FileName: "latest.npz", Keep: 1, Compress: true}))
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wholeFiles(t, dir, "latest.npz")
	again := train.New(newCounter(8, 4, nil), train.Every(3, train.Epoch), dir)
	if err := archive.Load(filepath.Join(dir, "latest.npz"), again); err != nil || again.Iteration() != 6 {
		t.Errorf("%d updates, error %v", again.Iteration(), err)
	}
}

// TestSnapshotObject saves only a model. The file is that of its scope.
func TestSnapshotObject(t *testing.T) {
	dir := t.TempDir()
	x, _ := examples(2)
	params, again := nn.NewScope(), nn.NewScope()
	for _, s := range []*nn.Scope{params, again} {
		nn.Affine(s.Sub("l1"), x, 3)
	}
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), dir)
	trainer.Extend(train.NewSnapshotObject(params, train.SnapshotOptions{FileName: "model_{epoch}"}))
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wholeFiles(t, dir, "model_1")
	if err := archive.Load(filepath.Join(dir, "model_1"), again); err != nil {
		t.Error(err)
	}
}

// TestNamesOfSnapshots checks that the name of a late snapshot has all digits.
func TestNamesOfSnapshots(t *testing.T) {
	dir := t.TempDir()
	u := newCounter(8, 4, nil)
	u.iteration = 1234567 - 1
	trainer := train.New(u, train.Every(1234567, train.Iteration), dir)
	trainer.Extend(train.NewSnapshot(), train.Settings{Trigger: train.Every(1, train.Iteration)})
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wholeFiles(t, dir, "snapshot_iter_1234567")
}

func TestSnapshotThatCannotBeWritten(t *testing.T) {
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), t.TempDir())
	trainer.Extend(train.NewSnapshot(train.SnapshotOptions{FileName: "no folder/at_{iteration}"}))
	if err := trainer.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "extension snapshot: ") {
		t.Errorf("error %v", err)
	}
}
