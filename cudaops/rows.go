package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// A team of threads processes a row. Each thread holds a few elements at a time: kernels/rows.cuh.
const (
	held       = 8       // elements that a thread holds
	leastLanes = 8       // threads of a team
	mostLanes  = threads // a whole block
)

// team is the number of threads that process a row, and the number of threads in a block. It depends only on the length
// of the rows.
type team struct{ lanes, threads int }

func teamOf(length int) team {
	t := team{leastLanes, threads}
	for t.lanes < mostLanes && t.lanes*held < length {
		t.lanes *= 2
	}
	if t.lanes > warpLanes {
		t.threads = t.lanes
	}
	return t
}

// blocks returns the number of blocks whose teams cover the given number of rows.
func (t team) blocks(rows int) int {
	each := t.threads / t.lanes
	return min((rows+each-1)/each, maxBlocks)
}

// floatType returns the type that a float kernel computes in: float64 if an operand has it, otherwise float32.
func floatType(l *device.Launch) dtype.DType {
	for k := range l.N {
		if o := &l.Operands[k]; o.DType == dtype.Float64 && !o.Memory.IsNil() {
			return dtype.Float64
		}
	}
	return dtype.Float32
}
