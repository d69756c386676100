package compliance

import (
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// budget bounds what a fuzzed launch may need: the go command ends a target that takes 10 seconds for one input, or too
// much memory. The bounds leave room for a busy machine.
type budget struct {
	elements int // of all blocks
	points   int // of all loops
}

// newBlock returns zeroed bytes for elements. It skips a fuzzed launch that needs too many.
func (s *suite) newBlock(dt dtype.DType, elements int) []byte {
	if b := s.budget; b != nil {
		if b.elements -= elements; b.elements < 0 {
			s.Skip("the launch needs too much memory")
		}
	}
	return newBlock(elements * dt.Size())
}

// spendLoop skips a fuzzed launch that takes too long.
func (s *suite) spendLoop(loop []int) {
	if b := s.budget; b != nil {
		if b.points -= broadcast.Size(loop); b.points < 0 {
			s.Skip("the launch takes too long")
		}
	}
}
