package data

import (
	"fmt"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Position is how far a walk over the examples has come.
type Position struct {
	Epoch    int     // walks over all examples that are done
	Detail   float64 // the same with the part of the current one
	Previous float64 // Detail before the last batch; -1 before the first
	NewEpoch bool    // whether a walk was completed with the last batch
}

// SamplerOptions are the options of [NewSampler].
type SamplerOptions struct {
	// Once ends after one walk, with a smaller batch where examples are left over. Without it batches go on across the end: one
	// that begins with the last examples goes on with the first of the next walk.
	Once bool
	// Shuffle is the stream from which an order is drawn for every walk. Without one the examples come as they are.
	Shuffle *nd.Rand
}

// Sampler chooses the examples of every batch, by their places. It is used from one goroutine. chainer.iterators.SerialIterator.
type Sampler struct {
	n, batch int
	o        SamplerOptions
	walk
}

// walk is what moves as a sampler does.
type walk struct {
	order    []int // of the current walk; nil where it is 0, 1, …
	at       int   // in the order
	position Position
}

// NewSampler returns the sampler of batches of n examples.
func NewSampler(n, batch int, opts ...SamplerOptions) *Sampler {
	const fn nd.Func = "data.NewSampler"
	if n < 1 || batch < 1 {
		panic(fn.Errorf(nil, "%d examples in batches of %d: want at least one of both", n, batch))
	}
	s := &Sampler{n: n, batch: batch, o: options.Read(fn, opts)}
	s.Reset()
	return s
}

// Reset begins anew, with a new order if examples are shuffled.
func (s *Sampler) Reset() {
	s.at, s.position = 0, Position{Previous: -1}
	s.shuffle()
}

// shuffle makes a new order, and leaves the old one to those who hold it.
func (s *Sampler) shuffle() {
	if s.o.Shuffle != nil {
		s.order = s.o.Shuffle.Perm(s.n)
	}
}

// Next returns the places of the next batch, or false after the last. A batch that is larger than the set has every example at most
// twice.
func (s *Sampler) Next() ([]int, bool) {
	p := &s.position
	if s.o.Once && p.Epoch > 0 {
		return nil, false
	}
	p.Previous, p.NewEpoch = p.Detail, false
	end := min(s.at+s.batch, s.n)
	places := s.append(make([]int, 0, s.batch), s.at, end)
	over := s.at + s.batch - s.n
	if s.at = end; over >= 0 {
		p.Epoch, p.NewEpoch, s.at = p.Epoch+1, true, 0
		if !s.o.Once {
			s.shuffle()
			s.at = min(over, s.n)
			places = s.append(places, 0, s.at)
		}
	}
	s.measure(s.n)
	return places, true
}

func (w *walk) append(places []int, from, to int) []int {
	if w.order != nil {
		return append(places, w.order[from:to]...)
	}
	for i := from; i < to; i++ {
		places = append(places, i)
	}
	return places
}

// measure works out how far the walk is, of n examples.
func (w *walk) measure(n int) {
	w.position.Detail = float64(w.position.Epoch) + float64(w.at)/float64(n)
}

// Position returns how far the sampler has come.
func (s *Sampler) Position() Position { return s.position }

// Archive saves or restores where the sampler stands: the next batch is the one that would have come. The names are those of
// Chainer's iterators, with the stream of the shuffles beside them. Chainer does not save that, and a file of its versions may lack
// previous_epoch_detail, or call the order "order": such a walk goes on to its end as Chainer's would, and the next orders are drawn
// from the sampler's own stream. chainer.dataset.Iterator.serialize.
func (s *Sampler) Archive(a *archive.Archive) {
	s.walk.archive(a, s.n, s.batch, s.o.Shuffle)
}

// archive saves or restores the walk over n examples that a stream shuffles, which may be nil.
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
	if err := in.check(n); err != nil {
		a.Fail(err)
	}
	a.AfterLoad(func() { *w = in })
}

// beforeBatch works out how far the walk was before the last batch, if that was a whole one.
func (w *walk) beforeBatch(n, batch int) float64 {
	if w.position.Epoch == 0 && w.at == 0 {
		return -1
	}
	behind := w.position.Epoch*n + w.at - batch // examples
	if behind < 0 {
		return 0
	}
	return float64(behind/n) + float64(behind%n)/float64(n)
}

// check refuses a restored walk that is none over n examples.
func (w *walk) check(n int) error {
	if w.at < 0 || w.at > n || w.position.Epoch < 0 {
		return fmt.Errorf("position %d in epoch %d: there are %d examples", w.at, w.position.Epoch, n)
	}
	if w.order == nil {
		return nil
	}
	return checkOrder(w.order, n)
}

// checkOrder refuses an order that does not have each of n examples once.
func checkOrder(order []int, n int) error {
	if len(order) != n {
		return fmt.Errorf("the order has %d of %d examples", len(order), n)
	}
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || i >= n || seen[i] {
			return fmt.Errorf("the order has %d where it should have each of %d examples once", i, n)
		}
		seen[i] = true
	}
	return nil
}
