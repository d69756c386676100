package cudaops

import "github.com/ndgrad/ndgrad/device"

// A matrixKernel is a kernel for a batch of matrices. A block processes one matrix at a time, in scratch memory, with
// numbers of 8 bytes, or of 16 if they are complex.
type matrixKernel struct {
	name    string // of the method of device.Kernels
	kernel  string // and of its file
	numbers int    // that a matrix needs memory for
	bytes   int    // additional memory of a matrix
	refusal string // the error for a matrix that the kernel rejects; "" if it accepts all
}

// matrixScratch is the largest size of a kernel's scratch memory in bytes, unless one matrix needs more. matrixBlocks
// is the largest number of blocks.
const (
	matrixScratch = 256 << 20
	matrixBlocks  = 1 << 12
)

// matrices runs a kernel on a batch of matrices, the last of the operands. Missing operands may be nil.
func (d *Device) matrices(l *device.Launch, k matrixKernel, operands ...*device.Operand) {
	d.enter(l)
	batch := 1
	for _, n := range l.Shape[:l.Rank-2] {
		batch *= n
	}
	if batch == 0 {
		return
	}
	e := entry{file: k.kernel, name: k.kernel, class: 'd'}
	number := 8
	if operands[len(operands)-1].DType.IsComplex() {
		e.class, number = 'z', 16
	}
	room := (k.numbers*number + k.bytes + 255) &^ 255
	blocks := max(1, min(batch, matrixBlocks, matrixScratch/max(room, 1)))
	s := d.scratch(l.Func, blocks*room+8)
	defer s.free()
	info := s.address + uint64(blocks*room)
	if k.refusal != "" {
		d.zero(l.Func, info, 8)
	}
	a := newArguments(limitOf(l.Rank))
	a.loop(l.Shape[:l.Rank])
	for _, o := range operands {
		if o == nil {
			a.skip(1)
			continue
		}
		a.operand(o, l.Rank)
	}
	a.skip(4 - len(operands))
	a.int(batch)
	a.int(matrixFlags(l))
	a.word(s.address)
	a.int(room)
	a.word(info)
	n := matrixThreads(max(l.Shape[l.Rank-2], l.Shape[l.Rank-1]))
	d.run(l.Func, e, blocks, n, 512+32*n, a)
	if k.refusal != "" && d.readInt(l.Func, info) != 0 {
		panic(&device.MatrixError{Kernel: k.name, Msg: k.refusal})
	}
}

// matrixThreads returns the number of threads for a matrix with the given number of rows or columns.
func matrixThreads(n int) int {
	switch {
	case n <= 8:
		return 32
	case n <= 16:
		return 64
	case n <= 32:
		return 128
	}
	return threads
}

// matrixFlags packs options in the format of kernels/matrices.cuh.
func matrixFlags(l *device.Launch) (flags int) {
	for i, set := range []bool{l.Full, l.Upper, l.Transposed, l.UnitDiagonal} {
		if set {
			flags |= 1 << i
		}
	}
	return flags
}
