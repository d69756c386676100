package nd

import "slices"

// reader is a scope with pending results that read a block.
type reader struct {
	set   *deferrals
	reads int // how many operands of them are on the block
}

// readings is a list of the scopes with pending results that read a block. Many goroutines may read a block: the list does not
// change, and is replaced.
type readings struct {
	*reader
	next *readings
}

// reading is a reader with its entry in a list.
type reading struct {
	reader
	entry readings
}

// fill makes r a reader of so many operands, and returns its entry, before those in next.
func (r *reading) fill(set *deferrals, reads int, next *readings) *readings {
	r.set, r.reads, r.entry = set, reads, readings{&r.reader, next}
	return &r.entry
}

// reads notes that a pending result reads the block. room is used if it is empty.
func (set *deferrals) reads(s *storage, room *reading) {
	for {
		first := s.readings.Load()
		for r := first; r != nil; r = r.next {
			if r.set == set {
				r.reads++
				return
			}
		}
		if room.set != nil {
			room = new(reading)
		}
		if s.readings.CompareAndSwap(first, room.fill(set, 1, first)) {
			return
		}
	}
}

// readsNoMore takes back what reads noted.
func (set *deferrals) readsNoMore(s *storage) {
	for r := s.readings.Load(); r != nil; r = r.next {
		if r.set == set {
			if r.reads--; r.reads == 0 && s.pending.Load() == nil {
				s.forgetReader(set)
			}
			return
		}
	}
}

// forgetReader takes a scope that reads nothing any more off the block's list.
func (s *storage) forgetReader(set *deferrals) {
	for {
		first := s.readings.Load()
		var rest *readings
		for r := first; r != nil; r = r.next {
			if r.set != set {
				rest = &readings{r.reader, rest}
			}
		}
		if s.readings.CompareAndSwap(first, rest) {
			return
		}
	}
}

// settle computes the pending results that read the block. It is called before every write to the block.
func (s *storage) settle() {
	for r := s.readings.Load(); r != nil; r = r.next {
		r.set.computeReaders(s)
	}
}

func (set *deferrals) computeReaders(s *storage) {
	set.Lock()
	defer set.Unlock()
	for _, d := range slices.Clone(set.pending) {
		if d.y.store.pending.Load() == d && slices.ContainsFunc(d.in, func(x *Array) bool { return x.store == s }) {
			set.compute([]*deferred{d}, needed)
		}
	}
}
