package data

import (
	"io"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Batches are what a training reads: a [Loader] or a [Prefetcher]. They are read from one goroutine.
type Batches[B any] interface {
	// Next returns the next batch, or io.EOF itself after the last. An error of loading is another: a file that ends too early gives
	// io.ErrUnexpectedEOF.
	Next() (B, error)
	// Position tells how far the batches have come that Next returned.
	Position() Position
	// Reset begins anew.
	Reset()
	// Object saves and restores where the reader stands.
	archive.Object
	// Close ends what works in the background.
	io.Closer
}

// Loader makes batches of the examples that a sampler chooses, one when it is asked for.
type Loader[B any] struct {
	sampler *Sampler
	load    func(places []int) (B, error)
}

// NewLoader returns the batches that load makes of the examples at some places; see [Rows].
func NewLoader[B any](s *Sampler, load func(places []int) (B, error)) *Loader[B] {
	return &Loader[B]{s, load}
}

// Next loads the next batch.
func (l *Loader[B]) Next() (b B, err error) {
	places, ok := l.sampler.Next()
	if !ok {
		return b, io.EOF
	}
	b, err = l.load(places)
	return b, notTheEnd(err)
}

// notTheEnd is an error of loading, which must not be taken for the end of the batches.
func notTheEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Position tells how far the batches have come.
func (l *Loader[B]) Position() Position { return l.sampler.Position() }

// Reset begins anew.
func (l *Loader[B]) Reset() { l.sampler.Reset() }

// Archive saves or restores where the reader stands.
func (l *Loader[B]) Archive(a *archive.Archive) { l.sampler.Archive(a) }

// Close does nothing.
func (l *Loader[B]) Close() error { return nil }

// Batch is arrays whose first axis counts examples.
type Batch = []*nd.Array

// Rows loads batches from arrays in memory whose first axes count the same examples: of each its rows at the places. It may be called in
// several goroutines.
func Rows(xs ...*nd.Array) func(places []int) (Batch, error) {
	const fn nd.Func = "data.Rows"
	fn.Check(xs...)
	for _, x := range xs {
		if x.Rank() == 0 || x.Dim(0) != xs[0].Dim(0) {
			panic(fn.Errorf(xs, "want arrays with a first axis of one length"))
		}
	}
	return func(places []int) (Batch, error) {
		batch := make(Batch, len(xs))
		for k, x := range xs {
			at := nd.FromSliceOn(x.Device(), places)
			batch[k] = ops.Take(x, at, ops.Over(0))
			at.Release()
		}
		return batch, nil
	}
}
