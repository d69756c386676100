package data_test

import (
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// An unreadable example deep in a set is the error of its batch; the reader may stop there, or continue.
func TestPrefetcherOfAFailingDataset(t *testing.T) {
	left := assert.NoGoroutinesLeft(t)
	for _, goOn := range []bool{false, true} {
		sum := func(list []int) []int { return list[:1] }
		p := data.NewPrefetcher(data.NewSampler(2000, 16, data.SamplerOptions{Once: true}), 4, 8, data.Examples(failing{2000, 1000}, sum))
		batches, failures := 0, 0
		for {
			batch, err := p.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				if failures++; !strings.Contains(err.Error(), "example 1000: unreadable") || batches != 1000/16 {
					t.Errorf("error %v behind %d batches", err, batches)
				}
				if !goOn {
					break
				}
			} else if batch[0] != 16*(batches+failures) {
				t.Fatalf("batch %d begins with %d", batches, batch[0])
			} else {
				batches++
			}
		}
		if err := p.Close(); err != nil || failures != 1 || goOn && batches != 2000/16-1 {
			t.Errorf("%d batches, %d failures, %v", batches, failures, err)
		}
	}
	left()
}

// A prefetcher that is closed early does not make the batches that nobody reads.
func TestPrefetcherClosedEarly(t *testing.T) {
	left := assert.NoGoroutinesLeft(t)
	var begun atomic.Int32
	hold := make(chan bool)
	p := data.NewPrefetcher(data.NewSampler(1000, 1), 2, 100, func(indices []int) ([]int, error) {
		begun.Add(1)
		if indices[0] > 0 { // the first batch is read, though the second one may be begun before it
			<-hold
		}
		return indices, nil
	})
	take(t, p, 1)
	for begun.Load() < 3 {
		time.Sleep(time.Millisecond)
	}
	go func() {
		time.Sleep(5 * time.Millisecond)
		close(hold)
	}()
	if err := p.Close(); err != nil || begun.Load() > 10 {
		t.Errorf("%d batches were begun, %v", begun.Load(), err)
	}
	left()
}

// Sentences of different lengths are padded, equally by many goroutines and by one.
func TestPrefetcherOfPaddedBatches(t *testing.T) {
	sentences := make(data.Slice[*nd.Array], 50)
	for i := range sentences {
		sentences[i] = nd.ArangeInt(0, 1+i%7, 1)
	}
	d := data.Zip(sentences, data.Items(nd.ArangeInt(0, 50, 1)))
	load := data.Examples(d, data.Collate{Padding: new(-1.0)}.Tuples)
	loader := data.NewLoader(data.NewSampler(50, 8, data.SamplerOptions{Shuffle: nd.NewRand(1)}), load)
	ahead := data.NewPrefetcher(data.NewSampler(50, 8, data.SamplerOptions{Shuffle: nd.NewRand(1)}), 4, 6, load)
	defer ahead.Close()
	for range 20 {
		a, err1 := loader.Next()
		b, err2 := ahead.Next()
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		for k := range a {
			equal(t, "shape", b[k].Shape(), a[k].Shape())
			equal(t, "batch", nd.ToSlice[int](b[k]), nd.ToSlice[int](a[k]))
		}
		for i, label := range nd.ToSlice[int](a[1]) {
			want := 1 + label%7
			for k, v := range nd.ToSlice[int](a[0].Index(nd.At(i))) {
				if k < want && v != k || k >= want && v != -1 {
					t.Fatalf("example %d has %d at %d", label, v, k)
				}
			}
		}
	}
}
