package grad

import "github.com/ndgrad/ndgrad/nd"

// Tape records the operations on the arrays it watches, and on their results. It is used from one goroutine. One
// operation cannot use arrays of two tapes.
type Tape struct {
	// Hook is called around operations, forward and in the backward pass. It may be changed at any time.
	Hook

	// Timer, if set, measures how long operations take, forward and backward.
	Timer *Timer

	// Debug makes the tape check every result and every gradient. The tape panics with an *nd.Error that names the
	// function at the first NaN, or infinity that no argument had, while the stack still shows where it happens. Debug
	// makes computations several times slower.
	// Chainer: set_debug.
	Debug bool

	// Lines makes the tape note the line of the program that records each operation, for Summary. It costs some ten
	// microseconds per operation.
	Lines bool

	// Links makes the tape link all results to the operations that computed them, and not only those to which gradients
	// flow: bools, integers, indices, and what Detach returns. Integers can be watched, and every operation claims its
	// inputs. It is for tools that read the record, such as the export of a model; no gradient can be computed. It is set
	// before anything is recorded.
	Links bool

	arena  *nd.Arena  // owns what is computed under the tape
	nodes  []*nd.Node // the record: operations and watched arrays, in their order
	seq    uint64     // the number of the last node; resets do not restart the numbers
	passes []*pass    // free passes; several passes run at once if a gradient needs another one
	lines  map[*nd.Node]string

	spans   []span      // in the order of their opening
	inputs  []*nd.Array // the arrays with which spans were opened
	open    int         // the innermost open span, or none
	endSpan func()      // closeSpan

	calls []openCall // calls of functions without a result yet
	muted bool       // set while the tape checks its own arguments, which must not be reported as a call
}

// NewTape returns an empty tape.
func NewTape() *Tape {
	t := &Tape{arena: nd.NewArena(), open: none}
	t.endSpan = t.closeSpan
	return t
}

// Watch returns a new header on x that the tape records: gradients with respect to this header can be computed. x
// itself stays unrecorded. Only float and complex arrays can be watched.
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

// LinksAll returns Links; functions of package nd ask.
func (t *Tape) LinksAll() bool { return t.Links }

// Joins reports whether results that the tape records may be deferred in a scope of [nd.Tidy], which joins functions; functions of package nd
// ask. Nobody observes the functions of such a tape one by one: it has no hooks, and no Timer, Debug or Links.
func (t *Tape) Joins() bool {
	h := &t.Hook
	return h.OnCall == nil && h.OnRecord == nil && h.OnResult == nil && h.OnBack == nil && h.OnGradient == nil && h.OnFinal == nil &&
		t.Timer == nil && !t.Debug && !t.Links
}

// Arena returns the arena that owns everything recorded.
func (t *Tape) Arena() *nd.Arena { return t.arena }

// Keep removes x from the tape, so that Reset does not release it, and returns it.
func (t *Tape) Keep(x *nd.Array) *nd.Array { return t.arena.Keep(x) }

// Len returns the number of recorded operations and watched arrays.
func (t *Tape) Len() int { return len(t.nodes) }

// Reset forgets the record and releases everything that was computed under the tape, except kept arrays. The tape can
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

// Release is Reset for a tape that is no longer needed, usually deferred.
func (t *Tape) Release() { t.Reset() }
