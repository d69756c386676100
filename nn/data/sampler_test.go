package data_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
)

// refused checks that f panics with an *nd.Error whose text contains the given one.
func refused(t *testing.T, want string, f func()) {
	t.Helper()
	if err := nd.Catch(f); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestSamplerGoesRound(t *testing.T) {
	s := data.NewSampler(5, 2)
	if p := s.Position(); p.Previous != -1 || p.Detail != 0 {
		t.Errorf("at first %+v", p)
	}
	for _, want := range []struct {
		indices  []int
		position data.Position
	}{
		{[]int{0, 1}, data.Position{Detail: 0.4}},
		{[]int{2, 3}, data.Position{Detail: 0.8, Previous: 0.4}},
		{[]int{4, 0}, data.Position{Epoch: 1, Detail: 1.2, Previous: 0.8, NewEpoch: true}},
		{[]int{1, 2}, data.Position{Epoch: 1, Detail: 1.6, Previous: 1.2}},
		{[]int{3, 4}, data.Position{Epoch: 2, Detail: 2, Previous: 1.6, NewEpoch: true}},
		{[]int{0, 1}, data.Position{Epoch: 2, Detail: 2.4, Previous: 2}},
	} {
		indices, ok := s.Next()
		if !ok || !cmp.Equal(indices, want.indices) || !cmp.Equal(s.Position(), want.position) {
			t.Errorf("%v, %+v, want %v, %+v", indices, s.Position(), want.indices, want.position)
		}
	}
}

func TestSamplerOnce(t *testing.T) {
	s := data.NewSampler(5, 2, data.SamplerOptions{Once: true})
	for range 2 {
		var all [][]int
		for indices, ok := s.Next(); ok; indices, ok = s.Next() {
			all = append(all, indices)
		}
		if !cmp.Equal(all, [][]int{{0, 1}, {2, 3}, {4}}) || s.Position().Detail != 1 {
			t.Errorf("%v, %+v", all, s.Position())
		}
		s.Reset()
	}
}

// A batch that is larger than the set wraps at most once.
func TestSamplerOfLargeBatches(t *testing.T) {
	s := data.NewSampler(3, 8)
	indices, _ := s.Next()
	if p := s.Position(); !cmp.Equal(indices, []int{0, 1, 2, 0, 1, 2}) || p.Epoch != 1 || p.Detail != 2 {
		t.Errorf("%v, %+v", indices, p)
	}
}

func TestSamplerShuffles(t *testing.T) {
	s := data.NewSampler(50, 10, data.SamplerOptions{Shuffle: nd.NewRand(1)})
	var walks [2][]int
	for k := range walks {
		for range 5 {
			indices, _ := s.Next()
			walks[k] = append(walks[k], indices...)
		}
		if sorted := slices.Sorted(slices.Values(walks[k])); sorted[0] != 0 || sorted[49] != 49 || len(slices.Compact(sorted)) != 50 {
			t.Errorf("walk %d has %v", k, walks[k])
		}
	}
	if slices.Equal(walks[0], walks[1]) || slices.IsSorted(walks[0]) {
		t.Error("walks have one order, or none")
	}
}

func TestSamplerRefuses(t *testing.T) {
	refused(t, "0 examples", func() { data.NewSampler(0, 1) })
	refused(t, "batches of -1", func() { data.NewSampler(1, -1) })
	path := filepath.Join(t.TempDir(), "a.npz")
	with := func(n int) *data.Sampler { return data.NewSampler(n, 2, data.SamplerOptions{Shuffle: nd.NewRand(1)}) }
	from := with(7)
	for range 3 {
		from.Next()
	}
	if err := archive.Save(path, from); err != nil {
		t.Fatal(err)
	}
	to := with(5)
	before := to.Position()
	if err := archive.Load(path, to); err == nil || !strings.Contains(err.Error(), "does not fit 5 examples") || to.Position() != before {
		t.Errorf("error %v, position %+v", err, to.Position())
	}
	order := []int{0, 0, 1, 2, 3, 4, 5}
	err := archive.Save(path, archive.Func(func(a *archive.Archive) {
		zero, no, previous := 0, false, -1.0
		a.Int("current_position", &zero)
		a.Int("epoch", &zero)
		a.Bool("is_new_epoch", &no)
		a.Float("previous_epoch_detail", &previous)
		a.Ints("_order", &order)
		a.Object("rng", archive.Stream(nd.NewRand(1)))
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := archive.Load(path, with(7)); err == nil || !strings.Contains(err.Error(), "each index of 7 examples once") {
		t.Errorf("error %v", err)
	}
}
