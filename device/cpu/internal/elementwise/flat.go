package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
)

// Flat returns a function that runs the code that interpretFlat would run, or the opcode that runSingle would run before that.
func Flat(p *device.Program) device.Flat {
	pl := PlanFor(p)
	if pl.Raw || pl.trivial || len(p.Outputs) != 1 || len(p.Inputs) == 0 || len(p.Inputs) > 2 || len(p.Scalars) > 1 {
		return nil
	}
	if d := pl.single; d != nil && d.preferred && len(pl.fixed) == 0 {
		return d.flat
	}
	var layout vm.Layout
	layout.DTypes[0] = p.Outputs[0].Type
	for k, param := range p.Inputs {
		layout.DTypes[1+k] = param.Type
	}
	code, level := pl.code(&layout), isa.Current()
	if code == nil {
		return nil
	}
	return func(n int, y, a, b unsafe.Pointer, scalar device.Scalar) bool {
		if level != isa.Current() {
			return false
		}
		code.RunFlat(n, y, a, b, scalar)
		return true
	}
}

// flat is a device.Flat of an opcode without scalars.
func (d *single) flat(n int, y, a, b unsafe.Pointer, _ device.Scalar) bool {
	operands := [...]unsafe.Pointer{nil, a, b} // an argument that is absent has number 0
	d.run(y, operands[d.args[0].operand], operands[d.args[1].operand], operands[d.args[2].operand], n)
	return true
}
