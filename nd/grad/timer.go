package grad

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/nd"
)

// Timer measures how long the operations of a tape take: forward from the begin of a function until its result is
// recorded, backward from the arrival of a gradient at an operation until the gradients of its inputs are computed. It
// does not count what the program does in between, nor functions of unrecorded arrays. The zero value is ready to use.
//
//	tape.Timer = &grad.Timer{}
//	optim.GradientsOf(model, lossOf(model))
//	fmt.Print(tape.Timer)
//
// A timer continues across resets of its tape. It may serve several tapes of one goroutine, one after the other. A
// composite function counts as the functions that it calls. The operations of a recorded gradient count as calls, too.
// Chainer: function_hooks.TimerHook.
type Timer struct {
	// Spans counts the operations of a span together, under the path of the enclosing spans, such as layers; see
	// [Tape.Span].
	Spans bool

	rows map[string]*TimerRow
	last time.Time // when the last result was recorded
}

// TimerRow holds the measurements of one function, or of one span.
type TimerRow struct {
	Name          string // "ops.MatMul"; for spans their path, such as "block/Linear"
	Calls         int    // recorded operations
	Forward       time.Duration
	BackwardCalls int // operations in backward passes
	Backward      time.Duration
}

// TimerTable lists the measurements, the longest time first. It prints as a table whose last line is the total.
type TimerTable []TimerRow

// Rows returns the measurements so far.
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

// Total returns the sum of all times, forward and backward.
// Chainer: function_hooks.TimerHook.total_time.
func (t *Timer) Total() time.Duration {
	all := t.Rows().Total()
	return all.Forward + all.Backward
}

// Reset clears the measurements.
func (t *Timer) Reset() { clear(t.rows) }

// String prints the table of Rows.
func (t *Timer) String() string { return t.Rows().String() }

// Total returns the sum of all rows.
func (t TimerTable) Total() TimerRow {
	all := TimerRow{Name: "all"}
	for _, row := range t {
		all.Calls += row.Calls
		all.Forward += row.Forward
		all.BackwardCalls += row.BackwardCalls
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
		fmt.Fprintf(&b, "%-*s%8d%13s%9d%13s\n", name, row.Name, row.Calls, short(row.Forward), row.BackwardCalls, short(row.Backward))
	}
	return b.String()
}

// short rounds a time to four or five significant digits.
func short(d time.Duration) time.Duration {
	for digit := time.Duration(1); digit < time.Hour; digit *= 10 {
		if d < 10000*digit {
			return d.Round(digit)
		}
	}
	return d
}

// now returns the time, or the zero time for a nil timer.
func (t *Timer) now() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// row returns the row of a name, and adds it if it is missing.
func (t *Timer) row(name string) *TimerRow {
	if t.rows == nil {
		t.rows = map[string]*TimerRow{}
	}
	if t.rows[name] == nil {
		t.rows[name] = &TimerRow{Name: name}
	}
	return t.rows[name]
}

// timeCall counts an operation that began and was recorded at the given times. Operations recorded in between, such as
// the conversion of an argument, were counted separately.
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

// timeBack counts one backward step through an operation, which began at the given time and ends now.
func (t *Tape) timeBack(n *nd.Node, began time.Time) {
	row := t.Timer.row(t.timedAs(n))
	row.BackwardCalls++
	row.Backward += time.Since(began)
}

// timedAs returns the name under which an operation is counted.
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
