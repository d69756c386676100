package vm

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// activations are float32 handlers for programs that compute in float64. Each computes x·f(x), where x is clamped to a
// lower bound that lies far below the underflow of f.
var activations = []struct {
	handler string
	factor  device.Op
}{{"swish", device.OpSigmoid}, {"gelu", device.OpNdtr}}

// lowestBound is a number at which all activations have long underflowed to 0.
const lowestBound = -200

// activationOf recognises an activation. If p computes one, activationOf returns a program of one operation and the
// handler for that operation, else nil.
func activationOf(p *device.Program) (activation *device.Program, handler string) {
	if len(p.Inputs) != 1 || len(p.Outputs) != 1 || p.Inputs[0].Raw {
		return nil, ""
	}
	value := func(r device.Reg, op device.Op, t dtype.DType) *device.Inst {
		if in := &p.Code[r]; in.Op == op && in.Type == t {
			return in
		}
		return nil
	}
	narrow := value(p.Results[0], device.OpCast, dtype.Float32)
	if narrow == nil {
		return nil, ""
	}
	product := value(narrow.A, device.OpMul, dtype.Float64)
	if product == nil {
		return nil, ""
	}
	for k, activation := range activations {
		factor := value(product.B, activation.factor, dtype.Float64)
		if factor == nil || factor.A != product.A {
			continue
		}
		argument := product.A
		if wide := value(argument, device.OpCast, dtype.Float64); wide != nil {
			if x, ok := bounded(p, wide.A, dtype.Float32); ok && value(x, device.OpInput, dtype.Float32) != nil {
				return activationProgram(p, k), activation.handler
			}
		}
		if x, ok := bounded(p, argument, dtype.Float64); ok {
			if wide := value(x, device.OpCast, dtype.Float64); wide != nil && value(wide.A, device.OpInput, dtype.Float32) != nil {
				return activationProgram(p, k), activation.handler
			}
		}
	}
	return nil, ""
}

// bounded returns x if v is the maximum of x and a low bound.
func bounded(p *device.Program, v device.Reg, t dtype.DType) (x device.Reg, ok bool) {
	in := &p.Code[v]
	if in.Op != device.OpMax || in.Type != t {
		return 0, false
	}
	bound := &p.Code[in.B]
	return in.A, bound.Op == device.OpConst && bound.Value.Re <= lowestBound
}

func activationProgram(p *device.Program, k int) *device.Program {
	return &device.Program{Name: p.Name, Inputs: p.Inputs, Scalars: p.Scalars, Outputs: p.Outputs, Results: []device.Reg{1}, Code: []device.Inst{
		{Op: device.OpInput, Type: dtype.Float32},
		{Op: activations[k].factor, Type: dtype.Float32},
	}}
}

// IsActivation reports whether a program has a handler of its own, which computes it only as a whole.
func IsActivation(p *device.Program) bool {
	activation, _ := activationOf(p)
	return activation != nil
}
