package lending

import (
	"sync"
	"time"
	"unsafe"
)

// Store keeps the blocks of a device that wait to serve again. The fields that are exported are set before its first use.
type Store struct {
	// Make makes a block of a class, for a number of bytes. It returns nil where the device is full: then everything that is
	// forgotten or idle goes back to it, and Make is called once more.
	Make func(class, bytes int) unsafe.Pointer
	// Discard, unless nil, takes a block that is needed no more; else it is left to the collector.
	Discard func(class int, block unsafe.Pointer)
	// Returned, unless nil, is told of every lent block that is back because nobody reached it any more.
	Returned func(class int, block unsafe.Pointer)
	// Least is the class of the smallest blocks that are lent.
	Least int
	// Most returns how many bytes may lie idle, and how many may be lent: what is beyond is made anew.
	Most func() int

	mu      sync.Mutex
	lists   map[int]*list // by class
	most    int           // what Most returned; 0 before the first block came
	idle    int           // bytes in the lists
	owned   int           // bytes of blocks that are, or were, lent and are still the store's
	lent    []*lent
	cleaned time.Time // when lists were last looked at for blocks that are not used
	turns   uint64    // counts blocks that came and went
	rest    rest
	begun   sync.Once
}

// Block is a block in the hands of its user. Loan is not nil if it is lent: then the user holds Loan wherever At is in use.
type Block struct {
	At   unsafe.Pointer
	Loan *Loan
}

// entry is an idle block. lent is not nil if it may be lent; loan, if it was given back with it.
type entry struct {
	at   unsafe.Pointer
	lent *lent
	loan *Loan
}

// list has the idle blocks of a class, the last one on top.
type list struct {
	entries []entry
	low     int // the fewest that lay here since the last look: those at the bottom were not used
	idle    int // what low was at the last look
}

// Take returns a block of a class, of any content, which holds that many bytes: one that is idle, or a new one. Its At is nil
// where the device has no room.
func (s *Store) Take(class, bytes int) Block {
	size := max(bytes, ClassSize(class))
	if b, forgotten := s.reuse(class); b.At != nil {
		if forgotten {
			Fresh(size) // it has to be found again as a new one has
		}
		return b
	}
	if class < s.Least {
		Fresh(size)
	} else if FreshUnlessBack(size) {
		if b, _ := s.reuse(class); b.At != nil {
			return b
		}
	}
	at := s.Make(class, bytes)
	// The second time finds what somebody looked at during the first collection, which keeps it.
	for times := 0; at == nil && times < 2; times++ {
		if b := s.scrape(class); b.At != nil {
			return b
		}
		at = s.Make(class, bytes)
	}
	if at == nil {
		return Block{}
	}
	s.begun.Do(s.begin)
	s.mu.Lock()
	defer s.mu.Unlock()
	if class < s.Least || s.owned+size > s.most || s.Discard == nil && isDear() {
		return Block{At: at} // the collector's own, which makes way for others when it has to
	}
	s.owned += size
	return s.lend(&lent{at: at, class: class})
}

// reuse returns an idle block, or none, and whether it was forgotten before.
func (s *Store) reuse(class int) (b Block, forgotten bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lists[class]
	if l == nil || len(l.entries) == 0 {
		return Block{}, false
	}
	last := len(l.entries) - 1
	e := l.entries[last]
	l.entries[last] = entry{}
	l.entries = l.entries[:last]
	l.low = min(l.low, last)
	s.idle -= ClassSize(class)
	s.turns++
	switch {
	case e.lent == nil:
		return Block{At: e.at}, false
	case e.loan == nil:
		return s.lend(e.lent), true
	}
	e.lent.handOut()
	return Block{e.at, e.loan}, false
}

// scrape collects, whatever that costs, and returns a block of the class that came back, or else discards all that is idle.
func (s *Store) scrape(class int) Block {
	s.begun.Do(s.begin)
	collectAnyway()
	b, _ := s.reuse(class)
	if b.At == nil {
		s.discardAll()
	}
	return b
}

// Give takes a block back, which nobody may use any more.
func (s *Store) Give(class int, b Block) {
	s.begun.Do(s.begin)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns++
	e := entry{at: b.At, loan: b.Loan}
	if b.Loan != nil {
		e.lent = b.Loan.of
		e.lent.comeBack()
	} else if s.idle+ClassSize(class) > s.most {
		s.discard(class, e)
		return
	}
	s.push(class, e)
}

// push puts an idle block on its list.
func (s *Store) push(class int, e entry) {
	s.rest.watch(s)
	l := s.lists[class]
	if l == nil {
		l = new(list)
		s.lists[class] = l
	}
	l.entries = append(l.entries, e)
	s.idle += ClassSize(class)
}

// discard lets go of an idle block that is on no list any more.
func (s *Store) discard(class int, e entry) {
	if e.lent != nil {
		s.owned -= ClassSize(class)
		e.lent.gone = true
	}
	if s.Discard != nil {
		s.Discard(class, e.at)
	}
}

// begin is done once, when the first block has been made or given back.
func (s *Store) begin() {
	s.lists = map[int]*list{}
	s.most = s.Most()
	AfterCollections(func(Heap) { s.collected(time.Now()) })
}
