package functions

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// normalTail is e^(-s·a²)·q(a·√(2s)) for a ≥ 0 and s = 1/2 or 1. q(a) is e^(a²/2) times the probability that a standard
// normal number exceeds a: half of erfc(a/√2) without its exponential.
func normalTail(b *trace.Body, a trace.Value, s float64) trace.Value {
	square, squareRest := exactSquare(b, a)
	t := b.Mul(square, b.Const(-s))
	n := b.Round(vec.Nearest, b.Mul(t, b.Const(1/math.Ln2)))
	r := b.FNMA(n, number(b, a, ln2Single, ln2Double), t)
	r = b.FNMA(n, number(b, a, ln2SingleRest, ln2DoubleRest), r)
	r = b.FMA(squareRest, b.Const(-s), r)
	growth := b.Mul(b.FMA(b.Polynomial(r, expTerms.of(b, r)...), r, b.Const(1)), r) // e^r - 1
	if s == 1 {
		a = b.Mul(a, b.Const(math.Sqrt2))
	}
	q, rest := tailQuotient(b, a)
	rest = b.FMA(growth, q, b.FMA(growth, rest, rest))
	return b.Scale(b.Add(q, rest), n)
}

// tailQuotient is q(a) in two parts, a function of u = 1/(1+a/4). The rounding error of u is corrected with the
// derivative of q, which is a·q(a) - 1/√(2π).
func tailQuotient(b *trace.Body, a trace.Value) (q, rest trace.Value) {
	d := b.FMA(b.Const(0.25), a, b.Const(1))
	var u trace.Value
	if b.Wide() && !b.Double(a) {
		u = b.Reciprocal(d)
	} else {
		u = b.Div(b.Const(1), d)
	}
	if b.Double(a) {
		scaled := b.Mul(u, b.Const(16))
		whole := b.Min(b.Const(15), b.Round(vec.Down, scaled))
		index := b.And(b.Add(whole, b.Const(0x1p52)), b.Bits(15))
		t := b.Sub(b.Sub(scaled, whole), b.Const(0.5))
		last := len(tailTable) - 1
		p := b.Lookup(fmt.Sprint("normalTail", last), index, tailTable[last])
		for k := last - 1; k > 0; k-- {
			p = b.FMA(p, t, b.Lookup(fmt.Sprint("normalTail", k), index, tailTable[k]))
		}
		rest = b.FMA(p, t, b.Lookup("normalTailRest", index, tailTableRest))
		head := b.Lookup("normalTail0", index, tailTable[0])
		q = b.Add(head, rest)
		rest = b.Sub(rest, b.Sub(q, head))
	} else {
		v := b.Sub(u, b.Const(0x1.3333340000000p-1))
		p := b.Polynomial(v, tailTerms...)
		middle := b.FMA(p, v, b.Const(0x1.c9b2a20000000p-3))
		middleRest := b.FMA(p, v, b.Sub(b.Const(0x1.c9b2a20000000p-3), middle))
		middleRest = b.Add(middleRest, b.Const(-0x1.d038a40000000p-29))
		q = b.Mul(middle, u)
		rest = b.FMA(middleRest, u, b.FMS(middle, u, q))
	}
	// u belongs to an argument that is smaller than a by excess.
	dRest := b.FMA(b.Const(0.25), a, b.Sub(b.Const(1), d))
	excess := b.FMA(u, dRest, b.FMS(u, d, b.Const(1)))
	excess = b.Mul(b.Mul(excess, b.Const(4)), d)
	slope := b.FMS(b.Sub(a, excess), q, b.Const(0.3989422804014327))
	return q, b.FMA(excess, slope, rest)
}

// ndtr is the probability that a standard normal number is below x.
func ndtr(b *trace.Body, x trace.Value) trace.Value {
	tail := normalTail(b, b.Min(number(b, x, 14.6, 38.8), b.Abs(x)), 0.5)
	return b.Pick(x, tail, b.Sub(b.Const(1), tail))
}

func erfc(b *trace.Body, x trace.Value) trace.Value {
	tail := normalTail(b, b.Min(number(b, x, 10.4, 27.4), b.Abs(x)), 1)
	tail = b.Add(tail, tail)
	return b.Pick(x, b.Sub(b.Const(2), tail), tail)
}

// tailTerms are the coefficients of q/u in u - 0.6, for u from 0.21 to 1, except the first.
var tailTerms = []float64{0x1.9301600000000p-2, 0x1.0732300000000p-1, 0x1.e5cefe0000000p-2, 0x1.0bf2160000000p-2, 0x1.12a7e40000000p-6, -0x1.66049a0000000p-4, -0x1.1d1c900000000p-5, 0x1.0427520000000p-5, 0x1.0e87500000000p-6, -0x1.b506500000000p-7}

