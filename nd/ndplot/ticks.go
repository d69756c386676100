package ndplot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// evenTicks are some six to ten numbers: whole multiples of 1, 2 or 5 times a power of ten, with steps of at least
// least.
type evenTicks struct{ least float64 }

func (e evenTicks) Ticks(low, high float64) []plot.Tick {
	step := max(math.Pow(10, math.Floor(math.Log10((high-low)/10))), e.least)
	for factors := []float64{2, 2.5, 2}; (high-low)/step > 10 && step > 0; {
		step *= factors[0]
		factors = append(factors[1:], factors[0])
	}
	format, digits := byte('f'), max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if digits > 4 || max(math.Abs(low), math.Abs(high)) >= 1e7 {
		format, digits = 'g', 4
	}
	var ticks []plot.Tick
	first := math.Ceil(low/step - 1e-9)
	for k := range 12 { // if low and high are neighbouring numbers, adding a step may change nothing
		v := (first+float64(k))*step + 0 // turns -0 into 0
		if !(v <= high+1e-9*step) {
			break
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, format, digits, 64)})
	}
	return ticks
}

// wholeTicks are ticks at integers, for indices of elements.
var wholeTicks = evenTicks{least: 1}

// rowTicks are wholeTicks that count from the top.
type rowTicks struct{ rows int }

func (r rowTicks) Ticks(low, high float64) []plot.Tick {
	last := float64(r.rows - 1)
	ticks := wholeTicks.Ticks(last-high, last-low)
	for i := range ticks {
		ticks[i].Value = last - ticks[i].Value
	}
	return ticks
}

// roundTicks are ticks for logarithmic scales, at 1, 2 and 5 times the powers of ten. If the powers of ten are many,
// only they have labels.
type roundTicks struct{}

func (roundTicks) Ticks(low, high float64) []plot.Tick {
	first, last := math.Floor(math.Log10(low)), math.Log10(high)
	every := math.Ceil((last - first) / 10)
	var ticks []plot.Tick
	for decade := first; decade <= last; decade++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, decade)
			if v < low || v > high {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 && math.Mod(decade, every) == 0 || last-first < 4 && (m == 2 || m == 5) {
				tick.Label = strconv.FormatFloat(v, 'g', 3, 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}
