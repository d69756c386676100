package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CTC sums over the paths from label to label, with an optional blank between two labels, using the logarithms of their
// probabilities.
func (d *Device) CTC(l *device.Launch) {
	checkAlignments(d, l)
	y := d.operand(l, 0)
	outer, _ := split(l, 2)
	for _, index := range points(outer) {
		y.store(y.at(index), value{x: -d.alignment(l, index).forward()}, dtype.Float64)
	}
}

// CTCGrad stores (softmax(x) - o)·gy.
func (d *Device) CTCGrad(l *device.Launch) {
	checkAlignments(d, l)
	gx, gy := d.operand(l, 0), d.operand(l, 5)
	outer, inner := split(l, 2)
	for _, index := range points(outer) {
		a := d.alignment(l, index)
		total, rows := a.forward(), len(a.x)
		if math.IsInf(total, -1) {
			rows = 0
		}
		occupancy := a.occupancy(total)
		g := gy.load(gy.at(index), dtype.Float64).x
		for t := range inner[0] {
			for c := range inner[1] {
				v := 0.0
				if t < rows {
					v = (scalar.Exp(a.x[t][c]) - occupancy[t][c]) * g
				}
				gx.store(gx.at(append(index, t, c)), value{x: v}, dtype.Float64)
			}
		}
	}
}

// alignment is a sequence: the logarithms of its classes' probabilities, and its states. The states are the labels with
// a blank before, between and after them.
type alignment struct {
	x       [][]float64
	classes []int
	before  [][]float64 // log probabilities of reaching a state by a time step
}

func (d *Device) alignment(l *device.Launch, index []int) *alignment {
	x, labels := d.operand(l, 1), d.operand(l, 2)
	lengths, counts := d.operand(l, 3), d.operand(l, 4)
	_, inner := split(l, 2)
	a := &alignment{classes: []int{l.Blank}}
	for t := range lengths.label(index) {
		s := shift(x.row(append(index, int(t)), inner[1], dtype.Float64))
		for c := range s.x {
			s.x[c] -= scalar.Log(s.sum)
		}
		a.x = append(a.x, s.x)
	}
	for j := range counts.label(index) {
		label := labels.load(labels.at(index)+int(j)*l.Axes[0].Stride, dtype.Int64).i
		a.classes = append(a.classes, int(label), l.Blank)
	}
	return a
}

// skips reports whether the blank before a state may be left out.
func (a *alignment) skips(state int) bool {
	return state > 1 && state%2 == 1 && a.classes[state] != a.classes[state-2]
}

// possible reports whether a state can be reached from the beginning by a time step, and the end can be reached from
// it. It decides nothing about single labels, so that a NaN spreads to the result if a sequence has enough time steps.
func (a *alignment) possible(t, state int) bool {
	return state < 2*(t+1) && state >= len(a.classes)-2*(len(a.x)-t)
}

// forward returns the logarithm of the probability of the labels.
func (a *alignment) forward() float64 {
	least, n := len(a.classes)/2, len(a.classes)
	for state := 3; state < n; state += 2 {
		if !a.skips(state) {
			least++
		}
	}
	switch {
	case len(a.x) < least:
		return math.Inf(-1)
	case len(a.x) == 0:
		return 0
	}
	for t, row := range a.x {
		now := make([]float64, n)
		for state := range now {
			now[state] = math.Inf(-1)
			if !a.possible(t, state) {
				continue
			}
			if t == 0 {
				now[state] = row[a.classes[state]]
				continue
			}
			ways := a.before[t-1][max(0, state-1) : state+1]
			if a.skips(state) {
				ways = a.before[t-1][state-2 : state+1]
			}
			now[state] = logSum(ways...) + row[a.classes[state]]
		}
		a.before = append(a.before, now)
	}
	return logSum(a.before[len(a.x)-1][max(0, n-2):]...)
}

// occupancy returns the probabilities of the classes at each time step over all alignments, whose log probability is
// total.
func (a *alignment) occupancy(total float64) [][]float64 {
	n := len(a.classes)
	o := make([][]float64, len(a.x))
	behind := make([]float64, n) // log probabilities of what follows a state
	for t := len(a.x) - 1; t >= 0; t-- {
		o[t] = make([]float64, len(a.x[t]))
		now := make([]float64, n)
		for state := range now {
			switch {
			case t < len(a.x)-1:
				ways := []float64{math.Inf(-1)}
				for next := state; next < min(n, state+3); next++ {
					if next < state+2 || a.skips(next) {
						ways = append(ways, behind[next]+a.x[t+1][a.classes[next]])
					}
				}
				now[state] = logSum(ways...)
			case state < n-2:
				now[state] = math.Inf(-1)
			}
			if a.before != nil && a.possible(t, state) {
				o[t][a.classes[state]] += scalar.Exp(a.before[t][state] + now[state] - total)
			}
		}
		behind = now
	}
	return o
}

// logSum returns the logarithm of a sum of exponentials.
func logSum(x ...float64) float64 {
	most, sum := math.Inf(-1), 0.0
	for _, v := range x {
		most = scalar.Max(most, v)
	}
	if math.IsInf(most, -1) {
		return most
	}
	for _, v := range x {
		sum += scalar.Exp(v - most)
	}
	return most + scalar.Log(sum)
}

// checkAlignments panics with *[device.IndexError] at the first length that exceeds its axis, or the first label that
// is no class.
func checkAlignments(d *Device, l *device.Launch) {
	labels, lengths, counts := d.operand(l, 2), d.operand(l, 3), d.operand(l, 4)
	check := func(n int64, size int) {
		if n < 0 || n >= int64(size) {
			panic(&device.IndexError{Index: int(n), Size: size})
		}
	}
	outer, inner := split(l, 2)
	for _, index := range points(outer) {
		check(lengths.label(index), inner[0]+1)
		check(counts.label(index), l.Axes[0].Size+1)
		for j := range counts.label(index) {
			check(labels.load(labels.at(index)+int(j)*l.Axes[0].Stride, dtype.Int64).i, inner[1])
		}
	}
}
