package train

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// PrintReport prints entries of a [LogReport] as a table with a row for each interval. To a file it writes only the
// table. On a terminal, and on an Out that is not a file, it pads columns with blanks, and begins each row with the
// escape sequence that clears what is below, such as a [ProgressBar].
type PrintReport struct {
	Base
	// Out is the writer of the table; the default is os.Stdout.
	Out io.Writer

	log     *LogReport
	entries []string
	begun   bool
	printed int // the number of printed log entries
}

// NewPrintReport returns the extension that prints entries of log, which must be an extension of the same trainer. An
// entry missing in the log is printed as a blank.
// Chainer: training.extensions.PrintReport.
func NewPrintReport(log *LogReport, entries ...string) *PrintReport {
	const fn nd.Func = "train.NewPrintReport"
	if log == nil || len(entries) == 0 {
		panic(fn.Errorf(nil, "want a log, and names of its entries"))
	}
	return &PrintReport{Out: os.Stdout, log: log, entries: slices.Clone(entries)}
}

// Settings make the extension print the header, and the rows of a resumed training, before the first update.
func (p *PrintReport) Settings() Settings { return Settings{Name: "PrintReport", Before: true} }

// Run prints the new rows.
func (p *PrintReport) Run(t *Trainer) error {
	if t.Rank() > 0 {
		return nil
	}
	var lines []string
	if !p.begun {
		if t.nameOf(p.log) == "" {
			return errors.New("the trainer does not have the log: Extend it by that too")
		}
		p.begun = true
		header := p.row(func(name string) string { return name })
		lines = append(lines, strings.TrimSuffix(header, gap))
	}
	log := p.log.Log()
	for _, v := range log[min(p.printed, len(log)):] {
		lines = append(lines, clearBelow+p.row(func(name string) string {
			if x, ok := v.Get(name); ok {
				return general(x)
			}
			return ""
		}))
	}
	p.printed = len(log)
	for _, line := range lines {
		if !acceptsEscapes(p.Out) {
			line = strings.TrimRight(strings.TrimPrefix(line, clearBelow), " ")
		}
		if _, err := fmt.Fprintln(p.Out, line); err != nil {
			return err
		}
	}
	return nil
}

// row returns a line of the table: the text of each entry, followed by a gap.
func (p *PrintReport) row(text func(name string) string) string {
	var line strings.Builder
	for _, name := range p.entries {
		fmt.Fprintf(&line, "%-*s%s", max(10, len(name)), text(name), gap)
	}
	return line.String()
}

// gap follows each column.
const gap = "  "

// general formats a number with six digits, like C's %g.
func general(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+"))
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
