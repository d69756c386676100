package main

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/bench"
	"github.com/ndgrad/ndgrad/bench/limit"
)

// table prints the rows of a comparison as they come, and accumulates their sums.
type table struct {
	out                io.Writer
	threads            int
	device             string
	libraries          [2]string
	counted            sums
	programs           sums // shown in detail by dropped
	dropped            neverReleased
	flops, double      float64         // the machine's limits, measured when they are needed
	bandwidth          map[int]float64 // by the binary logarithm of the size
	unreleasedWorst    float64         // ratio to NumPy without Release
	unreleasedWorstFor string
}

func newTable(out io.Writer, threads int, columns ...string) *table {
	t := &table{out: out, threads: threads, unreleasedWorst: math.Inf(1), bandwidth: map[int]float64{}}
	t.row(columns)
	t.row(slices.Repeat([]string{"---"}, len(columns)))
	return t
}

// row prints a row of Markdown that is also readable as text.
func (t *table) row(cells []string) {
	for i, cell := range cells {
		width := 10
		if i == 0 {
			width = 52
		}
		fmt.Fprintf(t.out, "| %-*s ", width, cell)
	}
	fmt.Fprintln(t.out, "|")
}

func (t *table) add(c bench.Case, m measurement) {
	ours := median(m.ours)
	row := []string{c.Name, duration(ours), "", "", "", "", "", t.fractionOfLimit(c, ours)}
	var better []float64
	for k, library := range t.libraries {
		if times := m.peers[library]; times != nil {
			row[3+k] = duration(median(times))
			if better == nil || median(times) < median(better) {
				better = times
			}
		}
	}
	if m.unreleased != nil {
		row[2] = duration(median(m.unreleased))
		if numpy := m.peers["numpy"]; numpy != nil {
			if r := median(numpy) / median(m.unreleased); r < t.unreleasedWorst && !bench.Uncounted.MatchString(c.Name) {
				t.unreleasedWorst, t.unreleasedWorstFor = r, c.Name
			}
		}
	}
	t.dropped.add(c, m, better)
	if better != nil {
		r := ratiosOf(better, m.ours)
		row[5], row[6] = fmt.Sprintf("%.2f", r.middle), r.span()
		t.count(c, r, row)
	}
	t.row(row)
}

// count adds a case to the sums.
func (t *table) count(c bench.Case, r ratios, row []string) {
	sums := &t.counted
	switch {
	case bench.Uncounted.MatchString(c.Name):
		row[5] += " (not counted)"
		return
	case bench.Program.MatchString(c.Name):
		sums = &t.programs
	}
	sums.add(c.Name, r)
	row[5] += r.verdict().String()
}

// fractionOfLimit returns the fraction of the machine's limit that a case reaches: of multiplications, or of bandwidth at its
// size.
func (t *table) fractionOfLimit(c bench.Case, ns float64) string {
	if t.device != "cpu" {
		return "" // the measured limits are those of the processor
	}
	seconds := ns * float64(c.Per) / 1e9
	var reached, most float64
	switch {
	case c.Flops > 0:
		reached, most = c.Flops/seconds, t.multiplications(strings.HasSuffix(c.Name, "f64"))
	case c.Bytes > 0:
		size := bits.Len(uint(c.Bytes))
		if t.bandwidth[size] == 0 {
			t.bandwidth[size] = limit.Bandwidth(t.threads, int(c.Bytes))
		}
		reached, most = c.Bytes/seconds, t.bandwidth[size]
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", reached/most)
}

func (t *table) multiplications(double bool) float64 {
	known := &t.flops
	if double {
		known = &t.double
	}
	if *known == 0 {
		*known = limit.Flops(t.threads, double)
	}
	return *known
}

// sums prints the sums over all cases.
func (t *table) sums() error {
	if t.unreleasedWorstFor != "" {
		fmt.Fprintf(t.out, "\nnever released: at worst %.2f of NumPy (%s)\n", t.unreleasedWorst, t.unreleasedWorstFor)
	}
	t.dropped.print(t.out)
	_, err := fmt.Fprintf(t.out, "bench: %s\n", &t.counted)
	return err
}

// units are units of time, with their sizes in nanoseconds.
var units = [...]struct {
	size float64
	name string
}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}

// duration formats nanoseconds with three digits.
func duration(ns float64) string {
	for _, unit := range units[:3] {
		if ns >= unit.size {
			return fmt.Sprintf("%.3g %s", ns/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}
