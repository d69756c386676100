package random

import (
	"math/bits"
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// source provides the numbers of a stream one by one, on the host. It is the source of its *rand.Rand.
type source struct {
	*rand.Rand
	stream *nd.Rand
	words  []uint64 // a block of the stream
	read   int      // how many of them were read
	length int      // of the next block
}

// newSource returns the numbers of a stream that is split off from rng.
func newSource(fn nd.Func, rng *nd.Rand) *source {
	if rng == nil {
		panic(fn.Errorf(nil, "no stream of random numbers: pass nd.NewRand(seed)"))
	}
	s := &source{stream: rng.Split(), length: shortestBlock}
	s.Rand = rand.New(s)
	return s
}

// The least and the largest number of words that are drawn at a time.
const (
	shortestBlock = 16
	longestBlock  = 4096
)

// expect announces that count words will be read.
func (s *source) expect(count int) { s.length = max(shortestBlock, min(count, longestBlock)) }

// Uint64 returns the next number.
func (s *source) Uint64() uint64 {
	if s.read == len(s.words) {
		s.draw()
	}
	s.read++
	return s.words[s.read-1]
}

// draw replaces the words by new ones.
func (s *source) draw() {
	block := nd.Func("random").Random(s.stream, device.DistributionBits, []int{s.length}, dtype.Uint64)
	if cap(s.words) < s.length {
		s.words = make([]uint64, s.length)
	}
	s.words, s.read = s.words[:s.length], 0
	nd.CopyTo(s.words, block)
	block.Release()
	s.length = min(4*s.length, longestBlock)
}

// fromWord makes a random word a number from 0 to n-1: the upper half of a product. ok is false for the few words that would make some
// numbers more likely than others (Lemire 2019).
func fromWord(n, word uint64) (number uint64, ok bool) {
	high, low := bits.Mul64(word, n)
	return high, low >= n || low >= -n%n
}
