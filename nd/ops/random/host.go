package random

import (
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// source provides the numbers of a stream one by one, on the host. It is the source of its *rand.Rand.
type source struct {
	*rand.Rand
	stream *nd.Rand
	words  []uint64
	length int // the length of the next block
}

// newSource returns the numbers of a stream that is split off from rng.
func newSource(fn nd.Func, rng *nd.Rand) *source {
	if rng == nil {
		panic(fn.Errorf(nil, "no stream of random numbers: pass nd.NewRand(seed)"))
	}
	s := &source{stream: rng.Split(), length: 16}
	s.Rand = rand.New(s)
	return s
}

// Uint64 returns the next number.
func (s *source) Uint64() uint64 {
	if len(s.words) == 0 {
		block := nd.Func("random").Random(s.stream, device.DistributionBits, []int{s.length}, dtype.Uint64)
		s.words = nd.ToSlice[uint64](block)
		block.Release()
		s.length = min(4*s.length, 4096)
	}
	word := s.words[0]
	s.words = s.words[1:]
	return word
}
