package lending

import "time"

// longestIdle is the time after which an idle block is discarded. While there are GC cycles, a block is idle for one to
// two times longestIdle.
const longestIdle = 100 * time.Millisecond

// collected runs after a GC cycle. It finds the blocks that are back, and discards blocks that were unused for long.
func (s *Store) collected(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	if now.Sub(s.cleaned) < longestIdle {
		return
	}
	s.cleaned = now
	for class, l := range s.lists {
		unused := min(l.low, l.idle)
		s.discardFirst(class, l, unused)
		l.idle, l.low = l.low, len(l.entries)
	}
}

// discardFirst discards the n blocks of a list that were idle longest.
func (s *Store) discardFirst(class int, l *list, n int) {
	for _, e := range l.entries[:n] {
		s.discard(class, e)
	}
	s.idle -= n * ClassSize(class)
	kept := copy(l.entries, l.entries[n:])
	clear(l.entries[kept:])
	l.entries = l.entries[:kept]
	if kept == 0 {
		l.entries = nil
	}
	l.low, l.idle = max(0, l.low-n), max(0, l.idle-n)
}

// rest detects that the program is at rest: no block was taken or returned for a while.
type rest struct {
	timer    *time.Timer
	watching bool
	turns    uint64 // of the store at the last check
}

const untilRest = time.Second

// watch starts to watch for rest.
func (r *rest) watch(s *Store) {
	if r.watching {
		return
	}
	r.watching = true
	if r.timer == nil {
		r.timer = time.AfterFunc(untilRest, s.atRest)
	} else {
		r.timer.Reset(untilRest)
	}
}

// atRest returns memory to the system if the program is at rest: dropped blocks and idle blocks.
func (s *Store) atRest() {
	s.mu.Lock()
	busy := s.turns != s.rest.turns
	s.rest.turns = s.turns
	if busy {
		s.rest.timer.Reset(untilRest)
	} else {
		s.rest.watching = false
	}
	s.mu.Unlock()
	if busy {
		return
	}
	collectIfCheap() // finds dropped blocks
	if discarded := s.discardAll(); s.Discard == nil && discarded > credit {
		collectIfCheap() // frees discarded blocks
	}
}

// discardAll discards all idle blocks, and returns their size in bytes.
func (s *Store) discardAll() (bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes = s.idle
	for class, l := range s.lists {
		s.discardFirst(class, l, len(l.entries))
	}
	return bytes
}

// Idle returns the number of idle blocks.
func (s *Store) Idle() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, l := range s.lists {
		n += len(l.entries)
	}
	return n
}

// DiscardIdle discards all idle blocks.
func (s *Store) DiscardIdle() { s.discardAll() }
