package memory

import (
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/ndgrad/ndgrad/internal/lending"
)

// Small new blocks are cut from chunks, since the runtime needs some 300 ns to allocate 4 KiB in any way. Nothing keeps
// track of the blocks of a chunk: the GC frees the chunk when none of its blocks is reachable. So a block that is kept
// keeps its neighbours. If the census finds that this is frequent, blocks are allocated one by one for some time.
const (
	chunkBytes = 256 << 10
	fewChunks  = 64 // chunks that may stay alive in any case, one for each block that is kept
	longPause  = 10 // the maximum number of doublings
)

// chunk is the rest of a chunk that is not cut yet.
type chunk struct {
	at   unsafe.Pointer
	left int
}

var chunks = sync.Pool{New: func() any { return new(chunk) }}

// cut returns a new block of the given number of bytes, a multiple of lending.Grain.
func cut(bytes int) unsafe.Pointer {
	c := chunks.Get().(*chunk)
	if c.left < bytes {
		c.at, c.left = allocate(chunkBytes), chunkBytes
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
	cycles int // GC cycles before the chunk was allocated
}

// chunkCensus counts the chunks that survive a GC cycle.
type chunkCensus struct {
	single   atomic.Bool // blocks are allocated one by one
	begun    sync.Once
	mu       sync.Mutex
	chunks   []counted
	last     int // cycles at the last census
	pause    int // GC cycles left without chunks
	relapses int // number of pauses so far: each pause is twice as long as the one before
}

var census chunkCensus

// count includes a chunk in the census. The chunk was allocated after the given number of GC cycles.
func (c *chunkCensus) count(at unsafe.Pointer, cycles int) {
	c.begun.Do(func() { lending.AfterGC(func(lending.Heap) { c.take(lending.Cycles()) }) })
	made := counted{weak.Make((*byte)(at)), cycles}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chunks = append(c.chunks, made)
}

// take counts the chunks after a GC cycle; cycles is the number of GC cycles so far. Chunks allocated since then do not
// count.
func (c *chunkCensus) take(cycles int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var made, young, old int // chunks made since the last census, those of them that are alive, and older chunks that are alive
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
