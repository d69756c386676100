package lending

import "time"

// longestIdle is how long a block lies idle before it is discarded: between one and two of these times while there are
// collections.
const longestIdle = 100 * time.Millisecond

// collected looks, after a collection, which blocks are back, and discards those that were not used for long.
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

// discardFirst discards the n blocks of a list that were idle for longest.
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

// rest notices that a program has come to rest: nothing is taken or given back for a while.
type rest struct {
	timer    *time.Timer
	watching bool
	turns    uint64 // of the store when it was last looked at
}

const untilRest = time.Second

// watch begins to look for rest.
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

// atRest gives memory back to the system, if the program is at rest: what was dropped and what is idle.
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
	collectIfCheap() // it finds what was dropped
	if discarded := s.discardAll(); s.Discard == nil && discarded > credit {
		collectIfCheap() // it frees what was discarded
	}
}

// discardAll discards all idle blocks, and returns how many bytes they have.
func (s *Store) discardAll() (bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes = s.idle
	for class, l := range s.lists {
		s.discardFirst(class, l, len(l.entries))
	}
	return bytes
}

// Idle returns how many blocks are idle.
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
