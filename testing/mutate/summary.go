package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// equivalents lists faults that no test can find, or that change only speed or memory: file, function, what stood there,
// what it became, and why, with tabs between.
//
//go:embed equivalents.tsv
var equivalents string

// reasons returns the reasons why faults are not counted, by their keys.
func reasons() (map[string]string, error) {
	all := map[string]string{}
	for line := range strings.Lines(equivalents) {
		line = strings.TrimRight(line, "\r\n")
		at := strings.LastIndexByte(line, '\t')
		if strings.Count(line, "\t") != 4 || at == len(line)-1 {
			return nil, fmt.Errorf("equivalents.tsv: %q: want five columns", line)
		}
		all[line[:at]] = line[at+1:]
	}
	return all, nil
}

// summarise prints a table of the parts, then every survivor.
func summarise(out io.Writer, s *state) error {
	reason, err := reasons()
	if err != nil {
		return err
	}
	type count struct{ drawn, judged, caught, crashed, late, equivalent, survived int }
	counts := map[string]*count{}
	total := &count{}
	var survivors, apart []string
	for _, p := range s.faults {
		c := counts[p.Part]
		if c == nil {
			c = &count{}
			counts[p.Part] = c
		}
		v, judged := s.verdicts[p.Number]
		line := fmt.Sprintf("%s/%s:%d\t%s\t%s -> %s", strings.TrimPrefix(p.Package, module), p.File, p.Line, p.Function, p.Before, p.After)
		for _, c := range []*count{c, total} {
			c.drawn++
			switch {
			case !judged:
			case v.Caught:
				c.judged++
				c.caught++
				if strings.HasSuffix(v.By, "crashes") {
					c.crashed++
				}
				if strings.HasSuffix(v.By, "does not end") {
					c.late++
				}
			case reason[p.key()] != "":
				c.equivalent++
			default:
				c.judged++
				c.survived++
			}
		}
		if judged && !v.Caught {
			if why := reason[p.key()]; why != "" {
				apart = append(apart, line+"\t"+why)
			} else {
				survivors = append(survivors, fmt.Sprintf("%d\t%s\t%d tests", p.Number, line, v.Tests))
			}
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "part\tdrawn\tjudged\tcaught\tby a crash\tby a hang\tsurvived\tnot counted\tcaught")
	row := func(name string, c *count) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f %%\n", name, c.drawn, c.judged, c.caught, c.crashed, c.late, c.survived, c.equivalent,
			100*float64(c.caught)/float64(max(1, c.judged)))
	}
	for _, part := range parts {
		if c := counts[part]; c != nil {
			row(part, c)
		}
	}
	row("all", total)
	fmt.Fprintf(w, "\n%d drawn again, because they did not compile\n", len(s.rejected))
	for _, list := range []struct {
		title string
		lines []string
	}{{"survivors", survivors}, {"not counted", apart}} {
		fmt.Fprintf(w, "\n%s:\n", list.title)
		for _, line := range list.lines {
			fmt.Fprintln(w, line)
		}
	}
	return w.Flush()
}
