package rowops

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CTC stores the negative logarithm of the probability of each sequence's labels.
func CTC(l *device.Launch) {
	checkAlignments(l)
	if inDouble(l, 2) {
		ctc[float64](l)
	} else {
		ctc[float32](l)
	}
}

func ctc[T softmax.Float](l *device.Launch) {
	forAlignments(l, func(a *alignment[T]) {
		total := wideZero
		if a.possible() {
			a.makeRoom(2, 1)
			total = a.forward()
		}
		loss := -total.log()
		y := strided.Within(l, 0, 0, l.Rank-2)
		dtype.Convert(y.DType, y.At(a.sequence), 1, dtype.Float64, unsafe.Pointer(&loss), 1, 1)
	})
}

// CTCGrad stores (softmax(x) - occupancy)·g: an element's occupancy is the probability that its class is aligned with
// its time step, over the alignments of the labels.
func CTCGrad(l *device.Launch) {
	checkAlignments(l)
	if inDouble(l, 2) || l.Operands[5].DType == dtype.Float64 {
		ctcGrad[float64](l)
	} else {
		ctcGrad[float32](l)
	}
}

func ctcGrad[T softmax.Float](l *device.Launch) {
	forAlignments(l, func(a *alignment[T]) {
		done := 0
		if a.possible() {
			a.makeRoom(a.steps+1, a.steps)
			if total := a.forward(); total.m != 0 {
				a.backward(total)
				done = a.steps
			}
		}
		a.clearFrom(done)
	})
}

// alignment is a sequence's labels and the rows of its time steps. Its states are the labels with a blank before,
// between and after them: states with odd numbers are labels.
type alignment[T softmax.Float] struct {
	*rowBatch[T]
	sequence int
	times    int // the size of the axis of time steps
	steps    int // the number of time steps of the sequence
	labels   []int64
	skips    []bool // whether the blank before the label may be left out
	states   int

	room *memory.Scratch
	// lattice has the probabilities of each state after a number of steps. The row is that number modulo the number of
	// rows.
	lattice     []wide
	latticeRows int
	// The probabilities of the blank and of the labels at a time step; the row is the time step modulo the number of
	// rows.
	probabilities []wide
	probableRows  int
	behind        []wide // the results of backward: see there
}

// forAlignments calls body for each sequence.
func forAlignments[T softmax.Float](l *device.Launch, body func(a *alignment[T])) {
	times, n := l.Shape[l.Rank-2], l.Shape[l.Rank-1]
	atOnce := max(1, batchElements/max(n, 1))
	longest := l.Axes[0].Size
	cost := float64(times) * (RowCost(true)*float64(n) + 8*float64(longest+1))
	workers.ForRanges(broadcast.Size(l.Shape[:l.Rank-2]), cost+1, func(from, to int) {
		a := &alignment[T]{rowBatch: newRowBatch[T](l, n, atOnce), times: times, labels: make([]int64, longest),
			skips: make([]bool, longest), room: memory.TakeScratch(0)}
		defer a.room.Recycle()
		for a.sequence = from; a.sequence < to; a.sequence++ {
			a.read()
			body(a)
		}
	})
}

// read loads the labels of a sequence, and sets the fields that follow from them.
func (a *alignment[T]) read() {
	l := a.launch
	a.steps = int(sequenceNumber(l, 3, a.sequence, 0))
	a.labels, a.skips = a.labels[:sequenceNumber(l, 4, a.sequence, 0)], a.skips[:cap(a.skips)]
	for j := range a.labels {
		a.labels[j] = sequenceNumber(l, 2, a.sequence, j*l.Axes[0].Stride)
		a.skips[j] = j > 0 && a.labels[j] != a.labels[j-1]
	}
	a.states = 2*len(a.labels) + 1
}

// possible reports whether there are enough time steps for the labels, and for the blanks between equal labels.
func (a *alignment[T]) possible() bool {
	least := len(a.labels)
	for j := range a.labels {
		if j > 0 && !a.skips[j] {
			least++
		}
	}
	return a.steps >= least
}

// makeRoom makes room for the given number of rows of the lattice and of the probabilities.
func (a *alignment[T]) makeRoom(rows, probable int) {
	const size = int(unsafe.Sizeof(wide{}))
	n, m := rows*a.states, probable*(len(a.labels)+1)
	a.room.Grow(size * (n + m + a.states + 2))
	a.lattice, a.latticeRows = memory.Room[wide](a.room, 0, n), rows
	a.probabilities, a.probableRows = memory.Room[wide](a.room, size*n, m), probable
	a.behind = memory.Room[wide](a.room, size*(n+m), a.states+2)
}

// row returns the lattice after the given number of steps.
func (a *alignment[T]) row(steps int) []wide {
	return a.lattice[steps%a.latticeRows*a.states:][:a.states]
}

// at returns the probabilities at a time step.
func (a *alignment[T]) at(time int) (blank wide, labels []wide) {
	n := len(a.labels) + 1
	p := a.probabilities[time%a.probableRows*n:][:n]
	return p[0], p[1:]
}

// window returns the states that can be reached from the beginning by a time step, and from which the end can be
// reached.
func (a *alignment[T]) window(time int) (from, to int) {
	return max(0, a.states-2*(a.steps-time)), min(a.states, 2*(time+1))
}

// batch loads time steps of the sequence into the batch.
func (a *alignment[T]) batch(time int) {
	a.first = a.sequence*a.times + time
	a.take(min(len(a.totals), a.steps-time))
}

