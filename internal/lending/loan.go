package lending

import (
	"sync/atomic"
	"unsafe"
	"weak"
)

// Loan is the right to use a block on loan. When the GC finds the Loan unreachable, the block becomes idle. So the Loan
// must be reachable, or kept alive, as long as the address of the block is in use.
type Loan struct{ of *trackedBlock }

// trackedBlock is a block that the store owns. It is in one of three states: a user has its loan (out); it is idle with its
// loan, which the user returned; or it is idle without a loan, because the loan became unreachable. It changes from the
// first state to the third only when the weak pointer is nil, and never if the block escaped.
type trackedBlock struct {
	at      unsafe.Pointer
	class   int
	loan    weak.Pointer[Loan]
	out     bool
	gone    bool        // the store no longer owns it, and forgets it together with the loan
	escaped atomic.Bool // slices of it may live longer than the loan
}

// Escape says that the block's memory may stay in use after the loan is unreachable: then only the GC frees the block.
func (l *Loan) Escape() { l.of.escaped.Store(true) }

func (b *trackedBlock) handOut() {
	if b.out {
		panic("lending: a block is handed out twice")
	}
	b.out = true
}

func (b *trackedBlock) comeBack() {
	if !b.out {
		panic("lending: a block comes back twice")
	}
	b.out = false
}

// lend hands out a block with a new loan.
func (s *Store) lend(b *trackedBlock) Block {
	b.handOut()
	s.rest.watch(s)
	l := &Loan{b}
	b.loan = weak.Make(l)
	s.tracked = append(s.tracked, b)
	return Block{b.at, l}
}

// sweep runs after a GC cycle and finds the blocks whose loans are unreachable.
func (s *Store) sweep() {
	kept := s.tracked[:0]
	for _, b := range s.tracked {
		switch {
		case b.loan.Value() != nil && !early():
			kept = append(kept, b)
		case b.gone:
		case b.escaped.Load():
			s.owned -= ClassSize(b.class)
		default:
			b.comeBack()
			if s.Returned != nil {
				s.Returned(b.class, b.at)
			}
			s.push(b.class, entry{at: b.at, tracked: b})
		}
	}
	clear(s.tracked[len(kept):])
	s.tracked = kept
}
