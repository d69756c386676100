package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func layout() (cs []Case) {
	single := arrayOptions(dtype.Float32)
	assigned := func(name string, bytes float64, source func() *nd.Array) Case {
		return Case{Name: "layout/" + name + "/f32", Bytes: bytes, Setup: func() func() *nd.Array {
			x := source()
			y := nd.Zeros(x.Shape(), single)
			return func() *nd.Array {
				y.Assign(x)
				return nil
			}
		}}
	}
	cs = []Case{
		assigned("transpose_copy/4096x4096", 8*4096*4096, func() *nd.Array { return f32(4096, 4096).T() }),
		assigned("nchw_to_nhwc/32x64x56x56", 8*32*64*56*56, func() *nd.Array { return f32(32, 64, 56, 56).Transpose(0, 2, 3, 1) }),
		assigned("copy/1.6e7", 8*16e6, func() *nd.Array { return f32(16e6) }),
	}
	for axis := range 2 {
		cs = append(cs, fixed(fmt.Sprintf("layout/concat_axis%d/4x1024x1024/f32", axis), 8*4*1024*1024, func() []*nd.Array {
			return []*nd.Array{f32(1024, 1024), f32(1024, 1024), f32(1024, 1024), f32(1024, 1024)}
		}, func(in []*nd.Array) *nd.Array { return ops.Concatenate(in, ops.Over(axis)) }))
	}
	cs = append(cs, fixed("layout/cast_u8_f32/1e6/f32", 5e6, func() []*nd.Array {
		return []*nd.Array{integers(255, 1e6).AsType(dtype.Uint8)}
	}, func(in []*nd.Array) *nd.Array { return in[0].AsType(dtype.Float32) }))
	none := func() []*nd.Array { return nil }
	for _, size := range sizes {
		shape, bytes := []int{size.n}, 4*float64(size.n)
		cs = append(cs,
			fixed("alloc/zeros/"+size.name+"/f32", bytes, none, func([]*nd.Array) *nd.Array { return nd.Zeros(shape, single) }),
			fixed("alloc/full/"+size.name+"/f32", bytes, none, func([]*nd.Array) *nd.Array { return nd.Full(shape, 1, single) }))
	}
	return cs
}
