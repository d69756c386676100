package cudaops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// chunk is the number of points that a block counts: chunk_points in kernels/compress.cu.
const chunk = 2048

// Nonzero stores the indices at which x is not 0, and waits for their number.
func (d *Device) Nonzero(l *device.Launch) int { return d.compress(l, 1, "write_nonzero") }

// Compress stores the elements of x at which mask is true, and waits for their number.
func (d *Device) Compress(l *device.Launch) int {
	if l.Operands[0].Memory.IsNil() {
		return d.compress(l, 2, "")
	}
	return d.compress(l, 2, "write_compressed")
}

func (d *Device) compress(l *device.Launch, mask int, write string) int {
	d.enter(l)
	if l.Size() == 0 {
		return 0
	}
	// The results are written without gaps, whatever the strides.
	l.Operands[0].Strides = [device.MaxRank]int{}
	l.Rank = merge(l, nil, 0, l.Rank)
	all := 0
	inPieces(l, l.Rank, 0, func(l *device.Launch, _ int) { all += chunksOf(l) })
	counts := d.scratch(l.Func, 8*(all+1))
	defer counts.free()
	launch := func(name string, l *device.Launch, before, first, blocks, threads int) {
		var walks [3]walked
		for k := range l.N {
			walks[k] = walkedOf(&l.Operands[k])
		}
		a := newArguments(limitOf(l.Rank))
		for _, v := range []int{chunksOf(l), before, all, first, mask, walks[mask].size} {
			a.int(v)
		}
		a.word(magnitude(l.Operands[mask].DType))
		for _, v := range []int{int(l.Operands[0].DType), int(l.Operands[1].DType), walks[0].size} {
			a.int(v)
		}
		a.word(counts.address)
		a.walk(l, l.Rank, 3, walks[:l.N]...)
		d.run(l.Func, entry{file: "compress", name: name}, blocks, threads, 0, a)
	}
	step := func(name string) {
		before := 0
		inPieces(l, l.Rank, 0, func(l *device.Launch, first int) {
			launch(name, l, before, first, min(chunksOf(l), maxBlocks), threads)
			before += chunksOf(l)
		})
	}
	step("count_chunks")
	launch("add_chunks", l, 0, 0, 1, 1024)
	if write != "" {
		step(write)
	}
	return d.readInt(l.Func, counts.address+uint64(8*all))
}

func chunksOf(l *device.Launch) int { return (l.Size() + chunk - 1) / chunk }

// magnitude returns a mask of the bits, in 8 bytes, of which one is set in every element that is not 0: all except the
// sign bits.
func magnitude(t dtype.DType) uint64 {
	switch {
	case !t.IsInexact():
		return math.MaxUint64
	case t == dtype.Float16 || t == dtype.BFloat16:
		return 1<<15 - 1
	case t.Real() == dtype.Float32:
		return 0x7fffffff7fffffff
	}
	return 1<<63 - 1
}
