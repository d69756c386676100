package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// A row has a team of threads, each of which holds a few of its elements at a time: kernels/rows.cuh.
const (
	held       = 8       // elements that a thread holds
	leastLanes = 8       // threads of a team
	mostLanes  = threads // a block
)

// team is how many threads go along a row, and how many are in a block: a function of the rows' length alone.
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

// blocks is how many blocks have teams for some rows.
func (t team) blocks(rows int) int {
	each := t.threads / t.lanes
	return min((rows+each-1)/each, maxBlocks)
}

// floatType returns the type that a kernel of floats computes in: float64 where there is one among the operands, else float32.
func floatType(l *device.Launch) dtype.DType {
	for k := range l.N {
		if o := &l.Operands[k]; o.DType == dtype.Float64 && !o.Memory.IsNil() {
			return dtype.Float64
		}
	}
	return dtype.Float32
}
