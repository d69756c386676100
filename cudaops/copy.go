package cudaops

import "github.com/ndgrad/ndgrad/device"

// Copy stores x in y, converted to y's type.
func (d *Device) Copy(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	l.Coalesce()
	y, x := &l.Operands[0], &l.Operands[1]
	if y.DType == x.DType && l.Rank <= 1 && (l.Size() == 1 || y.Strides[0] == 1 && x.Strides[0] == 1) {
		size := x.DType.Size()
		d.check(l.Func, d.context.Copy(address(y.Memory, y.Offset*size), address(x.Memory, x.Offset*size), l.Size()*size, d.stream))
		return
	}
	e := entry{file: "copy", name: "copy"}
	if y.DType != x.DType {
		e.name = "convert_elements"
	}
	a := newArguments(limitOf(l.Rank))
	a.launchLoop(l, 2, 2)
	d.run(l.Func, e, over(l.Size()), threads, 0, a)
}
