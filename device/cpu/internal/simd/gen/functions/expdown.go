package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
)

// ExpDown is the text of e^x where that does not overflow, as of the elements of a row less the largest of them: as exact as
// Exp, for a sixth less.
var ExpDown = unary("", expDown).Body

func expDown(b *trace.Body, x trace.Value) trace.Value {
	if b.Wide() { // far below where the result is 0: to round one that is a little too small takes several times as long
		x = b.Max(number(b, x, -2000, -4000), x)
	} else {
		x = b.Max(number(b, x, -104, -746), x)
	}
	// In a sum with a number as large as this one the bits end with those of whole numbers.
	whole := number(b, x, 0x1.8p23, 0x1.8p52)
	n := b.Sub(b.FMA(x, b.Const(1/math.Ln2), whole), whole)
	r := b.FNMA(n, number(b, x, ln2Single, ln2Double), x)
	r = b.FNMA(n, number(b, x, ln2SingleRest, ln2DoubleRest), r)
	p := b.Polynomial(r, expDownTerms.of(b, r)...)
	p = b.FMA(p, r, b.Const(1))
	return b.Scale(b.FMA(p, r, b.Const(1)), n)
}

// expDownTerms are those of e^r = 1 + r + r²·(…) for |r| up to log(2)/2.
var expDownTerms = numbers{
	single: []float64{0x1.fffffcp-2, 0x1.555494p-3, 0x1.5558f2p-5, 0x1.123a2p-7, 0x1.6a23dp-10},
	double: expTerms.double,
}
