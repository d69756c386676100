package bench

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// beyond are functions that programs call beside those of the other groups: small products in batches, padding, counting, making and
// copying arrays, selecting, sets, statistics.
func beyond() []Case {
	return slices.Concat(beyondProducts(), beyondLayout(), beyondCounting(), beyondMaking(), beyondSelecting(), beyondArithmetic())
}

// ofOne is a case of a function of one array.
func ofOne(name string, operand func() *nd.Array, f func(x *nd.Array) *nd.Array) Case {
	return fixed("beyond/"+name, 0, func() []*nd.Array { return []*nd.Array{operand()} }, func(in []*nd.Array) *nd.Array { return f(in[0]) })
}

// ofTwo is a case of a function of two arrays.
func ofTwo(name string, operands func() (a, b *nd.Array), f func(a, b *nd.Array) *nd.Array) Case {
	return fixed("beyond/"+name, 0, func() []*nd.Array {
		a, b := operands()
		return []*nd.Array{a, b}
	}, func(in []*nd.Array) *nd.Array { return f(in[0], in[1]) })
}

// drawn is a case of a function of a stream of random numbers.
func drawn(name string, f func(rng *nd.Rand) *nd.Array) Case {
	return fixed("beyond/"+name, 0, func() []*nd.Array { return nil }, func([]*nd.Array) *nd.Array { return f(stream) })
}

func beyondProducts() (cs []Case) {
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
		for _, s := range [][2]int{{10000, 4}, {5000, 8}, {500, 32}} {
			batch, n := s[0], s[1]
			cs = append(cs, ofTwo(fmt.Sprintf("matmul/%dx%dx%d/%s", batch, n, n, short(dt)), func() (a, b *nd.Array) {
				return floats(dt, -1, 1, batch, n, n), floats(dt, -1, 1, batch, n, n)
			}, func(a, b *nd.Array) *nd.Array { return ops.MatMul(a, b) }))
		}
		cs = append(cs, ofOne("det/100000x4x4/"+short(dt), func() *nd.Array { return floats(dt, -1, 1, 100000, 4, 4) }, linalg.Det))
	}
	for _, dt := range []dtype.DType{dtype.BFloat16, dtype.Float16} {
		for _, n := range []int{64, 256, 1024} {
			cs = append(cs, ofTwo(fmt.Sprintf("matmul/%d/%s", n, short(dt)), func() (a, b *nd.Array) {
				return f32(n, n).AsType(dt), f32(n, n).AsType(dt)
			}, func(a, b *nd.Array) *nd.Array { return ops.MatMul(a, b) }))
		}
	}
	for _, n := range []int{4, 30} {
		cs = append(cs, ofTwo(fmt.Sprintf("kron/%dx%d/f64", n, n), func() (a, b *nd.Array) {
			return floats(dtype.Float64, -1, 1, n, n), floats(dtype.Float64, -1, 1, n, n)
		}, linalg.Kron))
	}
	for _, s := range []struct {
		name string
		n, m int
	}{{"1e3x11", 1e3, 11}, {"1e4x100", 1e4, 100}, {"1e6x11", 1e6, 11}, {"1e5x1000", 1e5, 1000}} {
		cs = append(cs, ofTwo("convolve/"+s.name+"/f64", func() (a, b *nd.Array) {
			return floats(dtype.Float64, -1, 1, s.n), floats(dtype.Float64, -1, 1, s.m)
		}, func(a, b *nd.Array) *nd.Array { return conv.Convolve1D(a, b) }))
	}
	return cs
}

