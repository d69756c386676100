package data_test

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
)

// ranks returns the samplers of several ranks, or of one.
func ranks(n, batch, size, goroutines int, once bool) []*data.Sampler {
	all := make([]*data.Sampler, size)
	for r := range all {
		all[r] = data.NewSampler(n, batch, data.SamplerOptions{Rank: r, Size: size, Goroutines: goroutines, Once: once, Shuffle: nd.NewRand(3)})
	}
	return all
}

// TestRanks: the batches of all ranks, in the order of the ranks, are those of one rank with as many goroutines. After each update all
// ranks have the same position.
func TestRanks(t *testing.T) {
	for _, test := range []struct{ n, batch int }{{50, 3}, {8, 3}, {7, 10}} {
		for _, layout := range [][2]int{{4, 1}, {2, 2}, {1, 4}} {
			plain := ranks(test.n, test.batch, 1, 1, false)[0]
			all := ranks(test.n, test.batch, layout[0], layout[1], false)
			for update := range 30 {
				before, newEpoch := plain.Position().Detail, false
				for r, s := range all {
					for range layout[1] {
						got, _ := s.Next()
						want, _ := plain.Next()
						newEpoch = newEpoch || plain.Position().NewEpoch
						if !slices.Equal(got, want) {
							t.Errorf("%v %v: update %d of rank %d reads %v, want %v", test, layout, update, r, got, want)
						}
					}
				}
				want := plain.Position()
				want.Previous, want.NewEpoch = before, newEpoch
				for r, s := range all {
					if s.Position() != want {
						t.Errorf("%v %v: after update %d rank %d is at %+v, want %+v", test, layout, update, r, s.Position(), want)
					}
				}
			}
		}
	}
}

// TestRanksOnce: one walk gives every example to one rank. The first ranks get the batches of an incomplete round.
func TestRanksOnce(t *testing.T) {
	for _, n := range []int{1, 11, 12, 13, 16, 20} {
		for _, layout := range [][2]int{{4, 1}, {2, 2}, {3, 1}} {
			var seen []int
			batches := 0
			for r, s := range ranks(n, 2, layout[0], layout[1], true) {
				own := 0
				for indices, ok := s.Next(); ok; indices, ok = s.Next() {
					seen = append(seen, indices...)
					own++
				}
				round := layout[0] * layout[1]
				total := (n + 1) / 2
				if want := total/round*layout[1] + min(max(total%round-r*layout[1], 0), layout[1]); own != want {
					t.Errorf("%d examples, %v: rank %d has %d batches, want %d", n, layout, r, own, want)
				}
				batches += own
				if p := s.Position(); p.Epoch != 1 || p.Detail != 1 || !p.NewEpoch {
					t.Errorf("%d examples, %v: rank %d ends at %+v", n, layout, r, p)
				}
			}
			slices.Sort(seen)
			if len(seen) != n || len(slices.Compact(seen)) != n {
				t.Errorf("%d examples, %v: %v", n, layout, seen)
			}
		}
	}
}

// TestRanksResume: a position that one layout saved is where another one continues, also behind a prefetcher.
func TestRanksResume(t *testing.T) {
	load := func(indices []int) (string, error) { return fmt.Sprint(indices), nil }
	var want []string
	plain := ranks(23, 3, 1, 1, false)[0]
	for range 40 {
		indices, _ := plain.Next()
		want = append(want, fmt.Sprint(indices))
	}
	for _, saving := range [][2]int{{4, 1}, {2, 2}, {1, 4}} {
		for _, loading := range [][2]int{{4, 1}, {2, 2}, {1, 4}} {
			path := filepath.Join(t.TempDir(), "position.npz")
			first := data.NewPrefetcher(ranks(23, 3, saving[0], saving[1], false)[0], 2, 3, load)
			for range 5 * saving[1] {
				if _, err := first.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if err := archive.Save(path, first); err != nil {
				t.Fatal(err)
			}
			var readers []data.Batches[string]
			for _, s := range ranks(23, 3, loading[0], loading[1], false) {
				b := data.NewPrefetcher(s, 2, 3, load)
				b.Next() // a reader in the middle of a round
				if err := archive.Load(path, b); err != nil {
					t.Fatal(err)
				}
				readers = append(readers, b)
			}
			var got []string
			for range 5 {
				for _, b := range readers {
					for range loading[1] {
						text, err := b.Next()
						if err != nil {
							t.Fatal(err)
						}
						got = append(got, text)
					}
				}
			}
			if !slices.Equal(got, want[20:]) {
				t.Errorf("%v, then %v: %v, want %v", saving, loading, got, want[20:])
			}
			for _, b := range append(readers, first) {
				b.Close()
			}
		}
	}
}

func TestWrongRank(t *testing.T) {
	for _, o := range []data.SamplerOptions{{Rank: 2, Size: 2}, {Rank: -1, Size: 2}, {Rank: 1}} {
		if err := nd.Catch(func() { data.NewSampler(10, 2, o) }); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("rank %d of", o.Rank)) {
			t.Errorf("%+v: error %v", o, err)
		}
	}
	l := data.NewLoader(data.NewSampler(2, 2, data.SamplerOptions{Rank: 1, Size: 2, Once: true}), func([]int) (int, error) { return 0, nil })
	if _, err := l.Next(); err != io.EOF {
		t.Errorf("error %v", err)
	}
}
