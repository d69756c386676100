package workers

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestParallelRunsEveryChunkOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		With(workers, func() {
			for _, chunks := range []int{0, 1, 2, 3, 100, 1000} {
				counts := make([]atomic.Int32, chunks)
				Parallel(chunks, worthAsleep, func(chunk int) { counts[chunk].Add(1) })
				for i := range counts {
					if n := counts[i].Load(); n != 1 {
						t.Fatalf("%d workers: chunk %d of %d ran %d times", workers, i, chunks, n)
					}
				}
			}
		})
	}
}

// TestParallelUsesWorkers tries several times: a worker that is about to end, or to sleep, may miss a call.
func TestParallelUsesWorkers(t *testing.T) {
	With(3, func() {
		for range 20 {
			if meet(3, time.Second) {
				return
			}
		}
		t.Error("the chunks do not run side by side")
	})
}

// meet reports whether the given number of chunks ran at the same time before the time limit.
func meet(chunks int, limit time.Duration) bool {
	var together sync.WaitGroup
	together.Add(chunks)
	met := make(chan struct{})
	go func() { together.Wait(); close(met) }()
	var late atomic.Bool
	Parallel(chunks, worthAsleep, func(int) {
		together.Done()
		select {
		case <-met:
		case <-time.After(limit):
			late.Store(true)
		}
	})
	return !late.Load()
}

func TestParallelRaisesPanics(t *testing.T) {
	want := errors.New("chunk 7")
	With(4, func() {
		for range 20 {
			func() {
				defer func() {
					if got := recover(); got != want {
						t.Fatalf("recovered %v", got)
					}
				}()
				Parallel(50, worthAsleep, func(chunk int) {
					if chunk == 7 {
						panic(want)
					}
					time.Sleep(time.Microsecond)
				})
				t.Fatal("no panic")
			}()
		}
		done := false
		Parallel(1, worthAsleep, func(int) { done = true })
		if !done {
			t.Fatal("the pool does not work after a panic")
		}
	})
}

func TestParallelNests(t *testing.T) {
	With(3, func() {
		var total atomic.Int64
		Parallel(8, worthAsleep, func(int) {
			Parallel(8, worthAsleep, func(int) {
				Parallel(4, worthAsleep, func(chunk int) { total.Add(int64(chunk)) })
			})
		})
		if got := total.Load(); got != 8*8*6 {
			t.Fatalf("total %d", got)
		}
	})
}

func TestParallelFromManyGoroutines(t *testing.T) {
	With(4, func() {
		var callers sync.WaitGroup
		for range 16 {
			callers.Go(func() {
				for range 50 {
					var total atomic.Int64
					Parallel(20, worthAsleep, func(chunk int) { total.Add(int64(chunk)) })
					if got := total.Load(); got != 190 {
						t.Errorf("total %d", got)
					}
				}
			})
		}
		callers.Wait()
	})
}

func TestSetWorkersWhileBusy(t *testing.T) {
	old := Set(2)
	defer Set(old)
	var changer sync.WaitGroup
	changer.Go(func() {
		for n := range 50 {
			Set(1 + n%6)
		}
	})
	for range 200 {
		var n atomic.Int64
		Parallel(10, worthAsleep, func(int) { n.Add(1) })
		if n.Load() != 10 {
			t.Fatalf("%d chunks ran", n.Load())
		}
	}
	changer.Wait()
}

func TestWorkersEnd(t *testing.T) {
	Set(Set(6))
	deadline := time.Now().Add(10 * time.Second)
	for int(all.idle.Load()) != Count()-1 {
		if time.Now().After(deadline) {
			t.Fatalf("%d workers are idle, want %d", all.idle.Load(), Count()-1)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestForRangesCoversAll(t *testing.T) {
	With(4, func() {
		for _, n := range []int{0, 1, 2, 63, 1000, 1001} {
			for _, cost := range []float64{0.1, 1e4, 1e6} {
				counts := make([]atomic.Int32, n)
				ForRanges(n, cost, func(from, to int) {
					for i := from; i < to; i++ {
						counts[i].Add(1)
					}
				})
				for i := range counts {
					if counts[i].Load() != 1 {
						t.Fatalf("n %d, cost %g: %d ran %d times", n, cost, i, counts[i].Load())
					}
				}
			}
		}
	})
}

// TestClaims: the caller takes the first chunks, workers the last ones, and each chunk is taken once.
func TestClaims(t *testing.T) {
	j := &job{chunks: 5}
	var got []int64
	for i := range 9 {
		if chunk, ok := j.claim(i%3 == 0); ok {
			got = append(got, chunk)
		}
	}
	if want := []int64{0, 4, 3, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("claimed %d, want %d", got, want)
	}
}
