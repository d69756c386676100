package data

import (
	"fmt"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Position is the progress of a walk over the examples.
type Position struct {
	Epoch    int     // completed walks over all examples
	Detail   float64 // Epoch plus the completed part of the current walk
	Previous float64 // Detail before the last batch; -1 before the first
	NewEpoch bool    // whether the last batch completed a walk
}

// SamplerOptions are the options of [NewSampler].
type SamplerOptions struct {
	// Once ends after one walk; its last batch is smaller if examples are left over. Without Once, a batch at the end
	// of a walk continues with the first examples of the next walk.
	Once bool
	// Shuffle is the stream that draws a new order for every walk. nil keeps the order 0, 1, ….
	Shuffle *nd.Rand
	// Rank and Size deal the batches to Size ranks, of which this is number Rank: see comm.Communicator. The samplers of
	// all ranks are made with the same numbers and equal streams, and choose the same batches in the same order. The
	// first Goroutines of them are for rank 0, the next for rank 1, and so on; then again for rank 0. Next returns those
	// for this rank. So each example of a walk goes to one rank, once. With Once, the last round may be incomplete: the
	// first ranks get its batches, and the others get none. 0 ranks are one.
	Rank, Size int
	// Goroutines is the number of batches that a rank reads for an update: that of the goroutines of package train's
	// Parallel or Distributed. 0 is 1. After that many batches, Position is that after the batches of all ranks, and its
	// Previous that before them.
	Goroutines int
}

// Sampler chooses the examples of every batch, by their indices. Use it from one goroutine.
// Chainer: iterators.SerialIterator.
type Sampler struct {
	n, batch int
	o        SamplerOptions
	walk
}

// walk is the state of a sampler that changes.
type walk struct {
	order    []int // of the current walk; nil means 0, 1, …
	at       int   // an index into the order
	position Position
	turn     int // the number of batches of the current round that this rank has read
}

// NewSampler returns a sampler of n examples in batches.
func NewSampler(n, batch int, opts ...SamplerOptions) *Sampler {
	const fn nd.Func = "data.NewSampler"
	if n < 1 || batch < 1 {
		panic(fn.Errorf(nil, "%d examples in batches of %d: want at least one of each", n, batch))
	}
	s := &Sampler{n: n, batch: batch, o: options.Read(fn, opts)}
	s.o.Size, s.o.Goroutines = max(s.o.Size, 1), max(s.o.Goroutines, 1)
	if s.o.Rank < 0 || s.o.Rank >= s.o.Size {
		panic(fn.Errorf(nil, "rank %d of %d: want 0 to %d", s.o.Rank, s.o.Size, s.o.Size-1))
	}
	s.Reset()
	return s
}

// Reset starts again from the beginning, with a new order if examples are shuffled.
func (s *Sampler) Reset() {
	s.walk = walk{order: s.order, position: Position{Previous: -1}}
	s.shuffle()
}

// shuffle draws a new order. It leaves the old one unchanged for its other users.
func (s *Sampler) shuffle() {
	if s.o.Shuffle != nil {
		s.order = s.o.Shuffle.Perm(s.n)
	}
}

// Next returns the indices of the next batch, or false after the last. A batch that is larger than the set has every
// example at most twice.
func (s *Sampler) Next() ([]int, bool) {
	if s.o.Size*s.o.Goroutines == 1 || s.o.Once && s.position.Epoch > 0 {
		return s.next()
	}
	before, newEpoch := s.position.Detail, false
	if s.turn > 0 {
		before, newEpoch = s.position.Previous, s.position.NewEpoch
	}
	var indices []int
	ok := true
	read := func(batches int) {
		for range batches {
			if indices, ok = s.next(); !ok {
				return
			}
			newEpoch = newEpoch || s.position.NewEpoch
		}
	}
	if s.turn == 0 {
		read(s.o.Rank * s.o.Goroutines)
	}
	read(1)
	mine, found := indices, ok
	if s.turn++; s.turn == s.o.Goroutines {
		s.turn = 0
		read((s.o.Size - 1 - s.o.Rank) * s.o.Goroutines)
	}
	s.position.Previous, s.position.NewEpoch = before, newEpoch
	return mine, found
}

// next returns the indices of the next batch, for whichever rank it is.
func (s *Sampler) next() ([]int, bool) {
	p := &s.position
	if s.o.Once && p.Epoch > 0 {
		return nil, false
	}
	p.Previous, p.NewEpoch = p.Detail, false
	end := min(s.at+s.batch, s.n)
	indices := s.append(make([]int, 0, s.batch), s.at, end)
	over := s.at + s.batch - s.n
	if s.at = end; over >= 0 {
		p.Epoch, p.NewEpoch, s.at = p.Epoch+1, true, 0
		if !s.o.Once {
			s.shuffle()
			s.at = min(over, s.n)
			indices = s.append(indices, 0, s.at)
		}
	}
	s.measure(s.n)
	return indices, true
}

func (w *walk) append(indices []int, from, to int) []int {
	if w.order != nil {
		return append(indices, w.order[from:to]...)
	}
	for i := from; i < to; i++ {
		indices = append(indices, i)
	}
	return indices
}

// measure computes Detail for n examples.
func (w *walk) measure(n int) {
	w.position.Detail = float64(w.position.Epoch) + float64(w.at)/float64(n)
}

// Position returns the position after the last batch.
func (s *Sampler) Position() Position { return s.position }

// Archive saves or restores the sampler's position: a restored sampler returns the batch that would have come next. The
// names are those of Chainer's iterators, plus the stream of the shuffles. Chainer does not save that stream, and files
// of some versions lack previous_epoch_detail, or call the order "order". From such a file, the current walk continues
// as in Chainer, and the next orders are drawn from the sampler's own stream.
// Chainer: dataset.Iterator.serialize.
func (s *Sampler) Archive(a *archive.Archive) {
	s.walk.archive(a, s.n, s.batch, s.o.Shuffle)
}

// archive saves or restores the walk over n examples, and the stream that shuffles, unless it is nil.
func (w *walk) archive(a *archive.Archive, n, batch int, shuffle *nd.Rand) {
	in, now := *w, a.Immediate()
	now.Int("current_position", &in.at)
	now.Int("epoch", &in.position.Epoch)
	now.Bool("is_new_epoch", &in.position.NewEpoch)
	if a.Has("epoch") && !a.Has("previous_epoch_detail") {
		in.position.Previous = in.beforeBatch(n, batch)
	} else {
		now.Float("previous_epoch_detail", &in.position.Previous)
	}
	if shuffle != nil {
		order := "_order"
		if a.Has("order") {
			order = "order"
		}
		now.Ints(order, &in.order)
		if !a.Loading() || a.Has("rng") {
			a.Object("rng", archive.Stream(shuffle))
		}
	}
	in.measure(n)
	if a.Loading() {
		in.turn = 0
	}
	if err := in.check(n); err != nil {
		a.Fail(err)
	}
	a.AfterLoad(func() { *w = in })
}

// beforeBatch computes Detail before the last batch, assuming that this was a full batch.
func (w *walk) beforeBatch(n, batch int) float64 {
	if w.position.Epoch == 0 && w.at == 0 {
		return -1
	}
	behind := w.position.Epoch*n + w.at - batch // in examples
	if behind < 0 {
		return 0
	}
	return float64(behind/n) + float64(behind%n)/float64(n)
}

// check returns an error if a restored walk does not fit n examples.
func (w *walk) check(n int) error {
	if w.at < 0 || w.at > n || w.position.Epoch < 0 {
		return fmt.Errorf("position %d in epoch %d does not fit %d examples", w.at, w.position.Epoch, n)
	}
	if w.order == nil {
		return nil
	}
	return checkOrder(w.order, n)
}

// checkOrder returns an error if an order does not contain each of n indices once.
func checkOrder(order []int, n int) error {
	if len(order) != n {
		return fmt.Errorf("the order has %d indices, want %d", len(order), n)
	}
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || i >= n || seen[i] {
			return fmt.Errorf("the order has index %d, want each index of %d examples once", i, n)
		}
		seen[i] = true
	}
	return nil
}
