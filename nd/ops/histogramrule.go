package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// binsByRule returns the number of bins that a rule of thumb chooses for a vector of numbers between two ends.
func binsByRule(fn nd.Func, x *nd.Array, rule BinRule, first, last float64, within bool) int {
	width := map[BinRule]func(*binCount) float64{
		BinsSqrt: (*binCount).sqrt, BinsSturges: (*binCount).sturges, BinsRice: (*binCount).rice, BinsScott: (*binCount).scott,
		BinsDoane: (*binCount).doane, BinsFD: (*binCount).fd, BinsStone: (*binCount).stone, BinsAuto: (*binCount).auto,
	}[rule]
	if width == nil {
		panic(fn.Errorf([]*nd.Array{x}, "rule %q: want auto, fd, doane, scott, stone, rice, sturges or sqrt", rule))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	if within {
		x = x.Index(nd.Pick(LogicalAnd(GreaterEqual(x, first), LessEqual(x, last))))
	}
	if x.Size() == 0 {
		return 1
	}
	r := &binCount{fn: fn, x: x, n: float64(x.Size()), first: first, last: last}
	least, most := extremes[float64](fn, x)
	r.reach = most - least
	w := width(r)
	if w > 0 && x.DType().IsInteger() {
		w = max(w, 1)
	}
	n := math.Ceil((last - first) / w)
	if w == 0 { // as with fd if the quartiles are equal
		n = 1
	}
	if !(n <= math.MaxInt32) {
		panic(fn.Errorf([]*nd.Array{x}, "rule %q gives %v bins between %v and %v: too many", rule, n, first, last))
	}
	return int(n)
}

// binCount is the input of the rules: n numbers x, the distance of the largest from the smallest, and the histogram's
// ends. The rules return a width.
type binCount struct {
	fn          nd.Func
	x           *nd.Array
	n, reach    float64
	first, last float64
}

func (r *binCount) sqrt() float64    { return r.reach / math.Sqrt(r.n) }
func (r *binCount) sturges() float64 { return r.reach / (math.Log2(r.n) + 1) }
func (r *binCount) rice() float64    { return r.reach / (2 * math.Pow(r.n, 1./3)) }
func (r *binCount) auto() float64    { return min(max(r.fd(), r.sqrt()/2), r.sturges()) }

func (r *binCount) scott() float64 {
	return math.Pow(24*math.Sqrt(math.Pi)/r.n, 1./3) * nd.Value[float64](Std(r.x))
}

// fd is the rule of Freedman and Diaconis; it uses the distance of the quartiles.
func (r *binCount) fd() float64 {
	quartiles := nd.ToSlice[float64](Percentile(r.x, nd.FromSliceOn(r.x.Device(), []float64{75, 25})).AsType(dtype.Float64))
	return 2 * (quartiles[0] - quartiles[1]) * math.Pow(r.n, -1./3)
}

// doane is sturges for distributions that are not normal; it uses the skewness.
func (r *binCount) doane() float64 {
	sigma := Std(r.x)
	if r.n <= 2 || nd.Value[float64](sigma) <= 0 {
		return 0
	}
	skewness := nd.Value[float64](Mean(Power(Divide(Subtract(r.x, Mean(r.x)), sigma), 3)))
	spread := math.Sqrt(6 * (r.n - 2) / ((r.n + 1) * (r.n + 3)))
	return r.reach / (1 + math.Log2(r.n) + math.Log2(1+math.Abs(skewness)/spread))
}

// stone minimises an estimate of the histogram's squared error, over numbers of bins.
func (r *binCount) stone() float64 {
	if r.n <= 1 || r.reach == 0 {
		return 0
	}
	best, least := 0, math.Inf(1)
	for n := 1; n <= max(100, int(math.Sqrt(r.n))); n++ {
		squares := 0.0
		for _, count := range binCounts(r.fn, r.x, n, r.first, r.last) {
			squares += float64(count) / r.n * (float64(count) / r.n)
		}
		if risk := (2 - (r.n+1)*squares) / (r.reach / float64(n)); risk < least {
			best, least = n, risk
		}
	}
	return r.reach / float64(best)
}

// binCounts returns the counts of n even bins, on the host.
func binCounts(fn nd.Func, x *nd.Array, n int, first, last float64) []int64 {
	made := fn.Temporaries(&x)
	defer made.Release()
	edges := made.Own(evenEdges(fn, x, n, first, last))
	return nd.ToSlice[int64](scatterCounts(fn, binOf(x, edges), n, flatWeights(fn, x, nil)))
}
