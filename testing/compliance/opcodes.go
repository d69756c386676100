package compliance

import (
	"fmt"
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// testOpcodes computes each opcode in each type that it accepts, at all special values, at pairs of them, and at random
// values. The opcodes below OpAdd, such as loads and stores, have their own tests.
func testOpcodes(s *suite) {
	for op := device.OpAdd; op < device.OpCount; op++ {
		s.run(op.String(), func(s *suite) {
			for _, t := range device.ComputeTypes {
				if op.Accepts(t) {
					s.opcode(op, t)
				}
			}
		})
	}
}

func (s *suite) opcode(op device.Op, t dtype.DType) {
	s.Helper()
	second := t
	if op == device.OpLdexp {
		second = dtype.Int64
	}
	result := resultOf(op, t)
	src := device.Source{Name: op.String(), Inputs: "T a", Outputs: "R y", Body: fmt.Sprintf("y = %s(a)", op)}
	if op.Arity() == 2 {
		src.Inputs, src.Body = "T a, S b", fmt.Sprintf("y = %s(a, b)", op)
	}
	p := s.compile(src, map[byte]dtype.DType{'T': t, 'S': second, 'R': result})
	a, b := s.arguments(op, t, second)
	shape := []int{len(a)}
	c := call{kernel: elementwise, loop: shape, set: s.program(p), close: precision(op, t),
		outputs: []*array{s.any(result, shape, tame)}, inputs: []*array{s.arrayOf(t, shape, a)}}
	if op.Arity() == 2 {
		c.inputs = append(c.inputs, s.arrayOf(second, shape, b))
	}
	s.check(c, "%s of %s", op, t)
}

// resultOf returns the result type of an opcode for arguments of type t.
func resultOf(op device.Op, t dtype.DType) dtype.DType {
	switch op {
	case device.OpEq, device.OpNe, device.OpLt, device.OpLe, device.OpGt, device.OpGe,
		device.OpIsNaN, device.OpIsInf, device.OpIsFinite, device.OpSignBit:
		return dtype.Bool
	case device.OpAbs, device.OpReal, device.OpImag:
		return t.Real()
	case device.OpComplex:
		return t.Complex()
	}
	return t
}

// arguments returns the arguments with which an opcode is tested.
func (s *suite) arguments(op device.Op, t, second dtype.DType) (a, b []number) {
	a = specials(t)
	if op.Arity() == 2 {
		first, others := a, specials(second)
		a = nil
		for _, x := range first {
			for _, y := range others {
				if t.IsComplex() && s.IntN(10) != 0 { // ten thousand pairs are too many
					continue
				}
				a, b = append(a, x), append(b, y)
			}
		}
	}
	for range 400 {
		a, b = append(a, wild(s.Rand, t)), append(b, wild(s.Rand, second))
	}
	for range 100 {
		a, b = append(a, tame(s.Rand, t)), append(b, tame(s.Rand, second))
	}
	return a, b[:min(len(a), len(b))]
}

// precision returns how closely a device must agree with the reference: exactly for arithmetic, within the sum of both
// errors for functions. A device may be off by 2 units in the last place, or by 4 for functions that are hard to
// compute. The reference computes in float64: there it may be off by 1 unit, or by as many as the device, and in
// narrower types by one rounding.
func precision(op device.Op, t dtype.DType) closeness {
	if t.IsComplex() {
		return complexPrecision(op)
	}
	elementary, special := int64(2+1), int64(4+4)
	if t != dtype.Float64 {
		special = 4 + 1
	}
	switch op {
	case device.OpSoftplus: // in float64 an exponential and a logarithm, rounded one after the other
		if t == dtype.Float64 {
			return ulps(elementary+1, 0)
		}
		return ulps(elementary, 0)
	case device.OpRsqrt, device.OpCbrt, device.OpExp, device.OpExp2, device.OpExp10, device.OpExpm1, device.OpLog,
		device.OpLog2, device.OpLog10, device.OpLog1p, device.OpSin, device.OpCos, device.OpTan, device.OpAsin,
		device.OpAcos, device.OpAtan, device.OpSinh, device.OpCosh, device.OpTanh, device.OpAsinh, device.OpAcosh,
		device.OpAtanh, device.OpSigmoid, device.OpPow, device.OpAtan2, device.OpHypot:
		return ulps(elementary, 0)
	case device.OpErf, device.OpErfc, device.OpNdtr, device.OpSinc, device.OpErfinv, device.OpGamma, device.OpLogNdtr, device.OpI0, device.OpI1,
		device.OpTrigamma, device.OpErfcx, device.OpNdtri, device.OpBesselI, device.OpBesselIE, device.OpBesselK, device.OpBesselKE,
		device.OpGammainc, device.OpGammaincc, device.OpGammaPDF:
		return ulps(special, 0)
	case device.OpPolygamma, device.OpZeta, device.OpBesselJ, device.OpBesselY: // at the roots, units of the terms that cancel
		return ulps(special, 128)
	case device.OpLogAddExp, device.OpLogAddExp2: // at the roots, each side 2 units of the terms that cancel, 1 or log 2
		return ulps(special, 4)
	case device.OpLgamma, device.OpDigamma: // at the roots, 2 units of the terms that cancel, which are below 64
		return ulps(special, 128)
	}
	return nil
}

// complexPrecision allows for products and quotients that are rounded in different orders.
func complexPrecision(op device.Op) closeness {
	switch op {
	case device.OpMul, device.OpDiv, device.OpSqrt, device.OpSign, device.OpAbs:
		return ulps(4, 0)
	case device.OpExp, device.OpExp2, device.OpExpm1, device.OpLog, device.OpLog2, device.OpLog10, device.OpLog1p, device.OpSin,
		device.OpCos, device.OpTan, device.OpAsin, device.OpAcos, device.OpAtan, device.OpSinh, device.OpCosh, device.OpTanh,
		device.OpAsinh, device.OpAcosh, device.OpAtanh:
		return ulps(8, 0)
	case device.OpPow:
		return ulps(64, 0)
	}
	return nil
}

// testCasts converts registers of each type to every type, and selects between values of each type.
func testCasts(s *suite) {
	for _, from := range device.ComputeTypes {
		for _, to := range device.ComputeTypes {
			p := s.compile(device.Source{Name: "cast", Inputs: "T x, bool c", Outputs: "U y",
				Body: "U z = x; y = c ? z : U(bool(x))"}, map[byte]dtype.DType{'T': from, 'U': to})
			values := specials(from)
			for range 60 {
				values = append(values, wild(s.Rand, from))
			}
			shape := []int{len(values)}
			s.check(call{kernel: elementwise, loop: shape, set: s.program(p), outputs: []*array{s.any(to, shape, tame)},
				inputs: []*array{s.arrayOf(from, shape, values), s.input(dtype.Bool, shape, tame)}}, "%s to %s", from, to)
		}
	}
}

// position draws indices from slightly below 0 to slightly above n.
func position(n int) filling {
	return func(r *rand.Rand, _ dtype.DType) number { return integerNumber(r.Int64N(int64(n)+20) - 10) }
}
