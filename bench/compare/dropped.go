package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/bench"
)

// neverReleased sums the ratios of results that are never released.
type neverReleased struct {
	results       sums // of functions that return new arrays, against the better peer
	sizes         []string
	bySize        map[string]*sums // of single functions, against NumPy
	chains        map[string]*sums // of five functions in a row
	plain, scoped sums             // of whole programs, against NumPy
	released      sums             // of programs with a scope, against their released form
}

// add counts a case. better are the times of the better peer.
func (d *neverReleased) add(c bench.Case, m measurement, better []float64) {
	counted := c.Returns && !bench.Uncounted.MatchString(c.Name)
	if counted && better != nil && m.unreleased != nil {
		d.results.add(c.Name, ratiosOf(better, m.unreleased))
	}
	if m.scope != nil {
		d.released.add(c.Name, ratiosOf(m.ours, m.scope))
	}
	numpy := m.peers["numpy"]
	if numpy == nil {
		return
	}
	kind, size, _ := strings.Cut(strings.TrimSuffix(c.Name, "/f32"), "/five/")
	switch found := bench.AtEverySize.FindStringSubmatch(c.Name); {
	case found != nil && m.unreleased != nil:
		d.sumsOf(&d.bySize, found[2]).add(c.Name, ratiosOf(numpy, m.unreleased))
	case !bench.Program.MatchString(c.Name) || strings.HasSuffix(c.Name, bench.ReleasedForm):
	case strings.HasSuffix(c.Name, bench.ScopeForm):
		if kind != "chain" {
			d.scoped.add(c.Name, ratiosOf(numpy, m.ours))
		}
	case kind == "chain":
		d.sumsOf(&d.chains, size).add(c.Name, ratiosOf(numpy, m.ours))
	default:
		d.plain.add(c.Name, ratiosOf(numpy, m.ours))
	}
}

// sumsOf returns the sums of a size, and creates them at first use.
func (d *neverReleased) sumsOf(sizes *map[string]*sums, size string) *sums {
	if *sizes == nil {
		*sizes = map[string]*sums{}
	}
	if (*sizes)[size] == nil {
		(*sizes)[size] = new(sums)
	}
	if !slices.Contains(d.sizes, size) {
		d.sizes = append(d.sizes, size)
	}
	return (*sizes)[size]
}

// print prints those of the sums that have cases.
func (d *neverReleased) print(out io.Writer) {
	line := func(what string, s *sums) {
		if s.cases > 0 {
			fmt.Fprintf(out, "%s: %s\n", what, s)
		}
	}
	line("never released, against the better of NumPy and torch", &d.results)
	bySize := func(what string, all map[string]*sums) {
		if all == nil {
			return
		}
		fmt.Fprint(out, what)
		for _, size := range d.sizes {
			if s := all[size]; s != nil {
				fmt.Fprintf(out, "  %s %.2f", size, s.mean())
			}
		}
		fmt.Fprintln(out)
	}
	bySize("never released, single functions against NumPy:", d.bySize)
	bySize("never released, chains of five against NumPy:", d.chains)
	line("natural programs against NumPy", &d.plain)
	line("natural programs in a scope against NumPy", &d.scoped)
	line("programs in a scope against their released form", &d.released)
}
