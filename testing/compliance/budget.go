package compliance

import (
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// budget bounds what a fuzzed launch may need: the go command ends a target that takes 10 seconds for one input, or too
// much memory. A launch that uses up the budget needs a tenth of a second, which leaves room for instrumented code and a
// busy machine.
type budget struct {
	elements int // of all blocks
	steps    int // of all loops
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

// spendSteps skips a fuzzed launch that takes too long.
func (s *suite) spendSteps(c call) {
	if b := s.budget; b != nil {
		if b.steps -= c.steps(); b.steps < 0 {
			s.Skip("the launch takes too long")
		}
	}
}

// steps is about how many steps of a naive loop the call takes. An axis of length 0 counts as 1, because an inner axis of
// length 0 does not shorten the loops around it.
func (c call) steps() int {
	steps := max(1, c.work)
	for _, n := range c.loop {
		steps = broadcast.Product(steps, max(1, n))
	}
	return steps
}
