package grad

import "github.com/ndgrad/ndgrad/nd"

// Tape records the operations on the arrays it watches, and on what is computed from them. It is used from one
// goroutine; different tapes do not meet.
type Tape struct {
	// Hook is called around operations, and as gradients go back through them. It may be changed at any time.
	Hook

	// Timer, if set, measures how long operations take, forward and back.
	Timer *Timer

	// Debug has the tape look at every result and every gradient, and panic with an *nd.Error that names the function where one has a
	// not-a-number, or an infinity that no argument had: at the first, while the stack still tells where that is. It takes several
	// times as long. chainer.set_debug.
	Debug bool

	// Lines has the tape note on which line of the program every operation is recorded, for Summary: some ten microseconds each.
	Lines bool

	arena  *nd.Arena  // owns what is computed under the tape
	nodes  []*nd.Node // the record: operations and watched arrays, in their order
	seq    uint64     // the number of the last node; numbers go on over resets
	passes []*pass    // that are free; several run at once where one gradient needs another
	lines  map[*nd.Node]string

	spans   []span      // in the order in which they were opened
	inputs  []*nd.Array // those that spans were opened with
	open    int         // the innermost span that is open, or none
	endSpan func()      // closeSpan

	calls []begun // of functions whose results are not there yet
	deaf  bool    // while the tape checks arguments of its own, which is not to be reported as a call
}

// NewTape returns an empty tape.
func NewTape() *Tape {
	t := &Tape{arena: nd.NewArena(), open: none}
	t.endSpan = t.closeSpan
	return t
}

// Watch returns a new header on x that the tape records: gradients with respect to it can be asked for. x itself stays
// unknown to the tape. Only float and complex arrays can be watched.
func (t *Tape) Watch(x *nd.Array) *nd.Array { return nd.Func("Tape.Watch").Watch(t, x) }

// Record notes an operation; [nd.Func.Record] calls it.
func (t *Tape) Record(n *nd.Node) {
	t.seq++
	n.Seq = t.seq
	t.nodes = append(t.nodes, n)
	if t.Lines {
		t.noteLine(n)
	}
	if t.OnRecord != nil && n.Op != nil {
		t.OnRecord(n)
	}
}

// Arena returns the arena to which everything recorded belongs.
func (t *Tape) Arena() *nd.Arena { return t.arena }

// Keep takes x out of the tape's care, so that Reset does not release it, and returns it.
func (t *Tape) Keep(x *nd.Array) *nd.Array { return t.arena.Keep(x) }

// Len returns the number of recorded operations and watched arrays.
func (t *Tape) Len() int { return len(t.nodes) }

// Reset forgets the record and releases everything that was computed under the tape, except what was kept. The tape can
// be used again.
func (t *Tape) Reset() {
	t.arena.Release()
	for _, n := range t.nodes {
		n.Drop()
	}
	clear(t.nodes)
	clear(t.lines)
	t.nodes = t.nodes[:0]
	t.resetSpans()
	t.calls = t.calls[:0]
}

// Release is Reset for a tape that is needed no more; to be deferred.
func (t *Tape) Release() { t.Reset() }
