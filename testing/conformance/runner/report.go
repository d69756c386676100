package runner

import (
	"fmt"
	"strings"
)

// Outcome is the result of one case.
type Outcome struct {
	ID          string
	Skipped     string // why the case was not run; "" if it was
	Forward     error  // the first difference of the results; nil if there is none
	HasGradient bool
	Gradient    error
	Formula     bool // the expected results are those of a formula
}

// Failed reports whether the case was run and differs.
func (o Outcome) Failed() bool { return o.Forward != nil || o.Gradient != nil }

// FunctionOutcome holds the results of the cases of one function.
type FunctionOutcome struct {
	Name  string
	Cases []Outcome
	Open  string // why the suite of this name has no runner; "" if it has one
	Note  string // further information, such as the largest error in ulps
}

// Summary counts over all functions, and the open suites.
type Summary struct {
	Functions, Cases, Passed, Failed, Skipped, Open int
	origins                                         []originCount
}

func (s *Summary) add(f *FunctionOutcome) {
	if f.Open != "" {
		s.Open++
		return
	}
	s.Functions++
	for _, o := range f.Cases {
		s.Cases++
		switch {
		case o.Skipped != "":
			s.Skipped++
		case o.Failed():
			s.Failed++
		default:
			s.Passed++
		}
	}
}

// String returns the last line of a report.
func (s Summary) String() string {
	line := fmt.Sprintf("conformance: %d functions, %d cases, %d passed, %d failed, %d skipped",
		s.Functions, s.Cases, s.Passed, s.Failed, s.Skipped)
	if s.Open > 0 {
		line += fmt.Sprintf(", %d suites open", s.Open)
	}
	return line
}

// String returns one line: the number of cases, how many pass forward, how many of those with gradients pass backward,
// and the first difference. An open suite has one line with the reason.
func (f *FunctionOutcome) String() string {
	if f.Open != "" {
		return fmt.Sprintf("open %s: %s", f.Name, f.Open)
	}
	var run, forward, grads, gradients, failed int
	first, skipped := "", ""
	for _, o := range f.Cases {
		if o.Skipped != "" {
			skipped = o.Skipped
			continue
		}
		run++
		if o.Forward == nil {
			forward++
		}
		if o.HasGradient {
			grads++
			if o.Gradient == nil {
				gradients++
			}
		}
		if o.Failed() {
			failed++
			if first == "" {
				first = o.ID + ": " + o.difference()
			}
		}
	}
	if run == 0 {
		return fmt.Sprintf("skip %s: %d cases, %s", f.Name, len(f.Cases), skipped)
	}
	var b strings.Builder
	b.WriteString(map[bool]string{true: "ok  ", false: "FAIL"}[failed == 0])
	fmt.Fprintf(&b, " %s: %d cases, forward %d", f.Name, len(f.Cases), forward)
	if grads > 0 {
		fmt.Fprintf(&b, ", gradients %d of %d", gradients, grads)
	}
	if n := len(f.Cases) - run; n > 0 {
		fmt.Fprintf(&b, ", %d skipped (%s)", n, skipped)
	}
	if f.Note != "" {
		b.WriteString(", " + f.Note)
	}
	if first != "" {
		b.WriteString("; " + first)
	}
	return b.String()
}

// difference returns the difference on one line.
func (o Outcome) difference() string {
	err := o.Forward
	what := ""
	if err == nil {
		err, what = o.Gradient, "gradient: "
	}
	return what + strings.Join(strings.Fields(err.Error()), " ")
}

// Table returns one line per case: function, case, outcome, and difference, separated by tabs.
func (f *FunctionOutcome) Table() string {
	var b strings.Builder
	if f.Open != "" {
		fmt.Fprintf(&b, "%s\t\topen\t%s\n", f.Name, f.Open)
	}
	for _, o := range f.Cases {
		state, detail := "passed", ""
		switch {
		case o.Skipped != "":
			state, detail = "skipped", o.Skipped
		case o.Failed():
			state, detail = "failed", o.difference()
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", f.Name, o.ID, state, detail)
	}
	return b.String()
}
