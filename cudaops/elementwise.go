package cudaops

import "github.com/ndgrad/ndgrad/device"

// Elementwise runs a program at each point of the loop.
func (d *Device) Elementwise(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	mergeElementwise(l)
	if d.elementwisePrinted(l) {
		return
	}
	code := d.code(l.Func, l.Program)
	a := newArguments(limitOf(l.Rank))
	a.code(code)
	a.int(l.Outputs)
	a.int(l.Where)
	a.scalars(l.Scalars[:], l.Program.Scalars, device.MaxScalars)
	a.launchLoop(l, l.N, device.MaxOperands)
	d.run(l.Func, elementwiseEntries[code.tier], over(l.Size()), threads, 0, a)
}

// Engines returns one engine for all programs: all kernels round after every operation. A joined program must have room for its values in
// the interpreter, so that long ones are not joined.
func (d *Device) Engines(p *device.Program) device.Engines {
	const long = 64
	if p.HasRaw() || len(p.Code) > long {
		return 0
	}
	return 1
}

// mergeElementwise fuses axes of a loop where the program permits it: points keep their numbers if the program reads
// them.
func mergeElementwise(l *device.Launch) {
	if l.Program.HasRaw() {
		l.Rank = merge(l, l.Program, 0, l.Rank)
	} else {
		l.Coalesce()
	}
}

// elementwisePrinted runs the printed form of a launch whose axes are merged, and reports whether there is one.
func (d *Device) elementwisePrinted(l *device.Launch) bool {
	if d.printing == printNever {
		return false
	}
	y := elementwiseLayout(l)
	t := d.translation(l.Program, translationKey{layout: y})
	if t.compiled() == 0 && t.isDue(d, l.Size()) {
		t.make(d, printElementwise(l.Program, y))
	}
	f := t.compiled()
	if f == 0 {
		return false
	}
	d.launch(l.Func, f, y.elementwiseBlocks(l), threads, 0, elementwiseArguments(l, y))
	return true
}

// elementwiseArguments returns the arguments of a printed program.
func elementwiseArguments(l *device.Launch, y layout) *arguments {
	a := newArguments(y.limit())
	a.scalars(l.Scalars[:], l.Program.Scalars, len(l.Program.Scalars))
	a.printedLoop(l, y)
	return a
}

// elementwiseBlocks returns the number of blocks of the printed form.
func (y *layout) elementwiseBlocks(l *device.Launch) int {
	n := y.pack
	if n == 1 {
		n = atATime(l.Program)
	}
	return over((l.Size() + n - 1) / n)
}

// printedLoop adds the loop of a printed program, with no more room than its layout needs.
func (a *arguments) printedLoop(l *device.Launch, y layout) {
	if y.divides() {
		a.divisors(l.Shape[:l.Rank])
	}
	a.launchLoop(l, l.N, l.N)
}
