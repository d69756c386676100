package main

import (
	"fmt"
	"math"
	"slices"
)

// low is the ratio below which a case is listed as slow, whatever its range is.
const low = 0.9

// ratios are the other side's times divided by ours, over the rounds of a case.
type ratios struct{ least, middle, most float64 }

// ratiosOf compares times round by round.
func ratiosOf(theirs, ours []float64) ratios {
	all := make([]float64, len(theirs))
	for i, ns := range theirs {
		all[i] = ns / ours[i]
	}
	return ratios{slices.Min(all), median(all), slices.Max(all)}
}

func (r ratios) span() string { return fmt.Sprintf("%.2f–%.2f", r.least, r.most) }

// verdict says who is faster in a case. A side is faster only if it was so in every round.
type verdict int

const (
	even verdict = iota
	won
	lost
)

func (r ratios) verdict() verdict {
	switch {
	case r.least > 1:
		return won
	case r.most < 1:
		return lost
	}
	return even
}

// String returns what a table prints beside the ratio.
func (v verdict) String() string { return [...]string{" even", "", " loss"}[v] }

// sums accumulates the ratios of many cases.
type sums struct {
	cases      int
	verdicts   [lost + 1]int
	slow       int // cases whose ratio is low
	logarithms float64
	worst      string
	worstRatio float64
}

// add counts a case.
func (s *sums) add(name string, r ratios) {
	if s.cases == 0 || r.middle < s.worstRatio {
		s.worstRatio, s.worst = r.middle, name
	}
	s.cases++
	s.logarithms += math.Log(r.middle)
	s.verdicts[r.verdict()]++
	if r.middle < low {
		s.slow++
	}
}

// mean is the geometric mean.
func (s *sums) mean() float64 { return math.Exp(s.logarithms / float64(s.cases)) }

func (s *sums) String() string {
	if s.cases == 0 {
		return "0 cases"
	}
	return fmt.Sprintf("%d cases, geo-mean %.2f, %d won, %d even, %d lost, %d below %g (worst: %s %.2f)",
		s.cases, s.mean(), s.verdicts[won], s.verdicts[even], s.verdicts[lost], s.slow, low, s.worst, s.worstRatio)
}
