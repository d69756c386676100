package main

import (
	"fmt"
	"io"
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
)

// piece is a part of a text, in columns: words (length, columns), and those that follow each of them.
type piece struct{ words, next *nd.Array }

// columns reads a text at several places side by side: each begins where an equal part of the text does, and goes on across its end to
// the beginning. So the columns of one piece go on in the next, and the memory of a recurrent network with them. Chainer's example
// calls it ParallelSequentialIterator. It is a data.Batches.
type columns struct {
	text   []int
	begins []int         // of the columns
	length int           // of a piece
	once   bool          // the text is read once, and the last piece is shorter
	read   int           // words of each column so far
	before int           // read, before the last piece
	device device.Device // where pieces are made; nil is the CPU
}

func newColumns(text []int, n, length int, once bool) (*columns, error) {
	if len(text) < n {
		return nil, fmt.Errorf("a text of %d words, in %d columns: want a word in each", len(text), n)
	}
	c := &columns{text: text, length: length, once: once, before: -1}
	for k := range n {
		c.begins = append(c.begins, k*len(text)/n)
	}
	return c, nil
}

// Next returns the next piece.
func (c *columns) Next() (piece, error) {
	length := c.length
	if c.once {
		left := (len(c.text)+len(c.begins)-1)/len(c.begins) - c.read
		if length = min(length, left); length <= 0 {
			return piece{}, io.EOF
		}
	}
	c.before, c.read = c.read, c.read+length
	return piece{c.words(c.before, length), c.words(c.before+1, length)}, nil
}

// words are those of all columns from a place on.
func (c *columns) words(from, length int) *nd.Array {
	var all []int
	for i := range length {
		for _, begin := range c.begins {
			all = append(all, c.text[(begin+from+i)%len(c.text)])
		}
	}
	if c.device == nil {
		return nd.FromSlice(all, length, len(c.begins))
	}
	return nd.FromSliceOn(c.device, all, length, len(c.begins))
}

// Position is how far the columns have come together.
func (c *columns) Position() data.Position {
	epochs := func(read int) float64 { return float64(read*len(c.begins)) / float64(len(c.text)) }
	at := data.Position{Detail: epochs(c.read), Previous: -1}
	at.Epoch = int(at.Detail)
	if c.before >= 0 {
		at.Previous = epochs(c.before)
	}
	at.NewEpoch = math.Floor(max(0, at.Previous)) < math.Floor(at.Detail)
	return at
}

// Reset begins anew.
func (c *columns) Reset() { c.read, c.before = 0, -1 }

// Archive saves or restores the place.
func (c *columns) Archive(a *archive.Archive) {
	a.Int("read", &c.read)
	a.Int("before", &c.before)
}

// Close does nothing.
func (c *columns) Close() error { return nil }
