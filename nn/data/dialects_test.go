package data_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
)

// theirs writes an iterator's file as Chainer does, and returns its path.
func theirs(t *testing.T, at, epoch int, isNew bool, more ...nd.Named) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "iterator.npz")
	entries := append([]nd.Named{
		{Name: "current_position", Array: nd.Full(nil, at)},
		{Name: "epoch", Array: nd.Full(nil, epoch)},
		{Name: "is_new_epoch", Array: nd.Full(nil, isNew)},
	}, more...)
	if err := nd.SaveNpz(path, entries, false); err != nil {
		t.Fatal(err)
	}
	return path
}

// Iterators of Chainer continue at their position, for all names that its versions use in files.
func TestIteratorsOfChainer(t *testing.T) {
	order := nd.FromSlice([]int{4, 2, 0, 1, 3})
	for what, c := range map[string]struct {
		path     string
		want     []int // the next two batches, as far as their order is read
		position data.Position
	}{
		"order":  {theirs(t, 1, 1, true, nd.Named{Name: "order", Array: order}), []int{2, 0, 1, 3}, data.Position{Epoch: 1, Detail: 1.2, Previous: 0.8, NewEpoch: true}},
		"_order": {theirs(t, 1, 1, true, nd.Named{Name: "_order", Array: order}), []int{2, 0, 1, 3}, data.Position{Epoch: 1, Detail: 1.2, Previous: 0.8, NewEpoch: true}},
		"previous_epoch_detail": {theirs(t, 4, 0, false, nd.Named{Name: "_order", Array: order}, nd.Named{Name: "previous_epoch_detail", Array: nd.Full(nil, 0.4)}),
			[]int{3}, data.Position{Detail: 0.8, Previous: 0.4}},
		"a batch that was cut": {theirs(t, 1, 0, false, nd.Named{Name: "order", Array: order}), []int{2, 0, 1, 3}, data.Position{Detail: 0.2}},
		"the start":            {theirs(t, 0, 0, false, nd.Named{Name: "order", Array: order}), []int{4, 2, 0, 1}, data.Position{Previous: -1}},
	} {
		for _, ahead := range []bool{false, true} {
			s := data.NewSampler(5, 2, data.SamplerOptions{Shuffle: nd.NewRand(3)})
			var b data.Batches[[]int] = data.NewLoader(s, slowly)
			if ahead {
				b = data.NewPrefetcher(s, 2, 3, slowly)
			}
			if err := archive.Load(c.path, b); err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			equal(t, what, b.Position(), c.position)
			batches := take(t, b, 2)
			got := append(batches[0], batches[1]...)
			equal(t, what, got[:len(c.want)], c.want)
			b.Close()
		}
	}
}

// A file that does not fit a sampler is refused, and leaves the sampler unchanged.
func TestIteratorsOfChainerRefused(t *testing.T) {
	short := nd.Named{Name: "order", Array: nd.FromSlice([]int{1, 0})}
	shuffled := func() *data.Sampler { return data.NewSampler(5, 2, data.SamplerOptions{Shuffle: nd.NewRand(3)}) }
	for want, c := range map[string]struct {
		path string
		s    *data.Sampler
	}{
		"the order has 2 indices, want 5": {theirs(t, 1, 0, false, short), shuffled()},
		`"_order" is missing`:             {theirs(t, 1, 0, false), shuffled()},
		`nothing here is called "order"`:  {theirs(t, 1, 0, false, short), data.NewSampler(5, 2)},
		"position 6 in epoch 0":           {theirs(t, 6, 0, false), data.NewSampler(5, 2)},
	} {
		before := c.s.Position()
		if err := archive.Load(c.path, c.s); err == nil || !strings.Contains(err.Error(), want) || c.s.Position() != before {
			t.Errorf("error %v, position %+v, want %q", err, c.s.Position(), want)
		}
	}
}

// TestSnapshotOfChainer reads the iterator in a snapshot that Chainer 1.24 wrote.
func TestSnapshotOfChainer(t *testing.T) {
	const file = "../../../shared/golden/chainer_files/train_sgd/snapshot_iter_9"
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent", file)
	}
	path := filepath.Join(t.TempDir(), "snapshot.npz")
	s := data.NewSampler(26, 6)
	if err := errors.Join(err, os.WriteFile(path, raw, 0o644), archive.Load(path, s, archive.LoadOptions{Prefix: "updater/iterator:main"})); err != nil {
		t.Fatal(err)
	}
	equal(t, "position", s.Position(), data.Position{Epoch: 2, Detail: 2 + 2./26, Previous: 1 + 22./26, NewEpoch: true})
	indices, _ := s.Next()
	equal(t, "next batch", indices, []int{2, 3, 4, 5, 6, 7})
}
