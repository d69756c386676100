package rowops

import (
	"math"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// wide is the number m·2^(512·k), which is not negative: a product of many probabilities that would underflow as a
// float64. Wide numbers replace logarithms by multiplications and additions, with the relative error of float64. m is
// from 2^-256 to 2^256; for 0, k is -Inf. k is an integer.
type wide struct{ m, k float64 }

const (
	wideLow   = 0x1p-256
	wideHigh  = 0x1p256
	wideShift = 0x1p512
	wideLog   = 512 * math.Ln2
)

var wideZero = wide{0, math.Inf(-1)}

// plus returns a + b.
func (a wide) plus(b wide) wide {
	if a.k == b.k {
		return wide{a.m + b.m, a.k}
	}
	return a.plusScaled(b)
}

func (a wide) plusScaled(b wide) wide {
	if a.k < b.k {
		a, b = b, a
	}
	if a.k-b.k == 1 {
		a.m += float64(b.m / wideShift)
	}
	return a
}

// times returns a·b.
func (a wide) times(b wide) wide {
	m, k := float64(a.m*b.m), a.k+b.k
	if m >= wideLow && m < wideHigh {
		return wide{m, k}
	}
	return wideOf(m, k)
}

// wideOf returns m·2^(512·k), with m brought into the range of a wide; m must be within 2^±1000.
func wideOf(m, k float64) wide {
	switch {
	case m == 0:
		return wideZero
	case m != m:
		return wide{m, 0}
	case m < wideLow:
		return wide{m * wideShift, k - 1}
	case m >= wideHigh:
		return wide{m / wideShift, k + 1}
	}
	return wide{m, k}
}

// wideExp returns e^x, for an x that is at most slightly above 0.
func wideExp(x float64) wide {
	k := math.Floor(x/wideLog + 0.5)
	rest := x - float64(k*wideLog)
	switch {
	case math.IsInf(x, -1):
		return wideZero
	case math.Abs(rest) > wideLog: // x has no digits after the point
		rest = 0
	}
	return wideOf(scalar.Exp(rest), k)
}

// log returns the logarithm of a.
func (a wide) log() float64 {
	if a.m == 0 {
		return math.Inf(-1)
	}
	return scalar.Log(a.m) + float64(a.k*wideLog)
}

// share returns a·b/total, which is at most 1; inverse is 1/total.m.
func (a wide) share(b, total wide, inverse float64) float64 {
	m, k := float64(float64(a.m*b.m)*inverse), a.k+b.k-total.k
	if k == 0 {
		return m
	}
	return shifted(m, k)
}

// shifted returns m·2^(512·k).
func shifted(m, k float64) float64 {
	switch {
	case m == 0 || m != m:
		return m
	case k < -3:
		return 0
	}
	return math.Ldexp(m, 512*int(k))
}
