package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Profile says where a call spends its time.
type Profile []OperationTime

// OperationTime is the time of one operation. An operation inside another one, such as in a branch of a condition, has the name
// of that one in front, as in "if/conv"; the turns of a loop count together.
type OperationTime struct {
	Name, Type string
	Time       time.Duration // the median of the calls, without the time of operations inside
	Result     string        // dtype and shape of the first result
}

// Profile calls the model several times, and returns the times of the operations in their order. On a device that runs
// kernels later the times are those of the launches.
func (m *Model) Profile(inputs map[string]*nd.Array, calls int) Profile {
	const fn nd.Func = "Model.Profile"
	if calls < 1 {
		panic(fn.Errorf(nil, "%d calls: want at least one", calls))
	}
	values := make(map[string]Value, len(inputs))
	for name, x := range inputs {
		values[name] = x
	}
	type operation struct {
		around string
		step   *step
	}
	var all Profile
	times := map[operation][]time.Duration{} // by call
	var order []operation
	for call := range calls {
		m.observed(fn, m.inOrder(fn, values), nil, observing(func(around string, _ *Model, s *step, _, out []Value, took time.Duration) {
			o := operation{around, s}
			if times[o] == nil {
				times[o], order = make([]time.Duration, calls), append(order, o)
				all = append(all, OperationTime{Name: around + s.Name, Type: s.Type, Result: described(out)})
			}
			times[o][call] += took
		}))
	}
	for i, o := range order {
		slices.Sort(times[o])
		all[i].Time = times[o][calls/2]
	}
	return all
}

// described is the dtype and shape of the first of some values.
func described(out []Value) string {
	if len(out) == 0 {
		return ""
	}
	x, ok := out[0].(*nd.Array)
	if !ok || x == nil {
		return fmt.Sprintf("%T", out[0])
	}
	return x.DType().String() + broadcast.FormatShape(x.Shape())
}

// Total returns the sum of the times.
func (p Profile) Total() (total time.Duration) {
	for _, o := range p {
		total += o.Time
	}
	return total
}

// String returns a table of the time by type of operation, and one of the operations that take the longest.
func (p Profile) String() string {
	const longest = 20
	types := map[string]*OperationTime{}
	counts := map[string]int{}
	for _, o := range p {
		if types[o.Type] == nil {
			types[o.Type] = &OperationTime{Type: o.Type}
		}
		types[o.Type].Time += o.Time
		counts[o.Type]++
	}
	byTime := func(a, b OperationTime) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Type, b.Type), strings.Compare(a.Name, b.Name))
	}
	total := max(p.Total(), 1)
	share := func(t time.Duration) float64 { return 100 * float64(t) / float64(total) }
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "type\tnodes\ttime\t%")
	rows := make([]OperationTime, 0, len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		rows = append(rows, *types[name])
	}
	slices.SortStableFunc(rows, byTime)
	for _, o := range rows {
		fmt.Fprintf(w, "%s\t%d\t%v\t%.1f\n", o.Type, counts[o.Type], o.Time.Round(time.Microsecond), share(o.Time))
	}
	fmt.Fprintln(w, "\nnode\ttype\tresult\ttime\t%")
	nodes := slices.SortedStableFunc(slices.Values(p), byTime)
	for _, o := range nodes[:min(longest, len(nodes))] {
		fmt.Fprintf(w, "%s\t%s\t%s\t%v\t%.1f\n", o.Name, o.Type, o.Result, o.Time.Round(time.Microsecond), share(o.Time))
	}
	w.Flush()
	return b.String()
}