func beyondLayout() (cs []Case) {
	image := func() *nd.Array { return f32(32, 3, 224, 224) }
	for _, mode := range []ops.PadMode{ops.PadConstant, ops.PadReflect, ops.PadEdge, ops.PadWrap, ops.PadSymmetric} {
		pad := func(x *nd.Array) *nd.Array { return ops.Pad(x, 3, ops.PadOptions{Mode: mode}) }
		cs = append(cs,
			ofOne(fmt.Sprintf("pad_%s/1e3/f32", mode), func() *nd.Array { return f32(1e3) }, pad),
			ofOne(fmt.Sprintf("pad_%s/1000x1000/f32", mode), func() *nd.Array { return f32(1000, 1000) }, pad))
	}
	vector := func() *nd.Array { return f32(1e6) }
	matrix := func() *nd.Array { return f32(1000, 1000) }
	last := func(in []*nd.Array) *nd.Array { return ops.Stack(in, ops.Over(-1)) }
	return append(cs,
		ofOne("pad_reflect/32x3x224x224/f32", image, func(x *nd.Array) *nd.Array {
			return ops.Pad(x, []int{3, 3, 3, 3}, ops.PadOptions{Mode: ops.PadReflect})
		}),
		ofOne("reversed_copy/1e3/f32", func() *nd.Array { return f32(1e3).Flip() }, (*nd.Array).Copy),
		ofOne("reversed_copy/1e6/f32", func() *nd.Array { return vector().Flip() }, (*nd.Array).Copy),
		ofOne("reversed_copy/1e6/f64", func() *nd.Array { return floats(dtype.Float64, -1, 1, 1e6).Flip() }, (*nd.Array).Copy),
		ofOne("reversed_copy/columns_1000x1000/f32", func() *nd.Array { return matrix().Flip(1) }, (*nd.Array).Copy),
		ofOne("reversed_copy/rows_1000x1000/f32", func() *nd.Array { return matrix().Flip(0) }, (*nd.Array).Copy),
		ofOne("repeat2/1e3/f32", func() *nd.Array { return f32(1e3) }, func(x *nd.Array) *nd.Array { return ops.Repeat(x, 2) }),
		ofOne("repeat2/1e6/f32", vector, func(x *nd.Array) *nd.Array { return ops.Repeat(x, 2) }),
		ofOne("repeat3_axis0/1000x1000/f32", matrix, func(x *nd.Array) *nd.Array { return ops.Repeat(x, 3, ops.Over(0)) }),
		ofOne("repeat3_axis1/1000x1000/f32", matrix, func(x *nd.Array) *nd.Array { return ops.Repeat(x, 3, ops.Over(1)) }),
		fixed("beyond/stack_last2/1e3/f32", 0, func() []*nd.Array { return []*nd.Array{f32(1e3), f32(1e3)} }, last),
		fixed("beyond/stack_last2/1e6/f32", 0, func() []*nd.Array { return []*nd.Array{f32(1e6), f32(1e6)} }, last),
		fixed("beyond/stack_last3/1e6/f32", 0, func() []*nd.Array { return []*nd.Array{f32(1e6), f32(1e6), f32(1e6)} }, last),
		fixed("beyond/stack_last4/1e6/f32", 0, func() []*nd.Array { return []*nd.Array{f32(1e6), f32(1e6), f32(1e6), f32(1e6)} }, last))
}

func beyondCounting() (cs []Case) {
	for _, size := range []struct {
		name string
		n    int
	}{{"1e3", 1e3}, {"1e6", 1e6}} {
		reals := func() *nd.Array { return floats(dtype.Float64, -1, 1, size.n) }
		cs = append(cs,
			ofOne("histogram10/"+size.name+"/f64", reals, func(x *nd.Array) *nd.Array { return first(ops.Histogram(x)) }),
			ofOne("histogram100/"+size.name+"/f32", func() *nd.Array { return f32(size.n) }, func(x *nd.Array) *nd.Array {
				return first(ops.Histogram(x, ops.HistogramOptions{Bins: 100}))
			}),
			ofOne("bincount1000/"+size.name+"/i64", func() *nd.Array { return integers(1000, size.n) }, func(x *nd.Array) *nd.Array { return ops.Bincount(x) }),
			ofTwo("bincount1000_weights/"+size.name+"/f64", func() (a, b *nd.Array) { return integers(1000, size.n), reals() },
				func(x, w *nd.Array) *nd.Array { return ops.Bincount(x, ops.BincountOptions{Weights: w}) }),
			ofTwo("interp1000/"+size.name+"/f64", func() (a, b *nd.Array) { return reals(), nd.Linspace(-1, 1, 1000, arrayDouble()) },
				func(x, p *nd.Array) *nd.Array { return ops.Interp(x, p, p) }),
			ofOne("unique100/"+size.name+"/i64", func() *nd.Array { return integers(100, size.n) }, func(x *nd.Array) *nd.Array { return ops.Unique(x) }),
			ofOne("unique/"+size.name+"/f32", func() *nd.Array { return f32(size.n) }, func(x *nd.Array) *nd.Array { return ops.Unique(x) }),
			ofTwo("isin100/"+size.name+"/i64", func() (a, b *nd.Array) { return integers(1000, size.n), integers(1000, 100) },
				func(x, set *nd.Array) *nd.Array { return ops.IsIn(x, set) }),
			ofTwo("isin1000_wide/"+size.name+"/i64", func() (a, b *nd.Array) { return integers(1<<40, size.n), integers(1<<40, 1000) },
				func(x, set *nd.Array) *nd.Array { return ops.IsIn(x, set) }))
	}
	return cs
}

