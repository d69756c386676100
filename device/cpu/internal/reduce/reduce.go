// Package reduce combines values along axes: the kernels Reduce and ArgReduce.
//
// Reduce combines an input, or a basic function of inputs, directly from the inputs (patternrows.go). It combines
// columns side by side (columns.go), and computes other programs in blocks. Sums are pairwise (pairwise.go): their
// error grows with the logarithm of the number of values.
package reduce

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Reduce combines the values of l.Program over the last axes. The values are computed in blocks and combined at once.
// How they are grouped depends only on the shape and the strides: workers take groups whose size is fixed, and the
// groups' results are combined in order.
func Reduce(l *device.Launch) {
	values := l.Program
	var whole *device.Launch // for a sum that must be computed again
	if l.AsStored {
		if !takesPieces(elementwise.PlanFor(values), l) {
			reduceStored(l)
			return
		}
		if l.Guarded() {
			whole = device.NewLaunch()
			*whole = *l
			defer whole.Recycle()
		}
	} else {
		l.Program = values.Terms(l.Squares, false)
	}
	pl := elementwise.PlanFor(l.Program)
	if !l.AsStored && reduceOneRow(pl, l) {
		return
	}
	r := reductions.Get().(*reduction)
	defer r.recycle()
	*r = reduction{plan: pl, launch: l, values: values, dtype: pl.Results[0].DType}
	var ok bool
	if r.fold, ok = foldOf(l.Combine, r.dtype); !ok {
		panic("cpu: " + l.Combine.String() + " combines no " + r.dtype.String())
	}
	r.width = r.dtype.Size()
	r.arrange()
	if r.outputs == 0 {
		return
	}
	var results *memory.Scratch
	if r.target = r.storage(); r.target == nil {
		results = memory.TakeScratch(r.outputs * r.width)
		r.target = results.At(0)
	}
	r.compute()
	if results != nil {
		if whole == nil || r.inRange() {
			r.finish()
		} else {
			reduceStored(whole)
		}
		results.Recycle()
	}
}

// reduction is a Reduce in progress.
type reduction struct {
	plan    *elementwise.Plan
	launch  *device.Launch
	values  *device.Program // of the launch, before they are squared
	dtype   dtype.DType     // the type of the values, in which they are combined
	width   int             // of a value, in bytes
	fold    fold
	kept    int // numbers of axes
	outputs int
	length  int            // values per output
	target  unsafe.Pointer // memory for the outputs' values, in row-major order
	eval    *elementwise.Evaluation
	pattern patternRows
	inPlace bool    // the values are combined directly from the inputs
	perSum  float64 // how long an output takes, in nanoseconds
}

// reductions are reused by later launches, without references to the operands.
var reductions = sync.Pool{New: func() any { return new(reduction) }}

func (r *reduction) recycle() {
	*r = reduction{}
	reductions.Put(r)
}

// arrange merges and reorders the axes, separately for the kept and the reduced ones. A program that reads by index
// needs the axes unchanged.
func (r *reduction) arrange() {
	l := r.launch
	r.kept = l.Rank - l.Reduced
	if !r.plan.Raw {
		if l.Post == nil || !elementwise.PlanFor(l.Post).Raw {
			r.kept = strided.SimplifyGroup(l, 0, r.kept)
		}
		strided.SimplifyGroup(l, r.kept, l.Rank)
	}
	strided.EnsureAxis(l)
	r.outputs, r.length = broadcast.Size(l.Shape[:r.kept]), broadcast.Size(l.Shape[r.kept:l.Rank])
}

// storage returns the output's own memory if the results can be computed there; else nil.
func (r *reduction) storage() unsafe.Pointer {
	y := strided.Within(r.launch, 0, 0, r.kept)
	if r.launch.Post == nil && y.Flat && y.DType == r.dtype && !r.readsOutput() {
		return y.Base
	}
	return nil
}

// readsOutput reports whether an input overlaps the output's memory.
func (r *reduction) readsOutput() bool {
	for _, x := range r.launch.Inputs() {
		if x.Memory.Handle == r.launch.Operands[0].Memory.Handle {
			return true
		}
	}
	return false
}

func (r *reduction) compute() {
	if r.length == 0 {
		strided.Splat(r.target, r.dtype, elementwise.Identity(r.launch.Combine, r.dtype), r.outputs)
		return
	}
	columns := r.columnwise()
	if columns {
		r.rotate()
	}
	r.eval = elementwise.NewEvaluation(r.plan, r.launch)
	switch r.pattern, r.inPlace = r.patternOf(); {
	case columns:
		r.reduceColumns()
	case r.inPlace && r.length == r.eval.Row && r.length <= reduce.Longest:
		r.reduceRows()
	case r.length <= strided.BlockLen && (!r.eval.WithinRows() || r.length == r.eval.Row):
		r.reduceShortRows()
	default:
		r.reduceLongRows()
	}
	r.perSum = r.cost() * float64(r.length)
	r.eval.Recycle()
}

