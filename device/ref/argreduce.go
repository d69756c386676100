package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ArgReduce stores the index of the largest or smallest value along the last axes, counted in row-major order. At ties
// the first index wins. The first NaN precedes all other values. The axes must not be empty.
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
		best, found := value{}, int64(-1)
		for position, i := range points(inner) {
			copy(index[len(outer):], i)
			v := x.load(x.at(index), t)
			if found < 0 || !isNaN(t, best) && (isNaN(t, v) || apply(better, t, v, best).i != 0) {
				best, found = v, int64(position)
			}
		}
		if found < 0 {
			panic("ref: ArgReduce over empty axes")
		}
		y.store(y.at(o), value{i: found}, dtype.Int64)
	}
}

func isNaN(t dtype.DType, v value) bool { return apply(device.OpIsNaN, t, v, value{}).i != 0 }
