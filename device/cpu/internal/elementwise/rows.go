package elementwise

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// rowwise is a launch whose inner rows can be run directly on the operands. Workers share it.
type rowwise struct {
	*Evaluation
	code *vm.Code
}

// shortestRow is the shortest row that is run on its own.
const shortestRow = 48

// interpretRows runs the launch row by row, if each row of each operand is contiguous or is one element. It reports
// whether it did.
func (e *Evaluation) interpretRows() bool {
	pl, l := e.plan, e.launch
	if pl.Raw || e.Row < shortestRow && e.Row != e.size {
		return false
	}
	var layout vm.Layout
	outputs := len(pl.Results)
	for k := range outputs {
		y := &e.outputs[k]
		if y.Step() != 1 && e.Row > 1 {
			return false
		}
		layout.DTypes[k] = y.DType
	}
	for k := range pl.program.Inputs {
		x := &e.Inputs[k]
		layout.DTypes[outputs+k] = x.DType
		switch x.Step() {
		case 1:
		case 0:
			layout.Uniform |= 1 << (outputs + k)
		default:
			switch {
			case e.Row == 1:
				layout.Uniform |= 1 << (outputs + k)
			case x.Step() == 2 && (x.Size == 4 || x.Size == 8):
				layout.Seconds |= 1 << (outputs + k)
			default:
				return false
			}
		}
	}
	if l.Where != 0 {
		if e.where.Step() != 1 && e.Row > 1 {
			return false
		}
		layout.Where = true
	}
	layout.BypassCaches = e.streamsRows()
	r := rowwise{e, pl.code(&layout)}
	if r.code == nil && layout.BypassCaches {
		layout.BypassCaches = false
		r.code = pl.code(&layout)
	}
	if r.code == nil {
		return false
	}
	if !workers.Sharing(workers.Estimate(e.size, r.code.Cost)) {
		r.run(0, e.size)
		return true
	}
	const unit = 1024 // points: the piece of one worker begins at a cache line
	workers.ForRanges((e.size+unit-1)/unit, unit*r.code.Cost, func(from, to int) { r.run(from*unit, min(to*unit, e.size)) })
	return true
}

// streamsRows is streamsFlat for rows.
func (e *Evaluation) streamsRows() bool {
	results, all := 0, 0
	for k := range e.plan.Results {
		y := &e.outputs[k]
		results += e.size * y.Size
		if uintptr(y.Base)%vm.Alignment != 0 || e.Row != e.size && (!y.Flat || e.Row*y.Size%vm.Alignment != 0) {
			return false
		}
		for i := range e.Inputs {
			if e.Inputs[i].Base == y.Base {
				return false
			}
		}
	}
	for k := range e.plan.program.Inputs {
		all += e.Inputs[k].Extent()
	}
	return isa.Streams(results, results+all) && e.launch.Where == 0
}

// walker has the current rows of the operands of one worker.
type walker struct {
	operands [device.MaxOperands]strided.Cursor
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

// run computes the points of a range.
func (r rowwise) run(from, to int) {
	outputs, inputs := len(r.plan.Results), len(r.plan.program.Inputs)
	run := vm.NewRunner(r.code, &r.launch.Scalars, r.size)
	w := walkers.Get().(*walker)
	for k := range r.launch.N {
		w.operands[k].Seek(r.operand(k), from)
	}
	most := r.code.MostRows(r.Row)
	for from < to {
		n, rows := min(r.Row-from%r.Row, to-from), 1
		if n == r.Row {
			rows = min(most, (to-from)/n, w.operands[0].RowsAlong())
		}
		run.ForRows()
		for k := range r.launch.N {
			v, c := r.operand(k), &w.operands[k]
			p, pitch := v.Element(c.Offset), c.RowPitch()*v.Size
			if input := k - outputs; input >= 0 && input < inputs && r.code.IsUniform(k) {
				run.SetUniformRows(input, p, pitch)
			} else {
				run.SetStreamRows(k, p, pitch)
			}
			c.NextRows(max(rows, 1))
		}
		if rows > 1 {
			run.RunRows(rows, n)
			from += rows * n
		} else {
			run.Run(n)
			from += n
		}
	}
	walkers.Put(w)
	run.Recycle()
}
