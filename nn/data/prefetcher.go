package data

import (
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Prefetcher makes batches ahead of time in several goroutines. The batches come in the sampler's order, whichever
// goroutine finishes first. Archive saves the position of the reader, not that of the goroutines.
// Chainer: iterators.MultiprocessIterator.
type Prefetcher[B any] struct {
	sampler *Sampler // at the position of the last batch in the queue
	load    func(indices []int) (B, error)
	ahead   int
	jobs    chan job[B]
	workers sync.WaitGroup
	closed  atomic.Bool // which the workers read, too

	queue []promise[B]
	here  readerPosition
}

// readerPosition is a position of the reader: the walk, and the state of the stream that draws the next orders.
type readerPosition struct {
	walk
	shuffle nd.Rand
}

// job is a batch to make.
type job[B any] struct {
	indices []int
	done    chan<- made[B]
}

// made is a finished batch, or the error instead of it.
type made[B any] struct {
	batch B
	err   error
}

// promise is a batch in the making, and the reader's position after it.
type promise[B any] struct {
	done  <-chan made[B]
	after readerPosition
}

// NewPrefetcher starts workers that make up to ahead batches ahead of the reader. load is called from several
// goroutines. From then on the sampler belongs to the prefetcher. Close ends the workers.
func NewPrefetcher[B any](s *Sampler, workers, ahead int, load func(indices []int) (B, error)) *Prefetcher[B] {
	const fn nd.Func = "data.NewPrefetcher"
	if workers < 1 || ahead < 1 {
		panic(fn.Errorf(nil, "%d workers, %d batches ahead: want at least one of each", workers, ahead))
	}
	p := &Prefetcher[B]{sampler: s, load: load, ahead: ahead, jobs: make(chan job[B], ahead), here: s.readerPosition()}
	for range workers {
		p.workers.Go(func() {
			for j := range p.jobs {
				if p.closed.Load() { // nobody reads the batch
					j.done <- made[B]{}
				} else {
					j.done <- p.make(j.indices)
				}
			}
		})
	}
	return p
}

// make loads a batch; it converts a panic into an error, which Next returns for that batch.
func (p *Prefetcher[B]) make(indices []int) (m made[B]) {
	defer func() {
		if fault := recover(); fault != nil {
			m.err = fmt.Errorf("data.Prefetcher: loading panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	m.batch, m.err = p.load(indices)
	m.err = notTheEnd(m.err)
	return m
}

// readerPosition returns the sampler's position. The order in it is never written again.
func (s *Sampler) readerPosition() readerPosition {
	here := readerPosition{walk: s.walk}
	if s.o.Shuffle != nil {
		here.shuffle = *s.o.Shuffle
	}
	return here
}

// fill queues jobs until the queue is full.
func (p *Prefetcher[B]) fill() {
	for len(p.queue) < p.ahead {
		indices, ok := p.sampler.Next()
		if !ok {
			return
		}
		done := make(chan made[B], 1)
		p.queue = append(p.queue, promise[B]{done, p.sampler.readerPosition()})
		p.jobs <- job[B]{indices, done}
	}
}

// Next waits for the next batch. An error of loading belongs to its batch: the next call returns the batch after it.
func (p *Prefetcher[B]) Next() (b B, err error) {
	if p.closed.Load() {
		return b, fmt.Errorf("data.Prefetcher: it is closed")
	}
	if p.fill(); len(p.queue) == 0 {
		return b, io.EOF
	}
	first := p.queue[0]
	p.queue = p.queue[1:]
	m := <-first.done
	p.here = first.after
	p.fill()
	return m.batch, m.err
}

// Position returns the position after the last batch that Next returned.
func (p *Prefetcher[B]) Position() Position { return p.here.position }

// forget drops the batches made ahead.
func (p *Prefetcher[B]) forget() {
	for _, q := range p.queue {
		<-q.done
	}
	p.queue = nil
}

// Reset starts again from the beginning.
func (p *Prefetcher[B]) Reset() {
	p.seek(p.here)
	p.sampler.Reset()
	p.here = p.sampler.readerPosition()
}

// seek moves the sampler and the reader to a position.
func (p *Prefetcher[B]) seek(here readerPosition) {
	p.forget()
	p.here, p.sampler.walk = here, here.walk
	if p.sampler.o.Shuffle != nil {
		*p.sampler.o.Shuffle = here.shuffle
	}
}

// Archive saves or restores the position of the reader, as [Sampler.Archive] does.
func (p *Prefetcher[B]) Archive(a *archive.Archive) {
	here, shuffle := p.here, (*nd.Rand)(nil)
	if p.sampler.o.Shuffle != nil {
		shuffle = &here.shuffle
	}
	here.walk.archive(a, p.sampler.n, p.sampler.batch, shuffle)
	a.AfterLoad(func() { p.seek(here) })
}

// Close ends the workers, each after the batch that it is making, and drops the batches made ahead.
func (p *Prefetcher[B]) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	p.forget()
	close(p.jobs)
	p.workers.Wait()
	return nil
}
