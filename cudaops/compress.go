package cudaops

import "github.com/ndgrad/ndgrad/device"

// chunk is how many points a thread counts.
const chunk = 256

// Nonzero stores the positions at which x is not 0, and waits for their number.
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
	n := l.Size()
	if n == 0 {
		return 0
	}
	chunks := (n + chunk - 1) / chunk
	counts := d.scratch(l.Func, 8*(chunks+1))
	defer counts.free()
	step := func(name string, blocks, threads int) {
		a := newArguments(limitOf(l.Rank))
		a.int(chunk)
		a.int(chunks)
		a.int(mask)
		a.word(counts.address)
		a.launchLoop(l, l.N, 3)
		d.run(l.Func, entry{file: "compress", name: name}, blocks, threads, 0, a)
	}
	step("count_chunks", over(chunks), threads)
	step("add_chunks", 1, 1)
	if write != "" {
		step(write, over(chunks), threads)
	}
	return d.readInt(l.Func, counts.address+uint64(8*chunks))
}
