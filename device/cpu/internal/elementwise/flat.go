package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
)

// Flat returns a function that runs the code that interpretFlat would run.
func Flat(p *device.Program) device.Flat {
	pl := PlanFor(p)
	if pl.Raw || pl.trivial || len(p.Outputs) != 1 || len(p.Inputs) == 0 || len(p.Inputs) > 2 || len(p.Scalars) > 1 {
		return nil
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
