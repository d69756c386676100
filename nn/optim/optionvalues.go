package optim

import (
	"cmp"

	"github.com/ndgrad/ndgrad/nd"
)

// rateOf returns a learning rate, or def for 0.
func rateOf(fn nd.Func, rate, def float64) float64 {
	checkRate(fn, rate)
	return cmp.Or(rate, def)
}

// rateOfDecay returns the rate of weight decay that an option gives.
func rateOfDecay(fn nd.Func, rate float64) float64 {
	checkNonNegative(fn, "WeightDecay", rate)
	return rate
}

// fractionOf returns *p, or def for a nil pointer. It refuses numbers outside [0, 1).
func fractionOf(fn nd.Func, name string, p *float64, def float64) float64 {
	if p == nil {
		return def
	}
	if !(*p >= 0 && *p < 1) {
		panic(fn.Errorf(nil, "%s %v: want a number from 0 to below 1", name, *p))
	}
	return *p
}

// nonNegativeOf returns *p, or def for a nil pointer.
func nonNegativeOf(fn nd.Func, name string, p *float64, def float64) float64 {
	if p == nil {
		return def
	}
	checkNonNegative(fn, name, *p)
	return *p
}

func checkNonNegative(fn nd.Func, name string, v float64) {
	if !(v >= 0) {
		panic(fn.Errorf(nil, "%s %v: want a number that is at least 0", name, v))
	}
}
