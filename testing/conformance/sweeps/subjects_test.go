package sweeps

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// This command sweeps all recorded cases:
//
//	go test ./testing/conformance/sweeps -golden DIR -cases 1000 -timeout 0
var (
	sweepGolden = flag.String("golden", "../testdata", "folder of the suites from which the sweeps start")
	sweepCases  = flag.Int("cases", 2, "number of cases to sweep for each function")
	sweepOnly   = flag.String("only", "", "sweep only functions whose names match this regular expression")
)

// recordedEdges has cases for functions that the other suites lack.
const recordedEdges = "../edges"

// sweep runs f for some cases of every row that work unchanged, and reports its errors. The run of the golden cases
// reports cases that fail unchanged. The selected cases are always the same.
func sweep(t *testing.T, f func(s *subject) error) {
	t.Helper()
	rows, err := sweptRows()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var failures []string
		for _, s := range row {
			if err := f(s); err != nil {
				failures = append(failures, fmt.Sprintf("%s: %s", s.c.ID, strings.Join(strings.Fields(err.Error()), " ")))
			}
		}
		if failures != nil {
			t.Errorf("%s: %d of %d cases, %s", row[0].fn.Name, len(failures), len(row), failures[0])
		}
	}
}

// sweptRows are the subjects of each row. All sweeps share them and the outcomes of the unchanged cases.
var sweptRows = sync.OnceValues(func() ([][]*subject, error) {
	functions, err := catalogue.BindAll(catalogue.Rows())
	if err != nil {
		return nil, err
	}
	r := reader{only: regexp.MustCompile(*sweepOnly), functions: functions}
	err = errors.Join(r.suites(*sweepGolden), r.suites(recordedEdges))
	if err == nil && r.rows == nil {
		err = errors.New("found no case to sweep")
	}
	return r.rows, err
})

// reader reads the cases of every function from the first file that has any.
type reader struct {
	only      *regexp.Regexp
	functions map[string]*catalogue.Function // functions without a file so far
	rows      [][]*subject
}

// suites reads the suites in a folder.
func (r *reader) suites(dir string) error {
	suites, err := golden.Suites(dir)
	if err != nil {
		return err
	}
	for _, suite := range suites {
		if suite.Kind() != golden.Functions {
			continue
		}
		for file, err := range suite.Open() {
			if err != nil {
				return err
			}
			r.file(file)
		}
	}
	return nil
}

func (r *reader) file(file *golden.File) {
	file.Keep()
	var names []string
	cases := map[string][]*golden.Case{}
	for _, c := range file.Cases {
		if cases[c.Function] == nil {
			names = append(names, c.Function)
		}
		cases[c.Function] = append(cases[c.Function], c)
	}
	for _, name := range names {
		if fn := r.functions[name]; fn != nil && r.only.MatchString(name) {
			if row := subjectsOf(fn, file, cases[name]); row != nil {
				r.rows = append(r.rows, row)
			}
		}
		delete(r.functions, name)
	}
}

// subjectsOf returns the first cases that work unchanged.
func subjectsOf(fn *catalogue.Function, file *golden.File, cases []*golden.Case) (row []*subject) {
	for _, c := range sweptCases(cases) {
		if len(row) == *sweepCases {
			break
		}
		s := &subject{fn: fn, f: file, c: c, tol: runner.ToleranceOf(c)}
		if s.plain = s.call(setting{}); s.plain.err == nil {
			row = append(row, s)
		}
	}
	return row
}

// sweptCases lists the cases that are not refused, those with gradients first.
func sweptCases(all []*golden.Case) []*golden.Case {
	var cases []*golden.Case
	for _, grads := range []bool{true, false} {
		for _, c := range all {
			if !c.Error && runner.Decided(c.Variant) && (c.Grads != nil) == grads {
				cases = append(cases, c)
			}
		}
	}
	return cases
}
