package cudaops

import (
	"fmt"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// identities holds, for each type of registers, the program that returns its input.
var identities = sync.OnceValue(func() (all [dtype.Count]*device.Program) {
	for _, t := range device.ComputeTypes {
		of := []device.Param{{Name: "x", Type: t, Stored: t}}
		all[t] = &device.Program{Name: fmt.Sprint("copy of ", t), Inputs: of, Outputs: of,
			Code: []device.Inst{{Op: device.OpInput, Type: t}}, Results: []device.Reg{0}}
	}
	return all
})

// identityOf returns the program that converts like a launch of Copy.
func identityOf(l *device.Launch) *device.Program {
	return identities()[dtype.ComputeType(l.Operands[1].DType)]
}

// convertPrinted runs a Copy between two dtypes, whose axes are fused, as a printed program, and reports whether there
// is one. The program computes in x's type and stores in y's, like the kernel of Copy.
func (d *Device) convertPrinted(l *device.Launch) bool {
	l.Program = identityOf(l)
	done := d.elementwisePrinted(l)
	l.Program = nil
	return done
}
