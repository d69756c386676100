package train

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// distribution holds statistics of a set of numbers.
type distribution struct {
	mean, std, least, greatest float64
	zeros                      int
	percentiles                [len(percents)]float64
}

// percents are the percentiles of a normal distribution at its mean and at one, two and three standard deviations on
// each side.
var percents = [...]float64{0.13, 2.28, 15.87, 50, 84.13, 97.72, 99.87}

// distributionOf describes the elements of all arrays together. For empty arrays all values except the number of zeros
// are NaN.
func distributionOf(xs ...*nd.Array) distribution {
	var all []float64
	for _, x := range xs {
		all = append(all, nd.ToSlice[float64](x)...)
	}
	var d distribution
	n, sum := float64(len(all)), 0.0
	for _, v := range all {
		sum += v
		if v == 0 {
			d.zeros++
		}
	}
	d.mean = sum / n
	squares := 0.0
	for _, v := range all {
		squares += (v - d.mean) * (v - d.mean)
	}
	d.std = math.Sqrt(squares / n)
	slices.Sort(all) // NaNs come first
	if len(all) == 0 || math.IsNaN(all[0]) {
		all = []float64{math.NaN()}
	}
	d.least, d.greatest = all[0], all[len(all)-1]
	for i, percent := range percents {
		d.percentiles[i] = percentile(all, percent)
	}
	return d
}

// percentile returns a percentile of sorted numbers with linear interpolation, like NumPy's percentile.
func percentile(sorted []float64, percent float64) float64 {
	at := percent / 100 * float64(len(sorted)-1)
	below := min(int(at), len(sorted)-1)
	above := min(below+1, len(sorted)-1)
	if sorted[below] == sorted[above] { // the difference of two equal infinities is NaN
		return sorted[below]
	}
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
