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

// Snapshot saves the trainer, or another object, to a file in the trainer's folder. archive.Load restores it.
type Snapshot struct {
	Base
	object archive.Object // nil for the trainer
	o      SnapshotOptions
	saved  []string // paths of the files, the oldest first
}

// SnapshotOptions are the options of [NewSnapshot] and [NewSnapshotObject].
type SnapshotOptions struct {
	// FileName is the name of the file. "{iteration}" and "{epoch}" in it are replaced by their values. Its extension
	// is one of package archive's, or none, which means .npz as in Chainer. Empty means "snapshot_iter_{iteration}".
	FileName string
	// Keep is the number of files to keep: the extension removes its oldest files. 0 means all.
	Keep int
	// Compress compresses the file (deflate).
	Compress bool
}

// NewSnapshot returns the extension that saves the trainer after each epoch, after all other extensions, and when the
// context ends the training.
// Chainer: training.extensions.snapshot.
func NewSnapshot(opts ...SnapshotOptions) *Snapshot {
	const fn nd.Func = "train.NewSnapshot"
	return newSnapshot(fn, nil, options.Read(fn, opts))
}

// NewSnapshotObject is [NewSnapshot] for an object, such as the scope of a model.
// Chainer: training.extensions.snapshot_object.
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

// Settings make the extension run after all other extensions of an epoch.
func (s *Snapshot) Settings() Settings {
	const last = -100
	return Settings{Name: "snapshot", Trigger: Every(1, Epoch), Priority: last, OnInterrupt: true}
}

// Run saves the object. If the write fails, no partial file appears, and no old file is removed. If the updater is a
// [Distributed], rank 0 saves the object after it has gathered the states of all ranks.
func (s *Snapshot) Run(t *Trainer) error {
	c := t.collective()
	if c == nil {
		return s.save(t)
	}
	if err := c.Gather(); err != nil {
		return err
	}
	return c.onFirst(func() error { return s.save(t) })
}

func (s *Snapshot) save(t *Trainer) error {
	object := s.object
	if object == nil {
		object = t
	}
	var at report.Values
	at.Set("iteration", float64(t.Iteration()))
	at.Set("epoch", float64(t.Position().Epoch))
	path := filepath.Join(t.Out(), fillFileName(s.o.FileName, &at))
	if err := archive.Save(path, object, archive.SaveOptions{Compress: s.o.Compress}); err != nil {
		return err
	}
	return s.keep(path)
}

// keep removes the oldest files if there are too many with the new one.
func (s *Snapshot) keep(path string) error {
	if n := len(s.saved); n > 0 && s.saved[n-1] == path { // the same file again, saved when the training was interrupted
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
