package main

import "testing"

func TestVerdicts(t *testing.T) {
	var s sums
	for _, c := range []struct {
		theirs []float64
		want   verdict
	}{
		{[]float64{1.1, 1.2, 3}, won}, {[]float64{0.99, 1.2, 3}, even}, {[]float64{1, 2, 3}, even}, {[]float64{0.5, 0.8, 1.1}, even},
		{[]float64{0.5, 0.8, 0.99}, lost}, {[]float64{0.95, 0.95, 0.96}, lost},
	} {
		r := ratiosOf(c.theirs, []float64{1, 1, 1})
		if got := r.verdict(); got != c.want {
			t.Errorf("ratios %s: verdict %d, want %d", r.span(), got, c.want)
		}
		s.add("case", r)
	}
	if s.cases != 6 || s.verdicts != [lost + 1]int{even: 3, won: 1, lost: 2} || s.slow != 2 {
		t.Errorf("sums are %v", s)
	}
}