// finish computes the stored values from the results.
func (r *reduction) finish() {
	l := r.launch
	if l.Post == nil {
		y := strided.Within(l, 0, 0, r.kept)
		y.Store(r.target, r.dtype, 0, r.outputs)
		return
	}
	post := device.NewLaunch()
	post.Program = l.Post
	copy(post.Scalars[:], l.Scalars[len(l.Program.Scalars):])
	post.Rank, post.N, post.Outputs = r.kept, 2, 1
	copy(post.Shape[:], l.Shape[:r.kept])
	post.Operands[0] = l.Operands[0]
	r.perOutput(&post.Operands[1], r.target, r.dtype)
	var units *memory.Scratch
	if l.Guarded() {
		if units = r.guard(); units == nil {
			post.Program = l.Post.ForUnit1()
		} else {
			post.N = 3
			r.perOutput(&post.Operands[2], units.At(0), r.dtype.Real())
		}
	}
	elementwise.Elementwise(post)
	post.Recycle()
	if units != nil {
		units.Recycle()
	}
}

// perOutput makes x an operand with one number of type t for each output, in row-major order.
func (r *reduction) perOutput(x *device.Operand, numbers unsafe.Pointer, t dtype.DType) {
	x.Memory, x.Offset, x.DType = device.Memory{Handle: numbers, Size: r.outputs * t.Size()}, 0, t
	broadcast.AppendStrides(x.Strides[:0], r.launch.Shape[:r.kept])
}

// combineCost is the cost of combining a value that a Go loop computed, in nanoseconds.
const combineCost = 0.4

func (r *reduction) cost() float64 {
	if r.inPlace && !r.launch.AsStored {
		return inPlaceCost * float64(r.width) / 4
	}
	if r.eval.Code != nil {
		return r.eval.Cost()
	}
	return r.plan.Cost + combineCost
}

// inPlaceCost is the cost of combining 4 bytes in place, in nanoseconds.
const inPlaceCost = 0.07

// reduceRows reduces rows that are combined in place, with one call for each.
func (r *reduction) reduceRows() {
	along := 1 // how many rows lie along the last kept axis
	if r.kept > 0 {
		along = r.launch.Shape[r.kept-1]
	}
	workers.ForRanges(r.outputs, r.cost()*float64(r.length), func(from, to int) {
		for from < to {
			n := min(along-from%along, to-from)
			r.pattern.rows(unsafe.Add(r.target, from*r.width), from*r.length, n, r.length, max(r.kept-1, 0))
			from += n
		}
	})
}

// reduceShortRows reduces several outputs from each block.
func (r *reduction) reduceShortRows() {
	perBlock := 1
	if !r.eval.WithinRows() {
		perBlock = strided.BlockLen / r.length
	}
	blocks := (r.outputs + perBlock - 1) / perBlock
	if workers.Sharing(workers.Estimate(r.outputs, r.cost()*float64(r.length))) {
		workers.ForRanges(blocks, r.cost()*float64(perBlock*r.length), func(from, to int) { r.shortRows(perBlock, from, to) })
		return
	}
	r.shortRows(perBlock, 0, blocks)
}

func (r *reduction) shortRows(perBlock, from, to int) {
	regs := r.eval.Registers()
	for block := from; block < to; block++ {
		output := block * perBlock
		n := min(perBlock, r.outputs-output)
		r.eval.Run(regs, output*r.length, n*r.length)
		r.fold.rows(unsafe.Add(r.target, output*r.width), r.value(regs), n, r.length, r.length)
	}
	regs.Recycle()
}

// value returns the block of values in regs.
func (r *reduction) value(regs *elementwise.Registers) unsafe.Pointer {
	return regs.Values[r.plan.Results[0].Register]
}

// reduceLongRows reduces one output after the other, in groups.
func (r *reduction) reduceLongRows() {
	groups := (r.length + strided.GroupLen - 1) / strided.GroupLen
	perGroup := r.cost() * float64(min(r.length, strided.GroupLen))
	if groups == 1 {
		if !workers.Sharing(workers.Estimate(r.outputs, perGroup)) {
			r.longRows(r.target, 1, 0, r.outputs)
			return
		}
		workers.ForRanges(r.outputs, perGroup, func(from, to int) { r.longRows(r.target, 1, from, to) })
		return
	}
	partial := memory.TakeScratch(r.outputs * groups * r.width)
	workers.ForRanges(r.outputs*groups, perGroup, func(from, to int) { r.longRows(partial.At(0), groups, from, to) })
	r.fold.rows(r.target, partial.At(0), r.outputs, groups, groups)
	partial.Recycle()
}