// forward fills the lattice, and returns the probability of the labels.
func (a *alignment[T]) forward() wide {
	first := a.row(0)
	for k := range first {
		first[k] = wideZero
	}
	first[0] = wide{1, 0}
	for time := 0; time < a.steps; time += a.rows {
		a.batch(time)
		x := a.input(1)
		y := a.buffer()
		a.findMaxima(x)
		a.exponentials(y, x)
		for i := range a.rows {
			a.loadProbabilities(time+i, i, x, y)
			a.advance(time + i)
		}
	}
	last := a.row(a.steps)
	if a.states == 1 {
		return last[0]
	}
	return last[a.states-1].plus(last[a.states-2])
}

// loadProbabilities stores the probabilities of the classes in use at a time step, from the exponentials of a row of the batch. If
// these are too small, it uses the logarithms.
func (a *alignment[T]) loadProbabilities(time, i int, x, y operandRows[T]) {
	n := len(a.labels) + 1
	p := a.probabilities[time%a.probableRows*n:][:n]
	least, inverse := 1e-30, 1/a.totals[i]
	for j := range p {
		class := int64(a.launch.Blank)
		if j > 0 {
			class = a.labels[j-1]
		}
		if e := float64(y.element(a.rowBatch, i, class)); e >= least {
			p[j] = wide{e * inverse, 0}
		} else {
			p[j] = wideExp(float64(x.element(a.rowBatch, i, class)) - float64(a.values[i]) - scalar.Log(a.totals[i]))
		}
	}
}

// advance computes the lattice after a time step from the lattice before it.
func (a *alignment[T]) advance(time int) {
	before, now := a.row(time), a.row(time+1)
	blank, labels := a.at(time)
	from, to := a.window(time)
	for k := from; k < to; k++ {
		v := before[k]
		if k > 0 {
			v = v.plus(before[k-1])
		}
		p := blank
		if j := k >> 1; k&1 != 0 {
			if a.skips[j] {
				v = v.plus(before[k-2])
			}
			p = labels[j]
		}
		now[k] = v.times(p)
	}
	for k := to; k < min(to+2, a.states); k++ {
		now[k] = wideZero
	}
}

// backward runs from the last time step to the first, and stores the gradients of the rows. behind has the
// probabilities of each state and of all that follows it, from a time step on.
func (a *alignment[T]) backward(total wide) {
	for k := range a.behind {
		a.behind[k] = wideZero
	}
	a.behind[a.states-1] = wide{1, 0}
	g := float64(0)
	gy := strided.Within(a.launch, 5, 0, a.launch.Rank-2)
	dtype.Convert(dtype.Float64, unsafe.Pointer(&g), 1, gy.DType, gy.At(a.sequence), 1, 1)
	atOnce := len(a.totals)
	for time := (a.steps - 1) / atOnce * atOnce; time >= 0 && a.steps > 0; time -= atOnce {
		a.batch(time)
		x := a.input(1)
		gx, _ := a.operand(0)
		a.findMaxima(x)
		a.exponentials(gx, x)
		a.spread(a.values, func(row int) T { return T(1 / a.totals[row]) })
		a.scale(gx)
		for i := a.rows - 1; i >= 0; i-- {
			a.retreat(time+i, i, gx, total)
		}
		a.spread(a.values, func(int) T { return T(g) })
		a.scale(gx)
		a.store(gx)
	}
}

// retreat computes the occupancies of a time step from row i of the batch, and updates behind to that time step.
func (a *alignment[T]) retreat(time, i int, gx operandRows[T], total wide) {
	ahead, behind := a.row(time+1), a.behind
	blank, labels := a.at(time)
	from, to := a.window(time)
	inverse, blanks := 1/total.m, 0.0
	for k := from; k < to; k++ {
		v := behind[k].plus(behind[k+1])
		if k&1 == 0 {
			blanks += ahead[k].share(v, total, inverse)
			behind[k] = v.times(blank)
			continue
		}
		j := k >> 1
		if j+1 < len(labels) && a.skips[j+1] {
			v = v.plus(behind[k+2])
		}
		*gx.at(a.rowBatch, i, a.labels[j]) -= T(ahead[k].share(v, total, inverse))
		behind[k] = v.times(labels[j])
	}
	*gx.at(a.rowBatch, i, int64(a.launch.Blank)) -= T(blanks)
}

// clearFrom stores 0 in the rows from a time step on.
func (a *alignment[T]) clearFrom(time int) {
	for ; time < a.times; time += a.rows {
		a.first = a.sequence*a.times + time
		a.take(min(len(a.totals), a.times-time))
		gx, _ := a.operand(0)
		for i := range a.rows {
			clear(unsafe.Slice(gx.at(a.rowBatch, i, 0), a.n))
		}
		a.store(gx)
	}
}

// sequenceNumber returns operand k's integer for a sequence, offset by a number of elements from the first.
func sequenceNumber(l *device.Launch, k, sequence, offset int) (n int64) {
	v := strided.Within(l, k, 0, l.Rank-2)
	dtype.Convert(dtype.Int64, unsafe.Pointer(&n), 1, v.DType, v.Element(v.Offset(sequence)+offset), 1, 1)
	return n
}

// checkAlignments panics with *device.IndexError at the first length that exceeds its axis, or the first label that is
// not a class.
func checkAlignments(l *device.Launch) {
	times, classes := l.Shape[l.Rank-2], l.Shape[l.Rank-1]
	for sequence := range broadcast.Size(l.Shape[:l.Rank-2]) {
		steps, labels := sequenceNumber(l, 3, sequence, 0), sequenceNumber(l, 4, sequence, 0)
		check(steps, times+1)
		check(labels, l.Axes[0].Size+1)
		for j := range int(labels) {
			check(sequenceNumber(l, 2, sequence, j*l.Axes[0].Stride), classes)
		}
	}
}

func check(n int64, size int) {
	if n < 0 || n >= int64(size) {
		panic(&device.IndexError{Index: int(n), Size: size})
	}
}
