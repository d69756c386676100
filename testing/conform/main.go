// Command conform runs golden cases against the catalogue.
//
//	go run ./testing/conform -golden DIR [-only REGEX] [-device cpu|ref] [-complete PREFIX] [-report FILE]
//
// DIR is a suite's folder or a folder of suites. The command prints one line per function (the number of cases, how
// many pass forward and backward, the first difference), one line per open suite, a line that says which systems computed
// the results that passed, and a line of totals. It skips cases without a catalogue row and variants that this library
// does not follow. The exit status is 1 if a case fails, or if with -complete a documented name with that prefix has
// neither a row nor an entry in the list of left-out names. It is 2 if a suite has no runner and is not listed as open.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"

	_ "github.com/ndgrad/ndgrad/device/ref"
)

// registers the device "ref"

// settings are the command's flags.
type settings struct {
	golden, only, device, complete, report string
	scope                                  bool
}

func main() {
	var s settings
	flag.StringVar(&s.golden, "golden", "", "folder of one suite or of several suites")
	flag.StringVar(&s.only, "only", "", "run only functions whose names match this regular expression")
	flag.StringVar(&s.device, "device", "cpu", "device of the arrays")
	flag.StringVar(&s.complete, "complete", "", "also list documented names with this prefix that have no row, and fail if any exist")
	flag.StringVar(&s.report, "report", "", "file for a tab-separated report with one line per case")
	flag.BoolVar(&s.scope, "scope", false, "run each call in a scope of nd.TidyAll; with the tag late, small results are deferred, too")
	flag.Parse()
	if flag.NArg() > 0 || s.golden == "" && s.complete == "" {
		flag.Usage()
		os.Exit(2)
	}
	ok, err := s.run(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conform:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run reports whether nothing failed and nothing is missing.
func (s settings) run(out io.Writer) (ok bool, err error) {
	ok = true
	if s.complete != "" {
		for _, name := range catalogue.Missing(s.complete) {
			fmt.Fprintln(out, "missing:", name)
			ok = false
		}
	}
	if s.golden == "" {
		return ok, nil
	}
	r, err := s.runner()
	if err != nil {
		return false, err
	}
	var table bytes.Buffer
	r.Report = func(f *runner.FunctionOutcome) {
		fmt.Fprintln(out, f)
		table.WriteString(f.Table())
	}
	total, err := r.Run(s.golden)
	if err != nil {
		return false, err
	}
	fmt.Fprintln(out, total.Origins())
	fmt.Fprintln(out, total)
	if s.report != "" {
		err = os.WriteFile(s.report, table.Bytes(), 0o644)
	}
	return ok && total.Failed == 0, err
}

func (s settings) runner() (*runner.Runner, error) {
	r, err := runner.New(catalogue.Rows())
	if err != nil {
		return nil, err
	}
	if r.Device, err = device.Get(s.device); err != nil {
		return nil, err
	}
	r.InScope = s.scope
	if s.only != "" {
		r.Only, err = regexp.Compile(s.only)
	}
	return r, err
}
