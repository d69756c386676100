package grad

import (
	"math"
	"slices"
	"sort"

	"github.com/ndgrad/ndgrad/nd"
)

// Span is a part of a tape's record that has a name, such as the operations of one layer.
type Span struct {
	Name string
	// ID tells spans of one tape apart, until it is reset.
	ID int
	// Inputs are the arrays that the span was opened with.
	Inputs []*nd.Array
}

// span is a Span as the tape keeps it: it has the nodes that were recorded while it was open.
type span struct {
	name        string
	parent      int // the span in which it lies, or none
	first, last uint64
	inputs      [2]int // from where to where its inputs are in Tape.inputs
}

// none is the index of no span.
const none = -1

// Span opens a part of the record, and returns what closes it:
//
//	defer tape.Span("Linear", x)()
//
// Everything that is recorded in between belongs to it; spans that are opened meanwhile lie within it, and are closed before it. A
// picture of the computation (package nd/graph) draws a span as one function. in are the arrays that it computes with: of arrays that
// the tape does not know these are drawn, and not such as the span makes itself; without in all are. Nil ones are left out.
//
// A span costs the operations in it nothing. The tape keeps the arrays until it is reset.
func (t *Tape) Span(name string, in ...*nd.Array) (end func()) {
	from := len(t.inputs)
	for _, x := range in {
		if x != nil {
			t.inputs = append(t.inputs, x)
		}
	}
	t.spans = append(t.spans, span{name: name, parent: t.open, first: t.seq + 1, last: math.MaxUint64, inputs: [2]int{from, len(t.inputs)}})
	t.open = len(t.spans) - 1
	return t.endSpan
}

// closeSpan closes the span that was opened last. After a reset there is none.
func (t *Tape) closeSpan() {
	if t.open == none {
		return
	}
	s := &t.spans[t.open]
	s.last = t.seq
	t.open = s.parent
}

// resetSpans forgets all spans.
func (t *Tape) resetSpans() {
	clear(t.inputs)
	t.spans, t.inputs, t.open = t.spans[:0], t.inputs[:0], none
}

// Spans returns the spans in which an operation was recorded, the outermost first.
func (t *Tape) Spans(n *nd.Node) []Span {
	var all []Span
	for k := t.spanOf(n); k != none; k = t.spans[k].parent {
		s := &t.spans[k]
		all = append(all, Span{Name: s.name, ID: k})
		if s.inputs[0] < s.inputs[1] {
			all[len(all)-1].Inputs = slices.Clone(t.inputs[s.inputs[0]:s.inputs[1]])
		}
	}
	slices.Reverse(all)
	return all
}

// spanOf returns the innermost span of an operation. Spans are kept in the order in which they were opened: the last one that was
// opened before the operation has it, or lies, with all that were opened and closed meanwhile, in the one that has it.
func (t *Tape) spanOf(n *nd.Node) int {
	k := sort.Search(len(t.spans), func(i int) bool { return t.spans[i].first > n.Seq }) - 1
	for k != none && t.spans[k].last < n.Seq {
		k = t.spans[k].parent
	}
	return k
}
