package grad

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/nd"
)

// Timer measures how long the operations of a tape take: from where a function begins to where its result is recorded, and from where
// a gradient reaches an operation to where it has arrived at its inputs. What the program does between them is not counted, nor are
// functions of arrays that the tape does not know. Its zero value is ready to be used.
//
//	tape.Timer = &grad.Timer{}
//	optim.GradientsOf(model, lossOf(model))
//	fmt.Print(tape.Timer)
//
// It goes on over resets of its tape, and may serve several tapes of one goroutine, one after the other. A function that is made of
// others is counted as these, and what a recorded gradient is made of as calls, too. chainer.function_hooks.TimerHook.
type Timer struct {
	// Spans has the operations of a span counted together, under the names of the spans that they are in, as of layers; see
	// [Tape.Span].
	Spans bool

	rows map[string]*TimerRow
	last time.Time // when the last result was recorded
}

// TimerRow is what a timer has measured of one function, or of one span.
type TimerRow struct {
	Name     string // "ops.MatMul"; of spans their path, such as "block/Linear"
	Calls    int    // operations that were recorded
	Forward  time.Duration
	Returns  int // operations that a gradient went back through
	Backward time.Duration
}

// TimerTable is what a timer has measured, what took longest first. It prints as a table with a last line for all.
type TimerTable []TimerRow

// Rows returns what was measured so far.
func (t *Timer) Rows() TimerTable {
	var table TimerTable
	for _, row := range t.rows {
		table = append(table, *row)
	}
	slices.SortFunc(table, func(a, b TimerRow) int {
		return cmp.Or(cmp.Compare(b.Forward+b.Backward, a.Forward+a.Backward), cmp.Compare(a.Name, b.Name))
	})
	return table
}

// Total returns the sum of all times, forward and back. chainer.function_hooks.TimerHook.total_time.
func (t *Timer) Total() time.Duration {
	all := t.Rows().Total()
	return all.Forward + all.Backward
}

// Reset forgets what was measured.
func (t *Timer) Reset() { clear(t.rows) }

// String prints the table of Rows.
func (t *Timer) String() string { return t.Rows().String() }

// Total returns the sum of all rows.
func (t TimerTable) Total() TimerRow {
	all := TimerRow{Name: "all"}
	for _, row := range t {
		all.Calls += row.Calls
		all.Forward += row.Forward
		all.Returns += row.Returns
		all.Backward += row.Backward
	}
	return all
}

// String prints the table.
func (t TimerTable) String() string {
	rows := append(slices.Clone(t), t.Total())
	name := len("function")
	for _, row := range rows {
		name = max(name, len(row.Name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s%8s%13s%9s%13s\n", name, "function", "calls", "forward", "returns", "backward")
	for _, row := range rows {
		fmt.Fprintf(&b, "%-*s%8d%13s%9d%13s\n", name, row.Name, row.Calls, short(row.Forward), row.Returns, short(row.Backward))
	}
	return b.String()
}

// short rounds a time to what is worth reading.
func short(d time.Duration) time.Duration {
	for digit := time.Duration(1); digit < time.Hour; digit *= 10 {
		if d < 10000*digit {
			return d.Round(digit)
		}
	}
	return d
}

// now is the time, if there is a timer that wants to know it.
func (t *Timer) now() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// row returns what there is of a name.
func (t *Timer) row(name string) *TimerRow {
	if t.rows == nil {
		t.rows = map[string]*TimerRow{}
	}
	if t.rows[name] == nil {
		t.rows[name] = &TimerRow{Name: name}
	}
	return t.rows[name]
}

// timeCall counts an operation that began and was recorded then. What was recorded in between, such as the conversion of an argument,
// was counted as itself.
func (t *Tape) timeCall(n *nd.Node, began, recorded time.Time) {
	if t.Timer == nil {
		return
	}
	if began.Before(t.Timer.last) {
		began = t.Timer.last
	}
	row := t.Timer.row(t.timedAs(n))
	row.Calls++
	row.Forward += recorded.Sub(began)
	t.Timer.last = recorded
}

// timeBack counts the way of a gradient through an operation, which began then and is over.
func (t *Tape) timeBack(n *nd.Node, began time.Time) {
	row := t.Timer.row(t.timedAs(n))
	row.Returns++
	row.Backward += time.Since(began)
}

// timedAs is the name under which an operation is counted.
func (t *Tape) timedAs(n *nd.Node) string {
	if t.Timer.Spans {
		if spans := t.Spans(n); len(spans) > 0 {
			var names []string
			for _, s := range spans {
				names = append(names, s.Name)
			}
			return strings.Join(names, "/")
		}
	}
	return string(n.Func)
}
