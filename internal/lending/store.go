package lending

import (
	"sync"
	"time"
	"unsafe"
)

// Store keeps the idle blocks of a device for reuse. The exported fields are set before its first use.
type Store struct {
	// Make allocates a block of a class, for a number of bytes. It returns nil if the device is full: then all dropped
	// and idle blocks are returned to the device, and Make is called again.
	Make func(class, bytes int) unsafe.Pointer
	// Discard, if set, takes a block that is no longer needed; otherwise such a block is left to the GC.
	Discard func(class int, block unsafe.Pointer)
	// Returned, if set, is called with every block on loan that came back because it was unreachable.
	Returned func(class int, block unsafe.Pointer)
	// MinClass is the class of the smallest blocks that are handed out on loan.
	MinClass int
	// Limit returns the limit, in bytes, of idle blocks and of blocks on loan. Blocks beyond the limit are not recycled.
	Limit func() int

	mu      sync.Mutex
	lists   map[int]*list // by class
	most    int           // what Most returned; 0 until the first block came
	idle    int           // bytes in the lists
	owned   int           // bytes of blocks that are or were on loan and that the store still owns
	left    int           // bytes of blocks left to the GC since its last cycle
	tracked []*trackedBlock
	cleaned time.Time // when lists were last searched for unused blocks
	turns   uint64    // counts blocks taken and returned
	rest    rest
	begun   sync.Once
}

// Block is a block in the hands of its user. Loan is not nil if the block is on loan: then the user keeps Loan
// reachable while At is in use.
type Block struct {
	At   unsafe.Pointer
	Loan *Loan
}

// entry is an idle block. tracked is set if the block can be on loan; loan is set if the user returned it.
type entry struct {
	at      unsafe.Pointer
	tracked *trackedBlock
	loan    *Loan
}

// list holds the idle blocks of a class, the last one on top.
type list struct {
	entries []entry
	low     int // the smallest length since the last check: this many blocks at the bottom were unused
	idle    int // low at the last check
}

// Take returns a block of a class, with arbitrary content, that holds the given number of bytes: an idle block or a new
// one. Its At is nil if the device has no room.
func (s *Store) Take(class, bytes int) Block {
	size := max(bytes, ClassSize(class))
	if b, forgotten := s.reuse(class); b.At != nil {
		if forgotten {
			Fresh(size) // it needs another GC cycle to be found again, as a new block does
		}
		return b
	}
	if class < s.MinClass {
		Fresh(size)
	} else if FreshUnlessBack(size) {
		if b, _ := s.reuse(class); b.At != nil {
			return b
		}
	}
	at := s.Make(class, bytes)
	// The second attempt finds blocks whose loan was read during the first GC cycle, which kept them alive.
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
	s.turns++
	if class < s.MinClass || s.owned+size > s.most || s.Discard == nil && isTooExpensive() {
		return Block{At: at} // without a loan: the GC owns the block and frees it under memory pressure
	}
	s.owned += size
	return s.lend(&trackedBlock{at: at, class: class})
}

// reuse returns an idle block, if there is one, and whether it came back because it was unreachable.
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
	case e.tracked == nil:
		return Block{At: e.at}, false
	case e.loan == nil:
		return s.lend(e.tracked), true
	}
	e.tracked.handOut()
	return Block{e.at, e.loan}, false
}

// scrape runs a GC cycle, whatever it costs, and returns a block of the class that came back. If no block came back, it
// discards all idle blocks.
func (s *Store) scrape(class int) Block {
	s.begun.Do(s.begin)
	collectAnyway()
	b, _ := s.reuse(class)
	if b.At == nil {
		s.discardAll()
	}
	return b
}

// Give returns a block to the store. Nobody may use it any more.
func (s *Store) Give(class int, b Block) {
	s.begun.Do(s.begin)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns++
	e := entry{at: b.At, loan: b.Loan}
	if b.Loan != nil {
		e.tracked = b.Loan.of
		e.tracked.comeBack()
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

// discard frees an idle block that is on no list any more.
func (s *Store) discard(class int, e entry) {
	if e.tracked != nil {
		s.owned -= ClassSize(class)
		e.tracked.gone, e.tracked.at = true, nil // the record stays until the loan is unreachable
	}
	if s.Discard != nil {
		s.Discard(class, e.at)
	} else {
		s.left += ClassSize(class)
	}
}

// begin runs once, when the first block has been allocated or returned.
func (s *Store) begin() {
	s.mu.Lock() // another goroutine may look for an idle block
	s.lists, s.most = map[int]*list{}, s.Limit()
	s.mu.Unlock()
	AfterGC(func(Heap) { s.collected(time.Now()) })
}