// arrayDouble are the options of new arrays of float64.
func arrayDouble() nd.SpaceOptions { return nd.SpaceOptions{DType: dtype.Float64, Device: target} }

// first releases all but the first result.
func first(y, other *nd.Array) *nd.Array {
	other.Release()
	return y
}

func beyondMaking() (cs []Case) {
	none := func() []*nd.Array { return nil }
	making := func(name string, f func() *nd.Array) {
		cs = append(cs, fixed("beyond/"+name, 0, none, func([]*nd.Array) *nd.Array { return f() }))
	}
	for _, size := range []struct {
		name string
		n    int
	}{{"1e3", 1e3}, {"1e6", 1e6}} {
		n := size.n
		making("arange/"+size.name+"/i64", func() *nd.Array { return nd.ArangeInt(0, n, 1, arrayOptions(dtype.Int64)) })
		making("arange/"+size.name+"/f32", func() *nd.Array { return nd.Arange(0, float64(n), 1, arrayOptions(dtype.Float32)) })
		making("arange_step/"+size.name+"/f64", func() *nd.Array { return nd.Arange(0, float64(n)/4, 0.25, arrayOptions(dtype.Float64)) })
		making("linspace/"+size.name+"/f64", func() *nd.Array { return nd.Linspace(-1, 1, n, arrayDouble()) })
		making("linspace/"+size.name+"/f32", func() *nd.Array {
			return nd.Linspace(-1, 1, n, nd.SpaceOptions{DType: dtype.Float32, Device: target})
		})
		whole := func(dt dtype.DType) func(rng *nd.Rand) *nd.Array {
			return func(rng *nd.Rand) *nd.Array { return random.Integers(rng, 0, 1000, []int{n}, arrayOptions(dt)) }
		}
		cs = append(cs,
			drawn("integers1000/"+size.name+"/i64", whole(dtype.Int64)),
			drawn("integers1000/"+size.name+"/i32", whole(dtype.Int32)),
			drawn("permutation/"+size.name+"/i64", func(rng *nd.Rand) *nd.Array { return random.Permutation(rng, n, arrayOptions(dtype.Int64)) }),
			drawn("choice_tenth/"+size.name+"/i64", func(rng *nd.Rand) *nd.Array {
				return random.Choice(rng, n, []int{n / 10}, random.ChoiceOptions{Replace: new(false)})
			}))
	}
	return append(cs, drawn("choice_1000of/1e6/i64", func(rng *nd.Rand) *nd.Array {
		return random.Choice(rng, 1e6, []int{1000}, random.ChoiceOptions{Replace: new(false)})
	}))
}

