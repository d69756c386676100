package functions

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"

var (
	// erf(x) = x + x·(…) in x², for |x| up to 0.93.
	erfTerms = numbers{
		single: []float64{0x1.06eba8p-3, -0x1.812742p-2, 0x1.ce2decp-4, -0x1.b80cdap-6, 0x1.54bb3ap-8, -0x1.a9e392p-11,
			0x1.5bd58cp-14},
		double: []float64{0x1.06eba8214db69p-3, -0x1.812746b037a06p-2, 0x1.ce2f21a043fffp-4, -0x1.b82ce312e922p-6, 0x1.565bcd1eb3b06p-8,
			-0x1.c02db76f69a9fp-11, 0x1.f9a3a1b7b3064p-14, -0x1.f4de17e8d425ep-17, 0x1.baae6b0f53573p-20, -0x1.68aba850f55bcp-23,
			0x1.4899506d84c2ep-26, -0x1.168f39e4aa6cp-28, 0x1.4301129de7775p-30, -0x1.a13b1595e4f9dp-33},
	}
	// -log(erfc(x)) for x from 0.92 to the point where erf(x) is 1.
	erfcTerms = numbers{
		single: []float64{-0x1.5dfdf6p-12, 0x1.215c06p0, 0x1.436748p-1, 0x1.c3d14cp-4, -0x1.b3c186p-6, 0x1.3d8f5cp-8,
			-0x1.47043p-11, 0x1.ae1e5ep-15, -0x1.2824bp-19, 0x1.cbd0d6p-26},
		double: []float64{-0x1.cab6699228e4p-25, 0x1.20dd7fac3e78cp0, 0x1.45f28ecb075d9p-1, 0x1.a5023654ba6acp-4, -0x1.39ec9088f3fa4p-6,
			-0x1.37bd8f578ff8p-13, 0x1.a51e607ef9ff7p-10, -0x1.fadfa3b3412ecp-12, -0x1.4503db904577ep-14, 0x1.33b4ab26537b4p-13,
			-0x1.5e60bc81ad183p-14, 0x1.0d9f54ec3c131p-15, -0x1.3a92846f6dd5ap-17, 0x1.1b794f1ffa82fp-19, -0x1.7a469cf9f42cp-22,
			0x1.30000f557c9f9p-25, 0x1.43eed16d401e9p-30, -0x1.8780b75def6abp-30, 0x1.899910d4e4657p-32, -0x1.04435e0d62ae8p-34,
			0x1.005d7ab525bdfp-37, -0x1.82e7fda35e45fp-41, 0x1.bd36c59d2114dp-45, -0x1.7c1408eecf16bp-49, 0x1.c74e7d615a61ep-54,
			-0x1.563f2536efaffp-59, 0x1.e682856eb0381p-66},
	}
)

// erf is a polynomial for small x, else 1 - e^-t with another polynomial t.
func erf(b *trace.Body, x trace.Value) trace.Value {
	magnitude := b.Abs(x)
	square := b.Mul(x, x)
	small := b.FMA(b.Polynomial(square, erfTerms.of(b, x)...), magnitude, magnitude)
	limited := b.Min(number(b, x, 4, 6), magnitude)
	n, r := reduceByLn2(b, b.Neg(b.Polynomial(limited, erfcTerms.of(b, x)...)))
	large := b.FNMA(expSmall(b, r), b.Power(n), b.Const(1))
	return b.CopySign(b.Select(b.Less(magnitude, b.Const(0.925)), small, large), x)
}
