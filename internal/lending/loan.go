package lending

import (
	"sync/atomic"
	"unsafe"
	"weak"
)

// Loan stands for the right to use a block that is lent. When the collector finds that nobody has it any more, the block is
// idle: so it has to be reachable, or kept alive, for as long as the address of the block is in use.
type Loan struct{ of *lent }

// lent is a block that the store owns. It is in one of three states: somebody has its loan (out); it is idle with its loan,
// which came back with it; or it is idle without one, as nobody could reach that. It leaves the first for the third only when
// the weak pointer is nil, and never if the block escaped.
type lent struct {
	at      unsafe.Pointer
	class   int
	loan    weak.Pointer[Loan]
	out     bool
	gone    bool        // it is the store's no more, and is forgotten when the loan is
	escaped atomic.Bool // slices of it may live longer than the loan
}

// Escape says that the block's memory may be in use even when nobody has the loan: it will be left to the collector then.
func (l *Loan) Escape() { l.of.escaped.Store(true) }

func (b *lent) handOut() {
	if b.out {
		panic("lending: a block is handed out twice")
	}
	b.out = true
}

func (b *lent) comeBack() {
	if !b.out {
		panic("lending: a block comes back twice")
	}
	b.out = false
}

// lend hands a block out with a new loan.
func (s *Store) lend(b *lent) Block {
	b.handOut()
	s.rest.watch(s)
	l := &Loan{b}
	b.loan = weak.Make(l)
	s.lent = append(s.lent, b)
	return Block{b.at, l}
}

// sweep finds the blocks whose loans nobody has any more, after a collection.
func (s *Store) sweep() {
	kept := s.lent[:0]
	for _, b := range s.lent {
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
			s.push(b.class, entry{at: b.at, lent: b})
		}
	}
	clear(s.lent[len(kept):])
	s.lent = kept
}
