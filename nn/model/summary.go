package model

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ndgrad/ndgrad/nd"
)

// Summary calls the model, and returns a table of its operations: the results' dtypes and shapes, the number of elements of
// their parameters, and their multiplications with additions. The last line has the sums. Operations inside others, such as the
// branch of a condition that the call takes, follow before them: those of a loop in each turn.
func (m *Model) Summary(inputs map[string]*nd.Array) string {
	values := make(map[string]Value, len(inputs))
	for name, x := range inputs {
		values[name] = x
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "node\ttype\tresult\tparameters\tmultiply-adds")
	operations := 0
	parameters, seen := 0, map[string]bool{} // by path
	m.observed("Model.Summary", m.inOrder("Model.Summary", values), nil, observing(func(around string, m *Model, s *step, in, out []Value, _ time.Duration) {
		own, count := 0, 0
		for _, id := range s.in {
			if id < 0 || m.values[id].path == "" || seen[m.values[id].path] {
				continue
			}
			seen[m.values[id].path] = true
			own += m.scope.Param(m.values[id].path).Value().Size()
		}
		if s.MultiplyAdds != nil {
			count = s.MultiplyAdds(in, out)
		}
		operations, parameters = operations+count, parameters+own
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\n", around+s.Name, s.Type, described(out), own, count)
	}))
	fmt.Fprintf(w, "\t\t\t%d\t%d\n", parameters, operations)
	w.Flush()
	return b.String()
}
