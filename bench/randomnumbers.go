package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

func randomNumbers() []Case {
	single := arrayOptions(dtype.Float32)
	none := func() []*nd.Array { return nil }
	return []Case{
		fixed("random/normal/1e6/f32", 4e6, none, func([]*nd.Array) *nd.Array { return random.Normal(stream, 0, 1, []int{1e6}, single) }),
		fixed("random/uniform/1e6/f32", 4e6, none, func([]*nd.Array) *nd.Array { return random.Uniform(stream, 0, 1, []int{1e6}, single) }),
	}
}
