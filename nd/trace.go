package nd

import "sync/atomic"

// Trace finds out which arrays depend on some others, or were drawn at random, whatever functions compute them. It is for
// authors of tools that turn a computation into a program: what a tape has not recorded is a constant of the program only if
// it does not depend on the inputs.
//
// A Trace follows values from device memory to device memory. Of values that the host reads it notes only the reader. One
// Trace runs at a time.
type Trace struct {
	number  uint32
	reader  Func // the first function that gave a marked value to the host
	written Func // the function that had computed that value
}

var (
	tracing atomic.Pointer[Trace] // the Trace that runs; nil if none
	traces  atomic.Uint32         // how many began

	observed atomic.Int32 // how many Traces and Explains run
)

// NewTrace begins to follow values. It returns nil if another Trace has not ended.
func NewTrace() *Trace {
	t := &Trace{number: traces.Add(1)}
	if !tracing.CompareAndSwap(nil, t) {
		return nil
	}
	observed.Add(1)
	return t
}

// End ends the Trace. Arrays keep their marks.
func (t *Trace) End() {
	if tracing.CompareAndSwap(t, nil) {
		observed.Add(-1)
	}
}

// Mark makes x a starting array: what is computed from it is marked, too. Draws are always marked.
func (t *Trace) Mark(x *Array) {
	if x.store != nil {
		x.store.traced = t.number
	}
}

// Marked reports whether x is marked, and returns the function that wrote its memory last.
func (t *Trace) Marked(x *Array) (by Func, marked bool) {
	if x == nil || x.store == nil || x.store.traced != t.number {
		return "", false
	}
	return x.store.writer, true
}

// Read returns the first function that gave a marked value to the host, and the function that had computed it. Both are empty
// if there was none.
func (t *Trace) Read() (reader, computedBy Func) { return t.reader, t.written }

// follow marks the outputs of a launch that has a marked input.
func (t *Trace) follow(l *Launch) {
	marked := false
	for _, x := range l.arrays[:l.N] {
		marked = marked || x != nil && x.store != nil && x.store.traced == t.number
	}
	for _, y := range l.arrays[:l.Outputs] {
		if marked && y != nil {
			y.store.traced = t.number
		}
	}
}

// drew marks a draw.
func drew(y *Array) {
	if t := tracing.Load(); t != nil {
		y.store.traced = t.number
	}
}

// gave notes that a function gives values of a block to the host.
func (fn Func) gave(s *storage) {
	if observed.Load() != 0 {
		fn.noteGiven(s)
	}
}

func (fn Func) noteGiven(s *storage) {
	if e := explaining.Load(); e != nil {
		s.memory()
		e.Lock()
		e.close(fn)
		e.Unlock()
	}
	if t := tracing.Load(); t != nil && s.traced == t.number && t.reader == "" {
		t.reader, t.written = fn, s.writer
	}
}

// copiedTo notes that one block was copied to another.
func (s *storage) copiedTo(to *storage) {
	if t := tracing.Load(); t != nil && s.traced == t.number {
		to.traced = t.number
	}
}

// linker is a Recorder that may link all results of functions, not only those to which gradients flow.
type linker interface{ LinksAll() bool }

// linksAll reports whether a tape links all results.
func linksAll(tape Recorder) bool {
	l, ok := tape.(linker)
	return ok && l.LinksAll()
}

// Link is Record for an operation without gradients: it does nothing unless a tape that links all results knows one of the
// inputs. The operation's VJP is never called.
func (fn Func) Link(op Op, in []*Array, out ...*Array) {
	if tape := fn.recorderOf(in); tape != nil && linksAll(tape) {
		fn.Record(op, in, out...)
	}
}

// Links reports whether a tape that links all results knows x.
func (x *Array) Links() bool {
	if x == nil {
		refuseNil("Array.Links")
	}
	return x.node != nil && linksAll(x.node.Tape)
}
