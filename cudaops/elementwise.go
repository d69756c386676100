package cudaops

import "github.com/ndgrad/ndgrad/device"

// Elementwise runs a program at each point of the loop.
func (d *Device) Elementwise(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	if !l.Program.HasRaw() {
		l.Coalesce()
	}
	a := newArguments(limitOf(l.Rank))
	a.code(d.code(l.Func, l.Program))
	a.int(l.Outputs)
	a.int(l.Where)
	a.scalars(l.Scalars[:], l.Program.Scalars, device.MaxScalars)
	a.launchLoop(l, l.N, device.MaxOperands)
	if f := d.printedFunction(l); f != 0 {
		d.launch(l.Func, f, over(l.Size()), threads, 0, a)
		return
	}
	d.run(l.Func, entry{file: "elementwise", name: "elementwise"}.forPrograms(l.Program), over(l.Size()), threads, 0, a)
}
