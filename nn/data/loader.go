package data

import (
	"io"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Batches is a reader of batches for a training: a [Loader] or a [Prefetcher]. Use it from one goroutine.
type Batches[B any] interface {
	// Next returns the next batch, or io.EOF itself after the last. An error of loading is never io.EOF: a file that
	// ends too early gives io.ErrUnexpectedEOF.
	Next() (B, error)
	// Position returns the position after the last batch that Next returned.
	Position() Position
	// Reset starts again from the beginning.
	Reset()
	// Object saves and restores the position of the reader.
	archive.Object
	// Close ends background work.
	io.Closer
}

// Loader makes batches of the examples that a sampler chooses, each when Next asks for it.
type Loader[B any] struct {
	sampler *Sampler
	load    func(indices []int) (B, error)
}

// NewLoader returns a loader whose batches are the results of load, which gets the indices of a batch's examples; see
// [Rows].
func NewLoader[B any](s *Sampler, load func(indices []int) (B, error)) *Loader[B] {
	return &Loader[B]{s, load}
}

// Next loads the next batch.
func (l *Loader[B]) Next() (b B, err error) {
	indices, ok := l.sampler.Next()
	if !ok {
		return b, io.EOF
	}
	b, err = l.load(indices)
	return b, notTheEnd(err)
}

// notTheEnd replaces an io.EOF from loading, which would look like the end of the batches.
func notTheEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Position returns the position after the last batch that Next returned.
func (l *Loader[B]) Position() Position { return l.sampler.Position() }

// Reset starts again from the beginning.
func (l *Loader[B]) Reset() { l.sampler.Reset() }

// Archive saves or restores the position of the reader.
func (l *Loader[B]) Archive(a *archive.Archive) { l.sampler.Archive(a) }

// Close does nothing.
func (l *Loader[B]) Close() error { return nil }

// Batch holds arrays whose first axis counts examples.
type Batch = []*nd.Array

// Rows returns a function that loads batches from arrays in memory whose first axes count the same examples: a batch
// has the rows of each array at the given indices. The function may be called from several goroutines.
func Rows(xs ...*nd.Array) func(indices []int) (Batch, error) {
	const fn nd.Func = "data.Rows"
	fn.Check(xs...)
	for _, x := range xs {
		if x.Rank() == 0 || x.Dim(0) != xs[0].Dim(0) {
			panic(fn.Errorf(xs, "want arrays with first axes of equal length"))
		}
	}
	return func(indices []int) (Batch, error) {
		batch := make(Batch, len(xs))
		for k, x := range xs {
			at := nd.FromSliceOn(x.Device(), indices)
			batch[k] = ops.Take(x, at, ops.Over(0))
			at.Release()
		}
		return batch, nil
	}
}
