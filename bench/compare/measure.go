package main

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/bench"
	"github.com/ndgrad/ndgrad/nd"
)

// measurement is the result of one case: the times of all rounds, in nanoseconds per operation.
type measurement struct {
	ours, unreleased []float64
	scope            []float64            // for a program's released form: the times of its form with a scope
	peers            map[string][]float64 // by library: the better of its processes in each round
	peersUnreleased  map[string][]float64 // of another build
}

// measure makes all sides take turns at one case.
func measure(o options, c bench.Case, peers []*peer) (m measurement, err error) {
	m.peers, m.peersUnreleased = map[string][]float64{}, map[string][]float64{}
	for _, p := range peers {
		if err := p.setup(c.Name); err != nil {
			return m, err
		}
	}
	call := c.Setup()
	inScope := scopeForm(c)
	runtime.GC()
	seconds := o.turn.Seconds()
	for range o.rounds {
		round := map[string]float64{}
		for _, p := range peers {
			if !p.knows {
				continue
			}
			ns, unreleased, err := p.time(seconds)
			if err != nil {
				return m, err
			}
			if unreleased > 0 {
				m.peersUnreleased[p.library] = append(m.peersUnreleased[p.library], unreleased)
			}
			if best, ok := round[p.library]; !ok || ns < best {
				round[p.library] = ns
			}
		}
		for library, ns := range round {
			m.peers[library] = append(m.peers[library], ns)
		}
		ns, results, err := turn(call, c.Per, o.turn, (*nd.Array).Release)
		if err != nil {
			return m, err
		}
		m.ours = append(m.ours, ns)
		if results {
			ns, _, err := turn(call, c.Per, o.turn, func(*nd.Array) {})
			if err != nil {
				return m, err
			}
			m.unreleased = append(m.unreleased, ns)
			runtime.GC()
		}
		if inScope != nil {
			ns, _, err := turn(inScope, c.Per, o.turn, (*nd.Array).Release)
			if err != nil {
				return m, err
			}
			m.scope = append(m.scope, ns)
		}
	}
	return m, nil
}

// scopeForm sets up the scope form of the program whose released form is c; it returns nil for other cases.
func scopeForm(c bench.Case) func() *nd.Array {
	program, ok := strings.CutSuffix(c.Name, bench.ReleasedForm)
	if !ok {
		return nil
	}
	all := bench.Cases()
	return all[slices.IndexFunc(all, func(c bench.Case) bool { return c.Name == program+bench.ScopeForm })].Setup()
}

// leastSamples is the minimum number of samples of each side in a turn, however long they take.
const leastSamples = 3

// turn returns the median time of one operation over several samples, in nanoseconds, and whether the call returns
// results, which done receives. A sample ends when the device has done all of its work; the error is the device's.
func turn(call func() *nd.Array, per int, length time.Duration, done func(*nd.Array)) (ns float64, results bool, err error) {
	once := func() {
		if y := call(); y != nil {
			results = true
			done(y)
		}
	}
	began := time.Now()
	once()
	if err := bench.Wait(); err != nil {
		return 0, false, err
	}
	inner := max(1, min(int(length/5/max(time.Since(began), 1)), 1_000_000))
	var samples []float64
	for began = time.Now(); len(samples) < leastSamples || time.Since(began) < length; {
		start := time.Now()
		for range inner {
			once()
		}
		if err := bench.Wait(); err != nil {
			return 0, false, err
		}
		samples = append(samples, float64(time.Since(start).Nanoseconds())/float64(inner*per))
	}
	return median(samples), results, nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
