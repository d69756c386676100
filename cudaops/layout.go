package cudaops

import (
	"github.com/ndgrad/ndgrad/cudaops/kernels"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// layout is the part of a launch, besides the program, on which the text of a printed program depends: not the sizes of
// the loop, but the memory layout of the operands.
type layout struct {
	types   [device.MaxOperands]dtype.DType   // of the operands
	forms   [device.MaxOperands]stridePattern // along the last axis
	n       int                               // of operands
	where   int                               // as Where of a launch
	rank    int                               // axes of the loop
	outer   int                               // the number of those that a reduction's output has
	columns bool                              // a reduction's blocks process columns
	small   bool                              // 32 bits suffice for point numbers and element offsets
	pack    int                               // neighbouring points that a thread processes at once, along the last axis
}

// stridePattern is the layout of an operand along the last axis of the loop. It is known for packs, and if there is no other
// axis.
type stridePattern byte

const (
	spread stridePattern = iota // any stride
	dense                       // elements are contiguous
	single                      // there is only one element
	raw                         // it is read by index
)

// smallRank is the largest rank of a small layout, whose divisors are among the arguments.
const smallRank = 8

// elementwiseLayout returns the layout of a launch, whose axes are merged.
func elementwiseLayout(l *device.Launch) layout {
	y := layoutOf(l, l.Program)
	y.small = y.small && l.Size() < 1<<31
	y.pack = y.packFor(l, mostInPack(&y, l.Program))
	if y.pack == 1 && y.rank > 1 {
		y.dropForms()
	}
	return y
}

// layoutOf returns the layout of a launch of a program, without its packs.
func layoutOf(l *device.Launch, p *device.Program) layout {
	y := layout{n: l.N, where: l.Where, rank: l.Rank, small: l.Rank <= smallRank, pack: 1}
	for k := range l.N {
		o := &l.Operands[k]
		y.types[k] = o.DType
		if k >= l.Outputs && k-l.Outputs < len(p.Inputs) && p.Inputs[k-l.Outputs].Raw {
			y.forms[k] = raw
			continue
		}
		y.forms[k] = formOf(l, o)
		y.small = y.small && reach(l, o) < 1<<31
	}
	return y
}

func formOf(l *device.Launch, o *device.Operand) stridePattern {
	switch {
	case l.Rank == 0 || o.Strides[l.Rank-1] == 0:
		return single
	case o.Strides[l.Rank-1] == 1:
		return dense
	}
	return spread
}

// reach returns the largest distance of an element of an operand from its first, in elements.
func reach(l *device.Launch, o *device.Operand) int {
	far := 0
	for axis := range l.Rank {
		far += abs(o.Strides[axis]) * (l.Shape[axis] - 1)
	}
	return far
}

// dropForms makes the text independent of the operands' strides along the last axis. The kernel then reads them from its
// arguments.
func (y *layout) dropForms() {
	for k := range y.n {
		if y.forms[k] != raw {
			y.forms[k] = spread
		}
	}
}

// bytesInPack is the largest number of bytes that a thread reads or writes at once.
const bytesInPack = 16

// mostInPack returns the largest number of points of a pack: as many as fill 16 bytes with the largest elements, and up
// to four with smaller ones. A long program uses fewer, because its text is repeated for each point.
func mostInPack(y *layout, p *device.Program) int {
	smallest, largest := bytesInPack, 1
	for k := range y.n {
		if y.forms[k] == dense {
			size := y.types[k].Size()
			smallest, largest = min(smallest, size), max(largest, size)
		}
	}
	n := max(bytesInPack/largest, min(4, bytesInPack/smallest))
	for c := cost(p); n > 1 && n*c > mostCost; {
		n /= 2
	}
	return n
}

// packFor returns the largest pack up to n, a power of two, that the operands' addresses and strides allow.
func (y *layout) packFor(l *device.Launch, n int) int {
	if l.Rank == 0 || l.Shape[l.Rank-1] < n && l.Rank == 1 {
		return 1
	}
	for ; n > 1; n /= 2 {
		if y.allows(l, n) {
			return n
		}
	}
	return 1
}

// allows reports whether packs of n points can be read and written at once. If the points are counted over other axes
// too, no pack may extend across rows.
func (y *layout) allows(l *device.Launch, n int) bool {
	last := l.Rank - 1
	if last > y.outer && l.Shape[last]%n != 0 {
		return false
	}
	for k := range y.n {
		if y.forms[k] == spread || y.forms[k] == dense && !aligned(l, &l.Operands[k], n) {
			return false
		}
	}
	return true
}

// aligned reports whether an operand, and each of its rows, begins at a multiple of the words with which packs of n
// elements are read.
func aligned(l *device.Launch, o *device.Operand, n int) bool {
	size := o.DType.Size()
	word := min(n*size, bytesInPack)
	if address(o.Memory, o.Offset*size)%uint64(word) != 0 {
		return false
	}
	for axis := range l.Rank - 1 {
		if l.Shape[axis] > 1 && o.Strides[axis]*size%word != 0 {
			return false
		}
	}
	return true
}

// mostCost bounds the size of the program text of a thread, in GPU instructions, to keep the code short.
const mostCost = 512

// cost returns the approximate number of instructions of a program.
func cost(p *device.Program) int {
	sum := 0
	for i := range p.Code {
		in := &p.Code[i]
		c := 1
		switch {
		case kernels.IsSpecial(in.Op):
			c = 200
		case kernels.IsFunction(in.Op), in.Op == device.OpDiv, in.Op == device.OpMod, in.Op == device.OpFloorDiv, in.Op == device.OpFmod:
			c = 30
		}
		if in.Type.IsComplex() {
			c *= 4
		}
		sum += c
	}
	return sum
}

// merge fuses neighbouring axes of the loop, from axis from up to, but not including, axis end, without changing the
// order of the points. It returns how many of them are left. Raw operands of a program and missing operands have no
// axes.
func merge(l *device.Launch, p *device.Program, from, end int) int {
	var strides [device.MaxOperands][]int
	n := 0
	for k := range l.N {
		if l.Operands[k].Memory.IsNil() {
			continue
		}
		if p == nil || k < l.Outputs || k-l.Outputs >= len(p.Inputs) || !p.Inputs[k-l.Outputs].Raw {
			strides[n] = l.Operands[k].Strides[from:end]
			n++
		}
	}
	if from == end {
		return 0
	}
	return broadcast.Coalesce(l.Shape[from:end], strides[:n])
}

// mergeBefore fuses the first axes of a loop, and returns how many of them are left.
func mergeBefore(l *device.Launch, p *device.Program, axes int) int {
	outer := merge(l, p, 0, axes)
	copy(l.Shape[outer:], l.Shape[axes:l.Rank])
	for k := range l.N {
		strides := &l.Operands[k].Strides
		copy(strides[outer:], strides[axes:l.Rank])
	}
	l.Rank -= axes - outer
	return outer
}

// mergeAround fuses the first axes of a loop, and separately the axes after them, and returns how many of the first
// axes are left.
func mergeAround(l *device.Launch, p *device.Program, axes int) int {
	l.Rank = axes + merge(l, p, axes, l.Rank)
	return mergeBefore(l, p, axes)
}
