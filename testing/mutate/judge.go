package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"
)

// batch is a group of tests of one suite that run together.
type batch struct {
	suite
	names  []string
	millis int64
}

// batchFor is the longest total duration of the tests in a batch, in milliseconds; longer tests run alone.
const batchFor = 1500

// judge runs the tests that reach a fault, for every fault without a verdict.
func (w *workshop) judge(s *state, o options) error {
	reason, err := reasons()
	if err != nil {
		return err
	}
	var pending []fault
	for _, p := range s.faults {
		v, judged := s.verdicts[p.Number]
		if !judged || o.again && !v.Caught && reason[p.key()] == "" {
			pending = append(pending, p)
		}
	}
	if o.slice > 0 {
		pending = pending[:min(o.slice, len(pending))]
	}
	var mutex sync.Mutex
	return each(w.jobs, pending, func(p fault) error {
		mutex.Lock()
		batches := w.batches(s, p.Number, s.verdicts[p.Number], o.longest.Milliseconds())
		mutex.Unlock()
		v := w.verdictOn(p, batches)
		mutex.Lock()
		defer mutex.Unlock()
		if !v.Caught {
			v.Binaries = map[string]string{}
			for _, suite := range w.suites {
				v.Binaries[suite.path] = suite.sum
			}
			v.Longest = o.longest.Milliseconds()
		}
		how := "SURVIVES"
		if v.Caught {
			how = "caught by " + v.By
		}
		fmt.Fprintf(os.Stderr, "%d %s/%s:%d: %s -> %s: %s\n", p.Number, p.Package, p.File, p.Line, p.Before, p.After, how)
		return s.note(entry{Verdict: &v})
	})
}

// batches returns the tests that reach a fault, fastest first, without tests that the fault survived and tests that
// take too long.
func (w *workshop) batches(s *state, number int, before verdict, longest int64) []batch {
	var batches []batch
	for _, suite := range w.suites {
		shortest := int64(-1)
		if before.Binaries[suite.path] == suite.sum {
			shortest = before.Longest
		}
		runs := slices.SortedFunc(maps.Values(s.runs), func(a, b testRun) int {
			return cmp.Or(cmp.Compare(a.Millis, b.Millis), cmp.Compare(a.Test, b.Test))
		})
		b := batch{suite: suite}
		for _, r := range runs {
			if r.Package != suite.path || r.Binary != suite.sum || !r.Passed || r.Millis <= shortest || r.Millis > longest || !slices.Contains(r.Reaches, number) {
				continue
			}
			if len(b.names) > 0 && b.millis+r.Millis > batchFor {
				batches = append(batches, b)
				b = batch{suite: suite}
			}
			b.names = append(b.names, r.Test)
			b.millis += r.Millis
		}
		if len(b.names) > 0 {
			batches = append(batches, b)
		}
	}
	slices.SortStableFunc(batches, func(a, b batch) int { return cmp.Compare(a.millis, b.millis) })
	return batches
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// verdictOn runs batches until one fails. A test that also fails without the fault, as a timing test may on a busy
// machine, is ignored; the rest of its batch runs without it.
func (w *workshop) verdictOn(p fault, batches []batch) verdict {
	v := verdict{Number: p.Number}
	for _, b := range batches {
		names := b.names
		for len(names) > 0 {
			limit := 30*time.Second + 8*time.Duration(b.millis)*time.Millisecond
			v.Tests += len(names)
			o := w.test(b.suite, p.Number, "", limit, names...)
			if o.passed {
				break
			}
			how, suspects := "fails", names
			if o.late {
				how = "does not end"
			} else if name := failed.FindStringSubmatch(o.output); name != nil {
				suspects = name[1:2]
			} else {
				how = "crashes"
			}
			if w.test(b.suite, 0, "", limit, suspects...).passed {
				v.Caught, v.By = true, fmt.Sprintf("%s %s %s", b.path, suspects[0], how)
				return v
			}
			names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(suspects, name) })
		}
	}
	return v
}
