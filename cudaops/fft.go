package cudaops

import (
	"math/bits"

	"github.com/ndgrad/ndgrad/device"
)

const (
	largestRadix = 64        // of a stage: lengths with a larger prime factor use Bluestein's algorithm
	largestRow   = 1024      // the longest row that is transformed in shared memory
	fftScratch   = 256 << 20 // largest scratch memory in bytes, unless one row needs more
	fftRowBlocks = 1 << 12
)

// FFT transforms short rows in shared memory, and longer rows in stages of one launch each.
func (d *Device) FFT(l *device.Launch) {
	d.enter(l)
	n := l.Shape[l.Rank-1]
	if l.Size() == 0 {
		return
	}
	rows := l.Size() / n
	radices, ok := radicesOf(n)
	if !ok || n > largestRow {
		d.longFFT(l, rows, radices, ok)
		return
	}
	a := newArguments(limitOf(l.Rank))
	a.launchLoop(l, 2, 2)
	a.int(rows)
	a.bool(l.Inverse)
	a.partsOfFFT(l)
	a.int(len(radices))
	for k := range 16 {
		if k < len(radices) {
			a.int(radices[k])
		} else {
			a.int(0)
		}
	}
	const number = 16
	d.run(l.Func, entry{file: "fft", name: "fft_rows"}, min(rows, fftRowBlocks), matrixThreads(n/4), 3*number*n, a)
}

// partsOfFFT adds how many elements of a row are read and written, and the factor of the results.
func (a *arguments) partsOfFFT(l *device.Launch) {
	n := l.Shape[l.Rank-1]
	read, written, scale := n, n, 1.0
	if !l.Operands[1].DType.IsComplex() {
		written = n/2 + 1
	} else if !l.Operands[0].DType.IsComplex() {
		read = n/2 + 1
	}
	if l.Scale != 0 {
		scale = l.Scale
	}
	a.int(read)
	a.int(written)
	a.float(scale)
}

// radicesOf returns the radices of the stages of a transform of length n, or false if one would be too large.
func radicesOf(n int) (radices []int, ok bool) {
	for n%4 == 0 && n > 0 {
		radices = append(radices, 4)
		n /= 4
	}
	for radix := 2; n > 1; radix++ {
		if radix > largestRadix {
			return nil, false
		}
		for n%radix == 0 {
			radices = append(radices, radix)
			n /= radix
		}
	}
	return radices, true
}

// longFFT transforms rows in global memory. If the length has no radices, it uses a power of two that is long enough
// for the convolution of a row (Bluestein).
func (d *Device) longFFT(l *device.Launch, rows int, radices []int, direct bool) {
	const number = 16
	m, more := l.Shape[l.Rank-1], 0
	if !direct {
		m, more = 1<<bits.Len(uint(2*m-2)), 1
		radices, _ = radicesOf(m)
	}
	chunk := max(1, min(rows, fftScratch/(2*number*m)-more))
	half := (chunk + more) * m * number
	s := d.scratch(l.Func, 2*half+m*number)
	defer s.free()
	from, to, roots := s.address, s.address+uint64(half), s.address+uint64(2*half)
	first, length, radix := 0, 0, 0
	run := func(name string, points int) {
		a := newArguments(limitOf(l.Rank))
		a.launchLoop(l, 2, 2)
		a.int(first)
		a.int(chunk)
		a.bool(l.Inverse)
		a.partsOfFFT(l)
		a.int(m)
		a.word(to)
		a.word(from)
		a.word(roots)
		a.int(length)
		a.int(radix)
		a.int(chunk + more)
		d.run(l.Func, entry{file: "fft", name: name}, over(points), threads, 0, a)
		from, to = to, from
	}
	stages := func() {
		length = 1
		for _, radix = range radices {
			run("fft_stage", (chunk+more)*stageSteps(m, radix))
			length *= radix
		}
	}
	run("fft_roots", m)
	for ; first < rows; first += chunk {
		chunk = min(chunk, rows-first)
		run("fft_load", (chunk+more)*m)
		stages()
		if !direct {
			run("fft_multiply", chunk*m)
			stages()
		}
		run("fft_store", chunk*l.Shape[l.Rank-1])
	}
}

// stageSteps returns how many steps a stage has for a row, as steps in kernels/fft.cu does.
func stageSteps(m, radix int) int {
	if radix == 4 || radix == 2 {
		return m / radix
	}
	return m
}
