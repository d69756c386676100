package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Reduce combines the program's values over the last axes, in row-major order. Floats are carried in float64 and complex
// numbers in complex128, and are rounded once, to the type of the program's result; integers wrap. The program Post,
// where there is one, then computes what is stored. Its loop is that of the outputs.
func (d *Device) Reduce(l *device.Launch) {
	y := d.operand(l, 0)
	outer, inner := split(l, l.Reduced)
	m := newMachine(l.Program, l.Scalars[:], l.Size(), d.inputs(l))
	result := l.Program.Outputs[0].Type
	post := newPost(l, broadcast.Size(outer))
	index := make([]int, l.Rank)
	for output, o := range points(outer) {
		copy(index, o)
		total := newTotal(l.Combine, result)
		for position, i := range points(inner) {
			copy(index[len(outer):], i)
			m.run(output*broadcast.Size(inner)+position, index)
			v, t := m.result(0)
			total.add(convert(v, t, total.carried))
		}
		v, t := post.finish(total.value(), result, output, o)
		y.store(y.at(o), v, t)
	}
}

// postProgram computes what is stored from the combined value.
type postProgram struct {
	machine  *machine // nil for none
	combined value
	from     dtype.DType
}

func newPost(l *device.Launch, outputs int) *postProgram {
	p := &postProgram{}
	if l.Post != nil {
		p.machine = newMachine(l.Post, l.Scalars[len(l.Program.Scalars):], outputs, nil)
		p.machine.input = func(_ int, _ []int, t dtype.DType) value { return convert(p.combined, p.from, t) }
	}
	return p
}

func (p *postProgram) finish(combined value, t dtype.DType, output int, index []int) (value, dtype.DType) {
	if p.machine == nil {
		return combined, t
	}
	p.combined, p.from = combined, t
	p.machine.run(output, index)
	return p.machine.result(0)
}

// total is a running combination of values of one type.
type total struct {
	combine device.Combine
	dtype   dtype.DType
	carried dtype.DType // the type in which it is carried
	sum     value
	empty   bool
}

func newTotal(c device.Combine, t dtype.DType) *total {
	return &total{combine: c, dtype: t, carried: wide(t), empty: true}
}

// add takes in a value of type t.carried. The first one stands for itself.
func (t *total) add(v value) {
	if t.empty {
		t.sum, t.empty = v, false
		return
	}
	t.sum = apply(combining(t.combine), t.carried, t.sum, v)
}

// value returns the combination so far in type t.dtype: the identity where there was no value.
func (t *total) value() value {
	if t.empty {
		return identity(t.combine, t.dtype)
	}
	return convert(t.sum, t.carried, t.dtype)
}

// combining returns the opcode that combines two values. All and Any are and and or of bools.
func combining(c device.Combine) device.Op {
	switch c {
	case device.CombineSum:
		return device.OpAdd
	case device.CombineProd:
		return device.OpMul
	case device.CombineMax:
		return device.OpMax
	case device.CombineMin:
		return device.OpMin
	case device.CombineFMax:
		return device.OpFMax
	case device.CombineFMin:
		return device.OpFMin
	case device.CombineAll:
		return device.OpAnd
	case device.CombineAny:
		return device.OpOr
	}
	panic("ref: " + c.String() + " combines nothing")
}

// identity returns the value of type t that changes no value it is combined with: 0 for sums, 1 for products, the least
// value for Max, the greatest for Min. FMax and FMin of floats have not-a-number, the one value that they ignore.
func identity(c device.Combine, t dtype.DType) value {
	switch c {
	case device.CombineSum, device.CombineAny:
		return value{}
	case device.CombineProd, device.CombineAll:
		return value{i: 1, x: 1, z: 1}
	case device.CombineFMax, device.CombineFMin:
		if t.IsInexact() {
			nan := math.NaN()
			return value{x: nan, z: complex(nan, nan)}
		}
	}
	if c == device.CombineMax || c == device.CombineFMax {
		return least(t)
	}
	return greatest(t)
}

func least(t dtype.DType) value {
	inf := math.Inf(-1)
	return value{i: dtype.Info(t).MinInt, x: inf, z: complex(inf, inf)}
}

func greatest(t dtype.DType) value {
	inf := math.Inf(1)
	return value{i: int64(dtype.Info(t).MaxInt), x: inf, z: complex(inf, inf)}
}

// ArgReduce stores the place of the first largest or smallest value along the last axes, counted in row-major order. The
// first not-a-number comes before all others. There must be a value.
func (d *Device) ArgReduce(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	better := device.OpGt
	switch l.Combine {
	case device.CombineMax:
	case device.CombineMin:
		better = device.OpLt
	default:
		panic("ref: ArgReduce with " + l.Combine.String())
	}
	t := x.compute()
	outer, inner := split(l, l.Reduced)
	index := make([]int, l.Rank)
	for _, o := range points(outer) {
		copy(index, o)
		best, place := value{}, int64(-1)
		for position, i := range points(inner) {
			copy(index[len(outer):], i)
			v := x.load(x.at(index), t)
			if place < 0 || !isNaN(t, best) && (isNaN(t, v) || apply(better, t, v, best).i != 0) {
				best, place = v, int64(position)
			}
		}
		if place < 0 {
			panic("ref: ArgReduce of no values")
		}
		y.store(y.at(o), value{i: place}, dtype.Int64)
	}
}

func isNaN(t dtype.DType, v value) bool { return apply(device.OpIsNaN, t, v, value{}).i != 0 }
