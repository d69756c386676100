package lending

import "time"

// An idle block is discarded when it was unused for one to two of these times: longestIdle while there are GC cycles,
// which show that the program makes new blocks, and longestSpare while a busy program makes none. longestSpare is longer
// because such a program may be a loop that reuses its blocks once in a long round.
const (
	longestIdle  = 100 * time.Millisecond
	longestSpare = 2 * time.Second
)

// collected runs after a GC cycle. It finds the blocks that are back, and discards blocks that were unused for long.
func (s *Store) collected(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = 0
	s.sweep()
	s.discardUnused(now, longestIdle)
}

// discardUnused discards the blocks that were unused since the check before the last one, if the last check was at least
// the given time ago.
func (s *Store) discardUnused(now time.Time, after time.Duration) {
	if now.Sub(s.cleaned) < after {
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
	began    int    // GC cycles that were complete when the rest began; -1 if the program was busy at the last check
}

const untilRest = time.Second

// watch starts to watch for rest.
func (r *rest) watch(s *Store) {
	if r.watching {
		return
	}
	r.watching, r.began = true, -1
	if r.timer == nil {
		r.timer = time.AfterFunc(untilRest, s.atRest)
	} else {
		r.timer.Reset(untilRest)
	}
}

// atRest returns memory to the system: all dropped and idle blocks if the program is at rest, otherwise those that were
// dropped or idle for long.
func (s *Store) atRest() { s.lookAround(time.Now()) }

func (s *Store) lookAround(now time.Time) {
	busy := s.isBusy()
	s.findDropped(busy)
	if !busy {
		s.discardAll()
	}
	s.mu.Lock()
	if busy {
		s.discardUnused(now, longestSpare)
	}
	left := s.left
	// At rest it looks again until two cycles have run: the first one may leave blocks that a sync.Pool refers to.
	if busy || s.turns != s.rest.turns || s.owned > credit && Cycles() < s.rest.began+2 {
		s.rest.timer.Reset(untilRest)
	} else {
		s.rest.watching = false
	}
	s.mu.Unlock()
	if left > credit {
		collectFor(left) // frees the discarded blocks
	}
}

// isBusy reports whether blocks were taken or returned since the last check.
func (s *Store) isBusy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	busy := s.turns != s.rest.turns
	s.rest.turns = s.turns
	switch {
	case busy:
		s.rest.began = -1
	case s.rest.began < 0:
		s.rest.began = Cycles()
	}
	return busy
}

// findDropped runs GC cycles after which dropped blocks are idle.
func (s *Store) findDropped(busy bool) {
	if fresh := newBytes(); !busy || fresh > credit {
		collectFor(fresh)
	}
	if s.ownedBytes() > credit {
		collectIfLongAgo()
	}
}

// ownedBytes returns the size of the blocks that are on loan, or idle after a loan.
func (s *Store) ownedBytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.owned
}

// discardAll discards all idle blocks.
func (s *Store) discardAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for class, l := range s.lists {
		s.discardFirst(class, l, len(l.entries))
	}
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