func beyondSelecting() (cs []Case) {
	for _, size := range []struct {
		name string
		n    int
	}{{"1e3", 1e3}, {"1e6", 1e6}} {
		n := size.n
		single32, double64 := func() *nd.Array { return f32(n) }, func() *nd.Array { return floats(dtype.Float64, -1, 1, n) }
		half := []int{n / 2}
		cs = append(cs,
			ofOne("partition/"+size.name+"/f32", single32, func(x *nd.Array) *nd.Array { return ops.Partition(x, half) }),
			ofOne("partition/"+size.name+"/f64", double64, func(x *nd.Array) *nd.Array { return ops.Partition(x, half) }),
			ofOne("partition/"+size.name+"/i64", func() *nd.Array { return integers(1<<40, n) }, func(x *nd.Array) *nd.Array { return ops.Partition(x, half) }),
			ofOne("argpartition/"+size.name+"/f32", single32, func(x *nd.Array) *nd.Array { return ops.ArgPartition(x, half) }),
			ofOne("argpartition/"+size.name+"/f64", double64, func(x *nd.Array) *nd.Array { return ops.ArgPartition(x, half) }),
			ofOne("median/"+size.name+"/f64", double64, func(x *nd.Array) *nd.Array { return ops.Median(x) }),
			ofOne("sort/"+size.name+"/i64", func() *nd.Array { return integers(1<<40, n) }, func(x *nd.Array) *nd.Array { return ops.Sort(x) }),
			ofOne("sort1000/"+size.name+"/i64", func() *nd.Array { return integers(1000, n) }, func(x *nd.Array) *nd.Array { return ops.Sort(x) }),
			ofOne("sort/"+size.name+"/f64", double64, func(x *nd.Array) *nd.Array { return ops.Sort(x) }),
			ofOne("nonzero/"+size.name+"/bool", func() *nd.Array { return bools(n) }, func(x *nd.Array) *nd.Array { return ops.Nonzero(x)[0] }),
			ofOne("nonzero_few/"+size.name+"/bool", func() *nd.Array { return ops.Greater(f32(n), 0.98) }, func(x *nd.Array) *nd.Array { return ops.Nonzero(x)[0] }),
			ofOne("any/"+size.name+"/bool", func() *nd.Array { return nd.Zeros([]int{n}, arrayOptions(dtype.Bool)) }, func(x *nd.Array) *nd.Array { return ops.Any(x) }),
			ofOne("all/"+size.name+"/bool", func() *nd.Array { return nd.Ones([]int{n}, arrayOptions(dtype.Bool)) }, func(x *nd.Array) *nd.Array { return ops.All(x) }))
	}
	return append(cs,
		ofOne("nonzero/1000x1000/f32", func() *nd.Array { return f32(1000, 1000) }, func(x *nd.Array) *nd.Array {
			at := ops.Nonzero(x)
			return first(at[0], at[1])
		}),
		ofOne("partition_rows/1000x1000/f32", func() *nd.Array { return f32(1000, 1000) },
			func(x *nd.Array) *nd.Array { return ops.Partition(x, []int{500}, ops.Over(1)) }),
		ofOne("sort_rows/1000x1000/i64", func() *nd.Array { return integers(1<<40, 1000, 1000) },
			func(x *nd.Array) *nd.Array { return ops.Sort(x, ops.Over(1)) }),
		ofOne("any_axis1/1000x1000/bool", func() *nd.Array { return nd.Zeros([]int{1000, 1000}, arrayOptions(dtype.Bool)) },
			func(x *nd.Array) *nd.Array { return ops.Any(x, ops.Over(1)) }),
		ofOne("sum_axis0/1000x1000/i64", func() *nd.Array { return integers(1000, 1000, 1000) }, func(x *nd.Array) *nd.Array { return ops.Sum(x, ops.Over(0)) }),
		ofOne("sum_axis1/1000x1000/i64", func() *nd.Array { return integers(1000, 1000, 1000) }, func(x *nd.Array) *nd.Array { return ops.Sum(x, ops.Over(1)) }),
		Case{Name: "beyond/embedding_backward/50000x256_take8192/f32", Setup: embeddingBackward})
}

// embeddingBackward is the gradient of rows with respect to the table.
func embeddingBackward() func() *nd.Array {
	weights, at, gy := f32(50000, 256), integers(50000, 8192), f32(8192, 256)
	tape := grad.NewTape()
	return func() *nd.Array {
		w := tape.Watch(weights)
		_ = tape.VJP([]*nd.Array{ops.Embedding(at, w)}, []*nd.Array{gy}, w)
		tape.Reset()
		return nil
	}
}

func beyondArithmetic() (cs []Case) {
	for _, size := range []struct {
		name string
		n    int
	}{{"1e3", 1e3}, {"1e6", 1e6}} {
		n := size.n
		for _, dt := range []dtype.DType{dtype.Complex64, dtype.Complex128} {
			complexes := func() *nd.Array { return floats(dt.Real(), -1, 1, 2*n).View(dt) }
			cs = append(cs,
				ofTwo("multiply/"+size.name+"/"+short(dt), func() (a, b *nd.Array) { return complexes(), complexes() },
					func(a, b *nd.Array) *nd.Array { return ops.Multiply(a, b) }),
				ofOne("abs/"+size.name+"/"+short(dt), complexes, func(x *nd.Array) *nd.Array { return ops.Absolute(x) }))
		}
		for _, dt := range []dtype.DType{dtype.Int64, dtype.Int32} {
			whole := func() *nd.Array { return integers(1<<30, n).AsType(dt) }
			divisors := func() *nd.Array { return ops.Add(integers(1000, n), 1).AsType(dt) }
			cs = append(cs,
				ofTwo("floor_divide/"+size.name+"/"+short(dt), func() (a, b *nd.Array) { return whole(), divisors() },
					func(a, b *nd.Array) *nd.Array { return ops.FloorDivide(a, b) }),
				ofOne("floor_divide7/"+size.name+"/"+short(dt), whole, func(x *nd.Array) *nd.Array { return ops.FloorDivide(x, 7) }))
		}
	}
	for _, s := range [][2]int{{10, 100}, {100, 10000}} {
		name := fmt.Sprintf("/%dx%d/f64", s[0], s[1])
		x := func() *nd.Array { return floats(dtype.Float64, -1, 1, s[0], s[1]) }
		cs = append(cs,
			ofOne("cov"+name, x, func(x *nd.Array) *nd.Array { return ops.Cov(x) }),
			ofOne("corrcoef"+name, x, func(x *nd.Array) *nd.Array { return ops.CorrCoef(x) }))
	}
	return cs
}