// tailTableRest is the rounding error of the first row of tailTable.
var tailTableRest = []float64{0, 0x1.9f1eb283211b8p-63, -0x1.a733f339c1b01p-61, 0x1.344c7fcca294ap-62, 0x1.50eabc291a60ap-61,
	0x1.5450a83433ce8p-59, -0x1.46c894e506235p-59, -0x1.d4dd04c0a4f99p-58, -0x1.9ab8719b63445p-58, 0x1.07794fe74510cp-57,
	0x1.0ec826863f3ebp-59, -0x1.28e9484dcdca2p-57, -0x1.cf1ee91e81756p-57, -0x1.1f4a29b1a9f50p-56, 0x1.716d48da99768p-56,
	0x1.fc4b7a3c46214p-58}

// tailTable holds polynomials in 16·u - j - 1/2 for each integer j below 16·u: first all constant terms, then all
// linear terms, and so on.
var tailTable = [][]float64{
	{0, 0x1.51db7653c6d40p-7, 0x1.2df5ece7f5edfp-6, 0x1.c75443a9bacf0p-6, 0x1.3cbbb165015a6p-5,
		0x1.a4fac694fa0c7p-5, 0x1.0ff69e3d522f9p-4, 0x1.5901221c797abp-4, 0x1.b0643c0d46221p-4, 0x1.0cca9064954e5p-3,
		0x1.4c6b99bdc23f6p-3, 0x1.99ae66e5e7145p-3, 0x1.f7b34c2a24ffcp-3, 0x1.3517d5dbf6f21p-2, 0x1.7abc884ddd142p-2,
		0x1.cf464f14bb340p-2},
	{0, 0x1.f06a262951f7ep-8, 0x1.1d16cdf9133f1p-7, 0x1.49daa96cfcc72p-7, 0x1.808bfd182fab0p-7,
		0x1.c3c2cd2a9935bp-7, 0x1.0b6107eb29525p-6, 0x1.3ecb446e99b4bp-6, 0x1.7e99837fb4ba9p-6, 0x1.cdc30588fdd2ep-6,
		0x1.17e12d2236882p-5, 0x1.5449d9e3bb2e4p-5, 0x1.9e557ca80abb8p-5, 0x1.f870b1541e189p-5, 0x1.3296d63f1877bp-4,
		0x1.739a0b803e92bp-4},
	{0, 0x1.0c0c9b4c77dddp-11, 0x1.442ed9ddb61e5p-11, 0x1.8ac4f673a42bcp-11, 0x1.e3c18b74db677p-11,
		0x1.2a0048696bacbp-10, 0x1.70ab0e3bdd7bep-10, 0x1.c943c7d97d541p-10, 0x1.1bc9dddb626e2p-9, 0x1.5fd4015d83159p-9,
		0x1.b2cf6ebf3b72ep-9, 0x1.0b5a444d48736p-8, 0x1.46a16ff6f69dap-8, 0x1.8bf0194e544a4p-8, 0x1.dbbe14107e71dp-8,
		0x1.1b1eea86359adp-7},
	{0, 0x1.0ac0a37184805p-15, 0x1.4eca6167d0b27p-15, 0x1.a5a13d84f2fffp-15, 0x1.09effa943a18bp-14,
		0x1.4f4cdddd947a8p-14, 0x1.a57f581c2d29fp-14, 0x1.0774889c3fd0dp-13, 0x1.46afc1ad15a07p-13, 0x1.90e91b1a03315p-13,
		0x1.e5fedfa2affadp-13, 0x1.228ed83579f4dp-12, 0x1.565de99648f29p-12, 0x1.8d5495cb04ee4p-12, 0x1.c6188dd35cb24p-12,
		0x1.ff245bf0dd538p-12},
	{0, 0x1.e01b39166a753p-20, 0x1.32e3859a573f6p-19, 0x1.86e82c23c34e6p-19, 0x1.ee75c8d3628dfp-19,
		0x1.356b912dada40p-18, 0x1.7dc48956f9c1ap-18, 0x1.cec862ad4824cp-18, 0x1.12c81478a7d18p-17, 0x1.3eede81d3247fp-17,
		0x1.6933a52d75783p-17, 0x1.8ebb4d04f49d2p-17, 0x1.acbe10602b737p-17, 0x1.c0dbce873314ep-17, 0x1.c958e6ecd6c31p-17,
		0x1.c54239fbebee8p-17},
	{0, 0x1.7a9dc403a286ap-24, 0x1.dfe1b075ca441p-24, 0x1.2b10a89228002p-23, 0x1.6c67cd6ac0f57p-23,
		0x1.af646a3a92235p-23, 0x1.ed1667c3b919bp-23, 0x1.0e66c41561c57p-22, 0x1.1ab540089e07dp-22, 0x1.178b76fc4cd05p-22,
		0x1.0272b8bace35dp-22, 0x1.b5e0be7e95f23p-23, 0x1.454736b800bafp-23, 0x1.73f025e238cfep-24, 0x1.d4ecc8dc2b098p-27,
		-0x1.0c7dc76b73e3ep-24},
	{0, 0x1.ebc9d455cda74p-29, 0x1.25cdb2da2781ap-28, 0x1.4ee21b136f55bp-28, 0x1.660778f025fdbp-28,
		0x1.5e46559f39893p-28, 0x1.2bf6cb7af26fap-28, 0x1.91766fbe0ad5fp-29, 0x1.b5882e153587fp-31, -0x1.fa9a90b84ad27p-30,
		-0x1.444872906334ep-28, -0x1.01d229ecc0894p-27, -0x1.539a8c786953ap-27, -0x1.8f27f5e7d4d0fp-27, -0x1.afa965c81ae79p-27,
		-0x1.b406055e1465ep-27},
	{0, 0x1.bafafa58e87d2p-34, 0x1.a557b99954af4p-34, 0x1.38ae0d0eb278cp-34, 0x1.6932a6f111554p-36,
		-0x1.f5008b0d628c9p-35, -0x1.53d82734548a3p-33, -0x1.1af1ef15103fbp-32, -0x1.7c34f3a0b14c4p-32, -0x1.b9627921b2436p-32,
		-0x1.c54c3346b5405p-32, -0x1.9d234af6313dcp-32, -0x1.4828311cfb6fbp-32, -0x1.a9474afd59aa9p-33, -0x1.4f0b17e5b0bcbp-34,
		0x1.518c4a5b46645p-35},
	{0, 0x1.57227accea14bp-42, -0x1.dd8af6c5cb569p-40, -0x1.44b98fc291a3cp-38, -0x1.1b6b93755a44ep-37,
		-0x1.8932a9002dee1p-37, -0x1.c5ff8dfaac27cp-37, -0x1.b368f29312013p-37, -0x1.48b5fcf430ca5p-37, -0x1.2f67028580bffp-38,
		0x1.d1e8eba888838p-40, 0x1.01fc6ee86fa77p-37, 0x1.9c0bf23ae9df5p-37, 0x1.f462354efa773p-37, 0x1.03ce937d776a8p-36,
		0x1.df65e99f4dafdp-37},
	{0, -0x1.7c747c2588b93p-43, -0x1.3713da6a68204p-42, -0x1.9af1b6280d5dbp-42, -0x1.afdae3b9cf98ap-42,
		-0x1.457516993864ap-42, -0x1.5fc41b40bd814p-44, 0x1.c332a9748798cp-43, 0x1.05121124e9e24p-41, 0x1.64c6e035cf661p-41,
		0x1.787b07bc0cd4ep-41, 0x1.42fae23ff6d89p-41, 0x1.b5a7f0cce6af0p-42, 0x1.79814c1fc46e9p-43, -0x1.6f66dab6697c2p-45,
		-0x1.cb3988274596ep-43},
	{0, -0x1.75412161fa76bp-47, -0x1.7c158c670abe2p-47, -0x1.c0cfe7e79d27ep-48, 0x1.e0e45f3882bc8p-49,
		0x1.19e54aa1d4601p-46, 0x1.cdd7b3ac7b411p-46, 0x1.00dd12a4df575p-45, 0x1.990fb5a2e27e9p-46, 0x1.7ba307c8d141dp-47,
		-0x1.edbe2937563c7p-49, -0x1.0b25df761fda1p-46, -0x1.7d89a6cdb0055p-46, -0x1.8f03967bcb2dcp-46, -0x1.556d4c46df790p-46,
		-0x1.e3cde27b9636ap-47},
	{0, -0x1.01f01a5f05db6p-53, 0x1.6616a0520930fp-53, 0x1.7290150ad7e69p-51, 0x1.30f9176bca006p-50,
		0x1.3ce5d4c28adb6p-50, 0x1.70e7586cba7b6p-51, -0x1.45470dd94bdb4p-53, -0x1.f9cc70a45dfbap-51, -0x1.6bfa41aaccb31p-50,
		-0x1.5c3639fe47c47p-50, -0x1.dd0ad3d045b92p-51, -0x1.74a4e67467b7ep-52, 0x1.253515b01b22cp-53, 0x1.ea66be4d5ad35p-52,
		0x1.3e8c13b9d0fd2p-51},
}
