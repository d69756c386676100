package elementwise

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The engines: package vm with lanes of 32 and of 64 bits, and loops in Go. The same function of floats may differ in the
// last bit between them. A program runs on the first one that can hold all of its types and has all of its operations: a wider one
// holds the types of a narrower one, but not always as results.
const (
	lanes32 device.Engines = 1 << iota
	lanes64
	goLoops
)

// EnginesOf returns the engine on which p runs by itself. If p computes exactly, every later one that can run it gives the same bits,
// too.
func EnginesOf(p *device.Program) device.Engines {
	pl := PlanFor(p)
	level := uint32(isa.Current()) + 1
	if known := pl.engines.Load(); known>>8 == level {
		return device.Engines(known)
	}
	e := pl.findEngines()
	pl.engines.Store(level<<8 | uint32(e))
	return e
}

func (pl *Plan) findEngines() device.Engines {
	p := pl.program
	if pl.Raw || vm.IsActivation(p) {
		return 0
	}
	var layout vm.Layout
	for k, param := range append(append([]device.Param{}, p.Outputs...), p.Inputs...) {
		if k == len(layout.DTypes) {
			return 0
		}
		layout.DTypes[k] = param.Type
	}
	own := goLoops
	if code := pl.code(&layout); code != nil {
		own = lanes32
		if code.Doubles() {
			own = lanes64
		}
	}
	if rounds(p) && own == lanes64 {
		return 0
	}
	for i := range p.Code {
		switch in := &p.Code[i]; {
		case in.Op == device.OpSize:
			return 0
		case !isExact(p, in):
			return own
		}
	}
	if rounds(p) || !vm.HasDoubles(p, layout) {
		return own | goLoops
	}
	return own | lanes64 | goLoops
}

// rounds reports whether a result is rounded to 16 bits before another program reads it. Lanes of 64 bits have no handler for that.
func rounds(p *device.Program) bool {
	return slices.ContainsFunc(p.Outputs, func(y device.Param) bool { return y.Stored != y.Type })
}

// isExact reports whether all engines give the same bits for an instruction: it moves, compares or chooses values, or
// computes with integers or bools.
func isExact(p *device.Program, in *device.Inst) bool {
	switch in.Op {
	case device.OpInput, device.OpScalar, device.OpConst, device.OpSelect:
		return true
	case device.OpCast:
		return !in.Type.IsInexact()
	}
	argument := p.Code[in.A].Type
	return !argument.IsInexact() || in.Type == dtype.Bool
}
