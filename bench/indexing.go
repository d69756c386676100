package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func indexing() []Case {
	single := arrayOptions(dtype.Float32)
	return []Case{
		fixed("index/embedding/50000x256_take8192/f32", 8*8192*256, func() []*nd.Array {
			return []*nd.Array{f32(50000, 256), integers(50000, 8192)}
		}, func(in []*nd.Array) *nd.Array { return ops.Take(in[0], in[1], ops.Over(0)) }),
		fixed("index/gather_axis1/4096x1024/f32", 16*4096*1024, func() []*nd.Array {
			return []*nd.Array{f32(4096, 1024), integers(1024, 4096, 1024)}
		}, func(in []*nd.Array) *nd.Array { return ops.TakeAlongAxis(in[0], in[1], ops.Over(1)) }),
		fixed("index/scatter_add/1e6into1e5/f32", 12e6, func() []*nd.Array {
			return []*nd.Array{nd.Zeros([]int{1e5}, single), integers(1e5, 1e6), f32(1e6)}
		}, accumulate),
		fixed("index/index_add_rows/8192x256into50000/f32", 12*8192*256, func() []*nd.Array {
			return []*nd.Array{nd.Zeros([]int{50000, 256}, single), integers(50000, 8192), f32(8192, 256)}
		}, accumulate),
		fixed("index/boolmask/1e6/f32", 7e6, func() []*nd.Array { return []*nd.Array{f32(1e6), bools(1e6)} },
			func(in []*nd.Array) *nd.Array { return in[0].Index(nd.Pick(in[1])) }),
		fixed("index/where/1e6/f32", 13e6, func() []*nd.Array { return []*nd.Array{bools(1e6), f32(1e6), f32(1e6)} },
			func(in []*nd.Array) *nd.Array { return ops.Where(in[0], in[1], in[2]) }),
		fixed("index/one_hot/65536x100/f32", 4*65536*100, func() []*nd.Array { return []*nd.Array{integers(100, 65536, 1)} },
			func(in []*nd.Array) *nd.Array { return ops.OneHot(in[0], []int{100}, single) }),
	}
}

// accumulate adds in place, as the peers do.
func accumulate(in []*nd.Array) *nd.Array {
	ops.AccumulateAt(in[0], in[2], nd.Pick(in[1]))
	return nil
}

func sorting() []Case {
	vector := func() []*nd.Array { return []*nd.Array{f32(1e6)} }
	top := func(k int) func(in []*nd.Array) *nd.Array {
		return func(in []*nd.Array) *nd.Array {
			values, positions := ops.TopK(in[0], k)
			positions.Release()
			return values
		}
	}
	return []Case{
		fixed("sort/sort/1e6/f32", 0, vector, func(in []*nd.Array) *nd.Array { return ops.Sort(in[0]) }),
		fixed("sort/argsort/1e6/f32", 0, vector, func(in []*nd.Array) *nd.Array { return ops.ArgSort(in[0]) }),
		fixed("sort/topk10/1e6/f32", 0, vector, top(10)),
		fixed("sort/topk5/64x50000/f32", 0, func() []*nd.Array { return []*nd.Array{f32(64, 50000)} }, top(5)),
	}
}
