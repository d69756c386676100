package data_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/testing/assert"
)

func TestRows(t *testing.T) {
	x, labels := nd.FromSlice([]float32{0, 1, 2, 3, 4, 5}, 3, 2), nd.FromSlice([]int{7, 8, 9})
	l := data.NewLoader(data.NewSampler(3, 2, data.SamplerOptions{Once: true}), data.Rows(x, labels))
	var got [][]int
	for {
		batch, err := l.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(batch) != 2 || batch[0].Dim(1) != 2 {
			t.Fatal(batch, err)
		}
		got = append(got, nd.ToSlice[int](batch[1]))
	}
	if !cmp.Equal(got, [][]int{{7, 8}, {9}}) {
		t.Errorf("labels %v", got)
	}
	refused(t, "first axes of equal length", func() { data.Rows(x, nd.Zeros([]int{2})) })
	refused(t, "first axes of equal length", func() { data.Rows(nd.Zeros(nil)) })
}

// slowly loads indices, later ones often before earlier ones.
func slowly(indices []int) ([]int, error) {
	if indices[0]%2 == 0 {
		time.Sleep(time.Millisecond)
	}
	return indices, nil
}

func sampler(seed uint64) *data.Sampler {
	return data.NewSampler(11, 3, data.SamplerOptions{Shuffle: nd.NewRand(seed)})
}

// take reads n batches.
func take(t *testing.T, b data.Batches[[]int], n int) (all [][]int) {
	t.Helper()
	for range n {
		batch, err := b.Next()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, batch)
	}
	return all
}

// Batches come in one order, for any number of workers, and continue after the last batch read, wherever they are
// saved.
func TestBatchesResume(t *testing.T) {
	const all = 15
	want := take(t, data.NewLoader(sampler(1), slowly), all)
	for at := range all {
		for _, workers := range []int{0, 1, 4} {
			begin := func(seed uint64) data.Batches[[]int] {
				if workers == 0 {
					return data.NewLoader(sampler(seed), slowly)
				}
				return data.NewPrefetcher(sampler(seed), workers, 3, slowly)
			}
			path := filepath.Join(t.TempDir(), "a.npz")
			first, second := begin(1), begin(2)
			if got := take(t, first, at); !cmp.Equal(got, want[:at], equateEmpty) {
				t.Fatalf("%d workers read %v, want %v", workers, got, want[:at])
			}
			take(t, second, 5)
			if err := errors.Join(archive.Save(path, first), archive.Load(path, second)); err != nil {
				t.Fatal(err)
			}
			if first.Position() != second.Position() {
				t.Errorf("restored at %+v, want %+v", second.Position(), first.Position())
			}
			for _, b := range []data.Batches[[]int]{first, second} {
				if got := take(t, b, all-at); !cmp.Equal(got, want[at:]) {
					t.Fatalf("%d workers went on from batch %d with %v, want %v", workers, at, got, want[at:])
				}
				b.Close()
			}
		}
	}
}

var equateEmpty = cmp.Transformer("length", func(x [][]int) []string {
	var all []string
	for _, indices := range x {
		all = append(all, fmt.Sprint(indices))
	}
	return append(all, "")
})

func TestPrefetcherReset(t *testing.T) {
	p := data.NewPrefetcher(data.NewSampler(5, 2, data.SamplerOptions{Once: true}), 2, 4, slowly)
	defer p.Close()
	for range 2 {
		if got := take(t, p, 3); !cmp.Equal(got, [][]int{{0, 1}, {2, 3}, {4}}) {
			t.Errorf("read %v", got)
		}
		if _, err := p.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("after the last: %v", err)
		}
		p.Reset()
		if p.Position().Previous != -1 {
			t.Errorf("after Reset at %+v", p.Position())
		}
	}
}

// An error reaches the reader in its turn, and the batches after it follow.
func TestPrefetcherErrors(t *testing.T) {
	p := data.NewPrefetcher(data.NewSampler(6, 1), 3, 6, func(indices []int) ([]int, error) {
		switch indices[0] {
		case 2:
			return nil, errors.New("unreadable")
		case 4:
			panic("a fault")
		}
		return slowly(indices)
	})
	defer p.Close()
	for i, want := range []string{"", "", "unreadable", "", "loading panicked: a fault", ""} {
		_, err := p.Next()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("batch %d: error %v, want %q", i, err, want)
		}
	}
	refused(t, "0 workers", func() { data.NewPrefetcher(data.NewSampler(1, 1), 0, 1, slowly) })
	refused(t, "0 batches ahead", func() { data.NewPrefetcher(data.NewSampler(1, 1), 1, 0, slowly) })
}

func TestPrefetcherIsBounded(t *testing.T) {
	var loaded atomic.Int32
	p := data.NewPrefetcher(data.NewSampler(1000, 1), 4, 5, func(indices []int) ([]int, error) {
		loaded.Add(1)
		return indices, nil
	})
	defer p.Close()
	take(t, p, 2)
	time.Sleep(10 * time.Millisecond)
	if n := loaded.Load(); n > 2+5 {
		t.Errorf("%d batches were made for a reader of 2", n)
	}
}

func TestCloseEndsTheWorkers(t *testing.T) {
	left := assert.NoGoroutinesLeft(t)
	for range 10 {
		p := data.NewPrefetcher(sampler(1), 8, 8, slowly)
		take(t, p, 1)
		for range 2 {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := p.Next(); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("a closed prefetcher: %v", err)
		}
	}
	left()
}
