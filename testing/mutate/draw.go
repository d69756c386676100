package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
)

// draw draws faults until each part has enough. The seed determines the order of the faults in a part, whatever their
// number. A fault that overlaps another one or does not compile is skipped.
func draw(s *state, targets []*target, o options) error {
	for i, part := range parts {
		var candidates []func(int, *rand.Rand) fault
		of := map[string]*target{}
		for _, t := range targets {
			if t.part == part {
				candidates = append(candidates, t.faults()...)
				of[t.path] = t
			}
		}
		rand.New(rand.NewPCG(o.seed, uint64(i))).Shuffle(len(candidates), func(i, j int) {
			candidates[i], candidates[j] = candidates[j], candidates[i]
		})
		have := 0
		for _, p := range s.faults {
			if p.Part == part {
				have++
			}
		}
		for at, candidate := range candidates {
			if have >= o.each {
				break
			}
			p := candidate(len(s.faults)+1, rand.New(rand.NewPCG(o.seed, uint64(at))))
			if overlaps(p, s.faults) || overlaps(p, s.rejected) {
				continue
			}
			t := of[p.Package]
			if err := t.check(append(t.faultsIn(s.faults), p), nil); err != nil {
				fmt.Fprintf(os.Stderr, "drawn again: %s:%d: %s: %v\n", p.File, p.Line, p.After, err)
				if err := s.note(entry{Rejected: &p}); err != nil {
					return err
				}
				continue
			}
			if err := s.note(entry{Fault: &p}); err != nil {
				return err
			}
			have++
		}
		fmt.Fprintf(os.Stderr, "%s: %d faults of %d\n", part, have, len(candidates))
	}
	return nil
}

// faultsIn returns the faults in a package.
func (t *target) faultsIn(faults []fault) []fault {
	return slices.DeleteFunc(slices.Clone(faults), func(p fault) bool { return p.Package != t.path })
}

func overlaps(p fault, faults []fault) bool {
	return slices.ContainsFunc(faults, func(q fault) bool {
		return p.Package == q.Package && p.File == q.File && p.From < q.To && q.From < p.To
	})
}
