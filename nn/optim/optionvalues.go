package optim

import (
	"cmp"

	"github.com/ndgrad/ndgrad/nd"
)

// The following functions check an option, set it to its default unless it is given, and return it.

// rateOf does so for a learning rate, which is not given if it is 0.
func rateOf(fn nd.Func, rate *float64, def float64) float64 {
	checkRate(fn, *rate)
	*rate = cmp.Or(*rate, def)
	return *rate
}

// rateOfDecay returns the rate of weight decay that an option gives.
func rateOfDecay(fn nd.Func, rate float64) float64 {
	checkNonNegative(fn, "WeightDecay", rate)
	return rate
}

// fractionOf does so for a number from 0 to below 1.
func fractionOf(fn nd.Func, name string, p **float64, def float64) float64 {
	v := valueOf(p, def)
	if !(v >= 0 && v < 1) {
		panic(fn.Errorf(nil, "%s %v: want a number from 0 to below 1", name, v))
	}
	return v
}

// nonNegativeOf does so for a number that is at least 0.
func nonNegativeOf(fn nd.Func, name string, p **float64, def float64) float64 {
	v := valueOf(p, def)
	checkNonNegative(fn, name, v)
	return v
}

// valueOf makes *p point to a copy of the number that it points to, or of def, and returns the number.
func valueOf(p **float64, def float64) float64 {
	if *p == nil {
		*p = &def
	}
	*p = new(**p)
	return **p
}

func checkNonNegative(fn nd.Func, name string, v float64) {
	if !(v >= 0) {
		panic(fn.Errorf(nil, "%s %v: want a number that is at least 0", name, v))
	}
}
