package memory

import (
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/ndgrad/ndgrad/internal/lending"
)

// Small new blocks are cut from chunks, since the runtime takes some 300 ns for one of 4 KiB, however it is used. Nothing
// keeps track of the blocks of a chunk: it is collected when nobody reaches any of them. So a block that is kept keeps its
// neighbours; where the census finds that this is frequent, blocks are made one by one for some time.
const (
	chunkBytes = 256 << 10
	fewChunks  = 64 // that may live on in any case, each for a block that is kept
	longPause  = 10 // doublings
)

// chunk is what is left of one.
type chunk struct {
	at   unsafe.Pointer
	left int
}

var chunks = sync.Pool{New: func() any { return new(chunk) }}

// cut returns a new block of so many bytes, a multiple of lending.Grain.
func cut(bytes int) unsafe.Pointer {
	c := chunks.Get().(*chunk)
	if c.left < bytes {
		c.at, c.left = unwritten(chunkBytes), chunkBytes
		census.count(c.at, lending.Cycles())
	}
	block := c.at
	c.left -= bytes
	if c.at = nil; c.left > 0 {
		c.at = unsafe.Add(block, bytes)
	}
	chunks.Put(c)
	return block
}

// counted is a chunk in the census.
type counted struct {
	weak.Pointer[byte]
	cycles int // of the collector before it was made
}

// chunkCensus counts the chunks that live through a collection.
type chunkCensus struct {
	single   atomic.Bool // blocks are made one by one
	begun    sync.Once
	mu       sync.Mutex
	chunks   []counted
	last     int // cycles at the last census
	pause    int // collections to come without chunks
	relapses int // every pause is twice as long as the one before
}

var census chunkCensus

// count includes a chunk in the census, which was made after so many cycles of the collector.
func (c *chunkCensus) count(at unsafe.Pointer, cycles int) {
	c.begun.Do(func() { lending.AfterCollections(func(lending.Heap) { c.take(lending.Cycles()) }) })
	made := counted{weak.Make((*byte)(at)), cycles}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chunks = append(c.chunks, made)
}

// take is called after a collection, which made so many cycles. Chunks made since tell nothing.
func (c *chunkCensus) take(cycles int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var made, young, old int // made since the last census, those of them that live, and older ones that live
	kept := c.chunks[:0]
	for _, chunk := range c.chunks {
		lives := chunk.Value() != nil
		switch {
		case chunk.cycles >= cycles:
		case chunk.cycles >= c.last:
			made++
			if lives {
				young++
			}
		case lives:
			old++
		}
		if lives {
			kept = append(kept, chunk)
		}
	}
	c.chunks, c.last = kept, cycles
	switch {
	case c.pause > 0:
		c.pause--
	case old > fewChunks+made/16 || made >= 32 && young > made/2:
		c.pause = 16 << min(c.relapses, longPause)
		c.relapses++
	}
	c.single.Store(c.pause > 0)
}
