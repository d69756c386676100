package nd

import (
	"sync/atomic"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// programs is a definition's programs by compute type, made on first use.
type programs struct {
	source device.Source
	made   [dtype.Count]atomic.Pointer[device.Program]
}

func (ps *programs) of(t dtype.DType) *device.Program {
	t = dtype.ComputeType(t)
	if p := ps.made[t].Load(); p != nil {
		return p
	}
	p, err := ps.source.Compile(func(byte) dtype.DType { return t })
	if err != nil {
		panic(err) // all sources compile for every type
	}
	ps.made[t].CompareAndSwap(nil, p)
	return ps.made[t].Load()
}

var (
	identities = programs{source: device.Source{Name: "identity", Inputs: "T x", Outputs: "T y", Body: "y = x"}}
	fills      = programs{source: device.Source{Name: "fill", Scalars: "T v", Outputs: "T y", Body: "y = v"}}
	sums       = programs{source: device.Source{Name: "sum", Inputs: "T a, T b", Outputs: "T y", Body: "y = a + b"}}
	ramps      = programs{source: device.Source{Name: "ramp", Scalars: "T first, T step", Outputs: "T y", Body: "y = first + T(i)*step"}}
)

func identityProgram(t dtype.DType) *device.Program { return identities.of(t) }
func fillProgram(t dtype.DType) *device.Program     { return fills.of(t) }
func sumProgram(t dtype.DType) *device.Program      { return sums.of(t) }
func rampProgram(t dtype.DType) *device.Program     { return ramps.of(t) }
