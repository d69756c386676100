package nn

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// A layer whose weights are a product of factors has the factors as parameters. The initial values of all factors come
// from one array: the initial weights that the layer would have without factors.

// factor is a parameter that is one of several factors.
type factor struct {
	name  string
	shape []int
}

// factored returns the parameters that are the factors of a layer's weights. Existing factors in the scope stay as they
// are. If none exists, split makes the initial values of all factors from weights that initial makes in the given
// shape, in a dtype that can be decomposed. split also gets the rest of the random stream of the first factor.
func (s *Scope) factored(fn nd.Func, of []factor, shape []int, initial initializer.Initializer,
	split func(w *nd.Array, rng *nd.Rand) []*nd.Array) []*nd.Array {
	missing := slices.IndexFunc(of, func(f factor) bool { return s.Param(f.name) == nil })
	there := slices.IndexFunc(of, func(f factor) bool { return s.Param(f.name) != nil })
	if missing >= 0 && there >= 0 {
		panic(fn.Errorf(nil, "%q exists and %q does not: want all factors in the scope, or none",
			s.full(of[there].name), s.full(of[missing].name)))
	}
	made := make([]initializer.Initializer, len(of))
	if missing >= 0 {
		rng := s.owner.stream(s.full(of[0].name))
		weights := s.weights(fn, rng, shape, initial)
		defer weights.Release()
		temporaries := fn.Temporaries(&weights)
		defer temporaries.Release()
		for i, x := range split(weights, rng) {
			made[i] = initializer.Values(x)
		}
	}
	factors := make([]*nd.Array, len(of))
	for i, f := range of {
		factors[i] = s.Parameter(f.name, f.shape, made[i], true)
	}
	return factors
}

// weights makes initial values that belong to no parameter.
func (s *Scope) weights(fn nd.Func, rng *nd.Rand, shape []int, initial initializer.Initializer) *nd.Array {
	x := initial(rng, shape, s.owner.like)
	if x == nil || !broadcast.Equal(x.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{x}, "the initializer of the weights made an array of another shape than %s",
			broadcast.FormatShape(shape)))
	}
	dt := s.owner.like.DType
	if dt.Size() < 4 {
		dt = dtype.Float32
	}
	w := s.owner.stored(x, dt)
	made := fn.Temporaries(&w)
	defer made.Release()
	if !nd.Value[bool](ops.All(ops.IsFinite(w))) {
		panic(fn.Errorf([]*nd.Array{w}, "the initializer of the weights made numbers that are not finite"))
	}
	return made.Keep(w)
}

// wantRank refuses a rank that is not positive. For new weights it also refuses a rank above limit, the largest that
// they can have.
func wantRank(fn nd.Func, x *nd.Array, r, limit int) {
	switch {
	case r < 1:
		panic(fn.Errorf([]*nd.Array{x}, "rank %d: want a positive one", r))
	case r > limit:
		panic(fn.Errorf([]*nd.Array{x}, "rank %d: want at most %d, which the weights have", r, limit))
	}
}
