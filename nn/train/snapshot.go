package train

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Snapshot saves the trainer, or another object, to a file of the trainer's folder. archive.Load restores it.
type Snapshot struct {
	Base
	object archive.Object // nil for the trainer
	o      SnapshotOptions
	saved  []string // paths of the files, the oldest first
}

// SnapshotOptions are the options of [NewSnapshot] and [NewSnapshotObject].
type SnapshotOptions struct {
	// FileName is that of the file, in which "{iteration}" and "{epoch}" stand for these. Its extension is one of package archive's, or
	// none, which means .npz as Chainer has it. Empty means "snapshot_iter_{iteration}".
	FileName string
	// Keep is how many files remain: the oldest of those that this extension has written go. 0 means all.
	Keep int
	// Compress deflates the file.
	Compress bool
}

// NewSnapshot returns the extension that saves the trainer after each epoch, when all other extensions have run, and when the context
// ends the training. chainer.training.extensions.snapshot.
func NewSnapshot(opts ...SnapshotOptions) *Snapshot {
	const fn nd.Func = "train.NewSnapshot"
	return newSnapshot(fn, nil, options.Read(fn, opts))
}

// NewSnapshotObject is [NewSnapshot] of an object, such as the scope of a model. chainer.training.extensions.snapshot_object.
func NewSnapshotObject(object archive.Object, opts ...SnapshotOptions) *Snapshot {
	const fn nd.Func = "train.NewSnapshotObject"
	if object == nil {
		panic(fn.Errorf(nil, "want an object"))
	}
	return newSnapshot(fn, object, options.Read(fn, opts))
}

func newSnapshot(fn nd.Func, object archive.Object, o SnapshotOptions) *Snapshot {
	if o.Keep < 0 {
		panic(fn.Errorf(nil, "Keep %d: want no negative number", o.Keep))
	}
	if o.FileName == "" {
		o.FileName = "snapshot_iter_{iteration}"
	}
	return &Snapshot{object: object, o: o}
}

// Settings have it run after all other extensions of an epoch.
func (s *Snapshot) Settings() Settings {
	const last = -100
	return Settings{Name: "snapshot", Trigger: Every(1, Epoch), Priority: last, OnInterrupt: true}
}

// Run saves. A file that cannot be written whole does not appear, and none is removed for it.
func (s *Snapshot) Run(t *Trainer) error {
	object := s.object
	if object == nil {
		object = t
	}
	var at report.Values
	at.Set("iteration", float64(t.Iteration()))
	at.Set("epoch", float64(t.Position().Epoch))
	path := filepath.Join(t.Out(), filled(s.o.FileName, &at))
	if err := archive.Save(path, object, archive.SaveOptions{Compress: s.o.Compress}); err != nil {
		return err
	}
	return s.keep(path)
}

// keep removes the oldest files if there are too many with a new one.
func (s *Snapshot) keep(path string) error {
	if n := len(s.saved); n > 0 && s.saved[n-1] == path { // saved again, when the training was interrupted
		return nil
	}
	s.saved = append(s.saved, path)
	for s.o.Keep > 0 && len(s.saved) > s.o.Keep {
		if err := os.Remove(s.saved[0]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.saved = s.saved[1:]
	}
	return nil
}