// longRows reduces groups of values, each to its own element of dst.
func (r *reduction) longRows(dst unsafe.Pointer, groups, from, to int) {
	const pitch = 16
	stack := memory.TakeScratch((maxLevels + inPlaceRows) * pitch)
	t := pairwise{fold: r.fold, base: stack.At(0), width: r.width, columns: 1, pitch: pitch}
	var regs *elementwise.Registers
	if !r.inPlace {
		regs = r.eval.Registers()
	}
	for k := from; k < to; k++ {
		if n := r.groupsAtOnce(k, groups, to); n > 1 {
			r.reduceGroups(unsafe.Add(dst, k*r.width), stack.At(maxLevels*pitch), k, groups, n)
			k += n - 1
			continue
		}
		output, group := k/groups, k%groups
		start := output*r.length + group*strided.GroupLen
		end := min(start+strided.GroupLen, (output+1)*r.length)
		t.reset()
		for start < end {
			var n int
			if r.inPlace {
				n = r.reduceInPlace(t.next(), stack.At(maxLevels*pitch), start, end)
			} else {
				n = r.cut(start, end)
				r.eval.Run(regs, start, n)
				r.fold.rows(t.next(), r.value(regs), 1, n, n)
			}
			t.push()
			if r.isFinal(t.top()) {
				break
			}
			start += n
		}
		copy(memory.Slice[byte](unsafe.Add(dst, k*r.width), r.width), memory.Slice[byte](t.finish(), r.width))
	}
	if regs != nil {
		regs.Recycle()
	}
	stack.Recycle()
}

// piecesPerGroup is how many pieces of a row make up a group, if they are combined in place.
const piecesPerGroup = strided.GroupLen / reduce.Longest

// groupsAtOnce returns how many of the groups [k, to) are whole, lie in one row, and may be combined in place together.
func (r *reduction) groupsAtOnce(k, groups, to int) int {
	if !r.inPlace || r.fold.dtype.IsBool() {
		return 1
	}
	group := k % groups
	start := k/groups*r.length + group*strided.GroupLen
	whole := min(r.length-group*strided.GroupLen, r.eval.Row-start%r.eval.Row) / strided.GroupLen
	return min(whole, to-k, inPlaceRows/piecesPerGroup)
}

// reduceGroups combines n groups, each to its own element of dst. It combines the same values as longRows with each other,
// but goes through all groups at once: memory is read faster along few lines far apart than along one.
func (r *reduction) reduceGroups(dst, partial unsafe.Pointer, k, groups, n int) {
	start := k/groups*r.length + k%groups*strided.GroupLen
	r.pattern.rows(partial, start, n*piecesPerGroup, reduce.Longest, r.launch.Rank-1)
	r.fold.rows(dst, partial, n, piecesPerGroup, piecesPerGroup)
}

// inPlaceRows is how many rows are combined together: each row by itself, and then the rows with each other.
const inPlaceRows = 64

// reduceInPlace combines values that start at a point, and returns the number of points: several rows, or pieces of a
// row. partial has room for their values.
func (r *reduction) reduceInPlace(dst, partial unsafe.Pointer, start, end int) int {
	row, axis := r.eval.Row, r.launch.Rank-1
	inRow := start % row
	rows, n := 1, row
	if inRow > 0 || row > reduce.Longest || end-start < row {
		left := min(end-start, row-inRow)
		n = min(left, reduce.Longest)
		rows = min(left/n, inPlaceRows)
	} else if axis > r.kept {
		axis--
		down := r.launch.Shape[axis]
		rows = min((end-start)/row, down-start/row%down, inPlaceRows)
	}
	if rows == 1 {
		r.pattern.rows(dst, start, 1, n, axis)
	} else {
		r.pattern.rows(partial, start, rows, n, axis)
		r.fold.rows(dst, partial, 1, rows, rows)
	}
	return rows * n
}

// cut returns how many points from start on make up a block.
func (r *reduction) cut(start, end int) int {
	n := min(strided.BlockLen, end-start)
	if e := r.eval; e.WithinRows() {
		n = min(n, e.Row-start%e.Row)
	}
	return n
}

// isFinal reports whether no further value can change the result.
func (r *reduction) isFinal(v unsafe.Pointer) bool {
	switch r.launch.Combine {
	case device.CombineAll:
		return !*(*bool)(v)
	case device.CombineAny:
		return *(*bool)(v)
	}
	return false
}
