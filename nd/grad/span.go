package grad

import (
	"math"
	"slices"
	"sort"

	"github.com/ndgrad/ndgrad/nd"
)

// Span is a named part of a tape's record, such as the operations of one layer.
type Span struct {
	Name string
	// ID identifies the span within its tape until the tape is reset.
	ID int
	// Inputs are the arrays that the span was opened with.
	Inputs []*nd.Array
}

// span is a Span as the tape stores it: it contains the nodes that were recorded while it was open.
type span struct {
	name        string
	parent      int // the enclosing span, or none
	first, last uint64
	inputs      [2]int // the range of its inputs in Tape.inputs
}

// none is the index that stands for no span.
const none = -1

// Span opens a part of the record, and returns the function that closes it:
//
//	defer tape.Span("Linear", x)()
//
// The span contains everything that is recorded in between. Spans that are opened in between lie within it, and are
// closed before it. A picture of the computation (package nd/graph) draws a span as one function. in are the arrays
// that the span computes with. Among unrecorded arrays, the picture then draws only these, and not those that the span
// makes itself; without in, it draws all. Nil arrays are left out.
//
// A span adds no cost to its operations. The tape keeps the arrays until it is reset.
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

// closeSpan closes the innermost open span. After a reset no span is open.
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

// spanOf returns the innermost span of an operation. Spans are stored in the order in which they were opened. The last
// span that was opened before the operation contains it, or one of the enclosing spans does.
func (t *Tape) spanOf(n *nd.Node) int {
	k := sort.Search(len(t.spans), func(i int) bool { return t.spans[i].first > n.Seq }) - 1
	for k != none && t.spans[k].last < n.Seq {
		k = t.spans[k].parent
	}
	return k
}
