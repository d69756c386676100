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

// TestSpans checks the order in which a worker that is alone runs a job: its own span first, chunk by chunk, then the spans of
// the others. Each has an equal part of the pieces.
func TestSpans(t *testing.T) {
	for _, c := range []struct {
		n, chunk, spans, worker int
		want                    [][2]int
	}{
		{12, 2, 2, 0, [][2]int{{0, 2}, {2, 4}, {4, 6}, {6, 8}, {8, 10}, {10, 12}}},
		{12, 2, 2, 1, [][2]int{{6, 8}, {8, 10}, {10, 12}, {0, 2}, {2, 4}, {4, 6}}},
		{10, 3, 3, 1, [][2]int{{3, 6}, {6, 9}, {9, 10}, {0, 3}}},
		{10, 3, 3, 5, [][2]int{{6, 9}, {9, 10}, {0, 3}, {3, 6}}},
		{3, 1, 2, 1, [][2]int{{1, 2}, {2, 3}, {0, 1}}},
		{5000, 1024, 2, 1, [][2]int{{2560, 3584}, {3584, 4608}, {4608, 5000}, {0, 1024}, {1024, 2048}, {2048, 2560}}},
	} {
		j := &job{chunk: c.chunk}
		var got [][2]int
		j.ranges = func(from, to int) { got = append(got, [2]int{from, to}) }
		j.cut(c.n, c.spans)
		j.left.Store(int64(c.n))
		j.work(c.worker)
		if !slices.Equal(got, c.want) || j.left.Load() != 0 {
			t.Errorf("worker %d of %d, %d pieces in chunks of %d: %v, %d left, want %v", c.worker, c.spans, c.n, c.chunk, got, j.left.Load(), c.want)
		}
	}
}
