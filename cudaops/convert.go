package cudaops

import (
	"fmt"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// identities are, for each type of registers, the program that is its input.
var identities = sync.OnceValue(func() (all [dtype.Count]*device.Program) {
	for _, t := range device.ComputeTypes {
		of := []device.Param{{Name: "x", Type: t, Stored: t}}
		all[t] = &device.Program{Name: fmt.Sprint("copy of ", t), Inputs: of, Outputs: of,
			Code: []device.Inst{{Op: device.OpInput, Type: t}}, Results: []device.Reg{0}}
	}
	return all
})

// identityOf returns the program that converts as a launch of Copy does.
func identityOf(l *device.Launch) *device.Program {
	return identities()[dtype.ComputeType(l.Operands[1].DType)]
}

// convertPrinted runs a Copy between two dtypes, whose axes are merged, as a printed program, if that is there. A program computes with numbers of
// x's type, and stores them in y's, as the kernel of Copy does.
func (d *Device) convertPrinted(l *device.Launch) bool {
	l.Program = identityOf(l)
	done := d.elementwisePrinted(l)
	l.Program = nil
	return done
}
