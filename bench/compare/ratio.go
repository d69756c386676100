package main

import (
	"fmt"
	"math"
	"slices"
)

// loss is the ratio below which a case counts as a loss.
const loss = 0.9

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

// sums accumulates the ratios of many cases.
type sums struct {
	cases, wins, losses int
	logarithms          float64
	worst               string
	worstRatio          float64
}

// add counts a case, and reports whether it is a loss.
func (s *sums) add(name string, ratio float64) (lost bool) {
	if s.cases == 0 || ratio < s.worstRatio {
		s.worstRatio, s.worst = ratio, name
	}
	s.cases++
	s.logarithms += math.Log(ratio)
	if ratio > 1 {
		s.wins++
	}
	if lost = ratio < loss; lost {
		s.losses++
	}
	return lost
}

// mean is the geometric mean.
func (s *sums) mean() float64 { return math.Exp(s.logarithms / float64(s.cases)) }

func (s *sums) String() string {
	if s.cases == 0 {
		return "0 cases"
	}
	return fmt.Sprintf("%d cases, geo-mean %.2f, %d wins, %d losses (worst: %s %.2f)",
		s.cases, s.mean(), s.wins, s.losses, s.worst, s.worstRatio)
}
