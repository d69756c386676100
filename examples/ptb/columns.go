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

// piece is a part of a text, in columns: words (length, columns), and the word that follows each of them.
type piece struct{ words, next *nd.Array }

// columns reads a text in several columns side by side. The columns begin at equally spaced positions of the text, and
// each continues past the end of the text at its beginning. So the columns of one piece continue in the next, as does
// the memory of a recurrent network. Chainer's example calls this ParallelSequentialIterator. It is a data.Batches.
type columns struct {
	text       []int
	begins     []int         // of the columns
	length     int           // of a piece
	singlePass bool          // the text is read once, and the last piece is shorter
	read       int           // words read from each column so far
	before     int           // value of read before the last piece
	device     device.Device // of the pieces; nil is the CPU
}

func newColumns(text []int, n, length int, once bool) (*columns, error) {
	if len(text) < n {
		return nil, fmt.Errorf("a text of %d words in %d columns: want at least one word per column", len(text), n)
	}
	c := &columns{text: text, length: length, singlePass: once, before: -1}
	for k := range n {
		c.begins = append(c.begins, k*len(text)/n)
	}
	return c, nil
}

// Next returns the next piece.
func (c *columns) Next() (piece, error) {
	length := c.length
	if c.singlePass {
		left := (len(c.text)+len(c.begins)-1)/len(c.begins) - c.read
		if length = min(length, left); length <= 0 {
			return piece{}, io.EOF
		}
	}
	c.before, c.read = c.read, c.read+length
	return piece{c.words(c.before, length), c.words(c.before+1, length)}, nil
}

// words returns length words of all columns, from a position on.
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

// Position returns the progress of all columns together.
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

// Reset starts again at the beginning.
func (c *columns) Reset() { c.read, c.before = 0, -1 }

// Archive saves or restores the position.
func (c *columns) Archive(a *archive.Archive) {
	a.Int("read", &c.read)
	a.Int("before", &c.before)
}

// Close does nothing.
func (c *columns) Close() error { return nil }
